"""The printed key to the chips: every action and number chip, in short lines."""

from __future__ import annotations

import pytest

from companion import chips
from tests.companion.listening import companion, complaints

pytestmark = pytest.mark.outer


def test_the_key_names_every_chip_in_lines_that_can_be_read() -> None:
    told = companion("tags", "key").stdout.splitlines()
    named = {line.partition(":")[0] for line in told}
    assert set(chips.ACTIONS) - set("0123456789") <= named
    assert "end: end the turn." in told
    assert complaints(told) == []


@pytest.mark.parametrize("width", [20, 40])
def test_the_key_fits_a_line_of_braille(width: int) -> None:
    told = companion("tags", "key", "--width", str(width)).stdout.splitlines()
    assert told
    assert max(map(len, told)) <= width


@pytest.mark.parametrize("width", ["3", "wide", "-40"])
def test_a_width_that_is_none_is_refused(width: str) -> None:
    done = companion("tags", "key", "--width", width)
    assert done.returncode == 2
    assert "--width" in done.stderr
