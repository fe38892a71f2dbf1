"""How a phone wants its pages: language, size of text, contrast, theme; kept in its cookie."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import parse_qs, urlencode

from companion.language import list_offered

if TYPE_CHECKING:
    from collections.abc import Mapping

    from companion.phones.serving.messages import Request

SIZES = ("normal", "large", "huge")
CONTRASTS = ("auto", "more")
THEMES = ("auto", "light", "dark")
RENEWALS = ("auto", "ask")
KEPT = 365 * 24 * 3600  # seconds
MOST_ASKED = 10  # languages of a browser that are looked at


@cache
def languages() -> tuple[str, ...]:
    """The languages of pages; their files are looked for once."""
    return tuple(list_offered())


class Look(NamedTuple):
    """What the pages of one phone look like; `auto` is whatever its system prefers."""

    language: str
    size: str = SIZES[0]
    contrast: str = CONTRASTS[0]
    theme: str = THEMES[0]
    renewal: str = RENEWALS[0]
    """Whether a page shows what has changed at once, or when it is asked to."""

    def cookie(self) -> str:
        """As the browser keeps it."""
        return urlencode(self._asdict())


def read(request: Request, cookie: str, usual: str) -> Look:
    """The look of whoever asks: as they chose it, otherwise in a language that their browser asks
    for, otherwise in `usual`, the table's."""
    fields = {name: values[0] for name, values in parse_qs(cookie[:200]).items()}
    return chosen(fields, Look(_find_language(request.headers, usual)))


def chosen(fields: Mapping[str, str], before: Look) -> Look:
    """The look before, with what these fields change; a value that there is not changes nothing."""
    known = {
        "language": languages(),
        "size": SIZES,
        "contrast": CONTRASTS,
        "theme": THEMES,
        "renewal": RENEWALS,
    }
    changed = {name: fields[name] for name in known if fields.get(name) in known[name]}
    return before._replace(**changed)


def _find_language(headers: Mapping[str, str], usual: str) -> str:
    """The first language asked for that is spoken here. The order counts as quality: browsers list
    their languages by it."""
    for asked in headers.get("accept-language", "").split(",")[:MOST_ASKED]:
        code = asked.partition(";")[0].strip().lower().partition("-")[0]
        if code in languages():
            return code
    return usual
