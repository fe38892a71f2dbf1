"""The standings of a season as everybody gets them: in lines, as JSON and as rows of a table.

`companion season`, the phones and a club's hub show the same.
"""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, NamedTuple

from common import extras
from companion.files.clean import clean_text
from companion.history import counting, season, telling
from companion.history import games as played
from companion.language import _, plural
from companion.settings.checks import BEATEN
from companion.wording import facts

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from fractions import Fraction

    from companion.history.counting import Progress
    from companion.history.games import Game, Wanted
    from companion.history.season import Bye, Play, Row, Tie
    from companion.log.store import Store


class Standings(NamedTuple):
    """The ranking of some games, and how it was made."""

    rows: list[Row]
    games: int
    scheme: tuple[int, ...]
    """What each place is worth (`season.list_points`)."""

    best: int | None
    """How many games of each player count; None for all."""

    shared: int
    """Games in which players shared a place."""

    rated: bool
    """Whether there are ratings: only with the extra `club`."""


def make(
    plays: Sequence[Play],
    scheme: tuple[int, ...],
    *,
    best: int | None = None,
    byes: Mapping[str, Bye] | None = None,
) -> Standings:
    """The standings after these games, with ratings if openskill is installed."""
    rated = extras.is_installed("club")
    ratings = season.rate(plays) if rated else None
    rows = season.rank(plays, scheme, best=best, byes=byes, ratings=ratings)
    places = ([finish.place for finish in play.finishes] for play in plays)
    shared = sum(len(set(of_one)) < len(of_one) for of_one in places)
    return Standings(rows, len(plays), scheme, best, shared, rated)


def read_plays(
    store: Store,
    wanted: Wanted,
    progress: Progress = counting.ignore_progress,
) -> list[Play]:
    """The finished games that are wanted and count. Raises StoreError."""
    return list_plays(played.read_all(store, wanted, progress))


def find_moment(at: str) -> str:
    """A time with its zone as `Play.ended` has it: in UTC, so that texts compare as times do."""
    return datetime.fromisoformat(at).astimezone(UTC).isoformat(timespec="milliseconds")


def list_plays(games: Iterable[Game]) -> list[Play]:
    """Those of the games that are over and count."""
    return [_make_play(game) for game in games if game.over and game.counts]


def _make_play(game: Game) -> Play:
    finishes = [
        season.Finish(None if seat.is_forgotten else seat.name, seat.place, seat.total)
        for seat in game.seats
    ]
    return season.Play(game.name, game.ended, tuple(finishes))


def data(made: Standings) -> dict[str, Any]:
    """The standings as JSON."""
    return {
        "games": made.games,
        "points": "beaten" if made.scheme == BEATEN else list(made.scheme),
        "best": made.best,
        "players": [season.data(row) for row in made.rows],
        "ties": [tie._asdict() for tie in season.find_ties(made.rows)],
        "rated": made.rated,
    }


COLUMNS = (
    *("rank", "player", "points", "games", "counted", "wins", "per_game", "total"),
    *("byes", "bye_points", "rating", "uncertainty", "rated_games"),
)
"""The columns of the CSV, which has a row per player."""


def list_rows(made: Standings) -> Iterable[list[Any]]:
    """The standings as rows of `COLUMNS`."""
    for row in made.rows:
        found = season.data(row)
        rating = found["rating"] or dict.fromkeys(("mean", "uncertainty", "games"))
        yield [
            *(found[column] for column in COLUMNS[:10]),
            *(rating["mean"], rating["uncertainty"], rating["games"]),
        ]


def tell(made: Standings) -> list[str]:
    """The standings in lines: a player in each, then what explains the order."""
    if not made.rows:
        return [_("No finished game counts yet.")]
    return [
        plural("{number} finished game.", "{number} finished games.", made.games),
        _tell_scheme(made),
        *map(_tell_row, made.rows),
        *explain(made),
    ]


def _tell_scheme(made: Standings) -> str:
    if made.scheme == BEATEN:
        return _("A game gives one point for each player behind.")
    return _("Points for each place: {points}.").format(points=", ".join(map(str, made.scheme)))


def _tell_row(row: Row) -> str:
    sentence = _("{rank}. {player}: {points} from {games}, {wins} won.")
    told = [
        sentence.format(
            rank=row.rank,
            player=clean_text(row.name),
            points=tell_points(row.points),
            games=telling.games(row.games),
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
        told.append(byes)
    if row.rating is not None:
        sentence = _("Rating {rating}, uncertainty {uncertainty}, after {games}.")
        told.append(
            sentence.format(
                rating=telling.decimal(row.rating.mean),
                uncertainty=telling.decimal(row.rating.deviation),
                games=telling.games(row.rating.games),
            )
        )
    return " ".join(told)


def tell_points(points: Fraction) -> str:
    """Points with their noun: `1 point`, `4.5 points`."""
    shown = season.round_points(points)
    if isinstance(shown, int):
        return str(facts.points(shown))
    whole, part = f"{shown:.2f}".rstrip("0").split(".")
    text = _("{whole}.{tenth}").format(whole=whole, tenth=part)
    # every language here has a form for parts that is also that of two
    return plural("{points} point", "{points} points", 2, points=text)


def _tell_tie(tie: Tie) -> str:
    """Why one of two with equal points is ahead."""
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


def explain(made: Standings) -> list[str]:
    """What is not plain from the rows: equal points, shared places, missed games, ratings."""
    told = list(map(_tell_tie, season.find_ties(made.rows)))
    if made.shared:
        told.append(
            plural(
                "In {number} game players shared a place, and the points of the places that they "
                "filled.",
                "In {number} games players shared a place, and the points of the places that they "
                "filled.",
                made.shared,
            )
        )
    if made.best is not None:
        told.append(
            plural(
                "Only the best game of each player counts.",
                "Only the best {number} games of each player count.",
                made.best,
            )
        )
    elif any(row.games < made.games for row in made.rows):
        told.append(_("A game that somebody missed gave no points."))
    if any(row.byes for row in made.rows):
        told.append(_("A bye is a round without a seat, which is nobody’s fault."))
    if made.rated:
        told.append(
            _("A rating begins at 25, with an uncertainty of 8.3; with more games it is surer.")
        )
    return told
