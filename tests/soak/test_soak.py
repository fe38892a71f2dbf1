"""The soak tests in short; `python tests/soak/kills.py` and its neighbours run as long as asked."""

from __future__ import annotations

import os

import pytest

from tests.soak import damage, disk_faults, kills


@pytest.mark.skipif(not hasattr(os, "fork"), reason="nothing is forked there")
def test_kills_lose_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    for variable in ("COMPANION_DATA", "XDG_CONFIG_HOME"):
        monkeypatch.setenv(variable, os.environ[variable])  # set back afterwards
    assert kills.run(25, 7).startswith("25 kills, ")


@pytest.mark.skipif(not disk_faults.POSSIBLE, reason="traced on Linux on x86_64 alone")
def test_disk_faults_lose_nothing() -> None:
    assert "0 lost" in disk_faults.run(2, every=9)


def test_damage_ends_in_sentences() -> None:
    assert "0 tracebacks" in damage.run(10, 5)
