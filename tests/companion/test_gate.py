"""Unintended taps: each plays nothing, and one sentence says why."""

from __future__ import annotations

import pytest

from companion.readers import LATE, reject_tap
from tags.presence import moment
from tags.watch import Tap
from tests.companion.simulated_chips import walk

CHIP = bytes.fromhex("04A2B3C4D5E680")


@pytest.mark.parametrize(
    ("tap", "words"),
    [
        (Tap(bytes.fromhex("08A1B2C3"), kind="random"), "phone"),
        (Tap(CHIP, kind="iso-dep"), "bank card"),
        (Tap(CHIP, kind="felica"), "FeliCa"),
        (Tap(CHIP, kind="type b"), "type B"),
        (Tap(CHIP, found=True), "already a chip"),
        (Tap(CHIP, again=True), "within a second"),
        (Tap(CHIP, together=True), "two chips at once"),
        (Tap(CHIP, at=900.0), "two seconds ago"),
    ],
)
def test_what_was_not_meant_is_said(tap: Tap, words: str) -> None:
    reason = reject_tap(tap, now=900.0 + LATE + 0.1)
    assert reason is not None
    assert words in reason


def test_what_was_meant_is_played() -> None:
    assert reject_tap(Tap(CHIP, at=900.0), now=900.0 + LATE) is None
    assert reject_tap(Tap(CHIP, at=moment())) is None
    assert reject_tap(Tap(CHIP, swapped=True)) is None
    assert reject_tap(Tap(CHIP)) is None


@pytest.mark.outer
def test_a_simulated_card_is_learned_as_no_other() -> None:
    lines = walk("learn", "tap tavern", "no", "tap manor")
    assert any("says it is Tavern" in line for line in lines)
    assert "Learned: Manor, 1 of 5." in lines
    assert not any(line.startswith("Learned: Tavern") for line in lines)
