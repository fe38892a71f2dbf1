"""Settings: loading, checking, changing during play, saving."""

from __future__ import annotations

from typing import Any

from common import sentences
from common.clean import clean_text


def quote(value: Any) -> str:
    """A value as its file would spell it, safe to print."""
    if value is None or isinstance(value, bool):
        return str(value).lower().replace("none", "null")
    return sentences.quote(make_safe(value, 60)) if isinstance(value, str) else f"{value}"[:60]


def make_safe(text: str, limit: int = 300) -> str:
    """The text without control characters."""
    return clean_text(text, limit=limit)
