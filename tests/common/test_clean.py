"""Cleaning text: removes terminal controls and misleading characters, keeps all scripts and
emoji."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from common.clean import LIMIT, clean_text, printable

anything = st.text(st.characters(exclude_categories=[]), max_size=300)
nasty = st.text(
    st.sampled_from(
        "ab \t\n\x1b\x9b\x7f\u202e\u2066\u200d\u200b\ufeff\ufe0f\u0301\ud800👩👧👍🏽❤é"
    ),
    max_size=40,
)


@pytest.mark.parametrize(
    "text",
    [
        "Anna",
        "Évêque",
        "Цитадели",
        "張さん",
        "שרה",
        "عمر",
        "O'Neil & [b]Söhne[/b]",
        "👨‍👩‍👧‍👦",
        "👍🏽",
        "❤️ x",
        "1️⃣",
        "🇫🇷",
    ],
)
def test_names_of_all_kinds_stay(text: str) -> None:
    assert clean_text(text) == text
    assert printable(text) == text


@pytest.mark.parametrize(
    ("text", "cleaned"),
    [
        ("a\x1b]0;title\x07b", "a]0;titleb"),
        ("\x9b2Ja", "2Ja"),
        ("  two\r\n\tlines\u2028here ", "two lines here"),
        ("gnp\u202eexe", "gnpexe"),
        ("pay\u200bpal\u2060\ufeff", "paypal"),
        ("a\u200db", "ab"),
        ("e\u0301", "é"),
        ("\u0301a", "a"),
        ("a" + "\u0335" * 30, "a" + "\u0335" * 4),
        ("\ud800x\uffff", "x"),
        ("\u3164", ""),
        ("An\ufe01n\ufe0fa\ufe0e", "Anna"),
        ("❤\ufe0f\ufe0f", "❤\ufe0f"),
        ("🙂\u200d↔\ufe0f ‼\ufe0f", "🙂\u200d↔\ufe0f ‼\ufe0f"),
        ("\U0001bca0a", "a"),
        ("", ""),
    ],
)
def test_what_drives_or_misleads_goes(text: str, cleaned: str) -> None:
    assert clean_text(text) == cleaned


@given(anything | nasty, st.integers(0, 30))
def test_cleaned_text_is_short_flat_composed_and_stays_so(text: str, limit: int) -> None:
    name = clean_text(text, limit=limit)
    assert len(name) <= limit * 12
    assert name == name.strip()
    assert "  " not in name
    assert unicodedata.is_normalized("NFC", name)
    assert not any(unicodedata.category(c) in ("Cc", "Cs", "Zl", "Zp") for c in name)
    assert clean_text(name, limit=limit) == name
    assert printable(name) == name
    name.encode()


@given(anything | nasty)
def test_printable_keeps_lines_and_stops_the_rest(text: str) -> None:
    name = printable(text)
    assert len(name) == len(text)
    assert name.count("\n") == text.count("\n")
    assert not any(unicodedata.category(c) in ("Cc", "Cs") for c in name if c not in "\n\t")
    assert not any(unicodedata.bidirectional(c) in BIDI_CONTROLS for c in name)
    assert printable(name) == name
    name.encode()


BIDI_CONTROLS = {"LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI"}


def test_a_long_text_is_cut_between_characters() -> None:
    assert clean_text("x" * 200) == "x" * (LIMIT - 1) + "…"
    assert clean_text("👨‍👩‍👧‍👦" * 5, limit=3) == "👨‍👩‍👧‍👦" * 2 + "…"
    assert clean_text("ab cd", limit=4) == "ab…"


@pytest.mark.timeout(10)
def test_a_hostile_length_costs_little() -> None:
    assert clean_text("\u200d" * 10_000_000) == ""
    assert len(clean_text("👩\u200d" * 1_000_000, limit=5)) <= 60
