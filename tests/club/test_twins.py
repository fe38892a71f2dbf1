"""Twin games, which differ in exactly one secret, are published alike."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.club import door
from tests.sizes import pick_size
from tests.twins.doors import find_difference
from tests.twins.pairs import TWINS
from tests.twins.recorded import LIARS

pytestmark = [pytest.mark.outer, pytest.mark.sweep]

PAIRS = {**TWINS, **LIARS}


@pytest.mark.parametrize("name", [*PAIRS][:: pick_size(3, 1, 1)])
def test_twins_are_published_alike(name: str, tmp_path: Path) -> None:
    assert find_difference(door.look, PAIRS[name], tmp_path) is None
