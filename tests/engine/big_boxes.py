"""Tables of the larger boxes: casts, turns and positions."""

from __future__ import annotations

from typing import Any

from engine import cards, record
from engine.referee import Referee
from tests.engine.playing import NAMES

OLD_BOXES = ("millennium_3e", "ffg_2005")
BIG_BOXES = (*OLD_BOXES, "deluxe_2016")
DELUXE_UNIQUES = [
    "armory", "factory", "framework", "great_wall", "haunted_quarter", "keep", "laboratory",
    "museum", "necropolis", "park", "poor_house", "quarry", "school_of_magic", "smithy",
]  # fmt: skip


def cast_with(*characters: str) -> list[str]:
    """The eight characters of the smallest box, with these substituted at their ranks."""
    facts = cards.characters()
    first = ["assassin", "thief", "magician", "king", "bishop", "merchant", "architect", "warlord"]
    by_rank = {facts[id_].rank: id_ for id_ in (*first, *characters)}
    return [by_rank[rank] for rank in sorted(by_rank)]


def table(
    *characters: str, edition: str = "deluxe_2016", size: int = 4, **position: Any
) -> Referee:
    """A table with these characters, at that position; Anna has the crown."""
    head: dict[str, Any] = {
        key: position.pop(key) for key in ("secrecy", "options", "crown") if key in position
    }
    head.setdefault("crown", "Anna")
    if edition == "deluxe_2016":
        head["districts"] = position.pop("districts", DELUXE_UNIQUES)
    cast = cast_with(*characters)
    if size in (3, 8) and len(cast) == 8:
        cast = cast_with(*characters, "artist")
    head |= {"edition": edition, "players": [*NAMES, "Eve"][:size], "characters": cast}
    return Referee(record.read({**head, "position": position}).start)


def turn_of(
    character: str,
    *others: str,
    turn: dict[str, Any] | None = None,
    **position: Any,
) -> Referee:
    """Anna's turn as that character, with the others also in the game."""
    acting = {"player": "Anna", "character": character, **(turn or {})}
    return table(character, *others, turn=acting, **position)


def play(referee: Referee, *moves: str) -> Referee:
    for move in moves:
        referee.play(move)
    return referee


def gold(referee: Referee) -> list[int]:
    return [seat.gold for seat in referee.table.seats]


def city(referee: Referee, seat: int = 0) -> list[str]:
    return [card.id for card in referee.table.seats[seat].city.cards]


def set_up_bewitched(character: str, *, edition: str = "deluxe_2016", **rest: Any) -> Referee:
    """A table about to call a bewitched character, which Kurt will show."""
    rank = cards.characters()[character].rank
    after = {"Anna": ["witch"]} | rest.pop("revealed", {})
    others = rest.pop("others", ())
    return table(
        "witch", character, *others, edition=edition, bewitched=character, called=rank,
        revealed=after, **rest,
    )  # fmt: skip
