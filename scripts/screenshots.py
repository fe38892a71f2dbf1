"""Draws the README's pictures from the real caller into docs/img.

    python scripts/screenshots.py [FOLDER]

Every picture is the caller itself, started on a game of its own and painted by its own code; only
the terminal is not there. Running it again gives the same files.
"""

from __future__ import annotations

import asyncio
import os
import sys
import tempfile
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import NamedTuple

TOP = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(TOP))

from textual.pilot import Pilot  # noqa: E402

from companion import config as settings  # noqa: E402
from companion import demo, language  # noqa: E402
from companion.app.caller import CallerApp  # noqa: E402
from companion.app.opening import opened  # noqa: E402
from companion.options import PlayOptions  # noqa: E402
from companion.store import Store  # noqa: E402

# the demonstration's game, and moments of its last round
GAME = demo.record()
MOVES = GAME.moves
SELECTION = MOVES[: max(i for i, move in enumerate(MOVES) if move.startswith("faceup"))]
CALLING = MOVES[: len(SELECTION) + 5]  # discarded, everybody has chosen, rank 4 is called
TURN = MOVES[:-3]  # the Warlord may build and destroy


class Picture(NamedTuple):
    """One file: the moves before it, the keys that lead to it, and the size of the terminal."""

    name: str
    moves: Sequence[str] | None
    keys: Sequence[str]
    sizes: Sequence[tuple[int, int]] = ((120, 40),)
    theme: str = "dark"
    language: str = "en"


PICTURES = (
    Picture("setup", None, [*"Anna,", *"Kurt,", *"Ashley,", *"Ben", "enter", "tab", "f7"]),
    Picture("selection", SELECTION, [], ((80, 24),)),
    Picture("calling", CALLING, [], ((120, 40), (80, 24), (200, 60))),
    Picture("turn", TURN, ["d"], ((120, 40), (80, 24), (200, 60))),
    Picture("refusal", TURN, ["colon", *"build palace", "enter"]),
    Picture("why", TURN, ["colon", *"build palace", "enter", "question_mark"]),
    Picture("large", CALLING, ["z"], ((120, 40), (80, 24))),
    Picture("light", TURN, [], ((120, 40),), "light"),
    Picture("high-contrast", TURN, [], ((120, 40),), "high-contrast"),
    Picture("terminal", TURN, [], ((120, 40),), "terminal"),
    Picture("calling-fr", CALLING, [], ((80, 24), (200, 60)), language="fr"),
    Picture("turn-fr", TURN, [], ((80, 24), (120, 40)), language="fr"),
    Picture("light-fr", TURN, ["z"], ((120, 40),), "light", "fr"),
    Picture("calling-ru", CALLING, [], ((80, 24), (200, 60)), language="ru"),
    Picture("turn-ru", TURN, [], ((80, 24), (120, 40)), language="ru"),
    Picture("high-contrast-ru", CALLING, [], ((120, 40),), "high-contrast", "ru"),
    Picture("scores", MOVES, ["s"]),
    Picture("tray", TURN, ["t", *"tem"]),
)


async def draw(picture: Picture, size: tuple[int, int], file: Path) -> None:
    """Start the caller, bring it to the moment, and write its screen."""
    with tempfile.TemporaryDirectory() as folder:
        os.environ["COMPANION_DATA"] = folder
        chosen = {"theme": picture.theme, "language": picture.language}
        config = settings.load(options={"reader": "simulated", "animation": False, **chosen})
        language.use(config.language)
        players = None if picture.moves is None else GAME.setup.players
        options = PlayOptions(new=True, players=players, crown=players and GAME.setup.crown)
        with Store(config.games) as store:
            session = opened(store, options, config)
            for move in picture.moves or ():
                assert session is not None
                session.play(move)
            app = CallerApp(store, config, options, session)
            async with app.run_test(size=size) as pilot:
                await _until(pilot, lambda: app.table is None or app.reader is not None)
                for key in picture.keys:
                    await pilot.press(key)
                    await pilot.pause(0.05)
                await pilot.pause(0.4)
                file.write_text(_kept_spaces(app.export_screenshot()), encoding="utf-8")


async def _until(pilot: Pilot[int], there: Callable[[], bool]) -> None:
    while not there():
        await pilot.pause(0.02)
    await pilot.pause(0.1)


def _kept_spaces(svg: str) -> str:
    """Some renderers drop spaces at the beginning of a text unless told to keep them."""
    return svg.replace("<text ", '<text xml:space="preserve" ')


async def draw_all(folder: Path) -> None:
    """Write every picture."""
    folder.mkdir(parents=True, exist_ok=True)
    for picture in PICTURES:
        for width, height in picture.sizes:
            file = folder / f"{picture.name}-{width}x{height}.svg"
            job: Awaitable[None] = draw(picture, (width, height), file)
            await job
            print(file)


if __name__ == "__main__":
    asyncio.run(draw_all(Path(sys.argv[1]) if len(sys.argv) > 1 else TOP / "docs" / "img"))
