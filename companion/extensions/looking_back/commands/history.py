"""`companion history [GAME]`: lists this table's games, newest first, or shows one's recap."""

from __future__ import annotations

import sys
from argparse import Namespace
from collections.abc import Iterable
from typing import Any

from common.sentences import Sentence
from companion.commands import REFUSED, CommandError, open_games
from companion.commands.declared import CSV, JSON, Answer, arg, command
from companion.commands.record import confirm, find_saved_game
from companion.extensions.looking_back import telling
from companion.extensions.looking_back.commands import DAYS, EDITION, choose_games, recap
from companion.history import games, people
from companion.history.games import EVERY_GAME, Game
from companion.language import _, listing, plural
from companion.settings.config import Config

COLUMNS = (
    *("game", "started", "ended", "edition", "rounds", "minutes", "player", "place", "total"),
    *("districts", "five_types", "complete", "unique", "gold"),
)
"""Columns of the CSV, which has a row per player and game."""

PAGE = 50
"""Games that are shown at a terminal."""


@command(
    "history",
    arg("game", metavar="GAME", nargs="?", help="show the recap of this game instead"),
    arg(
        "--player",
        metavar="NAME",
        action="append",
        default=[],
        help="only games with this player; repeat it for games with all of them",
    ),
    EDITION,
    *DAYS,
    [
        arg("--leave-out", metavar="GAME", help="no longer count this game in any statistics"),
        arg("--take-in", metavar="GAME", help="count it again"),
        arg("--remove", metavar="GAME", help="delete this game for good, after a question"),
    ],
    [JSON, CSV],
)
def run(config: Config, args: Namespace) -> Answer:
    """The requested games."""
    wanted = choose_games(args, args.edition, all_of=args.player)
    if args.game is not None:
        if wanted != EVERY_GAME or args.csv:
            problem = Sentence("one game is shown as its recap, with no other option than --json")
            raise CommandError.of("companion history", problem)
        return recap.tell(recap.find(config, args.game))
    if args.leave_out or args.take_in or args.remove:
        return Answer([_change(config, args)])
    most = PAGE if sys.stdout.isatty() and not args.json and not args.csv else -1
    with open_games(config) as store:
        found, total = games.read_page(store, wanted, most)
        if not found:
            people.find_all(store, args.player)
    none = _("No games match.")
    if wanted == EVERY_GAME:
        none = _("No game has been played here yet.")
    more = plural(
        "{number} older game; --since and --until choose.",
        "{number} older games; --since and --until choose.",
        total - len(found),
    )
    return Answer(
        [telling.game(one) for one in found] or [none],
        [data(one) for one in found],
        [COLUMNS, *(row for one in found for row in rows(one))],
        notes=[more] if total > len(found) else (),
    )


def _change(config: Config, args: Namespace) -> str:
    """Leave a game out of the statistics, take it in again, or remove it; returns what was done.
    Raises CommandError."""
    log = find_saved_game(config, args.leave_out or args.take_in or args.remove)
    with open_games(config) as store:
        if args.leave_out:
            games.count_game(store, log.id, counts=False)
            text = _("Game {game} no longer counts in statistics; to count it again: {command}")
            return text.format(game=log.name, command=f"companion history --take-in {log.name}")
        if args.take_in:
            games.count_game(store, log.id, counts=True)
            return _("Game {game} counts in statistics.").format(game=log.name)
        question = Sentence(
            "Remove game {game} of {names} for good? It cannot be brought back. (yes/no)",
            game=log.name,
            names=listing(log.setup.get("players") or ()),
        )
        if not confirm(question):
            problem = Sentence("the game was not removed; answer yes at a terminal")
            raise CommandError.of("companion history --remove", problem, code=REFUSED)
        store.remove(log.id)
        return _("Game {game} has been removed.").format(game=log.name)


def data(game: Game) -> dict[str, Any]:
    """The game as JSON; an unfinished one has no end, no winners and no totals."""
    return {
        "game": game.name,
        "started": game.started,
        "ended": game.ended if game.over else None,
        "edition": game.edition,
        "rounds": None if game.over and not game.rounds else game.rounds,
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
