"""The number of random games in the engine's tests: `RANDOM_GAMES=10000` for a longer run."""

from __future__ import annotations

import os

import pytest

from tests.sizes import pick_size


@pytest.fixture(scope="session")
def games() -> int:
    """The number of random games per table size."""
    return int(os.environ.get("RANDOM_GAMES", pick_size(8, 20, 1500)))
