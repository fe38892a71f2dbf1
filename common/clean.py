"""Sanitizes text from outside: names, chip texts, files, anything typed.

Terminals obey what they are sent, and readers believe what they see. So on input, text loses
whatever could control the one or mislead the other. Characters of all languages are kept, and so
are emoji.
"""

from __future__ import annotations

import re
import unicodedata
from datetime import UTC, datetime
from itertools import pairwise

LIMIT = 80
"""The default length limit, in characters as a person counts them."""

QUOTES = '"“”„‟«»'
"""The double quotation marks that people and programs put around text, the plain one first."""

YEARS = range(1970, 10_000)  # that a clock can show

_MARKS_IN_A_ROW = 4  # Hebrew and Vietnamese need three; stacked marks cover the lines above
_LONGEST_CLUSTER = 12  # code points; an emoji family has eleven, a chain of joiners is unlimited
_RAW_LIMIT = 64 * 1024  # nobody types more

# Invisible characters that can control a terminal, turn the text direction, or make two texts look
# alike: controls, direction marks, invisible separators and fillers, surrogates.
_INVISIBLE = (
    "\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b\u200c\u200e\u200f\u202a-\u202e"
    "\u2060-\u206f\u2800\u3164\ufe00-\ufe0e\ufeff\uffa0\ufff0-\ufffb\U0001bca0-\U0001bca3"
    "\U0001d173-\U0001d17a\U000e0000-\U000e0fff"
)
_BROKEN = "\ud800-\udfff\ufdd0-\ufdef\ufffe\uffff"
_CONTROLS = "\x00-\x1f\x7f-\x9f\u2028\u2029"
_DROPPED = f"[{_CONTROLS}{_INVISIBLE}{_BROKEN}]"
_SPACE = r"[\s\x1c-\x1f\x85\u2028\u2029]+"
_UNPRINTABLE = f"(?![\t\n]){_DROPPED}"
_JOINER = "\u200d"
_EMOJI_LOOK = "\ufe0f"
_KEYCAP, _KEYS = "\u20e3", "0123456789#*"
_EMOJI_OF_SIGNS = "‼⁉ℹ↔⤴⤵◻◼◽◾〰〽"  # all other emoji are symbols of no other kind


def clean_text(text: str, *, limit: int = LIMIT) -> str:
    """`text` on one line, without invisible or control characters, in composed form (NFC).

    At most `limit` characters as a person counts them (an emoji family is one), the last being "…"
    if it was cut. Idempotent. Never raises.
    """
    if len(text) <= limit and text.isascii() and text.isprintable():
        return " ".join(text.split())
    text = re.sub(_SPACE, " ", text[:_RAW_LIMIT])
    text = unicodedata.normalize("NFC", re.sub(_DROPPED, "", text))
    text = unicodedata.normalize("NFC", "".join(_limit_marks(text)))
    text = re.sub(_SPACE, " ", text).strip()
    clusters = _clusters(text)
    if len(clusters) <= limit:
        return text
    return "".join(clusters[: max(limit - 1, 0)]).rstrip(" " + _JOINER) + "…" * (limit > 0)


def read_number(text: str, digits: int = 9) -> int | None:
    """The number that the text is, in at most so many digits; None for any other text."""
    return int(text) if text.isascii() and text.isdecimal() and len(text) <= digits else None


def printable(text: str) -> str:
    """The last filter before a terminal: forbidden characters become U+FFFD.

    Line ends and tabs are kept, and so is everything that `clean_text` lets through.
    """
    return re.sub(_UNPRINTABLE, "\N{REPLACEMENT CHARACTER}", text)


def _limit_marks(text: str) -> list[str]:
    """The characters, without stray or stacked marks, and without what shapes emoji outside
    them."""
    letters: list[str] = []
    marks = _MARKS_IN_A_ROW
    for character, following in pairwise(text + " "):
        if character == _JOINER:
            if not (letters and _is_emoji(_base(letters)) and _is_emoji(following)):
                continue
        elif character == _EMOJI_LOOK:
            before = letters[-1] if letters else " "
            if not (_is_emoji(before) or (following == _KEYCAP and before in _KEYS)):
                continue
        elif _is_mark(character):
            marks += 1
            if marks > _MARKS_IN_A_ROW:
                continue
        else:
            marks = _MARKS_IN_A_ROW if character == " " else 0
        letters.append(character)
    return letters


def _base(letters: list[str]) -> str:
    return letters[-2] if letters[-1] == _EMOJI_LOOK and len(letters) > 1 else letters[-1]


def _clusters(text: str) -> list[str]:
    """The text split into characters as a person counts them."""
    clusters: list[str] = []
    is_joined = False
    for character in text:
        is_attached = (
            is_joined or character == _JOINER or _is_mark(character) or _is_skin(character)
        )
        if is_attached and clusters and len(clusters[-1]) < _LONGEST_CLUSTER:
            clusters[-1] += character
        else:
            clusters.append(character)
        is_joined = character == _JOINER
    return clusters


def _is_mark(character: str) -> bool:
    return unicodedata.category(character) in ("Mn", "Me")


def _is_skin(character: str) -> bool:
    return "\U0001f3fb" <= character <= "\U0001f3ff"


def _is_emoji(character: str) -> bool:
    is_other = _is_skin(character) or character in _EMOJI_OF_SIGNS
    return is_other or unicodedata.category(character) == "So"


_CAPITAL_TWINS = str.maketrans("УΖΗΜΥ", "yzhmy")
_TWINS = str.maketrans(
    "авекмнорстухѕіјһӏԁԛԝүαβεικνορτυχ’‘ʼ`´‐‑–−",
    "abekmhopctyxsijhldqwyabeiknoptux" + "'" * 5 + "-" * 4,
)
"""Letters of Cyrillic and Greek that look like Latin ones, as capitals or small; and signs."""


def draw(name: str) -> str:
    """What the name looks like: full width and other forms of letters as plain ones."""
    plain = unicodedata.normalize("NFKD", name).translate(_CAPITAL_TWINS)
    return plain.casefold().translate(_TWINS)


def find_script(name: str, other: str) -> str:
    """The script of the letters in which the name differs from another that looks like it, as in
    Unicode: `CYRILLIC`."""
    odd = [letter for letter in name if letter.isalpha() and letter not in other]
    return unicodedata.name(odd[0], "").partition(" ")[0] if odd else ""


LONGEST_NAME = 40
"""The most characters of a name that people give to a deck of chips."""


def is_name(text: object) -> bool:
    """Whether that can be such a name: printable, short, without spaces at its ends."""
    is_text = isinstance(text, str) and text.isprintable() and text == text.strip()
    return is_text and 0 < len(str(text)) <= LONGEST_NAME


def write_moment(moment: datetime) -> str:
    """A time in the log's format: in UTC, so that texts compare as times do."""
    return moment.astimezone(UTC).isoformat(timespec="milliseconds")


def read_moment(value: object) -> datetime | None:
    """A time with its zone in the log's format, in UTC; None for anything else, or outside
    `YEARS`."""
    if not isinstance(value, str) or len(value) > 40:
        return None
    try:
        moment = datetime.fromisoformat(value)
        is_usual = moment.tzinfo and moment.year in YEARS
        return moment.astimezone(UTC) if is_usual else None
    except (ValueError, OverflowError):
        return None
