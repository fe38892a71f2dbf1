"""Results survive when tables, broker and hub are killed."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from tests.club import killing
from tests.sizes import pick_size

pytestmark = [pytest.mark.outer, pytest.mark.sweep]

RESULTS = pick_size(12, 36, 10_000)


@pytest.mark.needs("mosquitto", "club")
@pytest.mark.skipif(not hasattr(os, "fork"), reason="nothing is forked there")
def test_kills_lose_no_result_of_a_club() -> None:
    """In a process of its own: what is forked beside other tests' threads may never run."""
    tables = min(RESULTS // 6, 20)
    words = ["--results", str(RESULTS), "--tables", str(tables), "--seed", "7"]
    command = [sys.executable, killing.__file__, *words]
    longest = 2 * (killing.PLAYED_IN + RESULTS)  # it gives up by itself before
    run = subprocess.run(command, capture_output=True, text=True, check=False, timeout=longest)
    assert run.returncode == 0, run.stderr
    assert run.stdout.startswith(f"{RESULTS} results of ")
