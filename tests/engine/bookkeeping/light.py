"""Light mode: amounts of gold during the game, the cities listed after the last round."""

from __future__ import annotations

from tests.engine.bookkeeping.books import Books, Card, Carry, Player


def _find_player(b: Books, words: tuple[str, ...]) -> Player:
    return b.player(words[-2]) if len(words) > 1 else b.me


def pay(b: Books, *words: str) -> None:
    """`N` to the bank, `to P N` to another player, `P N` another player to the bank."""
    if len(words) == 3:
        b.pay(b.me, _find_player(b, words), int(words[-1]))
    else:
        _find_player(b, words).gold -= int(words[-1])


def gain(b: Books, *words: str) -> None:
    """`N` from the bank, `from P N` from another player, `P N` another player from the bank."""
    if len(words) == 3:
        b.pay(_find_player(b, words), b.me, int(words[-1]))
    else:
        _find_player(b, words).gold += int(words[-1])


def complete(b: Books, name: str) -> None:
    b.first = [b.seats[name]]


def city(b: Books, name: str, *names: str) -> None:
    b.player(name).city += [Card(district, 0) for district in names]


def decorate(b: Books, *names: str) -> None:
    asked = b.players[b.questions[-1].seat]
    for district in names:
        next(c for c in asked.city if c.id == district and not c.decorated).decorated = True


def count(b: Books, district: str, number: str) -> None:
    """Record the cards under the Museum, or those in hand for the Map Room."""
    asked = b.players[b.questions[-1].seat]
    if district == "museum":
        b.find(asked, district).under = int(number)
    else:
        asked.hand = int(number)


def counted(b: Books) -> None:
    b.questions.pop()
    if not b.questions:
        b.stage = "over"


MOVES: dict[str, Carry] = {"pay": pay, "gain": gain, "complete": complete}
ANSWERS: dict[str, dict[str, Carry]] = {
    "city": {"city": city, "decorate": decorate, "count": count, "counted": counted}
}
