"""The Wizard pays for the card that he takes as one builds, and the Cardinal for the Thieves' Den:
in lists, in typed words, in the story, by taps."""

from __future__ import annotations

from typing import Any

import pytest

from companion import language
from companion.game import asking
from companion.game.typed import spell_move, understand
from companion.wording import story
from engine import record, views
from engine.moves import Move
from engine.referee import Referee, list_legal_moves

UNIQUES = ["framework", "necropolis", "factory", "haunted_quarter", "imperial_treasury", "keep",
           "laboratory", "library", "map_room", "quarry", "school_of_magic", "smithy", "statue",
           "thieves_den"]  # fmt: skip
CAST = ["assassin", "thief", "wizard", "king", "cardinal", "merchant", "architect", "warlord"]


def turn_of(character: str, options: dict[str, Any] | None = None, **anna: Any) -> Referee:
    """Anna's turn in the deluxe box, with 3 gold and 5 cards."""
    position = {"players": {"Anna": {"gold": 3, "hand": 5, **anna}},
                "turn": {"player": "Anna", "character": character, "gathered": True}}  # fmt: skip
    head: dict[str, Any] = {"edition": "deluxe_2016", "players": ["Anna", "Kurt", "Ashley", "Ben"]}
    head |= {"characters": CAST, "districts": UNIQUES, "options": options or {}}
    return Referee(record.read({**head, "position": position}).start)


def labels(referee: Referee, *begun: str) -> list[str]:
    """The rows of the list of the moves that begin with these words."""
    view = views.redact(referee.table, views.PUBLIC)
    verb, *words = begun
    moves = [
        move
        for move in list_legal_moves(view)
        if move.verb == verb and move.args[: len(words)] == tuple(words)
    ]
    return [row.label for row in asking.narrow(view, moves).rows if row.moves]


def played(referee: Referee, text: str) -> list[str]:
    """What is told of that move."""
    before = referee.table
    referee.play(text)
    return story.tell(before, referee.moves[-1], referee.table)


def test_the_wizard_is_offered_every_way_to_pay() -> None:
    referee = turn_of("wizard", city=["framework", "temple"])
    rows = labels(referee, "take", "Kurt")
    palace = "Build the Palace in place of your Framework"
    assert {"Manor, 3", palace, "Thieves' Den, 6"} <= set(rows)
    assert labels(referee, "take", "Kurt", "necropolis") == [
        f"Build the Necropolis in place of your {card}" for card in ("Framework", "Temple")
    ]
    assert labels(referee, "take", "Kurt", "thieves_den", "cards") == [
        f"Build the Thieves' Den for {price}"
        for price in ("3 cards and 3 gold", "4 cards and 2 gold", "5 cards and 1 gold")
    ]
    den = "Anna takes the Thieves' Den from Kurt's hand and builds it for 3 cards and 3 gold."
    assert played(referee, "take Kurt thieves_den cards 3") == [den]
    referee.undo()
    palace = "Anna takes the Palace from Kurt's hand and builds it in place of the Framework."
    assert played(referee, "take Kurt palace over framework") == [palace]


def test_the_cardinal_pays_with_cards_and_borrows_the_rest() -> None:
    referee = turn_of("cardinal", gold=2)
    row = "Build the Thieves' Den for 2 cards and 4 gold, 2 gold of it from Ben"
    assert row in labels(referee, "build", "thieves_den", "cards", "2")
    text = "Anna builds the Thieves' Den for 2 cards and 4 gold, with gold from Ben."
    assert played(referee, "build thieves_den cards 2 from Ben") == [text]
    assert [(seat.gold, seat.hand) for seat in referee.table.seats] == [
        (0, 0), (2, 4), (2, 4), (0, 6)]  # fmt: skip


def test_without_cities_only_the_cost_is_said() -> None:
    referee = turn_of("wizard", options={"cities": "untracked"})
    assert labels(referee, "take", "Kurt") == ["0 gold", "1 gold", "2 gold", "3 gold"]
    legal = referee.list_legal_moves()
    assert understand("take kurt church", referee.table, legal) == [Move("take", ("Kurt", "2"))]
    assert played(referee, "take Kurt 2") == [
        "Anna takes a card from Kurt's hand and builds it for 2 gold."
    ]
    assert referee.table.seats[0].gold == 1


@pytest.mark.parametrize("code", ["de", "fr", "ru"])
@pytest.mark.parametrize(
    ("character", "text"),
    [
        ("wizard", "take Kurt thieves_den cards 3"),
        ("wizard", "take Kurt palace over framework"),
        ("cardinal", "build thieves_den cards 1 from Ben"),
    ],
)
def test_they_are_typed_in_other_languages(code: str, character: str, text: str) -> None:
    referee = turn_of(character, city=["framework", "temple"])
    legal = referee.list_legal_moves()
    move = next(move for move in legal if move.text == text)
    language.use(code)
    assert understand(spell_move(move), referee.table, legal) == [move]
