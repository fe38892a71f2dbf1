"""All channels through which information about a game can leave the program, one module per door.

A door looks at one of two twins and yields everything it shows to those who may not know the
secret, each piece with a description of the action. `find_difference` compares two such looks.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import ExitStack
from difflib import unified_diff
from itertools import zip_longest
from pathlib import Path
from pprint import pformat
from typing import Any

from tests.twins.pairs import Twins

Look = Callable[[Twins, int, Path], Iterable[tuple[str, Any]]]
"""Looks at one (0 or 1) of the twins through a door; the folder is empty and for this look only."""


def find_difference(
    look: Look,
    twins: Twins,
    folder: Path,
    may_differ: Callable[[Any, Any], bool] = lambda one, other: False,
) -> str | None:
    """The first difference between the twins, in words, but for what `may_differ`; None if there is
    none."""
    looks = []
    with ExitStack() as ends:
        for which in (0, 1):
            own = folder / str(which)
            own.mkdir(parents=True)
            looks.append(look(twins, which, own))
            # a look that is not read to its end is closed here: a browser belongs to this thread
            ends.callback(getattr(looks[-1], "close", int))
        place = -1
        for place, (one, other) in enumerate(zip_longest(*looks)):
            if one != other and not (one and other and may_differ(one, other)):
                differences = unified_diff(_lines(one), _lines(other), lineterm="")
                return "\n".join([f"{place}:", *differences])
    assert place > 0, "this door shows nothing"
    return None


def _lines(view: Any) -> list[str]:
    return pformat(view, width=120).splitlines()
