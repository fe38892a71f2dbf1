"""`companion history [GAME]`: lists this table's games, newest first, or shows one's recap."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

from common.sentences import Sentence
from companion.commands import DONE, REFUSED, CommandError, load_settings
from companion.commands.looking_back import Progress, add_choices, answer_csv, choose_games
from companion.commands.parsing import Parser
from companion.errors.output import answer, answer_json, print_error
from companion.history import games, people, telling
from companion.history.games import Game, GameFilter
from companion.language import _, listing, plural
from companion.log.store import Store

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterable

    from companion.settings.config import Config

COLUMNS = (
    *("game", "started", "ended", "edition", "rounds", "minutes", "player", "place", "total"),
    *("districts", "five_types", "complete", "unique", "gold"),
)
"""Columns of the CSV, which has a row per player and game."""


def run(words: list[str]) -> int:
    """Print the requested games."""
    parser = make_parser()
    args = parser.parse_args(words)
    query = choose_games(parser, args)
    if args.game is not None:
        if query != GameFilter():
            problem = Sentence("name a game, or choose games by options, not both")
            raise CommandError.of(parser.prog, problem)
        return _recap(parser, args.game, as_json=args.json, as_csv=args.csv)
    config = load_settings()
    if args.leave_out or args.take_in or args.remove:
        return _change(config, args)
    most = _find_limit(parser, args)
    with Store(config.games) as store:
        matches, total = games.read_page(store, query, Progress(), most)
        if not matches:
            people.need_all(store, args.player)
    if args.json:
        answer_json([data(one) for one in matches])
    elif args.csv:
        answer_csv([COLUMNS, *(row for one in matches for row in rows(one))])
    else:
        answer([telling.game(one) for one in matches] or [_tell_none(query)])
        if args.limit is None and total > len(matches):
            more = plural(
                "{number} older game; --limit shows more.",
                "{number} older games; --limit shows more.",
                total - len(matches),
            )
            print_error([more])
    return DONE


def _find_limit(parser: Parser, options: argparse.Namespace) -> int:
    """How many games to show; -1 for all. Raises CommandError."""
    if options.limit is not None:
        if options.limit < 1:
            raise CommandError.of(f"{parser.prog}: --limit", _NOT_A_NUMBER)
        return int(options.limit)
    return PAGE if sys.stdout.isatty() and not options.json and not options.csv else -1


PAGE = 50
"""Games that are shown at a terminal by default."""

_NOT_A_NUMBER = Sentence("give a number of games, from 1")


def _change(config: Config, options: argparse.Namespace) -> int:
    """Leave a game out of the statistics, take it in again, or remove it."""
    from companion.commands.record import confirm, find_saved_game  # slow to load, rarely needed

    log = find_saved_game(config, options.leave_out or options.take_in or options.remove)
    with Store(config.games) as store:
        if options.leave_out:
            people.count_game(store, log.id, counts=False)
            text = _("Game {game} no longer counts in statistics; to count it again: {command}")
            command = f"companion history --take-in {log.name}"
            answer([text.format(game=log.name, command=command)])
        elif options.take_in:
            people.count_game(store, log.id, counts=True)
            answer([_("Game {game} counts in statistics.").format(game=log.name)])
        else:
            question = Sentence(
                "Remove game {game} of {names} for good? It cannot be brought back. (yes/no)",
                game=log.name,
                names=listing(log.setup.get("players") or ()),
            )
            if not options.force and not confirm(question):
                problem = Sentence("the game was not removed; answer yes, or add --force")
                raise CommandError.of("companion history --remove", problem, code=REFUSED)
            store.remove(log.id)
            answer([_("Game {game} has been removed.").format(game=log.name)])
    return DONE


def make_parser() -> Parser:
    """The command's options."""
    parser = Parser("history", "The games of this table, newest first.")
    parser.add_argument(
        "game", metavar="GAME", nargs="?", help="show the recap of this game instead"
    )
    add_choices(parser)
    parser.add_argument(
        "--limit",
        metavar="NUMBER",
        type=int,
        help="only the newest games (at a terminal: 50)",
    )
    change = parser.add_mutually_exclusive_group()
    change.add_argument(
        "--leave-out", metavar="GAME", help="no longer count this game in any statistics"
    )
    change.add_argument("--take-in", metavar="GAME", help="count it again")
    change.add_argument(
        "--remove", metavar="GAME", help="delete this game for good, after a question"
    )
    parser.add_argument("--force", action="store_true", help="remove without the question")
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--json", action="store_true", help="one JSON list, for programs")
    form.add_argument("--csv", action="store_true", help="a table for a spreadsheet")
    return parser


def _tell_none(query: GameFilter) -> str:
    if query == GameFilter():
        return _("No game has been played here yet.")
    return _("No games match.")


def _recap(parser: Parser, game: str, *, as_json: bool, as_csv: bool) -> int:
    from companion.commands import recap

    if as_csv:
        problem = Sentence(
            "one game is shown as its recap, which has no CSV; leave out --csv or the game"
        )
        raise CommandError.of(f"{parser.prog}: --csv", problem)
    return recap.run([game, *(["--json"] if as_json else [])])


def data(game: Game) -> dict[str, Any]:
    """The game as JSON; an unfinished one has no end, no winners and no totals."""
    return {
        "game": game.name,
        "started": game.started,
        "ended": game.ended if game.over else None,
        "edition": game.edition,
        "rounds": game.rounds,
        "players": [seat.name for seat in game.seats],
        "winners": [seat.name for seat in game.seats if seat.place == 1] if game.over else None,
        "totals": {seat.name: seat.total for seat in game.seats} if game.over else None,
    }


def rows(game: Game) -> Iterable[list[Any]]:
    """A row for each of the game's players."""
    for seat in game.seats:
        result = [seat.place, seat.total, *seat.parts, seat.gold]
        yield [
            *(game.name, game.started, game.ended if game.over else None, game.edition),
            *(game.rounds, game.minutes if game.over else None, seat.name),
            *(result if game.over else [None] * len(result)),
        ]
