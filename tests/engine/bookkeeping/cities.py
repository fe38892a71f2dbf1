"""Actions on districts in cities: rank 8, the Artist, unique districts' powers."""

from __future__ import annotations

from collections.abc import Sequence

from tests.engine.bookkeeping.books import Books, Carry, Question
from tests.engine.bookkeeping.facts import LABORATORY_GIVES, SMITHY_COSTS
from tests.engine.bookkeeping.rounds import swap_notes

MARKS = ("plain", "decorated", "under")


def destroy(b: Books, name: str, district: str, *mark: str) -> None:
    """Pay one gold less than the cost; the Graveyard's owner is asked before the card is lost."""
    victim = b.player(name)
    card = b.find(victim, district, *mark)
    b.me.gold -= max(0, b.worth(card) - 1 + b.wall(victim, card))
    b.raze(victim, card)
    if b.answers["strike_timing"] == "last":
        b.now.part = "last"
    b.deck -= 1  # it is neither in the city nor in the deck
    _ask_to_rescue(b, district, b.now.seat)


def _ask_to_rescue(b: Books, district: str, seat: int) -> None:
    """Ask the next owner of a Graveyard to the left of the seat, up to the Warlord himself."""
    seat = (seat + 1) % len(b.players)
    if seat == b.now.seat:
        b.deck += 1
    elif b.players[seat].has("graveyard") and b.players[seat].gold:
        b.questions.append(Question("graveyard", seat, district))
    else:
        _ask_to_rescue(b, district, seat)


def rescue(b: Books, name: str) -> None:
    b.questions.pop()
    b.player(name).gold -= 1
    b.player(name).hand += 1


def leave(b: Books) -> None:
    question = b.questions.pop()
    _ask_to_rescue(b, question.about, question.seat)


def seize(b: Books, name: str, district: str, *mark: str) -> None:
    victim = b.player(name)
    card = b.find(victim, district, *mark)
    b.pay(b.me, victim, b.worth(card) + b.wall(victim, card))
    victim.city.remove(card)
    b.me.city.append(card)
    b.note_completion(b.now.seat)


def exchange(b: Books, *words: str) -> None:
    """`D P D`, each district with its mark where the city has others of its name."""
    own, name, theirs = parts_of_exchange(words)
    other = b.player(name)
    card, part = b.find(b.me, *own), b.find(other, *theirs)
    b.pay(b.me, other, max(0, b.worth(part) + b.wall(other, part) - b.worth(card)))
    b.me.city.remove(card)
    other.city.remove(part)
    b.me.city.append(part)
    other.city.append(card)
    b.note_completion(b.now.seat)
    b.note_completion(b.seats[name])
    if b.answers["exchange_timing"] == "last":
        b.now.part = "last"


def parts_of_exchange(words: Sequence[str]) -> tuple[Sequence[str], str, Sequence[str]]:
    """The player's own district, the other player, and the other's district."""
    own = 2 if words[1] in MARKS else 1
    return words[:own], words[own], words[own + 1 :]


def decorate(b: Books, *names: str) -> None:
    for district in names:
        b.me.gold -= 1
        next(c for c in b.me.city if c.id == district and not c.decorated).decorated = True


def use(b: Books, district: str, *words: str) -> None:
    if district == "laboratory":
        b.discard(b.me)
        b.me.gold += LABORATORY_GIVES[b.printing]
    elif district == "smithy":
        b.me.gold -= SMITHY_COSTS[b.printing]
        b.draw(b.me, 3)
    elif district == "museum":
        b.me.hand -= 1
        b.find(b.me, "museum").under += 1
    elif district == "armory":
        victim = b.player(words[0])
        b.raze(b.me, b.find(b.me, "armory"))
        b.raze(victim, b.find(victim, *words[1:]))
    elif district == "theater":
        swap_notes(b, words[0])
    elif district == "bell_tower":
        b.find(b.me, "bell_tower").announced = True
        b.size = 7
        b.ending = b.ending or any(map(b.is_complete, b.players))
        b.first = b.first or [i for i, player in enumerate(b.players) if b.is_complete(player)]


MOVES: dict[str, Carry] = {
    "destroy": destroy,
    "seize": seize,
    "exchange": exchange,
    "decorate": decorate,
    "use": use,
}
ANSWERS: dict[str, dict[str, Carry]] = {"graveyard": {"rescue": rescue, "leave": leave}}
