"""Twin games, which differ in exactly one secret, look the same through every door until it is
public."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.twins.doors import Look, different, refusals, views
from tests.twins.pairs import TWINS, Twins

IN_PROCESS: dict[str, Look] = {
    "views": views.look,
    "refusals": refusals.look,
}

each_pair = pytest.mark.parametrize("twins", TWINS.values(), ids=TWINS)


@each_pair
@pytest.mark.parametrize("door", IN_PROCESS.values(), ids=IN_PROCESS)
def test_twins_look_the_same(door: Look, twins: Twins, tmp_path: Path) -> None:
    assert different(door, twins, tmp_path) is None
