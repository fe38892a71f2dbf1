"""How an example of docs/dev/adding.md changes each file."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[2]

Edit = Callable[[str], str]
"""Computes a file's new text from the old one, empty for a new file."""


class Thing(NamedTuple):
    """One addition: `names` fill the placeholders in the page's paths; its edits by path; `ring` is
    the relevant part of the inner ring."""

    names: Mapping[str, str]
    files: Mapping[str, Edit]
    ring: tuple[str, ...] = ("tests/engine", "tests/companion")


def create(text: str) -> Edit:
    """Create a file."""
    return lambda before: text


def end(text: str) -> Edit:
    """Append lines."""
    return lambda before: f"{before.rstrip()}\n{text}"


def insert_after(place: str, text: str) -> Edit:
    """Insert text after `place`."""

    def edit(before: str) -> str:
        assert before.count(place) == 1, f"{place!r} is there {before.count(place)} times"
        return before.replace(place, place + text)

    return edit


def replace(old: str, new: str) -> Edit:
    """Replace the first occurrence of `old`."""

    def edit(before: str) -> str:
        assert old in before, f"{old!r} is not there"
        return before.replace(old, new, 1)

    return edit


def translate(**fields: Mapping[str, str]) -> Edit:
    """Translations for the catalogue of each language, by code; English for the others."""

    def edit(before: str) -> str:
        code = before.partition('"Language: ')[2][:2]
        translations = fields.get(code, dict.fromkeys(next(iter(fields.values())), "x"))
        names = (f'msgid "{english}"\nmsgstr "{own}"\n' for english, own in translations.items())
        return "\n".join((before, *names))

    return edit


_OTHER = "fr"  # the language whose files the made-up one copies


def copy_another(path: str) -> Edit:
    """Copy another language's file."""
    return lambda before: (ROOT / path.replace("<code>", _OTHER)).read_text(encoding="utf-8")
