"""The languages that have card names, found by their files in `engine/data`."""

from __future__ import annotations

import os
from functools import cache

DATA_FOLDER = os.path.join(os.path.dirname(__file__), "data")


def list_languages() -> list[str]:
    """The languages that have card names (`names.CODE.yaml`), English first."""
    return list(_find_all())


@cache
def _find_all() -> tuple[str, ...]:
    parts = (file.split(".") for file in os.listdir(DATA_FOLDER))
    codes = (p[1] for p in parts if len(p) == 3 and p[0] == "names" and p[2] == "yaml")
    return tuple(sorted(codes, key=lambda code: (code != "en", code)))
