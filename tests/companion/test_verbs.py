"""One record for each verb of the notation, complete in every language, with a unique key."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, product

import pytest

from companion import language, verbs
from companion.language import list_offered, vocabulary
from companion.settings.keys import ACTIONS
from companion.verbs import VERBS
from engine import record
from engine.moves import GRAMMAR, Move
from engine.referee import Referee
from engine.rules import are_offered_together
from engine.table import Table
from tests.engine.boxes import EDITIONS, random_setup
from tests.engine.playing import random_game


def moments(edition: str, *, light: bool = False) -> Iterator[tuple[Table, dict[str, list[Move]]]]:
    """The tables of a random game with their legal moves, by verb."""
    head = random_setup(edition, "verbs")
    if light:
        head |= {"options": {"cities": "untracked"}}
    for referee in random_game(record.read(head).start, 1, rounds=6, choose=not light):
        by_verb: dict[str, list[Move]] = {}
        for move in referee.list_legal_moves():
            by_verb.setdefault(move.verb, []).append(move)
        yield referee.table, by_verb


def test_every_verb_of_the_notation_has_its_record() -> None:
    assert VERBS.keys() == GRAMMAR.keys()


@pytest.mark.parametrize("code", [code for code in list_offered() if code != "en"])
def test_every_verb_can_be_typed_in_every_language(code: str) -> None:
    language.use(code)
    same_as_in_english = {verb for verb in VERBS if vocabulary.find_name(verb) == verb}
    assert same_as_in_english <= {"bonus", "gold", "real"}


@pytest.mark.parametrize("code", list_offered())
def test_every_question_of_a_verb_is_a_question(code: str) -> None:
    language.use(code)
    questions = [
        verbs.ask(verb, place, "Ben")
        for verb, place in product(VERBS, range(4))
        if GRAMMAR[verb] != ("",) and VERBS[verb].fold
    ]
    assert [question for question in questions if not question.endswith("?")] == []


@pytest.mark.parametrize("light", [False, True], ids=["", "light"])
@pytest.mark.parametrize("edition", EDITIONS)
def test_every_row_of_a_game_has_its_words(edition: str, light: bool) -> None:
    for table, by_verb in moments(edition, light=light):
        for verb, moves in by_verb.items():
            if len(moves) > 1:
                assert VERBS[verb].fold is not None, verb
                assert verbs.fold_label(table, verb, moves)
                assert verbs.ask(verb, 0, "Ben").endswith("?"), verb
            for place in range(2):
                alike = [move for move in moves if move.args[:place] == moves[0].args[:place]]
                rows = verbs.describe_rests(table, alike, place)
                assert len(set(rows)) == len(alike), rows


def test_verbs_offered_together_have_different_keys_and_none_has_that_of_an_action() -> None:
    screen_keys = {key for action_keys in ACTIONS.values() for key in action_keys}
    letters = {verb: one.key for verb, one in VERBS.items() if one.key}
    assert screen_keys.isdisjoint(letters.values())
    assert [
        (one, other)
        for one, other in combinations(letters, 2)
        if letters[one] == letters[other] and are_offered_together(one, other)
    ] == []
    assert are_offered_together("rescue", "leave")  # and nothing else then


def test_districts_of_a_city_are_told_apart_by_their_price() -> None:
    table = record.read(
        {
            "edition": "classic_2016",
            "players": ["Anna", "Ben", "Kurt", "Mia"],
            "position": {
                "players": {"Ben": {"city": ["tavern", "keep", "castle"]}, "Anna": {"gold": 5}},
                "turn": {"player": "Anna", "character": "warlord", "gathered": True},
            },
        }
    ).start
    referee = Referee(table)
    destroy = {move.args[1]: move for move in referee.list_legal_moves() if move.verb == "destroy"}
    assert verbs.describe_rests(table, [*destroy.values()], 1) == ["Tavern, free", "Castle, 3"]
    assert verbs.describe_rests(table, [destroy["castle"]]) == ["Ben, Castle, 3"]
    assert "keep" not in destroy
