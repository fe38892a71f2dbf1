"""A year's games: figures, and the same in sentences."""

from __future__ import annotations

from collections import Counter
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from common import NamedTuple
from companion.files.clean import clean_text
from companion.history import portraits, telling
from companion.history.games import Game, GameFilter, begin_of_day
from companion.history.telling import Section
from companion.language import _, listing, plural
from engine.moves import fold

if TYPE_CHECKING:
    from companion.history.portraits import Evenings, Portrait


class Year(NamedTuple):
    """A year's games."""

    year: int
    games: tuple[Game, ...]
    """Oldest first."""

    portraits: tuple[Portrait, ...]
    """Everybody, the most wins above chance first."""

    sums: dict[str, Any]
    """As of `companion stats --json`."""

    months: tuple[tuple[str, int], ...]
    """Games in each month that had any: `2026-11`."""


def span(year: int) -> GameFilter:
    """The games of that year, by the local calendar."""
    return GameFilter(
        since=begin_of_day(f"{year}-01-01"), until=begin_of_day(f"{year}-12-31", after=True)
    )


def find_this_year() -> int:
    """The current year by the local calendar."""
    return datetime.now(UTC).astimezone().year


def add_up(year: int, evenings: Evenings) -> Year:
    """The year with these games."""
    matches = [portraits.draw(name, evenings) for name in evenings.sums["players"]]
    entries = [portrait for portrait in matches if portrait is not None]
    entries.sort(key=lambda one: (one.expected - one.sums["wins"], fold(one.name)))
    months = Counter(telling.local(game.started)[:7] for game in evenings.games)
    ranking = tuple(sorted(months.items()))
    return Year(year, evenings.games, tuple(entries), evenings.sums, ranking)


def tell(year: Year) -> list[Section]:
    """The year in sentences; the first section has no title, the second is about the players."""
    if not year.games:
        return [Section("", [_("No games match.")])]
    lines = [
        _("{games}, {minutes}, {players}.").format(
            games=telling.games(len(year.games)),
            minutes=telling.minutes(sum(game.minutes for game in year.games)),
            players=plural("{number} player", "{number} players", len(year.portraits)),
        )
    ]
    players, _pairs, boxes, characters, _districts, records = telling.sections(
        year.sums, by_character=False
    )
    if year.portraits:
        most = max(portrait.sums["wins"] for portrait in year.portraits)
        names = [clean_text(one.name) for one in year.portraits if one.sums["wins"] == most]
        lines.append(_("Most wins: {names}, {number}.").format(names=listing(names), number=most))
        best = year.portraits[0]
        sentence = _("Furthest above chance: {player}, {wins} wins instead of {expected}.")
        lines.append(
            sentence.format(
                player=clean_text(best.name),
                wins=best.sums["wins"],
                expected=telling.decimal(best.expected),
            )
        )
    months = [
        _("{month}: {games}.").format(month=month, games=telling.games(number))
        for month, number in year.months
    ]
    return [Section("", lines), players, boxes, characters, records, Section(_("Months"), months)]


def data(year: Year) -> dict[str, Any]:
    """The year as the JSON of `companion year`."""
    return {
        "year": year.year,
        "games": len(year.games),
        "minutes": sum(game.minutes for game in year.games),
        "players": [portraits.data(portrait) for portrait in year.portraits],
        "months": dict(year.months),
        "characters": year.sums["characters"],
        "records": year.sums["records"],
    }
