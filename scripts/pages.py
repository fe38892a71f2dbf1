"""Say which translated pages are older than the page that they translate.

    python scripts/pages.py            list them, and what each language lacks
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


def list_translations() -> Iterator[Translation]:
    """Every translated page."""
    for code in list_languages():
        for path in sorted((DOCS / code).glob("*.md")):
            page = (ROOT if path.name == "README.md" else DOCS) / path.name
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
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
