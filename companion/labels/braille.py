"""Texts as a BRF file: ASCII braille in lines and pages for an embosser.

liblouis does the translation; its program `lou_translate` is looked up on use.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterable, Sequence

from common import strict_yaml
from common.sentences import Sentence
from companion.labels import LabelsError

PROGRAM = "lou_translate"
PATIENCE = 60
"""Seconds before `lou_translate` is stopped."""

_FIRST = 0x2800  # the braille cell without dots
_ASCII = " A1B'K2L@CIF/MSP\"E3H9O6R^DJG>NTQ,*5<-U8V.%[$+X!&;:4\\0Z7(_?W]#Y)="
_BREAK, _PAGE = "\r\n", "\f"


def list_tables(language: str) -> dict[int, str]:
    """That language's liblouis tables by grade."""
    path = os.path.join(os.path.dirname(__file__), "braille.yaml")
    match = strict_yaml.read(path).data.get(language, {})
    return {int(grade): table for grade, table in match.items()}


def emboss(
    parts: Iterable[Sequence[str]],
    language: str,
    *,
    grade: int = 1,
    cells: int = 40,
    lines: int = 25,
) -> bytes:
    """The parts, each a list of lines, as a BRF file with a blank line between them; a part that
    fits on a page is not split. Raises LabelsError.
    """
    rest = [list(part) for part in parts]
    names = iter(translate([line for part in rest for line in part], language, grade))
    pages: list[list[str]] = [[]]
    for part in rest:
        rows = [row for _line in part for row in wrap(next(names), cells)]
        if pages[-1] and len(pages[-1]) + 1 + len(rows) > lines:
            pages.append([])
        elif pages[-1]:
            pages[-1].append("")
        for row in rows:
            if len(pages[-1]) == lines:
                pages.append([])
            pages[-1].append(row)
    return _PAGE.join("".join(row + _BREAK for row in page) for page in pages).encode("ascii")


def wrap(text: str, cells: int) -> list[str]:
    """Wrap a line of braille to `cells` cells; continuation rows are indented."""
    rows, row = [], ""
    for word in text.split(" "):
        while word:
            start = f"{row} " if row.strip() else row
            if len(start) + len(word) <= cells:
                row, word = start + word, ""
            elif row.strip():
                rows.append(row)
                row = "  "
            else:  # a word longer than a row
                room = cells - len(row)
                rows.append(row + word[:room])
                row, word = "  ", word[room:]
    return [*rows, row] if row.strip() else rows or [""]


def translate(texts: Sequence[str], language: str, grade: int) -> list[str]:
    """Translate the texts to ASCII braille. Raises LabelsError if that fails, or if a letter has no
    braille."""
    program = shutil.which(PROGRAM)
    if program is None:
        raise LabelsError(
            Sentence(
                "Braille needs liblouis, which is not installed; on Debian and Ubuntu install "
                "the package liblouis-bin."
            )
        )
    table = list_tables(language).get(grade)
    if table is None:
        raise LabelsError(
            Sentence("There is no grade {grade} braille for this language.", grade=grade)
        )
    letters = sorted({letter for text in texts for letter in text if letter.isalnum()})
    try:
        result = subprocess.run(
            [program, "--forward", f"unicode.dis,{table}"],
            input="".join(f"{text}\n" for text in (*texts, *letters)).encode(),
            capture_output=True,
            timeout=PATIENCE,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        result = None
    rows = result.stdout.decode(errors="replace").split("\n") if result is not None else []
    if result is None or result.returncode or len(rows) != len(texts) + len(letters) + 1:
        raise LabelsError(
            Sentence("liblouis could not translate this with its table {table}.", table=table)
        )
    alone = zip(letters, rows[len(texts) : -1], strict=True)
    missing = [letter for letter, row in alone if not _is_known(row)]
    if missing:
        raise LabelsError(
            Sentence(
                "The braille of this language has no sign for {letters}.",
                letters=" ".join(missing[:9]),
            )
        )
    return [_convert_to_ascii(row) for row in rows[: len(texts)]]


def _is_known(row: str) -> bool:
    """Whether the letter is known: for an unknown one, tables give a blank, or its number after a
    cell of more than six dots."""
    cells = [ord(cell) - _FIRST for cell in row]
    return any(cells) and all(0 <= cell < 64 for cell in cells)


def _convert_to_ascii(row: str) -> str:
    """Six-dot cells as ASCII letters; anything else as a blank."""
    cells = (ord(cell) - _FIRST for cell in row)
    return "".join(_ASCII[cell & 63] if 0 <= cell < 256 else " " for cell in cells).rstrip()
