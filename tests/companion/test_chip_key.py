"""The printed key to the chips: every action and number chip, in short lines."""

from __future__ import annotations

import pytest

from companion.chips.entries import ACTIONS
from tests.companion.listening import companion, complaints

pytestmark = pytest.mark.outer


def test_the_key_names_every_chip_in_lines_that_can_be_read() -> None:
    lines = companion("tags", "list").stdout.splitlines()
    names = {line.partition(":")[0] for line in lines}
    assert set(ACTIONS) - set("0123456789") <= names
    assert "end: end the turn." in lines
    assert complaints(lines) == []


@pytest.mark.parametrize("width", [20, 40])
def test_the_key_fits_a_line_of_braille(width: int) -> None:
    lines = companion("tags", "list", "--width", str(width)).stdout.splitlines()
    assert lines
    assert max(map(len, lines)) <= width


@pytest.mark.parametrize("width", ["3", "wide", "-40"])
def test_a_width_that_is_none_is_refused(width: str) -> None:
    result = companion("tags", "list", "--width", width)
    assert result.returncode == 2
    assert "--width" in result.stderr
