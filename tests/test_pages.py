"""Translated pages: each says which version of its page it translates, and its words work."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from companion import language
from companion.language import _, load_words, words_of
from scripts import pages

TRANSLATIONS = [*pages.list_translations()]
OLD = {one.path for one in TRANSLATIONS if one.is_old}
"""Translations that lag behind their page, which fails nothing: scripts/pages.py tells of them."""


def name(translation: pages.Translation) -> str:
    return translation.path.relative_to(pages.DOCS).as_posix()


@pytest.mark.parametrize("translation", TRANSLATIONS, ids=name)
def test_a_translation_names_its_page_and_version(translation: pages.Translation) -> None:
    assert translation.page.exists()
    assert translation.version, "python scripts/pages.py --mark"


def test_the_pages_for_people_are_those_of_every_language() -> None:
    assert {*pages.list_languages()} >= {"de", "fr", "ru"}
    assert [*pages.list_missing()] == []
    for folder in (pages.DOCS, *(pages.DOCS / code for code in pages.list_languages())):
        there = {path.stem for path in folder.glob("*.md")} | {"README"}
        assert there == {*pages.PAGES}


_OF_BROWSERS = {"Advanced", "Details", "Erweitert", "Avancé", "Détails"}


@pytest.mark.documents
@pytest.mark.parametrize("code", ["en", *pages.list_languages()])
@pytest.mark.parametrize("page", ["phones.md", "looking-back.md"])
def test_what_a_page_calls_by_name_is_called_so_by_the_program(page: str, code: str) -> None:
    """What stands in italics: buttons and headings of the phones' pages."""
    path = pages.DOCS / ("" if code == "en" else code) / page
    if path in OLD:
        return
    text = path.read_text(encoding="utf-8")
    language.use(code)
    sentences = {
        _(each)
        for template in (pages.DOCS.parent / "companion").rglob("companion.pot")
        for each in re.findall(r'^msgid "(.+)"$', template.read_text("utf-8"), re.M)
    }
    names = {*re.findall(r"(?<![\w*])\*([^*\n]+)\*(?![\w*])", text)} - _OF_BROWSERS
    assert names <= sentences


def test_the_pages_for_people_are_short() -> None:
    """Together at most 6,500 words, without tables, examples and the descriptions of pictures."""
    texts = [pages.find_page(name).read_text(encoding="utf-8") for name in pages.PAGES]
    examples = re.compile(r"^```.*?^```$", re.DOTALL | re.MULTILINE)
    prose = re.sub(r"^(?:\||!\[).*$", "", examples.sub("", "\n".join(texts)), flags=re.MULTILINE)
    assert len(prose.split()) <= 6500


def test_no_picture_is_there_that_no_page_shows() -> None:
    pages_there = [*pages.DOCS.rglob("*.md"), pages.ROOT / "README.md"]
    text = "\n".join(path.read_text(encoding="utf-8") for path in pages_there)
    pictures = {*re.findall(r"img/([\w.-]+)\)", text)}
    assert pictures == {path.name for path in (pages.DOCS / "img").iterdir()}


@pytest.mark.parametrize("code", pages.list_languages())
def test_a_translation_has_the_parts_of_its_page(code: str) -> None:
    """As many headings, rows, examples and pictures, in the same order."""
    part = re.compile(r"^(#+ |\||```\w*|!\[|\d\. |- )", re.MULTILINE)
    for name in pages.PAGES:
        path = pages.DOCS / code / f"{name}.md"
        if path in OLD:
            continue
        theirs = path.read_text(encoding="utf-8")
        ours = pages.find_page(name).read_text(encoding="utf-8")
        assert part.findall(theirs) == part.findall(ours), f"{code}/{name}.md"


def test_a_page_that_changed_makes_its_translation_old(tmp_path: Path) -> None:
    page, path = tmp_path / "plain.md", tmp_path / "de.md"
    page.write_text("# One\n")
    path.write_text("# Eins\n")
    pages.mark(pages.Translation(path, page, None))
    version = path.read_text().split()[-2]
    assert not pages.Translation(path, page, version).is_old
    page.write_text("# Two\n")
    assert pages.Translation(path, page, version).is_old


@pytest.mark.documents
@pytest.mark.parametrize("code", pages.list_languages())
def test_the_words_of_playing_without_sight_can_be_typed(code: str) -> None:
    kinds = [kind for kind in words_of(code).values() if isinstance(kind, dict)]
    kinds.append(load_words(code, "commands"))  # also of extensions
    known = {word for kind in kinds for words in kind.values() for word in words}
    text = (pages.DOCS / code / "plain.md").read_text(encoding="utf-8")
    text = re.sub(r"^```.*?^```$", "", text, flags=re.DOTALL | re.MULTILINE)
    names = re.findall(r"`([^`\n]+)`", text.replace("\n", " "))
    items = [
        words
        for words in names
        if not re.match(r"companion |plain:|sounds$|ben$|b tav$|\w$|\w+\. ", words)
    ]
    assert len(items) > 40
    assert [words for words in items if words.split()[0] not in known] == []
