"""A chip named by a phone: whatever a URL contains, it is only looked up."""

from __future__ import annotations

import contextlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.chips.entries import DistrictChip
from companion.chips.ndef import find_entry, parse_chip
from companion.chips.registry import Registry

TEMPLE = bytes.fromhex("04A2B3C4D5E680")
KNOWN = Registry({TEMPLE: DistrictChip("temple", 2)})


@pytest.mark.parametrize(
    "text", ["04A2B3C4D5E680", "04a2b3c4d5e680", "04:a2:b3:c4:d5:e6:80", "04 A2 B3 C4 D5 E6 80"]
)
def test_an_id_is_read_as_links_and_browsers_write_it(text: str) -> None:
    assert parse_chip(text) == TEMPLE
    assert find_entry(parse_chip(text), KNOWN.lookup) == DistrictChip("temple", 2)


@pytest.mark.parametrize(
    "text",
    ["", "04", "04A2B3C4D5E68", "04A2B3C4D5E68G", "../../etc/passwd", "<script>", "\x1b[2J",
     "٠٤A2B3C4", "04A2B3C4\x00", "0" * 1_000_000, None, 4, ["04A2B3C4D5E680"]],
    ids=lambda text: repr(text)[:20],
)  # fmt: skip
def test_anything_else_is_one_sentence_that_repeats_nothing(text: object) -> None:
    with pytest.raises(ValueError, match=r"^A chip's id is 8, 14 or 20 digits .*\.$"):
        parse_chip(text)


@given(st.text(max_size=60))
def test_no_text_is_more_than_an_id(text: str) -> None:
    with contextlib.suppress(ValueError):
        assert len(parse_chip(text)) in (4, 7, 10)


def test_what_stands_for_nothing_is_said() -> None:
    with pytest.raises(ValueError, match="doesn't know chip 04A2B3C4D5E681"):
        find_entry(bytes.fromhex("04A2B3C4D5E681"), KNOWN.lookup)
