"""The soak programs, such as `tests/soak/kills.py`, in each ring's size."""

from __future__ import annotations

import os
from functools import partial

import pytest

from tags.watch import Watcher
from tests.sizes import pick_size
from tests.soak import chaos, damage, disk_faults, kills, taps

pytestmark = [pytest.mark.outer, pytest.mark.sweep]

KILLS = pick_size(25, 80, 10_000)
TAPS = pick_size(60, 300, 20_000)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="nothing is forked there")
def test_kills_lose_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    for variable in ("COMPANION_DATA", "XDG_CONFIG_HOME"):
        monkeypatch.setenv(variable, os.environ[variable])  # set back afterwards
    assert kills.run(KILLS, 7).startswith(f"{KILLS} kills, ")


@pytest.mark.skipif(not disk_faults.POSSIBLE, reason="traced on Linux on x86_64 alone")
def test_disk_faults_lose_nothing() -> None:
    assert "0 lost" in disk_faults.run(pick_size(2, 4, 12), every=pick_size(9, 3, 1))


@pytest.mark.skipif(not hasattr(os, "fork"), reason="nothing is killed there")
def test_chaos_loses_nothing() -> None:
    figures = chaos.run(8, 7)
    assert figures["moves in the log"] >= figures["moves accepted"] > 0
    assert figures["kills"] > 0


def test_taps_are_played_once_each() -> None:
    assert taps.run(TAPS, 7).startswith(f"{TAPS} touches in ")


@pytest.mark.parametrize(
    ("name", "spoilt"),
    [
        ("Watcher", partial(Watcher, dropout=0.05)),
        ("Watcher", partial(Watcher, dropout=0.9)),
        ("reject_tap", lambda tap, now: None),
        ("reject_tap", lambda tap, now: "never"),
    ],
)
def test_taps_that_are_not_played_once_are_noticed(
    name: str, spoilt: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(taps, name, spoilt)
    with pytest.raises(AssertionError, match="wrong, seed 7"):
        taps.run(60, 7)


def test_damage_ends_in_sentences() -> None:
    assert "0 tracebacks" in damage.run(pick_size(10, 50, 1000), 5)
