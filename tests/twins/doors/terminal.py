"""The line caller at a terminal: all that ever stands on it, whatever one person types unseen."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tests.end_to_end.steps import options_of
from tests.end_to_end.typing import at_a_terminal
from tests.twins.pairs import Twins, split

ASKED = ("why", "repeat", "history 9", "undo", "redo")


def look(twins: Twins, which: int, folder: Path) -> Iterator[tuple[str, Any]]:
    """Type a game line by line, its secret unseen, then asked about."""
    environment = {
        "COMPANION_DATA": f"{folder}/data",
        "COMPANION_LANGUAGE": twins.language,
        "COMPANION_FORCED": "ask",  # the moves below are all of them
    }
    options = options_of(twins.record(0, 0))
    with at_a_terminal(*options, greeted="", env=environment) as typist:
        for line in lines(twins, which):
            typist.type(line)
        shown = typist.screen
    yield from (("on the terminal", line) for line in shown.splitlines())


def lines(twins: Twins, which: int) -> Iterator[str]:
    """The moves of the game, and what is typed around the secret."""
    yield from split(twins.before)
    for secret in split(twins.secrets[which]):
        yield secret
        yield from ASKED
    yield from split(twins.then)
    yield from ASKED
