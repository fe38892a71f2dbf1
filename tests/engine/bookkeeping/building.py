"""Building: payment, confiscation by the Magistrate, and the effects of a new district."""

from __future__ import annotations

from tests.engine.bookkeeping.books import Books, Card, Carry, Player, Question


def build(b: Books, district: str, *words: str) -> None:
    """Build a district of one's own hand, or for `N` where no cities are kept."""
    if not district.isdecimal():
        b.me.hand -= 1
    pay_and_put_up(b, district, *words)


def pay_and_put_up(b: Books, district: str, *words: str) -> None:
    """`D`, `D from P`, `D over D`, `D cards N`, `D cards N from P`; `N` where no cities are
    kept."""
    if district.isdecimal():
        put_up(b, None, gold=int(district))
        return
    price = b.price(district)
    if words[:1] == ("over",):
        b.raze(b.me, b.find(b.me, *words[1:]))
        put_up(b, district)
        return
    cards = int(words[1]) if words[:1] == ("cards",) else 0
    if "from" in words:
        lender, missing = b.player(words[-1]), price - cards - b.me.gold
        b.pay(lender, b.me, missing)
        lender.hand += missing
        b.me.hand -= missing
    put_up(b, district, gold=price - cards, cards=cards)


def put_up(b: Books, district: str | None, *, gold: int = 0, cards: int = 0) -> None:
    """Pay for a district, and add it to the city unless the Magistrate may answer first."""
    b.me.gold -= gold
    b.discard(b.me, cards)
    b.now.built.append(district)
    magistrate = b.find_acting("magistrate")
    is_warranted = b.now.character in set(b.warrants) - b.settled_warrants
    if gold + cards and is_warranted and magistrate not in (None, b.now.seat):
        assert magistrate is not None
        b.questions.append(Question("warrant", magistrate, district, gold))
    else:
        b.now.spent += gold
        enter(b, b.me, district, gold)


def enter(b: Books, player: Player, district: str | None, gold: int) -> None:
    """Add the built district: refund, the Lighthouse's card, the deluxe tax, first completion."""
    if b.now.character == "alchemist" and b.answers["alchemist_refund"] == "at_once":
        player.gold += gold
    if district is not None:
        player.city.append(Card(district, b.round))
    if district == "lighthouse":
        b.draw(player, 1)
    collects_himself = b.now.character == "tax_collector" and player is b.me
    if "tax_collector" in b.cast.values() and player.gold and not collects_himself:
        player.gold -= 1
        b.tax += 1
    b.note_completion(b.seats[player.name])


def confiscate(b: Books) -> None:
    """Give the district to the Magistrate and refund the builder; the other warrants are void."""
    question = b.questions.pop()
    b.settled_warrants |= set(b.warrants)
    b.me.gold += question.gold
    enter(b, b.players[question.seat], question.about, 0)


def spare(b: Books) -> None:
    question = b.questions.pop()
    b.settled_warrants.add(b.now.character)
    b.now.spent += question.gold
    enter(b, b.me, question.about, question.gold)


MOVES: dict[str, Carry] = {"build": build}
ANSWERS: dict[str, dict[str, Carry]] = {"warrant": {"confiscate": confiscate, "spare": spare}}
