"""Every text on every screen has enough contrast in every theme: 4.5 to 1, as WCAG requires.

Each theme looks at every other screen in `make test`, two themes at each; in the soak at all.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from rich.color import ColorType
from rich.style import Style
from textual.color import Color
from textual.screen import ModalScreen

from companion.settings.all_settings import THEMES
from tests.app.driving import Driver, screen_strips, start_table
from tests.sizes import pick_size

pytestmark = pytest.mark.outer

LEAST = {"high-contrast": 7.0}
MOVES = ("faceup bishop merchant", "call", "reveal Anna", "gold", "build manor", "end")
STATES = (
    ("", "a call, gold just spent"),
    ("1", "a turn"),
    ("g", "gold just taken"),
    ("d", "the list of districts"),
    ("escape z", "large"),
    ("z h", "the help"),
    ("escape s", "the scores"),
    ("escape v", "the cities"),
    ("escape j", "what happened"),
    ("escape k", "the cards"),
    ("escape o", "the rules"),
    ("escape q", "leaving"),
    ("escape l", "a note"),
    ("colon b u i l d space p a l a c e", "a line being typed"),
    ("enter", "a refusal"),
    ("question_mark", "why"),
    ("escape t", "the tray"),
    ("escape ctrl+e", "a lesson"),
    ("ctrl+l", "the languages"),
    ("escape ctrl+n", "the set-up"),
    ("F5 escape p", "who is choosing in private"),
    ("enter", "the device is handed over"),
    ("enter", "a choice in private"),
)


@pytest.mark.sweep
@pytest.mark.parametrize("theme", THEMES)
async def test_every_text_on_every_screen_can_be_read(theme: str) -> None:
    async with start_table(moves=MOVES, theme=theme, reader="simulated", size=(110, 40)) as table:
        await table.wait_until(lambda: table.app.reader is not None, "opening the reader")
        faint = []
        for number, (keys, state) in enumerate(STATES, start=THEMES.index(theme)):
            await table.keys(*keys.lower().split())
            if number % pick_size(2, 1, 1) == 0:
                faint += [f"{state}: {pair}" for pair in unreadable(table, LEAST.get(theme, 4.5))]
        assert not faint, "\n".join(dict.fromkeys(faint))


def unreadable(table: Driver, least: float) -> Iterator[str]:
    """Every piece of text with too little contrast to its background; of a window over the table
    only the window's own, as the table is dimmed on purpose."""
    strips = screen_strips(table.app)
    if isinstance(table.app.screen, ModalScreen):
        window = table.app.screen.children[0].region
        strips = [row.crop(window.x, window.right) for row in strips[window.y : window.bottom]]
    for strip in strips:
        for text, style, _control in strip:
            if any(map(str.isalnum, text)) and style is not None:
                ratio = contrast(style)
                if ratio < least:
                    yield f"{text.strip()!r} {ratio:.2f} {style}"


def contrast(style: Style) -> float:
    """The contrast ratio, from 1 to 21. The contrast of the terminal's two default colours is its
    owner's choice; that of its other colours is unknown."""
    colours = [style.color, style.bgcolor]
    if style.dim:
        return 1.0
    if all(colour is None or colour.is_default for colour in colours):
        return 21.0
    if any(colour is None or colour.type is not ColorType.TRUECOLOR for colour in colours):
        return 1.0
    one, other = (Color.from_rich_color(colour) for colour in colours)
    lighter, darker = sorted((luminance(one), luminance(other)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


def luminance(colour: Color) -> float:
    """Relative luminance as WCAG 2 defines it."""
    parts = [part / 255 for part in colour.rgb]
    linear = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
