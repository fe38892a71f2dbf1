"""Draw the README's pictures with the real caller, into docs/img.

    python scripts/screenshots.py [FOLDER]          # the README's
    python scripts/screenshots.py --every FOLDER    # every state, for review

Every picture is painted by the real caller on its own game, without a terminal. The output is
reproducible.
"""

from __future__ import annotations

import asyncio
import os
import sys
import tempfile
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

TOP = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(TOP))

from textual.pilot import Pilot  # noqa: E402

from companion import language  # noqa: E402
from companion.app.caller import CallerApp, open_session  # noqa: E402
from companion.game import playing  # noqa: E402
from companion.log.store import Store  # noqa: E402
from companion.settings import config as settings  # noqa: E402
from companion.setup import PlayOptions  # noqa: E402

# the demonstration's game, and moments of its last round
GAME = playing.record()
MOVES = GAME.moves
SELECTION = MOVES[: max(i for i, move in enumerate(MOVES) if move.startswith("faceup"))]
CHOOSING = MOVES[: len(SELECTION) + 1]
CALLING = MOVES[: len(SELECTION) + 5]  # discards made, everybody has chosen, rank 4 is called
TURN = MOVES[:-3]  # the Warlord may build and destroy


class Picture(NamedTuple):
    """One file: the moves to play, the keys to press, and the size of the terminal."""

    name: str
    moves: Sequence[str] | None
    keys: Sequence[str]
    sizes: Sequence[tuple[int, int]] = ((120, 40),)
    theme: str = "dark"
    language: str = "en"


PICTURES = (
    Picture("turn", TURN, []),
    Picture("large", CALLING, ["z"]),
)
"""Those that a page of the documentation shows."""

ENTER = "enter"
STATES: Mapping[str, tuple[Sequence[str] | None, Sequence[str]]] = {
    "setup": (None, [*"Anna,", *"Kurt,", *"Ashley,", *"Ben", ENTER]),
    "box": (None, [*"Anna,", *"Kurt,", *"Ben", ENTER, "tab", "tab", ENTER]),
    "selection": (SELECTION, []),
    "calling": (CALLING, []),
    "gathering": ([*CALLING, "reveal Anna"], []),
    "turn": (TURN, []),
    "filter": (TURN, [*"mon"]),
    "nothing-fits": (TURN, [*"monx"]),
    "victims": ([*CALLING[:-3], "reveal Ashley", "gold"], ["m"]),
    "refusal": (TURN, ["colon", *"build palace", ENTER]),
    "why": (TURN, ["colon", *"build palace", ENTER, "question_mark"]),
    "typing": (TURN, ["colon", *"build"]),
    "large": (CALLING, ["z"]),
    "help": (CALLING, ["h"]),
    "scores": (TURN, ["f3"]),
    "cities": (TURN, ["f5"]),
    "journal": (TURN, ["f6"]),
    "cards": (TURN, ["f2"]),
    "rules": (TURN, ["f9"]),
    "tray": (TURN, ["f4", *"temple"]),
    "languages": (CALLING, ["f10"]),
    "leaving": (CALLING, ["q"]),
    "hand-over": (CHOOSING, ["p", "2"]),
    "private": (CHOOSING, ["p", "2", ENTER]),
    "end-districts": (MOVES[:-1], ["e"]),
    "end-winner": (MOVES[:-1], ["e", *[ENTER] * 4]),
    "end-table": (MOVES[:-1], ["e", *[ENTER] * 5]),
    "end-choices": (MOVES[:-1], ["e", *[ENTER] * 6]),
}
"""Every state of the screen: the moves to play, and the keys to press."""

SIZES = ((80, 24), (120, 40), (200, 60))


def list_pictures() -> Iterator[Picture]:
    """All states at all sizes in English, and at the smallest size in every language and theme."""
    for name, (moves, keys) in STATES.items():
        yield Picture(name, moves, keys, SIZES)
        for code in language.list_offered()[1:]:
            yield Picture(f"{name}-{code}", moves, keys, SIZES[:1], language=code)
        for theme in ("light", "high-contrast", "terminal"):
            yield Picture(f"{name}-{theme}", moves, keys, SIZES[:1], theme)


async def draw(picture: Picture, size: tuple[int, int], file: Path) -> None:
    """Start the caller, bring it to the picture's state, and write its screen."""
    with tempfile.TemporaryDirectory() as folder:
        os.environ["COMPANION_DATA"] = folder
        choice = {"theme": picture.theme, "language": picture.language}
        config = settings.load(options={"reader": "simulated", "animation": False, **choice})
        language.use(config.language)
        players = None if picture.moves is None else GAME.setup.players
        options = PlayOptions(new=True, players=players, crown=players and GAME.setup.crown)
        with Store(config.games) as store:
            session = open_session(store, options, config)
            for move in picture.moves or ():
                assert session is not None
                session.play(move)
            app = CallerApp(store, config, options, session)
            async with app.run_test(size=size) as pilot:
                await _wait_until(pilot, lambda: app.table is None or app.reader is not None)
                for key in picture.keys:
                    await pilot.press(key)
                    await pilot.pause(0.05)
                await pilot.pause(0.4)
                file.write_text(_keep_spaces(app.export_screenshot()), encoding="utf-8")


async def _wait_until(pilot: Pilot[int], there: Callable[[], bool]) -> None:
    while not there():
        await pilot.pause(0.02)
    await pilot.pause(0.1)


def _keep_spaces(svg: str) -> str:
    """Some renderers drop spaces at the beginning of a text unless told to keep them."""
    return svg.replace("<text ", '<text xml:space="preserve" ')


async def draw_all(folder: Path, pictures: Iterable[Picture] = PICTURES) -> None:
    """Draw these pictures."""
    folder.mkdir(parents=True, exist_ok=True)
    for picture in pictures:
        for width, height in picture.sizes:
            file = folder / f"{picture.name}-{width}x{height}.svg"
            job: Awaitable[None] = draw(picture, (width, height), file)
            await job
            print(file)


if __name__ == "__main__":
    if sys.argv[1:2] == ["--every"] and len(sys.argv) == 3:
        asyncio.run(draw_all(Path(sys.argv[2]), list_pictures()))
    else:
        asyncio.run(draw_all(Path(sys.argv[1]) if len(sys.argv) > 1 else TOP / "docs" / "img"))
