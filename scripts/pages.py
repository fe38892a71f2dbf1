"""Say which translated pages are older than the page that they translate.

    python scripts/pages.py            list them, and the pages that a language lacks
    python scripts/pages.py --mark     they are up to date: note the version of each page

A translation in `docs/CODE/` has the name of its page and ends with a comment that names the
version which it translates: `<!-- translates plain.md 1f2e3d4c -->`.
"""

from __future__ import annotations

import hashlib
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parent.parent
DOCS = ROOT / "docs"
PAGES = (
    *("README", "playing", "plain", "phones", "readers", "boxes", "looking-back", "settings"),
    "trouble",
)
"""The pages for people, which every language with pages of its own has."""
_MARK = re.compile(r"<!-- translates ([\w-]+\.md) ([0-9a-f]{8}) -->\n?\Z")


class Translation(NamedTuple):
    """A translated page, its page, and the version of the page that it translates (None if it
    does not say)."""

    path: Path
    page: Path
    version: str | None

    @property
    def is_old(self) -> bool:
        """Whether the page has changed since."""
        return self.version != read_version(self.page)


def read_version(page: Path) -> str:
    """The version of a page, from its text."""
    return hashlib.sha256(page.read_bytes()).hexdigest()[:8]


def list_languages() -> list[str]:
    """The codes of the languages with pages of their own, beside English."""
    return sorted(path.name for path in DOCS.iterdir() if re.fullmatch("[a-z]{2}", path.name))


def find_page(name: str) -> Path:
    """The English page of that name."""
    return (ROOT if name == "README" else DOCS) / f"{name}.md"


def list_missing() -> Iterator[Path]:
    """The translated pages that are not there."""
    for code in list_languages():
        yield from (path for name in PAGES if not (path := DOCS / code / f"{name}.md").exists())


def list_translations() -> Iterator[Translation]:
    """Every translated page."""
    for code in list_languages():
        for path in sorted((DOCS / code).glob("*.md")):
            page = find_page(path.stem)
            mark = _MARK.search(path.read_text(encoding="utf-8"))
            yield Translation(path, page, mark[2] if mark and mark[1] == path.name else None)


def mark(translation: Translation) -> None:
    """Note in the translation that it is one of the page as it is now."""
    text = _MARK.sub("", translation.path.read_text(encoding="utf-8")).rstrip()
    version = read_version(translation.page)
    note = f"<!-- translates {translation.page.name} {version} -->"
    translation.path.write_text(f"{text}\n\n{note}\n", encoding="utf-8")


def main(words: list[str]) -> int:
    """List the old translations, or mark all as up to date."""
    for translation in list_translations():
        if "--mark" in words:
            mark(translation)
        elif translation.is_old:
            path, page = (p.relative_to(ROOT) for p in (translation.path, translation.page))
            print(f"{path} is older than {page}")
    for path in list_missing():
        print(f"{path.relative_to(ROOT)} is not there")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
