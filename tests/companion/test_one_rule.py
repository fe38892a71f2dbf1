"""One rule for the hand: letters search, numbers keep their meaning, and a key that means nothing
now says why; in random games of every box."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import pytest

from companion import verbs
from companion.language.names import search_names
from companion.settings.keys import select_verbs
from engine.editions import editions
from engine.explain import Refused
from engine.record import Setup
from tests.companion.talking import FOUR, Talk

if TYPE_CHECKING:
    from pathlib import Path

    from companion.game.asking import Offer

MOVES = 250
OPEN = ("faceup", "reveal", "unmask")
"""Verbs without a number: each of their answers has one."""


def check_numbers(talk: Talk, offer: Offer) -> None:
    """Every row has a number of its own: that of its verb, or that of what it names."""
    numbers = [row.number for row in offer.rows]
    assert None not in numbers
    assert len({*numbers}) == len(numbers), [(row.number, row.label) for row in offer.rows]
    seats = talk.session.view.rules.seat_of
    for row in offer.rows:
        if row.card in seats:
            assert row.number == seats[row.card] + 1
        elif row.moves and not row.card and not talk.conversation.lists.stack:
            verb = row.moves[0].verb
            if len({move.verb for move in row.moves}) == 1 and verbs.VERBS[verb].number:
                assert row.number in (verbs.VERBS[verb].number, verbs.VERBS["choose"].number), row


def check_letters(talk: Talk, chance: random.Random) -> None:
    """Where a name is awaited, the beginning of a district's name in any language is only text."""
    view = talk.session.view
    count = len(talk.moves())
    for district in chance.sample(sorted(view.rules.districts), 3):
        for name in search_names(district):
            talk.conversation.press(name[0].upper() if chance.random() < 0.5 else name[0])
            assert talk.conversation.lists.letters, (district, name)
            assert not talk.conversation.lists.stack
            talk.conversation.press("escape")
    assert len(talk.moves()) == count


def check_keys(talk: Talk) -> None:
    """A verb's letter takes its row, is text, or is answered."""
    for keys in verbs.keys(select_verbs(talk.conversation.keys_of)).values():
        if any(row.key in keys for row in talk.conversation.offer.rows):
            continue
        for key in keys:
            before = len(talk.face.messages)
            assert talk.conversation.press(key), key
            assert len(talk.face.messages) > before or talk.conversation.lists.letters, key
            talk.conversation.lists.clear_typed()


@pytest.mark.parametrize("edition", editions())
def test_numbers_and_letters_mean_the_same_in_random_games(edition: str, tmp_path: Path) -> None:
    chance = random.Random(edition)
    talk = Talk(tmp_path, Setup(edition, FOUR, "Kurt"))
    for count in range(MOVES):
        if talk.session.over:
            break
        conversation = talk.conversation
        if conversation.private is None:
            check_numbers(talk, conversation.offer)
            if conversation.offer.filters and not conversation.lists.stack:
                check_letters(talk, chance)
            if count % 10 == 0:
                check_keys(talk)
        legal = [move for move in talk.session.legal() if move.verb != "choose"]
        try:
            conversation.play(chance.choice(legal), sure=True)
        except Refused:
            continue
    talk.session.close()


def test_each_verb_has_a_number_or_answers_with_numbers() -> None:
    without = {verb for verb, record in verbs.VERBS.items() if not record.number}
    assert without == {*OPEN}


def test_an_income_of_nothing_is_explained_and_does_not_hold_the_turn(tmp_path: Path) -> None:
    talk = Talk(tmp_path, Setup("classic_2016", FOUR, "Kurt"))
    for move in ("faceup bishop merchant", "call", "nobody", "nobody", "nobody", "reveal Anna"):
        talk.line(move)
    assert talk.keys("i") == ["No district in this city pays an income now."]
    talk.line("gold")
    talk.line("build temple")  # nothing else can be done: the turn has ended
    assert "end" in talk.moves()
    talk.session.close()


def test_the_last_player_keeps_the_number_of_the_seat(tmp_path: Path) -> None:
    talk = Talk(tmp_path, Setup("classic_2016", FOUR, "Kurt"))
    for move in ("faceup bishop merchant", "call", "reveal Anna", "gold", "end", "9"):
        talk.line(move)
    for player, rest in (("Kurt", "gold"), ("Ashley", "gold")):
        talk.line(f"reveal {player}")
        talk.line(rest)
        talk.line("end")
        talk.line("9")  # without the power
    rows = {row.label: row.number for row in talk.offer.rows}
    assert [number for label, number in rows.items() if label.startswith("Ben")] == [4]
    talk.session.close()
