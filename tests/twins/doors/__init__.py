"""All channels through which information about a game can leave the program, one module per door.

A door looks at one of two twins and yields everything it shows to those who may not know the
secret, each piece with a description of the action. `find_difference` compares two such looks.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from difflib import unified_diff
from itertools import zip_longest
from pathlib import Path
from pprint import pformat
from typing import Any

from tests.twins.pairs import Twins

Look = Callable[[Twins, int, Path], Iterable[tuple[str, Any]]]
"""Looks at one (0 or 1) of the twins through a door; the folder is empty and for this look only."""


def find_difference(look: Look, twins: Twins, folder: Path) -> str | None:
    """The first difference between the twins, in words; None if there is none."""
    looks = []
    for which in (0, 1):
        own = folder / str(which)
        own.mkdir(parents=True)
        looks.append(look(twins, which, own))
    place = -1
    for place, (one, other) in enumerate(zip_longest(*looks)):
        if one != other:
            return "\n".join([f"{place}:", *unified_diff(_lines(one), _lines(other), lineterm="")])
    assert place > 0, "this door shows nothing"
    return None


def _lines(view: Any) -> list[str]:
    return pformat(view, width=120).splitlines()
