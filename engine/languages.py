"""Which languages there are: found by their files in `engine/data`; to add one is to add files."""

from __future__ import annotations

import os
from functools import cache

DATA_FOLDER = os.path.join(os.path.dirname(__file__), "data")


def named() -> list[str]:
    """The languages in which cards have names (`names.CODE.yaml`), English first."""
    return sorted(_with("names"), key=lambda code: (code != "en", code))


def complete() -> list[str]:
    """The languages that a table can be spoken to in: those that also have the cards' texts."""
    texts = _with("texts")
    return [code for code in named() if code in texts]


@cache
def _with(kind: str) -> frozenset[str]:
    parts = [file.split(".") for file in os.listdir(DATA_FOLDER)]
    named = [part for part in parts if len(part) == 3 and part[0] == kind and part[2] == "yaml"]
    return frozenset(code for _kind, code, _ending in named)
