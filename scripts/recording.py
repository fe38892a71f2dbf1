"""Record the beginning and the end of `companion demo` as an animation: docs/img/demo.svg.

    python scripts/recording.py [FILE]

The screens are those of the real caller, each shown as long as in the demonstration. An unchanged
row is drawn once, and no clock is used, so the output is reproducible. With reduced motion, a
single screen is shown.
"""

from __future__ import annotations

import asyncio
import os
import re
import sys
import tempfile
from collections.abc import Iterable, Iterator
from html import escape
from itertools import groupby
from pathlib import Path

TOP = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(TOP))

from rich.cells import cell_len  # noqa: E402
from rich.segment import Segment  # noqa: E402
from rich.style import Style  # noqa: E402
from textual.pilot import Pilot  # noqa: E402

from companion import language  # noqa: E402
from companion.app.demo import DemoApp  # noqa: E402
from companion.game import demo  # noqa: E402
from companion.settings import config as settings  # noqa: E402

WIDTH, HEIGHT = 80, 24  # of the terminal, in cells
CELL, LINE, FONT, EDGE = 9.6, 20, 16, 12  # of the picture, in its own units
FIRST, LAST = 24, 4  # moves shown from the beginning and towards the end
SHORTEST, LONGEST = 0.8, 2.0  # seconds that a screen is shown
STILL = 20  # the screen shown with reduced motion
FONTS = "ui-monospace, 'DejaVu Sans Mono', Menlo, Consolas, monospace"


class Film:
    """A sequence of screens, each with the second at which it appears."""

    def __init__(self) -> None:
        self.paper = "#000000"  # the main background colour
        self.screens: list[list[str]] = []
        self.starts: list[float] = []
        self.end = 0.0
        self._styles: dict[str, str] = {}

    def show(self, rows: Iterable[Iterable[Segment]], seconds: float) -> None:
        """Show these rows for that long."""
        self.screens.append(
            ["".join(self._draw_row(place, row)) for place, row in enumerate(rows)],
        )
        self.starts.append(self.end)
        self.end += seconds

    def picture(self) -> str:
        """The whole film as an SVG file."""
        width, height = WIDTH * CELL + 2 * EDGE, HEIGHT * LINE + 2 * EDGE
        shown: dict[tuple[int, int], list[str]] = {}
        for first, beyond, row in self._find_stretches():
            shown.setdefault((first, beyond), []).append(row)
        return "\n".join(
            (
                f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}">',
                "<title>companion demo</title>",
                f"<style>text{{font:{FONT}px {FONTS};white-space:pre}}",
                *(f".{name}{{{rule}}}" for rule, name in self._styles.items()),
                *(self._moves(first, beyond) for first, beyond in shown),
                "@media (prefers-reduced-motion:reduce){g{animation:none!important}}</style>",
                f'<rect fill="{self.paper}" width="100%" height="100%" rx="8"/>',
                *(
                    f'<g class="f{first}-{beyond}">{"".join(rows)}</g>'
                    for (first, beyond), rows in shown.items()
                ),
                "</svg>",
                "",
            )
        )

    def _find_stretches(self) -> Iterator[tuple[int, int, str]]:
        """Each distinct row, with the first screen that has it and the first that no longer has
        it."""
        for rows in zip(*self.screens, strict=True):
            first = 0
            for number in range(1, len(rows) + 1):
                if number == len(rows) or rows[number] != rows[first]:
                    if rows[first]:
                        yield first, number, rows[first]
                    first = number

    def _moves(self, first: int, beyond: int) -> str:
        """The CSS rule for when that stretch is visible."""
        if (first, beyond) == (0, len(self.screens)):
            return ""
        name = f"f{first}-{beyond}"
        still = "visible" if first <= STILL < beyond else "hidden"
        at = [100 * second / self.end for second in (*self.starts, self.end)]
        before = "" if first == 0 else "0%{visibility:hidden}"
        after = "" if beyond == len(self.screens) else f"{at[beyond]:.2f}%{{visibility:hidden}}"
        return (
            f".{name}{{visibility:{still};animation:{name} {self.end:g}s step-end infinite}}"
            f"@keyframes {name}{{{before}{at[first]:.2f}%{{visibility:visible}}{after}}}"
        )

    def _draw_row(self, place: int, row: Iterable[Segment]) -> Iterator[str]:
        """The shapes of one row: backgrounds, then text."""
        segments = [(text, *_colours(style or Style())) for text, style, _ in row]
        top, column = EDGE + place * LINE, 0
        for paper, run in groupby(segments, key=lambda segment: segment[2]):
            left, cells = EDGE + column * CELL, sum(cell_len(text) for text, *_ in run)
            column += cells
            if paper != self.paper:
                yield (
                    f'<rect class="{self._style(f"fill:{paper}")}" x="{left:g}" y="{top}" '
                    f'width="{cells * CELL:g}" height="{LINE}"/>'
                )
        column = 0
        for look, run in groupby(segments, key=lambda segment: segment[1::2]):
            text = "".join(text for text, *_ in run)
            for part in re.finditer(r"\S+(?: \S+)*", text):
                left = EDGE + (column + cell_len(text[: part.start()])) * CELL
                words, wide = escape(part[0], quote=False), cell_len(part[0]) * CELL
                yield (
                    f'<text class="{self._style("fill:{};font-weight:{}".format(*look))}" '
                    f'x="{left:g}" y="{top + FONT - 1}" textLength="{wide:g}">{words}</text>'
                )
            column += cell_len(text)

    def _style(self, rule: str) -> str:
        return self._styles.setdefault(rule, f"s{len(self._styles)}")


def _colours(style: Style) -> tuple[str, str, str]:
    """The text colour, the background colour and the font weight."""
    ink = style.color.get_truecolor().hex if style.color else "#ffffff"
    paper = style.bgcolor.get_truecolor(foreground=False).hex if style.bgcolor else "#000000"
    weight = "bold" if style.bold else "normal"
    return (paper, ink, weight) if style.reverse else (ink, paper, weight)


async def record(film: Film) -> None:
    """Step through the demonstration and record each screen worth showing."""
    config = settings.load(options={"reader": "none", "animation": False})
    language.use(config.language)
    with demo.store() as log:
        app = DemoApp(log, config, 1.0, loop=False)
        app.wait_for_next = lambda told: None  # type: ignore[method-assign]
        async with app.run_test(size=(WIDTH, HEIGHT)) as pilot:
            await _settle(pilot)
            film.paper = app.screen.background_colors[1].hex.lower()
            total = len(demo.record().moves)
            for number in range(1, total + 1):
                app.step()
                told = app.shown.session.tell_last()
                if number <= FIRST or number > total - LAST:
                    await _settle(pilot)
                    seconds = min(max(app.shown.pause(told), SHORTEST), LONGEST)
                    film.show(app.screen._compositor.render_strips(), seconds)


async def _settle(pilot: Pilot[int]) -> None:
    await pilot.pause(0.15)


if __name__ == "__main__":
    file = Path(sys.argv[1]) if len(sys.argv) > 1 else TOP / "docs" / "img" / "demo.svg"
    with tempfile.TemporaryDirectory() as folder:
        os.environ["COMPANION_DATA"] = folder
        made = Film()
        asyncio.run(record(made))
    file.write_text(made.picture(), encoding="utf-8")
    print(file)
