"""The standings of a season as everybody gets them: in lines, as JSON and as rows of a table.

`companion season`, the phones and a club's hub show the same.
"""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Any, NamedTuple

from common.clean import clean_text, write_moment
from companion.history import games as played
from companion.history import season
from companion.language import _, plural
from companion.settings.checks import BEATEN
from companion.wording import facts

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from fractions import Fraction

    from companion.history.games import Game, GameFilter
    from companion.history.season import Bye, Play, SeasonRow, Tie
    from companion.log.store import Store


class Standings(NamedTuple):
    """The ranking of some games, and how it was made."""

    rows: list[SeasonRow]
    games: int
    scheme: tuple[int, ...]
    """What each place is worth (`season.list_points`)."""

    shared_places: int
    """Games in which players shared a place."""


def make(
    plays: Sequence[Play],
    scheme: tuple[int, ...],
    *,
    byes: Mapping[str, Bye] | None = None,
) -> Standings:
    """The standings after these games."""
    rows = season.rank(plays, scheme, byes=byes)
    places = ([finish.place for finish in play.finishes] for play in plays)
    shared_places = sum(len(set(of_one)) < len(of_one) for of_one in places)
    return Standings(rows, len(plays), scheme, shared_places)


def read_plays(store: Store, wanted: GameFilter) -> list[Play]:
    """The finished games that are wanted and count. Raises StoreError."""
    return [_make_play(game) for game in played.read_finished(store, wanted)]


def find_moment(at: str) -> str:
    """A time with its zone as `Play.ended` has it."""
    return write_moment(datetime.fromisoformat(at))


def _make_play(game: Game) -> Play:
    finishes = [
        season.Finish(None if seat.is_forgotten else seat.name, seat.place, seat.total)
        for seat in game.seats
    ]
    return season.Play(game.name, game.ended, tuple(finishes))


def data(ranking: Standings) -> dict[str, Any]:
    return {
        "games": ranking.games,
        "points": "beaten" if ranking.scheme == BEATEN else list(ranking.scheme),
        "players": [season.data(row) for row in ranking.rows],
        "ties": [tie._asdict() for tie in season.find_ties(ranking.rows)],
    }


COLUMNS = (
    *("rank", "player", "points", "games", "wins", "per_game", "total"),
    *("byes", "bye_points"),
)
"""The columns of the CSV, which has a row per player."""


def list_rows(ranking: Standings) -> Iterable[list[Any]]:
    for row in ranking.rows:
        values = season.data(row)
        yield [values[column] for column in COLUMNS]


def tell(ranking: Standings) -> list[str]:
    """The standings in lines: a player in each, then what explains the order."""
    if not ranking.rows:
        return [_("No finished game counts yet.")]
    return [
        plural("{number} finished game.", "{number} finished games.", ranking.games),
        _tell_scheme(ranking),
        *map(_tell_row, ranking.rows),
        *explain(ranking),
    ]


def _tell_scheme(ranking: Standings) -> str:
    if ranking.scheme == BEATEN:
        return _("A game gives one point for each player behind.")
    return _("Points for each place: {points}.").format(points=", ".join(map(str, ranking.scheme)))


def _tell_row(row: SeasonRow) -> str:
    sentence = _("{rank}. {player}: {points} from {games}, {wins} won.")
    lines = [
        sentence.format(
            rank=row.rank,
            player=clean_text(row.name),
            points=tell_points(row.points),
            games=facts.games(row.games),
            wins=row.wins,
        )
    ]
    if row.byes:
        byes = plural(
            "{number} bye gave {points}.",
            "{number} byes gave {points}.",
            row.byes,
            points=tell_points(row.bye_points),
        )
        lines.append(byes)
    return " ".join(lines)


def tell_points(points: Fraction) -> str:
    """Points with their noun: `1 point`, `4.5 points`."""
    number = season.round_points(points)
    if isinstance(number, int):
        return str(facts.points(number))
    whole, part = f"{number:.2f}".rstrip("0").split(".")
    text = _("{whole}.{tenth}").format(whole=whole, tenth=part)
    # every language here has a form for parts that is also that of two
    return plural("{points} point", "{points} points", 2, points=text)


def _tell_tie(tie: Tie) -> str:
    if tie.place is None:
        sentence = _("{one} is ahead of {other} by the points of all cities: {first} to {second}.")
    elif tie.place == 1:
        sentence = _("{one} is ahead of {other} by games won: {first} to {second}.")
    else:
        sentence = _("{one} is ahead of {other} by games in place {place}: {first} to {second}.")
    first, second = tie.numbers
    return sentence.format(
        one=clean_text(tie.ahead),
        other=clean_text(tie.behind),
        place=tie.place,
        first=first,
        second=second,
    )


def explain(ranking: Standings) -> list[str]:
    """What is not plain from the rows: equal points, shared places, missed games."""
    lines = list(map(_tell_tie, season.find_ties(ranking.rows)))
    if ranking.shared_places:
        lines.append(
            plural(
                "In {number} game players shared a place; they also shared its points.",
                "In {number} games players shared a place; they also shared its points.",
                ranking.shared_places,
            )
        )
    if any(row.games < ranking.games for row in ranking.rows):
        lines.append(_("A game that somebody missed gave no points."))
    if any(row.byes for row in ranking.rows):
        lines.append(_("A bye is a round in which a player has no seat."))
    return lines
