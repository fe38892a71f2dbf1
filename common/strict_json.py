"""Read JSON strictly: UTF-8, the numbers that JSON has, and whole characters only."""

from __future__ import annotations

import json
import re
from typing import Any

_HALVES = re.compile(r"[\ud800-\udfff]|\\u[dD][89a-fA-F]")
"""Halves of characters outside the first 65,536, as themselves or escaped; paired they are one."""


def parse(source: str | bytes) -> Any:
    """The value of a JSON text.

    Raises ValueError for anything else: bytes that are not UTF-8, NaN and Infinity, nesting too
    deep for Python, and half of a pair such as `\\ud800`, which JSON can write but no file holds.
    """
    text = source if isinstance(source, str) else source.decode()
    try:
        data = json.loads(text, parse_constant=_refuse)
    except RecursionError:
        raise ValueError("nested too deeply") from None
    if _HALVES.search(text):
        json.dumps(data, ensure_ascii=False).encode()  # raises UnicodeEncodeError, a ValueError
    return data


def _refuse(word: str) -> None:
    raise ValueError(f"{word} is not JSON")
