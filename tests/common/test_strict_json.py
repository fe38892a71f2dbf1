"""Strict JSON: what no file can hold is refused where it is read."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from common import strict_json

values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
)


@given(values, st.booleans())
def test_what_python_writes_is_read(value: object, escapes: bool) -> None:
    text = json.dumps(value, ensure_ascii=escapes)
    assert strict_json.parse(text) == strict_json.parse(text.encode()) == value


@pytest.mark.parametrize("half", [r"\ud800", r"\uDfff", r"\udc00\ud800", "\ud83d", r"\ud83d x"])
@pytest.mark.parametrize("place", ['"{}"', '{{"{}": 1}}', '[{{"a": ["x{}y"]}}]'])
def test_half_a_character_is_refused(place: str, half: str) -> None:
    text = place.format(half)
    for source in (text, text.encode("utf-8", "surrogatepass")):
        with pytest.raises(ValueError, match=r"surrogate|utf-8"):
            strict_json.parse(source)


@pytest.mark.parametrize(
    "source", ["", "NaN", "[-Infinity]", "[" * 100_000, b"\xff", '"a"'.encode("utf-16")]
)
def test_what_is_not_json_is_refused(source: str | bytes) -> None:
    with pytest.raises(ValueError):  # noqa: PT011 - of many kinds
        strict_json.parse(source)


def test_a_pair_of_halves_is_a_character() -> None:
    assert strict_json.parse(r'"\ud83d\uDE00 \\ud800"') == "😀 \\ud800"
