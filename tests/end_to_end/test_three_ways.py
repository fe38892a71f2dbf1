"""One whole game played three ways to the same final table: replayed, typed, and tapped.

The taps are those of the simulated reader on the full screen, without a driver; a game through the
emulated PN532 and nfcpy's real driver is in `test_game_on_a_reader.py`.
"""

from __future__ import annotations

import json
from typing import Any

import pytest

from companion.chips.entries import ACTIONS
from companion.readers import table_reader as readers
from engine.moves import parse
from tags.watch import Watcher
from tests.app.driving import Driver, start_table
from tests.app.keying import digits_to
from tests.companion.listening import companion
from tests.end_to_end.steps import GAMES, assert_ended_as, options_of, record_of, sort_faceup
from tests.sizes import pick_first

pytestmark = pytest.mark.outer

RECORD = GAMES / "whole_game.yaml"


class QuickWatcher(Watcher):
    """A watcher that polls more often than at a table."""

    def __init__(self, *words: Any, **options: Any) -> None:
        super().__init__(*words, **{**options, "interval": 0.01})


def chips_for(verb: str, words: tuple[str, ...]) -> list[str]:
    """The chips to tap for a move, in order; numbers where no card fits."""
    if (verb, *words) in (("call",), ("nobody",), ("unmask", "nobody")):
        return ["crown"]
    if verb in ("choose", "redraw", "complete") or any(word.isdecimal() for word in words):
        return []
    if not words:
        return [verb] if verb in ACTIONS else []
    return [f'"{word}"' if " " in word else word for word in words]


async def play(table: Driver, text: str) -> None:
    """Play one move of the record by taps alone."""
    session = table.session
    before = len(session.referee.moves)
    move = parse(text, session.view.rules.vocabulary)
    for chip in chips_for(move.verb, move.args):
        await table.tap(chip, rest=False)
        if len(session.referee.moves) > before:
            break
    while len(session.referee.moves) == before:
        await table.settle()
        assert table.app.table is not None
        for digit in digits_to(table.app.table.talk, move):
            await table.tap(digit, rest=False)
    lines = [result.text for result in session.referee.moves[before:]]
    assert [sort_faceup(one) for one in lines] == [sort_faceup(text)], (lines, table.text())


@pytest.mark.parametrize("name", pick_first("short_game", "whole_game"))
async def test_a_whole_game_by_taps_ends_as_its_record_does(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    # polled five times as often as at a table: every lift of hundreds is waited for
    monkeypatch.setattr(readers, "Watcher", QuickWatcher)
    record = record_of(name)
    setup = record.setup
    request = {"forced": "ask"}  # the record contains every move
    async with start_table(
        list(setup.players),
        crown=setup.crown,
        house=dict(setup.options or {}),
        reader="simulated",
        settings_too=request,
    ) as table:
        for move in record.moves:
            await play(table, move)
    assert_ended_as(name)


def test_the_same_game_replayed_and_typed() -> None:
    """`replay` and `play --plain` from the command line, and the saved typed game."""
    record = record_of("whole_game")
    reference = json.loads((GAMES / "whole_game.json").read_text("utf-8"))
    assert json.loads(companion("replay", str(RECORD), "--json").stdout) == reference
    text = "".join(f"{move}\n" for move in record.moves)
    result = companion("play", "--plain", *options_of(record), "--reader", "none", stdin=text)
    assert result.returncode == 0, result.stderr
    assert "Refused" not in result.stdout
    assert_ended_as("whole_game")
