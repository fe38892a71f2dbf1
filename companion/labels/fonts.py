"""The fonts of what is printed: one that has every letter, from the extra or from the system."""

from __future__ import annotations

import os
from importlib.util import find_spec
from typing import TYPE_CHECKING, NamedTuple

from common import extras
from common.sentences import Sentence
from companion.labels import LabelsError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

_PACKAGE = "ttf_opensans"  # of the extra `labels`
FONT_FOLDERS = (
    "/usr/share/fonts",
    "/usr/local/share/fonts",
    "/Library/Fonts",
    "/System/Library/Fonts/Supplemental",
    os.path.join(os.environ.get("WINDIR", r"C:\Windows"), "Fonts"),
    os.path.expanduser("~/.local/share/fonts"),
    os.path.expanduser("~/.fonts"),
)
"""The systems' font folders; fonts are in these or one level below."""

_FILES = (  # system fonts, all with Latin, Greek and Cyrillic letters
    ("DejaVuSans.ttf", "DejaVuSans-Bold.ttf"),
    ("LiberationSans-Regular.ttf", "LiberationSans-Bold.ttf"),
    ("FreeSans.ttf", "FreeSansBold.ttf"),
    ("Arial.ttf", "Arial Bold.ttf"),
    ("arial.ttf", "arialbd.ttf"),
)


class Fonts(NamedTuple):
    """The names of two registered fonts, regular and bold."""

    usual: str
    bold: str

    def measure(self, text: str, bold: bool) -> float:
        """The width of the text at one point."""
        from reportlab.pdfbase.pdfmetrics import stringWidth

        return float(stringWidth(text, self.bold if bold else self.usual, 1000)) / 1000


def register_fonts(texts: Iterable[str]) -> Fonts:
    """Register fonts with every letter of these texts in reportlab. Raises LabelsError."""
    from reportlab.pdfbase import pdfmetrics
    from reportlab.pdfbase.ttfonts import TTFError, TTFont

    letters = {letter for text in texts for letter in text if not letter.isspace()}
    missing: set[str] = set()
    for files in _list_files():
        try:
            pair = [TTFont(file, file) for file in files]
        except (TTFError, OSError):
            continue
        lacking = {
            letter for font in pair for letter in letters if ord(letter) not in _map_glyphs(font)
        }
        if not lacking:
            for font in pair:
                pdfmetrics.registerFont(font)
            return Fonts(pair[0].fontName, pair[1].fontName)
        missing = missing or lacking
    if missing:
        raise LabelsError(
            Sentence(
                "No font on this computer has the letter {letter}; install one that has it.",
                letter=" ".join(sorted(missing)[:9]),
            )
        )
    raise LabelsError(
        Sentence(
            "No font with Cyrillic letters was found; install DejaVu Sans (on Debian "
            "and Ubuntu: fonts-dejavu-core), or the extra “labels” with {install}",
            install=extras.find_install("labels"),
        )
    )


def _map_glyphs(font: object) -> dict[int, int]:
    glyphs: dict[int, int] = font.face.charToGlyph  # type: ignore[attr-defined] # untyped
    return glyphs


def _list_files() -> Iterator[tuple[str, str]]:
    """The existing pairs of files, regular and bold, the package's first."""
    spec = find_spec(_PACKAGE)
    for folder in (spec and spec.submodule_search_locations) or ():
        yield _pair(os.path.join(folder, "ttf"), ("OpenSans-Regular.ttf", "OpenSans-Bold.ttf"))
    folders = list(_folders())
    for files in _FILES:
        for folder in folders:
            pair = _pair(folder, files)
            if all(map(os.path.exists, pair)):
                yield pair


def _pair(folder: str, files: tuple[str, str]) -> tuple[str, str]:
    return os.path.join(folder, files[0]), os.path.join(folder, files[1])


def _folders() -> Iterator[str]:
    """The system's font folders and their subfolders, in a fixed order."""
    for top in FONT_FOLDERS:
        for folder, inside, _files in os.walk(top):
            inside.sort()
            yield folder
