"""Whole games from the started command: by keys and chips in a real terminal, and in lines in the
user's own words. Each ends with the table and the score of its record.

The words differ by language, what happens does not: each way has one language in `make test` and
the others in the soak."""

from __future__ import annotations

import os
from collections import deque
from pathlib import Path

import pytest

from companion import chips
from companion.chips import SimulatedDeck
from companion.chips.entries import ActionChip, Entry
from companion.chips.registry import Registry
from companion.files import locations
from companion.game import shortcuts
from companion.language import _, list_offered
from companion.wording import state
from engine.referee import list_legal_moves
from tags.links import format_uid
from tests.app.keying import Typist, keyboard, typist
from tests.companion.listening import Listener, complaints
from tests.companion.own_words import type_move
from tests.end_to_end.steps import (
    Step,
    assert_ended_as,
    chips_of,
    has_moves,
    options_of,
    record_of,
    steps,
)
from tests.end_to_end.tmux import Terminal
from tests.sizes import RING, pick_first

pytestmark = pytest.mark.outer


def spoken_first(code: str) -> pytest.MarkDecorator:
    """Run a test in this language, in the soak in all; the short soak has longer games instead."""
    others = [other for other in list_offered() if other != code and RING != "short"]
    return pytest.mark.parametrize("speech", pick_first(code, *others), indirect=True)


ASKED = {"COMPANION_FORCED": "ask"}  # every move of a record is made manually


# -- the full screen --------------------------------------------------------------------------


@spoken_first("ru")  # whose letters are not those of the keys
@pytest.mark.parametrize("name", pick_first("short_game", "whole_game"))
def test_a_whole_game_by_keys_and_chips_in_a_terminal(
    name: str, speech: str, terminal: Terminal, tmp_path: Path
) -> None:
    """Move by move in turn; each chip is a line of the file used as the reader."""
    record = record_of(name)
    deck = SimulatedDeck(record.setup.ruleset())
    chips.save(locations.chips_file(os.environ["COMPANION_DATA"]), Registry(deck.chips))
    reader = tmp_path / "taps"
    reader.touch()
    options = ["play", *options_of(record), "--reader", f"file:{reader}"]
    terminal.start(options, ASKED, size=(160, 48))
    terminal.see(_("Choose"))
    first = list_offered().index(speech) % 2  # languages differ in which moves are made by chips
    latest = deque[bytes](maxlen=5)
    with typist(record.setup) as hand:
        for number, step in enumerate(steps(record), start=first + 1):
            if number % 2 or builds_another(step):
                terminal.keys(*keyboard(hand.keys_to(step.move)))
            else:
                with reader.open("a") as file:
                    for entry in chips_to(hand, step):
                        uid = deck.find_entry(entry)
                        assert uid is not None, entry
                        if uid in latest:  # sooner than a hand could mean it
                            file.write("wait 1.1\n")
                        file.write(f"{format_uid(uid)}\n")
                        latest.append(uid)
            has_moves(terminal, number - first)
    tell_the_scores(terminal)
    terminal.see(state.question(step.after))
    terminal.end()
    assert_ended_as(name)


def builds_another(step: Step) -> bool:
    """Whether the move builds a district that is in a city already: its chip would be asked about,
    because the simulated deck taps the first copy."""
    districts = {card.id for seat in step.before.seats for card in seat.city.cards}
    return step.move.verb == "build" and not districts.isdisjoint(step.move.words("D"))


def chips_to(hand: Typist, step: Step) -> list[Entry]:
    """The chips of the move's words, `end` twice where the first asks; else those of the numbers of
    its rows."""
    tapped = chips_of(step.before, step.move)
    if step.move.verb == "end" and shortcuts.ask_before_end(
        step.before, list_legal_moves(step.before)
    ):
        tapped *= 2
    if not tapped:
        return [ActionChip(digit) for digit in hand.numbers_to(step.move)]
    hand.follow(step.move)
    return tapped


def tell_the_scores(terminal: Terminal) -> None:
    for title in (_("Districts"), _("Five types"), _("Complete cities"), _("Unique districts")):
        terminal.see(title)
        terminal.keys("Enter")
    terminal.see(_("The winner"))
    terminal.keys("Enter")
    terminal.see(_("The final scores"))
    terminal.keys("Enter")


# -- lines ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("speech", list_offered(), indirect=True)
@pytest.mark.parametrize("name", pick_first("short_game", "whole_game"))
def test_a_whole_game_in_ones_own_words(name: str, speech: str) -> None:
    """Verbs, literal words and cards in the language, in the grammatical case required."""
    record = record_of(name)
    with Listener(*options_of(record), new=False) as caller:
        caller.hear()
        for step in steps(record):
            said = caller.tell(type_move(step.move))
            assert said[-1] == state.question(step.after), (step.move, said)
        assert caller.leave() == 0
        assert complaints(caller.transcript) == []
    assert_ended_as(name)
