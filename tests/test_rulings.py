"""docs/dev/rulings.md, docs/boxes.md and docs/reference/light-mode.md match the data: boxes, every
switch, our rulings, what light mode refuses."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from engine import datafiles, words
from engine.editions import editions, switches

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "dev" / "rulings.md"
PAGES = (PAGE, ROOT / "docs" / "boxes.md", ROOT / "docs" / "reference" / "light-mode.md")
COVERAGE = ROOT / "docs" / "dev" / "rules-coverage.md"


@pytest.mark.outer
def test_the_page_is_up_to_date(tmp_path: Path) -> None:
    text = "print(rulings.page() + rulings.boxes() + rulings.light(), end='')"
    run = f"import sys; sys.path.insert(0, 'scripts'); import rulings; {text}"
    result = subprocess.run(
        [sys.executable, "-c", run], cwd=ROOT, capture_output=True, check=True, encoding="utf-8",
        env={"PYTHONIOENCODING": "utf-8", "PYTHONPATH": str(ROOT)},
    )  # fmt: skip
    now = "".join(page.read_text(encoding="utf-8") for page in PAGES)
    assert result.stdout == now, "run: python scripts/rulings.py"


def test_every_edition_answers_every_switch_with_a_source() -> None:
    sections = PAGE.read_text(encoding="utf-8").split("\n## ")
    for edition in editions().values():
        (section,) = [s for s in sections if s.startswith(edition.title + "\n")]
        rows = [line for line in section.splitlines() if line.startswith("| ")][1:]
        assert len(rows) == len(switches())
        for switch in switches().values():
            (row,) = [row for row in rows if row.startswith(f"| {switch.question} |")]
            assert edition.source(switch.name) in row
            assert ("**" in row) == (
                switch.name in edition.switches or switch.name in edition.small_table
            )


def test_a_source_is_a_place_in_a_known_book_or_ours() -> None:
    """There is no third kind; a book has its language."""
    books = datafiles.load("books")
    assert {facts["language"] for facts in books.values()} <= set(datafiles.list_languages())
    sources = [switch.source for switch in switches().values()]
    sources += [source for edition in editions().values() for source in edition.sources.values()]
    names = set()
    for source in sources:
        book, _, place = source.partition(", ")
        assert source.startswith("ours — ") or (book in books and place), source
        names.add(book)
    text = COVERAGE.read_text(encoding="utf-8")
    assert [book for book in books if book not in names and f"{book}, " not in text] == []


def test_every_ruling_and_every_doubt_is_told() -> None:
    page = PAGE.read_text(encoding="utf-8")
    rulings = [
        facts[key]
        for name, key in (("texts.en", "ruling"), ("rules", "ours"), ("rulings", "ruling"))
        for facts in datafiles.load(name).values()
        if key in facts
    ]
    assert len(rulings) > 5
    assert all(ruling in page for ruling in rulings)
    for id_, facts in datafiles.load("districts").items():
        for doubt in facts.get("uncertain", {}).values():
            assert f"| {words.card(id_)} |" in page
            assert doubt in page
