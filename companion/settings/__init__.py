"""Settings: loading, checking, changing during play, saving."""

from __future__ import annotations

from typing import Any

from common import sentences
from common.clean import clean_text


def quote(value: Any) -> str:
    """A value as its file would spell it, safe to print."""
    if value is None or isinstance(value, bool):
        return str(value).lower().replace("none", "null")
    if isinstance(value, str):
        return sentences.quote(clean_text(value, limit=60))
    return f"{value}"[:60]
