"""Results survive when tables, broker and hub are killed."""

from __future__ import annotations

import os

import pytest

from tests.club import killing
from tests.sizes import pick_size

pytestmark = [pytest.mark.outer, pytest.mark.sweep]

RESULTS = pick_size(12, 36, 10_000)


@pytest.mark.needs("mosquitto", "club")
@pytest.mark.skipif(not hasattr(os, "fork"), reason="nothing is forked there")
def test_kills_lose_no_result_of_a_club() -> None:
    figures = killing.run(RESULTS, min(RESULTS // 6, 20), 7)
    assert figures.startswith(f"{RESULTS} results of ")
