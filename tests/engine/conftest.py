"""How many random games the tests of the engine play: `RANDOM_GAMES=10000` for the long run."""

from __future__ import annotations

import os

import pytest

ORDINARY_GAMES = 24  # per table size


@pytest.fixture(scope="session")
def games() -> int:
    """The number of random games per table size."""
    return int(os.environ.get("RANDOM_GAMES", ORDINARY_GAMES))
