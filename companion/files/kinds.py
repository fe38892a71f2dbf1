"""What a file is, by how it begins: a record, a list of chips, an export, results of others."""

from __future__ import annotations

import os
import re
from contextlib import suppress

from common import strict_yaml
from common.sentences import Sentence

CHIPS, EXPORT, RECORD, RESULTS = "chips", "export", "record", "results"

_NOTHING = r"(?:[ \t]*(?:#[^\n]*|---[ \t]*|%[^\n]*)?\r?\n)*"
"""Comments, empty lines, and the lines before a YAML document."""

_BEGIN = {
    CHIPS: re.compile(rf"{_NOTHING}(?:chips|decks|references)[ \t]*:"),
    RECORD: re.compile(  # also in the middle of a message
        r"(?:.*\n)?(?:[^\S\n]|>)*(?:edition|players|position)\s*[:\uff1a]",
        re.IGNORECASE | re.DOTALL,
    ),
    RESULTS: re.compile(
        # the names of columns, or as BG Stats writes them
        r"(?:\"?[^\W\d][\w .-]*\"?[,;\t]|sep=|<\?xml|\s*\{.*\"(?:bggId|plays)\")",
        re.IGNORECASE | re.DOTALL,
    ),
}
_WORKBOOK = b"PK\x03\x04"  # of a spreadsheet
_PACKED = (b"\x1f\x8b", b"SQLite format 3", b"citadels-companion-games")
_ENOUGH = 65_536  # bytes
_MOSTLY = 10  # letters to each that is none

RESULTS_STAY = Sentence(
    "results of other programs are not imported; write the final cities into a file for "
    "“companion score”"
)
_ELSEWHERE = {
    CHIPS: Sentence("this is a list of chips, not a record; “companion import” takes it"),
    EXPORT: Sentence("this is a file of “companion export”, not a record; import it"),
    RESULTS: RESULTS_STAY,
}


def find_kind(path: str) -> str:
    """The kind of the file at that path: any other text with a key is a record, if perhaps a
    wrong one; "" if it is none of them, or cannot be read."""
    with suppress(OSError, ValueError), open(path, "rb") as file:  # reported when it is read
        if not os.path.isfile(path):
            return ""
        begin = file.read(_ENOUGH)
        if begin.startswith((*_PACKED, _WORKBOOK)):
            return RESULTS if begin.startswith(_WORKBOOK) else EXPORT
        text = begin.decode(strict_yaml.find_encoding(begin), errors="replace").lstrip("\ufeff")
        kinds = (kind for kind, pattern in _BEGIN.items() if pattern.match(text))
        is_text = ":" in text and "\0" not in text and _MOSTLY * text.count("\ufffd") <= len(text)
        return next(kinds, RECORD if is_text else "")
    return ""


def name_other(path: str) -> Sentence | None:
    """What the file is and what takes it, if it is no record; None if it may be one."""
    return _ELSEWHERE.get(find_kind(path))
