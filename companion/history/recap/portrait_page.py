"""A person's page and a year's, in the look of the recap."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from companion.files.clean import clean_text
from companion.history import portraits, telling, years
from companion.history.recap import charts
from companion.history.recap.page import DEFAULT, Grid, load_template, read_styles
from companion.language import _, current

if TYPE_CHECKING:
    from companion.history.portraits import Portrait
    from companion.history.telling import Section
    from companion.history.years import Year

MOST_GAMES = 40
"""Games in a person's chart, the latest: more do not fit into the width of a phone."""


def write_person(portrait: Portrait) -> str:
    """The person's page, in the current language."""
    name = clean_text(portrait.name)
    head, *sections = portraits.tell(portrait)
    frame = f"{telling.games(len(portrait.games))} · {telling.minutes(portrait.minutes)}"
    return _write(name, frame, head, sections, chart=_draw_portrait(portrait))


def write_year(year: Year) -> str:
    """The year's page, in the current language."""
    head, *sections = years.tell(year)
    sections = sections[1:]  # the players are in the table
    headings = [_("Player"), _("Games"), _("Won"), _("Expected by chance"), _("Average"), _("Best")]
    rows = [
        (
            clean_text(one.name),
            one.sums["games"],
            one.sums["wins"],
            telling.decimal(one.expected),
            telling.decimal(one.sums["average"]),
            one.sums["best"],
        )
        for one in year.portraits
    ]
    players = Grid(_("Everybody, the furthest above chance first"), headings, rows)
    title = _("The year {year}").format(year=year.year)
    return _write(title, head.lines[0], head, sections, players=players if rows else None)


def _write(
    title: str,
    frame: str,
    head: Section,
    sections: list[Section],
    *,
    players: Grid | None = None,
    chart: dict[str, Any] | None = None,
) -> str:
    return load_template("portrait.html").render(
        lang=current(),
        styles=read_styles(),
        style=DEFAULT,
        links=(),
        symbols="",
        title=title,
        frame=frame,
        facts=[line for line in head.lines if line != frame],
        sections=[section for section in sections if section.lines],
        players=players,
        chart=chart,
    )


def _draw_portrait(portrait: Portrait) -> dict[str, Any] | None:
    """The chart of the points game by game; None for a single game."""
    name, totals = clean_text(portrait.name), portrait.totals[-MOST_GAMES:]
    if len(totals) < 2:
        return None
    first = len(portrait.totals) - len(totals) + 1
    numbers = range(first, first + len(totals))
    title = _("Points game by game")
    rows = list(zip((game.name for game in portrait.games[-MOST_GAMES:]), totals, strict=True))
    return {
        "title": title,
        "drawing": charts.measure(numbers, [charts.Curve(name, totals)], []),
        "alt": _("A line from {first} points to {last}.").format(first=totals[0], last=totals[-1]),
        "table": Grid(_("{title}, in numbers").format(title=title), [_("Game"), _("Points")], rows),
    }
