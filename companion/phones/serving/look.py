"""A phone's display settings: language, text size, contrast, theme; kept in a cookie."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING
from urllib.parse import parse_qs, urlencode

from common.named_tuples import NamedTuple
from companion.language import list_offered

if TYPE_CHECKING:
    from collections.abc import Mapping

    from companion.phones.serving.messages import HttpRequest

SIZES = ("normal", "large", "huge")
CONTRASTS = ("auto", "more")
THEMES = ("auto", "light", "dark")
RENEWALS = ("auto", "ask")
KEPT = 365 * 24 * 3600  # seconds
MOST_ASKED = 10  # languages of a browser that are considered


@cache
def languages() -> tuple[str, ...]:
    """The languages of pages, cached."""
    return tuple(list_offered())


class Look(NamedTuple):
    """The display settings of one phone; `auto` follows its system."""

    language: str
    size: str = SIZES[0]
    contrast: str = CONTRASTS[0]
    theme: str = THEMES[0]
    renewal: str = RENEWALS[0]
    """Whether a page updates at once or on request."""

    def cookie(self) -> str:
        """The settings as a cookie value."""
        return urlencode(self._asdict())


def read(request: HttpRequest, cookie: str, usual: str) -> Look:
    """The phone's settings from its cookie; without one, the browser's language, or else `usual`,
    the table's."""
    fields = {name: values[0] for name, values in parse_qs(cookie[:200]).items()}
    return read_choices(fields, Look(_find_language(request.headers, usual)))


def read_choices(fields: Mapping[str, str], before: Look) -> Look:
    """`before` with the changes in `fields`; unknown values are ignored."""
    entries = {
        "language": languages(),
        "size": SIZES,
        "contrast": CONTRASTS,
        "theme": THEMES,
        "renewal": RENEWALS,
    }
    changes = {name: fields[name] for name in entries if fields.get(name) in entries[name]}
    return before._replace(**changes)


def _find_language(headers: Mapping[str, str], usual: str) -> str:
    """The first of the browser's languages that the pages have. Browsers list them by preference,
    so quality values are ignored."""
    for question in headers.get("accept-language", "").split(",")[:MOST_ASKED]:
        code = question.partition(";")[0].strip().lower().partition("-")[0]
        if code in languages():
            return code
    return usual
