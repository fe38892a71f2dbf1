"""Printing: answers go to standard output, the rest to standard error, each on one line.

Names, card texts and files can contain anything; no terminal escapes and no bidirectional controls
get past this module.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable
from typing import Any

from common.clean import printable
from companion.language import translate

_ONE_LINE = str.maketrans("\n\r\t", "   ")


def flatten(text: str) -> str:
    """The translated text on one line, safe for a terminal."""
    return printable(translate(text).translate(_ONE_LINE))


def answer(lines: Iterable[str]) -> None:
    for line in lines:
        print(flatten(line))


def answer_json(data: Any) -> None:
    """Print the answer as one JSON object, in ASCII: lossless, and safe on any terminal."""
    print(json.dumps(translate_throughout(data), indent=2))


def translate_throughout(data: Any) -> Any:
    """The data with every sentence of the engine translated."""
    if isinstance(data, dict):
        return {key: translate_throughout(value) for key, value in data.items()}
    if isinstance(data, list | tuple):
        return [translate_throughout(value) for value in data]
    return translate(data) if isinstance(data, str) else data


def print_error(lines: Iterable[str]) -> None:
    for line in lines:
        print(flatten(line), file=sys.stderr)
