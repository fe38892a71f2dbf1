"""Deliberately planted leaks: the twins find every one."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.sizes import pick_size
from tests.starting import ROOT
from tests.twins.doors import (
    Look,
    conversation,
    crashes,
    find_difference,
    lines,
    onlookers,
    refusals,
    screen,
    terminal,
    views,
    wire,
)
from tests.twins.doors.lines import OpenToOthers
from tests.twins.leaks import LEAKS, owner_of
from tests.twins.pairs import TWINS
from tests.twins.recorded import CALLED, HANDS, LIARS

pytestmark = pytest.mark.outer

BY_NUMBER, BY_TAP = (conversation.WAYS[f"conversation, by {way}"] for way in ("number", "tap"))

FOUND: dict[str, tuple[Look, str]] = {
    "a view keeps the victim": (views.look, "kill"),
    "a view keeps the markers": (views.look, "real"),
    "JSON shows what is chosen": (views.look, "choose"),
    "a refusal explains the true table": (refusals.look, "kill, with a Blackmailer"),
    "true legal moves are offered": (BY_NUMBER, "signed"),
    "steps are forced by a secret": (BY_NUMBER, "signed"),
    "undo tells": (BY_NUMBER, "rob, in the Thief's place"),
    "a whisper is spoken to the table": (BY_NUMBER, "kill, without cities"),
    "repeat repeats a choice": (BY_NUMBER, "kill, of two"),
    "a stray tap explains the victim": (BY_TAP, "kill"),
    "a voice is given its text as an argument": (BY_NUMBER, "kill, without cities"),
    "a public record keeps secrets": (lines.look, "rob, in the Thief's place"),
    "a record's refusal explains the true table": (refusals.look, "kill, with a Blackmailer"),
    "a crash report holds values": (crashes.look, "kill"),
    "a page is drawn from the true table": (wire.look, "kill"),
    "phones hear of the true table": (wire.look, "rob"),
    "the crown's phone answers for the Magistrate": (wire.look, "signed"),
    "a rank that nobody has passes at once": (
        wire.look,
        "killed, held by somebody or nobody, called without a caller",
    ),
    "calling begins when the records agree": (
        wire.look,
        "a liar only asks, called without a caller",
    ),
    "who is told first depends on the records": (wire.look, "recorded after a liar"),
    "an answer is late where records agree": (wire.look, "recorded after a liar"),
    "a seat whose record was dropped is free": (wire.look, "recorded after a liar"),
    "an onlooker sees the true table": (onlookers.look, "rob"),
    "every stream hears of a hand": (wire.look, "a hand told in truth or not"),
    "a seat is private while its list has a card": (wire.look, "a hand told or not"),
    "a private line is shown on the screen": (screen.look, "rob, in the Thief's place"),
    "a hidden line shows its length": (screen.look, "rob, in the Thief's place"),
}
"""A door and a pair that find a leak planted in this process."""

STARTED: dict[str, tuple[Look, str]] = {
    "files are open to others": (lines.look, "rob, in the Thief's place"),
    "a private line is shown at a terminal": (terminal.look, "rob, in the Thief's place"),
    "a view keeps the victim": (lines.look, "kill, without cities"),
}
"""A door and a pair that find a leak planted in a program that is started."""


def test_every_leak_is_tried() -> None:
    assert {*FOUND, *STARTED} == set(LEAKS)


@pytest.mark.sweep
@pytest.mark.parametrize("leak", [*FOUND][:: pick_size(3, 2, 1)])
def test_a_planted_leak_is_found(
    leak: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    door, twins = FOUND[leak]
    place, make = LEAKS[leak]
    owner, name = owner_of(place)
    monkeypatch.setattr(owner, name, make(getattr(owner, name)))
    assert find_difference(door, {**TWINS, **LIARS, **CALLED, **HANDS}[twins], tmp_path) is not None


@pytest.mark.sweep
@pytest.mark.parametrize("leak", [*STARTED][:: pick_size(3, 2, 1)])
def test_a_leak_planted_in_a_program_is_found(
    leak: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PLANTED_LEAK", leak)
    monkeypatch.setenv(
        "PYTHONPATH", os.pathsep.join((f"{Path(__file__).parent}/planted", f"{ROOT}"))
    )
    door, twins = STARTED[leak]
    try:
        assert find_difference(door, TWINS[twins], tmp_path) is not None
    except OpenToOthers:
        assert leak == "files are open to others"
