"""The final scores and the winner, by the text of the cards."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from tests.engine.bookkeeping.books import Books, Card, Player
from tests.engine.bookkeeping.facts import TYPES
from tests.engine.boxes import CHARACTERS

Lines = dict[str, int]


class Result(NamedTuple):
    """The lines of every seat's score, seats best first, the winners and the deciding step."""

    lines: list[Lines]
    ranking: list[int]
    winners: list[int]
    tie_break: str | None


def result(b: Books, unmasked: int | None = None) -> Result:
    """The result of the current table, if seat `unmasked` had the killed character (default: as
    known)."""
    unmasked = b.unmasked if unmasked is None else unmasked
    lines = [points(b, seat) for seat in range(len(b.players))]
    measures: dict[str, Callable[[int], int]] = {
        "district_points": lambda seat: district_points(b, lines[seat]),
        "gold": lambda seat: b.players[seat].gold,
        "highest_rank": lambda seat: _last_rank(b, seat, unmasked),
    }
    steps = [(step, measures[step]) for step in b.answers["tie_break"]]

    def rank(seat: int) -> list[int]:
        return [sum(lines[seat].values()), *(measure(seat) for _, measure in steps)]

    ranking = sorted(range(len(b.players)), key=lambda seat: [-n for n in rank(seat)])
    best = rank(ranking[0])
    winners, decision = [s for s in ranking if rank(s)[0] == best[0]], None
    for place, (step, _) in enumerate(steps, 1):
        rest = [seat for seat in winners if rank(seat)[place] == best[place]]
        if len(rest) < len(winners):
            winners, decision = rest, step
        if len(winners) == 1:
            break
    return Result(lines, ranking, winners, decision)


def district_points(b: Books, lines: Lines) -> int:
    """The districts' value in the tie-break: their cost, or with their bonus points."""
    if b.answers["points_of_districts"] == "cost":
        return lines["districts"]
    return sum(lines.values()) - lines["five_types"] - lines["complete"]


def _last_rank(b: Books, seat: int, unmasked: int) -> int:
    """The player's highest rank in the last round, shown or killed."""
    characters = [*b.players[seat].revealed]
    if b.answers["highest_rank"] == "chosen" and unmasked == seat:
        characters.append(b.killed)
    return max([CHARACTERS[character][0] for character in characters], default=0)


def points(b: Books, seat: int) -> Lines:
    """The lines of a score; a Haunted Quarter counts as its best type."""
    player = b.players[seat]
    types = [b.cards[card.id].type for card in player.city]
    ways = [types]
    for place, card in enumerate(player.city):
        in_time = card.round < b.round or b.answers["haunted_quarter_last_round"]
        if card.id == "haunted_quarter" and in_time:
            ways += [[*types[:place], type_, *types[place + 1 :]] for type_ in TYPES]
    return max((_lines(b, seat, types) for types in ways), key=lambda way: sum(way.values()))


def _lines(b: Books, seat: int, types: list[str]) -> Lines:
    player = b.players[seat]
    lines = {
        "districts": sum(map(b.worth, player.city)),
        "five_types": 3 if len(set(types)) == 5 else 0,
        "complete": 4 if seat in b.first else 2 if b.is_complete(player) else 0,
    }
    for card in player.city:
        extra = _score_extra(b, player, card, types)
        if extra:
            lines[card.id] = lines.get(card.id, 0) + extra
    if player.vault:
        lines["secret_vault"] = 3
    return lines


def _score_extra(b: Books, player: Player, card: Card, types: list[str]) -> int:
    unique = types.count("unique")
    if b.cards[card.id].points:
        return b.cards[card.id].points
    match card.id:
        case "imperial_treasury":
            return player.gold
        case "map_room":
            return player.hand
        case "wishing_well":
            return unique if b.answers["wishing_well_counts_itself"] else unique - 1
        case "museum":
            return card.under
        case "basilica":
            return sum(b.worth(each) % 2 for each in player.city)
        case "capitol":
            return 3 if any(types.count(type_) >= 3 for type_ in TYPES) else 0
        case "ivory_tower":
            return 5 if unique == 1 else 0
        case "statue":
            return 5 if b.players[b.crown] is player else 0
    return 0
