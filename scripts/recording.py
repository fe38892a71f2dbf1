"""Records the beginning and the end of `companion demo` into docs/img/demo.cast.

    python scripts/recording.py [FILE]

The file is what `asciinema play` shows: the screens of the real caller, each for as long as the
demonstration leaves it. Only rows that change are written, and no clock is looked at, so that
running it again gives the same file.
"""

from __future__ import annotations

import asyncio
import io
import json
import os
import sys
import tempfile
from pathlib import Path

TOP = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(TOP))

from rich.console import Console  # noqa: E402
from textual.pilot import Pilot  # noqa: E402

from companion import config as settings  # noqa: E402
from companion import demo, language  # noqa: E402
from companion.app.demo import DemoApp  # noqa: E402

WIDTH, HEIGHT = 80, 24
FIRST, LAST = 24, 4  # moves shown from the beginning and towards the end
PAUSE_BETWEEN = 2.0  # seconds


class Cast:
    """The file in the making: asciicast v2, a JSON line for each change."""

    def __init__(self) -> None:
        head = {"version": 2, "width": WIDTH, "height": HEIGHT, "title": "companion demo"}
        self.lines = [json.dumps(head)]
        self.now = 0.0
        self._rows: list[str] = []

    def show(self, rows: list[str], seconds: float) -> None:
        """These rows stand on the screen for so long."""
        known = self._rows or [""] * len(rows)
        changed = [
            f"\x1b[{place};1H{row}\x1b[0m"
            for place, (row, old) in enumerate(zip(rows, known, strict=True), start=1)
            if row != old
        ]
        start = "" if self._rows else "\x1b[?25l\x1b[2J"
        event = [round(self.now, 2), "o", start + "".join(changed)]
        self.lines.append(json.dumps(event, ensure_ascii=False))
        self._rows = rows
        self.now += seconds


def painted(app: DemoApp) -> list[str]:
    """The rows of the screen as a terminal of 256 colours would be sent them."""
    console = Console(
        file=io.StringIO(),
        force_terminal=True,
        color_system="256",
        width=WIDTH,
        legacy_windows=False,
    )
    rows = (strip.simplify().render(console) for strip in app.screen._compositor.render_strips())
    return [row.removesuffix("\x1b[0m").replace("\x1b[0m\x1b[", "\x1b[0;") for row in rows]


async def record(cast: Cast) -> None:
    """Play the demonstration by hand, and note each screen that is worth it."""
    config = settings.load(options={"reader": "none", "animation": False})
    language.use(config.language)
    with demo.store() as log:
        app = DemoApp(log, config, 1.0, loop=False)
        app.wait_for_next = lambda told: None  # type: ignore[method-assign]
        async with app.run_test(size=(WIDTH, HEIGHT)) as pilot:
            await _settled(pilot)
            total = len(demo.record().moves)
            for number in range(1, total + 1):
                app.step()
                told = app.shown.session.last_told()
                if number <= FIRST or number > total - LAST:
                    await _settled(pilot)
                    pause = PAUSE_BETWEEN if number == FIRST else app.shown.pause(told)
                    cast.show(painted(app), pause)


async def _settled(pilot: Pilot[int]) -> None:
    await pilot.pause(0.15)


if __name__ == "__main__":
    file = Path(sys.argv[1]) if len(sys.argv) > 1 else TOP / "docs" / "img" / "demo.cast"
    with tempfile.TemporaryDirectory() as folder:
        os.environ["COMPANION_DATA"] = folder
        made = Cast()
        asyncio.run(record(made))
    file.write_text("\n".join([*made.lines, ""]), encoding="utf-8")
    print(file)
