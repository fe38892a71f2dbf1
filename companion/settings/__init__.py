"""Settings: loading, checking, changing during play, saving."""

from __future__ import annotations

from common import sentences

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def quote(value: Any) -> str:
    """A value as its file would spell it, safe to print."""
    if value is None or isinstance(value, bool):
        return str(value).lower().replace("none", "null")
    return sentences.quote(make_safe(value, 60)) if isinstance(value, str) else f"{value}"[:60]


def make_safe(text: str, limit: int = 300) -> str:
    """The text without control characters."""
    from companion.files.clean import clean_text

    return clean_text(text, limit=limit)
