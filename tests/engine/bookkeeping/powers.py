"""Gathering, incomes and the characters' powers over gold, hands and the crown.

`b.me` is the player whose turn it is; `Books.draw`, `discard` and `pay` move cards and gold.
"""

from __future__ import annotations

from tests.engine.bookkeeping import rounds
from tests.engine.bookkeeping.books import Books, Carry, Question
from tests.engine.bookkeeping.building import pay_and_put_up
from tests.engine.bookkeeping.facts import PAID_BY, PAID_IN_CARDS
from tests.engine.boxes import CHARACTERS


def gold(b: Books) -> None:
    b.me.gold += 2 + b.me.has("gold_mine")
    rounds.finish_gathering(b)


def cards(b: Books) -> None:
    count = 1
    if b.me.has("library"):
        count = b.answers["library_with_observatory"] if b.me.has("observatory") else 2
    b.draw(b.me, count)
    rounds.finish_gathering(b)


def income(b: Books, *words: str) -> None:
    """Take income: plain, `gold N cards M` of the deluxe Abbot, or `N` where no cities are kept."""
    b.now.income = True
    if len(words) == 1:
        b.me.gold += int(words[0])
        return
    type_ = PAID_BY[b.now.character]
    paying = [c for c in b.me.city if b.cards[c.id].type == type_ or c.id == "school_of_magic"]
    count = int(words[3]) if words else len(paying) * (b.now.character in PAID_IN_CARDS)
    b.me.gold += len(paying) - count
    b.draw(b.me, count)


def bonus(b: Books) -> None:
    if b.now.character == "merchant":
        b.me.gold += 1
    else:
        b.draw(b.me, 2)


def navigate(b: Books, what: str) -> None:
    if b.answers["navigate_timing"] == "last":
        b.now.part = "last"
    if what == "gold":
        b.me.gold += 4
    else:
        b.draw(b.me, 4)


def kill(b: Books, character: str) -> None:
    b.killed = character


def rob(b: Books, character: str) -> None:
    b.robbed = character


def _sort_by_rank(characters: tuple[str, ...]) -> list[str]:
    return sorted(characters, key=lambda character: CHARACTERS[character][0])


def warrants(b: Books, *characters: str) -> None:
    b.warrants = _sort_by_rank(characters)


def threats(b: Books, *characters: str) -> None:
    b.threats = _sort_by_rank(characters)


def signed(b: Books, character: str) -> None:
    b.signed = character


def real(b: Books, character: str) -> None:
    b.real = character


def swap(b: Books, name: str) -> None:
    other = b.player(name)
    b.me.hand, other.hand = other.hand, b.me.hand


def take(b: Books, name: str, *words: str) -> None:
    """Take a card as the Wizard, to keep or to build at once."""
    b.player(name).hand -= b.tracked
    if words:
        pay_and_put_up(b, *words)
    else:
        b.me.hand += 1


def spy(b: Books, name: str, _type: str, number: str) -> None:
    victim = b.player(name)
    b.pay(victim, b.me, min(int(number), victim.gold))
    b.draw(b.me, int(number))


def study(b: Books) -> None:
    b.draw(b.me, 1)


def crown(b: Books, name: str, payment: str) -> None:
    receiver = b.player(name)
    if payment == "gold":
        b.pay(receiver, b.me, 1)
    elif payment == "card" and b.tracked:
        receiver.hand -= 1
        b.me.hand += 1
    b.now.given_crown = True
    b.move_crown(b.seats[name])


def tithe(b: Books, *name: str) -> None:
    richest = max(b.players, key=lambda player: player.gold)
    b.pay(b.player(name[0]) if name else richest, b.me, 1)


def collect(b: Books) -> None:
    b.me.gold += b.tax
    b.tax = 0


# -- a threat is answered ---------------------------------------------------------------------


def bribe(b: Books) -> None:
    _blackmail(b, b.me.gold // 2)
    _end_threat(b, b.now.character)


def refuse(b: Books) -> None:
    about = b.questions.pop().about
    blackmailer = b.find_acting("blackmailer")
    assert blackmailer is not None
    b.questions.append(Question("expose", blackmailer, about))


def expose(b: Books, *words: str) -> None:
    about = b.now.character
    shown_real = words == ("real",) if words else b.real == about
    other = next(character for character in b.threats if character != about)
    b.real = about if shown_real else other
    if shown_real:
        _blackmail(b, b.me.gold)
        _end_threat(b, about, other)
    else:
        _end_threat(b, about)


def spare(b: Books) -> None:
    _end_threat(b, b.now.character)


def _blackmail(b: Books, amount: int) -> None:
    blackmailer = b.find_acting("blackmailer")
    assert blackmailer is not None
    b.pay(b.me, b.players[blackmailer], amount)


def _end_threat(b: Books, *characters: str) -> None:
    """End the threat; only now a threatened Queen gets her gold."""
    b.questions.pop()
    b.settled_threats |= set(characters)
    rounds.arrive(b)


MOVES: dict[str, Carry] = {
    "gold": gold, "cards": cards, "income": income, "bonus": bonus, "navigate": navigate,
    "kill": kill, "rob": rob, "warrants": warrants, "threats": threats, "real": real,
    "signed": signed, "redraw": rounds.do_nothing, "divine": rounds.do_nothing,
    "swap": swap, "take": take, "spy": spy, "study": study, "crown": crown, "tithe": tithe,
    "collect": collect,
}  # fmt: skip
ANSWERS: dict[str, dict[str, Carry]] = {
    "threat": {"bribe": bribe, "refuse": refuse},
    "expose": {"expose": expose, "spare": spare},
}
