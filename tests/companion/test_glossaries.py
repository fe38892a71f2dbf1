"""Translations agree with docs/dev/glossary.CODE.md: terms, punctuation and spaces."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from companion.language import list_offered
from engine import datafiles, words
from scripts.spaces import set_spaces
from tests.companion.test_catalogues import entries, printed_sentences, strings, strings_of

DOCS = Path(__file__).parents[2] / "docs" / "dev"
PATTERN = "glossary.{code}.md"
LANGUAGES = [code for code in list_offered() if (DOCS / PATTERN.format(code=code)).exists()]


@cache
def table(code: str, heading: str) -> list[list[str]]:
    """The rows of the table under that heading, without its head."""
    page = (DOCS / PATTERN.format(code=code)).read_text("utf-8")
    _before, part = page.split(f"\n## {heading}\n")
    lines = [line for line in part.partition("\n## ")[0].splitlines() if line.startswith("|")]
    cells = (re.split(r"(?<!\\)\|", line)[1:-1] for line in lines[2:])
    return [[cell.strip().replace("\\|", "|") for cell in row] for row in cells]


def as_pattern(terms: str) -> re.Pattern[str] | None:
    """A pattern for any of the terms as whole words; None for a dash. `*` is any ending."""
    if terms == "—":
        return None
    ways = "|".join(
        re.escape(term.strip()).replace(r"\*", r"\w*").replace(r"\ ", r"\s")
        for term in terms.split(",")
    )
    return re.compile(rf"(?<!\w)(?:{ways})(?!\w)", re.IGNORECASE)


def bare(sentence: str) -> str:
    """The sentence without fields, options and words in English quotes, but with the texts of
    choices by gender."""
    sentence = re.sub("--[a-z]+|“[^”]*”", " ", sentence)
    choices = r"\{\w+:\?([^{}]*)\}"
    return re.sub(r"\{\w*(:[^{}]*)?\}", " ", re.sub(choices, r" \1 ", sentence))


@cache
def told(code: str) -> list[tuple[str, str]]:
    """Every English sentence with its translations, as far as they are done, and the cards' texts
    with an empty one."""
    pairs = [
        (both if isinstance(both, str) else both[0], one)
        for message in entries(code)
        for both in [message.id]
        for one in strings(message)
        if one and not message.fuzzy
    ]
    pairs += [(one, way) for one, ways in printed_sentences(code) for way in strings_of(ways)]
    return pairs + [("", text) for text in texts(datafiles.load(f"texts.{code}"))]


def texts(data: object) -> Iterator[str]:
    if isinstance(data, dict):
        for value in data.values():
            yield from texts(value)
    elif isinstance(data, str):
        yield data


@pytest.mark.parametrize("code", LANGUAGES)
def test_the_terms_of_the_glossary_are_used(code: str) -> None:
    wrong = []
    pairs = [
        (bare(sentence), bare(translation), translation) for sentence, translation in told(code)
    ]
    for english, target, never, *_why in table(code, "Terms"):
        term, use, avoid = (as_pattern(cell) for cell in (english, target, never))
        assert term is not None
        for sentence, text, translation in pairs:
            if use and term.search(sentence) and not use.search(text):
                wrong.append(f"{english}: {translation}")
            if avoid and (match := avoid.search(text)):
                wrong.append(f"never {match.group()}: {translation}")
    assert wrong == []


@pytest.mark.parametrize("code", LANGUAGES)
def test_signs_and_spaces_are_those_of_the_language(code: str) -> None:
    wrong = []
    for never, instead in table(code, "Signs"):
        sign = re.compile(never.strip("`"))
        wrong += [
            f"{match.group()!r}, instead {instead}: {translation}"
            for english, translation in told(code)
            if english != translation and (match := sign.search(translation))
        ]
    assert wrong == []


_NO_PROSE = re.compile(r"!(?=\[)|^```.*?^```$|`[^`\n]*`|(?<=\])\([^)\n]*\)|<[^>]+>", re.M | re.S)


@pytest.mark.parametrize("code", LANGUAGES)
def test_pages_have_the_signs_and_spaces_of_their_language(code: str) -> None:
    wrong = []
    for page in sorted((DOCS.parent / code).glob("*.md")):
        lines = _NO_PROSE.sub("x", page.read_text("utf-8")).splitlines()
        prose = [line for line in lines if not line.startswith(("#", "|--", "|:"))]
        for never, instead in table(code, "Signs"):
            sign = re.compile(never.strip("`"))
            wrong += [
                f"{page.name}: {match.group()!r}, instead {instead}: {line}"
                for line in prose
                if (match := sign.search(line))
            ]
    assert wrong == []


@pytest.mark.parametrize("code", LANGUAGES)
def test_the_glossary_leaves_out_the_names_of_cards(code: str) -> None:
    cards = {facts["name"].casefold() for facts in words.language("en")["cards"].values()}
    assert not cards & {row[0].casefold() for row in table(code, "Terms")}


@pytest.mark.parametrize(
    ("code", "typed", "text"),
    [
        (
            "fr",
            "Qui joue ? « Anna » : oui !",
            "Qui joue\u202f? «\u00a0Anna\u00a0»\u00a0: oui\u202f!",
        ),
        ("fr", "« {path} »; non", "«\u00a0{path}\u00a0»; non"),
        ("ru", "Казна — 3 золота", "Казна\u00a0— 3\u00a0золота"),
        ("de", "Wer spielt? „Anna“ – ja!", "Wer spielt? „Anna“ – ja!"),
        ("fr", "", ""),
    ],
)
def test_ordinary_spaces_that_somebody_typed_are_replaced(code: str, typed: str, text: str) -> None:
    assert set_spaces(typed, code) == text
    assert set_spaces(text, code) == text
