"""Draw the README's pictures with the real caller, into docs/img.

    python scripts/screenshots.py [FOLDER]

Every picture is painted by the real caller on its own game, without a terminal. The output is
reproducible.
"""

from __future__ import annotations

import asyncio
import os
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

TOP = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(TOP))

from textual.pilot import Pilot  # noqa: E402

from companion import language  # noqa: E402
from companion.app.caller_app import CallerApp  # noqa: E402
from companion.game.demonstration import read_demo  # noqa: E402
from companion.log.store import Store  # noqa: E402
from companion.settings import config as settings  # noqa: E402
from companion.setup import PlayOptions  # noqa: E402
from companion.setup.shared import open_given  # noqa: E402

# the demonstration's game, and two moments of its last round
GAME = read_demo()
TURN = GAME.moves[:-3]  # the Warlord may build and destroy
FACE_UP = max(i for i, move in enumerate(GAME.moves) if move.startswith("faceup"))
CALLING = GAME.moves[: FACE_UP + 5]  # discards made, everybody has chosen, rank 4 is called

WIDTH, HEIGHT = 120, 40


class Picture(NamedTuple):
    """One file: the moves to play, and the keys to press."""

    name: str
    moves: Sequence[str]
    keys: Sequence[str] = ()


PICTURES = (Picture("turn", TURN), Picture("large", CALLING, ["z"]))


async def draw(picture: Picture, file: Path) -> None:
    """Start the caller, bring it to the picture's state, and write its screen."""
    with tempfile.TemporaryDirectory() as folder:
        os.environ["COMPANION_DATA"] = folder
        choice = {"theme": "dark", "language": "en"}
        config = settings.load(options={"reader": "simulated", **choice})
        language.use(config.language)
        options = PlayOptions(new=True, players=GAME.setup.players, crown=GAME.setup.crown)
        with Store(config.games) as store:
            session = open_given(store, options, config)
            assert session is not None
            for move in picture.moves:
                session.play(move)
            app = CallerApp(store, config, options, session)
            async with app.run_test(size=(WIDTH, HEIGHT)) as pilot:
                await _wait_until(pilot, lambda: app.table is None or app.reader is not None)
                for key in picture.keys:
                    await pilot.press(key)
                await pilot.pause(0.4)
                file.write_text(_keep_spaces(app.export_screenshot()), encoding="utf-8")


async def _wait_until(pilot: Pilot[int], there: Callable[[], bool]) -> None:
    while not there():
        await pilot.pause(0.02)
    await pilot.pause(0.1)


def _keep_spaces(svg: str) -> str:
    """Some renderers drop spaces at the beginning of a text unless told to keep them."""
    return svg.replace("<text ", '<text xml:space="preserve" ')


async def draw_all(folder: Path) -> None:
    """Draw every picture."""
    folder.mkdir(parents=True, exist_ok=True)
    for picture in PICTURES:
        file = folder / f"{picture.name}-{WIDTH}x{HEIGHT}.svg"
        await draw(picture, file)
        print(file)


if __name__ == "__main__":
    asyncio.run(draw_all(Path(sys.argv[1]) if len(sys.argv) > 1 else TOP / "docs" / "img"))
