"""Light mode: amounts of gold during the game, the cities listed after the last round."""

from __future__ import annotations

from tests.engine.bookkeeping.books import Books, Card, Carry, Player, Question


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
    b.ending = True


def city(b: Books, name: str, *names: str) -> None:
    b.player(name).city += [Card(district, 0) for district in names]


def decorate(b: Books, *names: str) -> None:
    player = b.players[b.questions[-1].seat]
    for district in names:
        next(c for c in player.city if c.id == district and not c.decorated).decorated = True


def count(b: Books, district: str, number: str) -> None:
    """Record the cards under the Museum, or those in hand for the Map Room."""
    player = b.players[b.questions[-1].seat]
    if district == "museum":
        b.find(player, district).under = int(number)
    else:
        player.hand = int(number)


def counted(b: Books) -> None:
    seat = b.questions[-1].seat
    if seat in b.first and not b.is_complete(b.players[seat]):
        b.questions.append(Question("completion", seat))
    else:
        _finish_city(b)


def confirm(b: Books) -> None:
    b.questions.pop()
    _finish_city(b)


def recount(b: Books) -> None:
    b.questions.pop()


def _finish_city(b: Books) -> None:
    """Ask when each Haunted Quarter was built, where it matters; then the next city."""
    seat = b.questions.pop().seat
    if not b.answers["haunted_quarter_last_round"]:
        for card in reversed(b.players[seat].city):
            if card.id == "haunted_quarter":
                b.questions.append(Question("built_last_round", seat, card))
    _go_on(b)


def _go_on(b: Books) -> None:
    if not b.questions:
        b.stage = "over"


def late(b: Books) -> None:
    b.questions.pop().about.round = b.round
    _go_on(b)


def early(b: Books) -> None:
    b.questions.pop()
    _go_on(b)


MOVES: dict[str, Carry] = {"pay": pay, "gain": gain, "complete": complete}
ANSWERS: dict[str, dict[str, Carry]] = {
    "city": {"city": city, "decorate": decorate, "count": count, "counted": counted},
    "completion": {"confirm": confirm, "recount": recount},
    "built_last_round": {"late": late, "early": early},
}
