"""Printing: standard output is the answer, standard error the rest, and every line is one line.

Names, card texts and files can contain anything; nothing that drives a terminal or turns the
direction of writing gets past here.
"""

from __future__ import annotations

import sys

from companion.files.clean import printable
from companion.language import translate

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

_ONE_LINE = str.maketrans("\n\r\t", "   ")


def one_line(text: str) -> str:
    """The text in the language in force, as a terminal may be sent it, on one line."""
    return printable(translate(text).translate(_ONE_LINE))


def answer(lines: Iterable[str]) -> None:
    """Print lines of the answer."""
    for line in lines:
        print(one_line(line))


def answer_json(data: Any) -> None:
    """Print the answer as one JSON object, in ASCII: exact, and harmless to any terminal."""
    import json

    print(json.dumps(translate_throughout(data), indent=2))


def translate_throughout(data: Any) -> Any:
    """The data with every sentence of the engine in the language in force."""
    if isinstance(data, dict):
        return {key: translate_throughout(value) for key, value in data.items()}
    if isinstance(data, list | tuple):
        return [translate_throughout(value) for value in data]
    return translate(data) if isinstance(data, str) else data


def complain(lines: Iterable[str]) -> None:
    """Print lines on standard error."""
    for line in lines:
        print(one_line(line), file=sys.stderr)
