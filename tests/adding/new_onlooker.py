"""The made-up onlooker: everybody is told for whom the game waits."""

from __future__ import annotations

from tests.adding.edits import Thing, create, insert_after

ONLOOKER = Thing(
    {"name": "patience"},
    {
        "companion/extensions/<name>/__init__.py": create('''\
"""After ten seconds of quiet everybody hears for whom the game waits."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from common.sentences import Sentence
from companion.extending import Extension, Onlooker, Seen
from companion.language import listing


class Patient(Onlooker):
    quiet = 10.0

    def see_quiet(self, seen: Seen) -> None:
        if seen.awaited:
            self.say(Sentence("Waiting for {names}.", names=listing(seen.awaited)))


class Patience(Extension):
    def listen(
        self, settings: Mapping[str, Any], folder: str, tell: Callable[[str], object]
    ) -> Onlooker:
        return Patient()


EXTENSION = Patience()
'''),
        "pyproject.toml": insert_after(
            '[project.entry-points."citadels_companion.extensions"]\n',
            'patience = "companion.extensions.patience:EXTENSION"\n',
        ),
        "tests/<name>/test_<name>.py": create('''\
"""After ten seconds of quiet everybody hears for whom the game waits."""

from __future__ import annotations

from pathlib import Path

from companion.extensions.patience import Patient
from tests.companion.every_face import ALL, start_every_face
from tests.companion.phone_seats import ANNAS_TURN


async def test_everybody_hears_for_whom_the_game_waits(home: Path) -> None:
    async with start_every_face(home, Patient(), ANNAS_TURN) as game:
        game.turn(9)
        assert await game.list_said("Waiting for Anna.") == []
        game.turn(1)
        assert await game.list_said("Waiting for Anna.") == ALL
'''),
    },
    (
        "tests/patience",
        "tests/companion/test_who_hears.py",
        "tests/companion/test_config.py",
        "tests/companion/test_words.py",
        "tests/test_change.py",
        "tests/test_surface.py",
    ),
)
