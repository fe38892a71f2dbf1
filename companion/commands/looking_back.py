"""Shared by the commands that look back: choosing games, progress, standings, CSV, pages."""

from __future__ import annotations

import os
import sys
import time
from io import TextIOWrapper
from typing import TYPE_CHECKING, Any

from common import extras, own_files
from common.problems import find_nearest
from common.sentences import Sentence, locate, suggest
from companion.commands import CommandError
from companion.errors.output import answer, answer_json, flatten, print_error
from companion.files.locations import cannot_be_saved
from companion.history import games, statistics
from companion.history.games import GameFilter
from companion.language import _
from engine.editions import editions
from engine.moves import fold

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable, Iterable

    from companion.commands.parsing import Parser
    from companion.history.standings import Standings
    from companion.log.store import Store

MANY = 300
"""From this number of games on, a message says that counting them takes a while."""

SECONDS = 10.0
"""Between two progress messages."""


def add_choices(parser: Parser) -> None:
    """Add the options that choose games."""
    parser.add_argument(
        "--player",
        metavar="NAME",
        action="append",
        default=[],
        help="only games with this player; repeat it for games with all of them",
    )
    parser.add_argument("--edition", metavar="EDITION", help="only games with this box")
    parser.add_argument("--since", metavar="DAY", help="only games from this day on: YYYY-MM-DD")
    parser.add_argument("--until", metavar="DAY", help="only games up to this day: YYYY-MM-DD")


def choose_games(
    parser: Parser, options: argparse.Namespace, any_of: Iterable[str] = ()
) -> GameFilter:
    """The games that the options choose. Raises CommandError."""
    if options.edition is not None and options.edition not in editions():
        problem = Sentence("there is no edition called “{word}”", word=options.edition)
        near = find_nearest(options.edition, editions())
        raise CommandError.of(f"{parser.prog}: --edition", suggest(problem, near))
    return GameFilter(
        players=tuple(options.player),
        any_of=tuple(any_of),
        edition=options.edition,
        since=_read_day(parser, "--since", options.since),
        until=_read_day(parser, "--until", options.until, after=True),
    )


def _read_day(parser: Parser, option: str, day: str | None, *, after: bool = False) -> str | None:
    try:
        return None if day is None else games.begin_of_day(day, after=after)
    except ValueError:
        problem = Sentence("“{day}” is not a date; write it like 2026-11-22", day=day)
        raise CommandError.of(f"{parser.prog}: {option}", problem) from None


def need_finished(prog: str, names: list[str], filters: dict[str, Any], store: Store) -> None:
    """Raise CommandError for a player who has finished no game here."""
    here = {fold(name) for name in filters["players"]}
    for name in names:
        if fold(name) not in here:
            everybody = statistics.read_statistics(store, GameFilter())["players"]
            if fold(name) not in map(fold, everybody):
                problem = Sentence("no player called “{name}” has finished a game", name=name)
                near = find_nearest(name, everybody)
                raise CommandError.of(prog, suggest(problem, near))


def add_ranking_options(parser: Parser) -> None:
    """Add the options of a command that prints standings."""
    parser.add_argument(
        "--best",
        metavar="NUMBER",
        type=int,
        help="count only that many games of each player, those with the most points",
    )
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--json", action="store_true", help="one JSON object, for programs")
    form.add_argument("--csv", action="store_true", help="a table for a spreadsheet")


def check_best(parser: Parser, options: argparse.Namespace) -> None:
    """Raise CommandError unless `--best` can be a number of games."""
    if options.best is not None and options.best < 1:
        problem = Sentence("give a number of games, from 1")
        raise CommandError.of(f"{parser.prog}: --best", problem)


def answer_standings(options: argparse.Namespace, table: Standings, **fields: Any) -> None:
    """Print standings in the form of the options, and say where ratings are missing; `fields` come
    first in the JSON object."""
    from companion.history import standings  # other commands that look back do without

    if options.json:
        answer_json(fields | standings.data(table))
    elif options.csv:
        answer_csv([standings.COLUMNS, *standings.list_rows(table)])
    else:
        answer(standings.tell(table))
    if not table.has_ratings:
        install = extras.find_install("club")
        print_error([Sentence("There are no ratings; to add them: {command}", command=install)])


def write_page(path: str, draw: Callable[[], str], prog: str) -> None:
    """Write a page to that file and report it. Raises CommandError."""
    sentence = Sentence("{file} already exists and is not a web page; name another file", file=path)
    write_drawing(path, draw().encode(), locate(f"{prog} --html", sentence))
    print_error([_("The page is in {file}.").format(file=path)])


def write_drawing(path: str, content: bytes, sentence: Sentence) -> None:
    """Write a page or picture; only an older one may be overwritten: a record or a log of games,
    given by mistake, could not be recovered. Raises CommandError, with `sentence` if the file is
    something else."""
    head = content[:12]
    try:
        if os.path.lexists(path) and not (
            os.path.isfile(path) and own_files.read(path, len(head)) == head
        ):
            raise CommandError(sentence)
        own_files.replace(path, content, mode=0o644, makes_folder=False)
    except (OSError, ValueError) as error:
        raise CommandError(cannot_be_saved(path, error)) from None


class Progress:
    """Reports that many games are being counted, and from time to time how many are left."""

    def __init__(self) -> None:
        self._last_report: float | None = None

    def __call__(self, left: int) -> None:
        """Report the number of games left."""
        now = time.monotonic()
        if self._last_report is None:
            if left < MANY:
                return
            sentence = Sentence(
                "Counting {number} games, once and for all. If you stop it with Ctrl-C, "
                "the next time carries on from there.",
                number=left,
            )
        elif now - self._last_report >= SECONDS:
            sentence = Sentence("Games left to count: {number}.", number=left)
        else:
            return
        self._last_report = now
        print_error([sentence])


def answer_csv(rows: Iterable[Iterable[Any]]) -> None:
    """Print rows as CSV in UTF-8; the first is the header.

    Text that a spreadsheet would run as a formula gets an apostrophe in front.
    """
    import csv

    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(encoding="utf-8", newline="")
    writer = csv.writer(sys.stdout)
    for row in rows:
        writer.writerow([_cell(value) for value in row])


def _cell(value: Any) -> Any:
    if not isinstance(value, str):
        return value
    text = flatten(value)
    return f"'{text}" if text.startswith(("=", "+", "-", "@")) else text
