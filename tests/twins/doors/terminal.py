"""The line caller at a terminal: its complete output, including while a player types unseen."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from companion import language
from companion.language import _
from tests.end_to_end.steps import options_of
from tests.end_to_end.typing import start_at_terminal
from tests.twins import tried
from tests.twins.pairs import Twins, split

ASKED = ("why", "repeat", "history 9", "undo", "redo")


def look(twins: Twins, which: int, folder: Path) -> Iterator[tuple[str, Any]]:
    """Type a game line by line, its secret first misspelt, then whole, then asked about."""
    environment = {
        "COMPANION_DATA": f"{folder}/data",
        "COMPANION_LANGUAGE": twins.language,
        "COMPANION_FORCED": "ask",  # all moves are listed below
    }
    options = options_of(twins.record(0, 0))
    language.use(twins.language)
    text = _("Type help for the list of commands.")
    with start_at_terminal(*options, greeted=text, env=environment) as typist:
        for line in (*lines(twins, which), "quit"):
            typist.keys(f"{line}\n")  # the caller echoes it once it has answered the one before
        assert typist.wait_for_end() == 0
    yield from (("on the terminal", line) for line in typist.screen.splitlines())


def lines(twins: Twins, which: int) -> Iterator[str]:
    """The moves of the game, with the input around the secret."""
    yield from split(twins.before)
    for secret in split(twins.secrets[which]):
        yield from tried.misspell(secret)
        yield secret
        yield from ASKED
    yield from split(twins.then)
    yield from ASKED
