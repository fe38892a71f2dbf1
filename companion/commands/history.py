"""`companion history [GAME]`: lists this table's games, newest first, or shows one's recap."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from common.sentences import Sentence
from companion.commands import DONE, CommandError, blame, settings
from companion.commands.looking_back import Progress, add_choices, answer_csv, find_wanted
from companion.commands.parsing import Parser
from companion.errors.output import answer, answer_json
from companion.history import games, people, telling
from companion.history.games import Wanted
from companion.language import _
from companion.log.store import Store

if TYPE_CHECKING:
    from collections.abc import Iterable

    from companion.history.games import Game
    from companion.history.people import People

COLUMNS = (
    *("game", "started", "ended", "edition", "rounds", "minutes", "player", "place", "total"),
    *("districts", "five_types", "complete", "unique", "gold"),
)
"""Columns of the CSV, which has a row per player and game."""


def run(words: list[str]) -> int:
    """Print the requested games."""
    parser = make_parser()
    given = parser.parse_args(words)
    wanted = find_wanted(parser, given)
    if given.game is not None:
        if wanted != Wanted():
            problem = Sentence("name a game, or choose games by options, not both")
            raise CommandError(blame(parser.prog, problem))
        return _recap(parser, given.game, as_json=given.json, as_csv=given.csv)
    config = settings.load()
    with Store(config.games) as store, games.pause_garbage_collection():
        known = people.read(store)
        found = [one for one in games.read_all(store, Progress()) if wanted.takes(one, known)]
        if not found:
            people.need_all(store, given.player)
    if given.json:
        answer_json([data(one, known) for one in found])
    elif given.csv:
        answer_csv([COLUMNS, *(row for one in found for row in rows(one, known))])
    else:
        answer([telling.game(one, known) for one in found] or [_tell_none(wanted)])
    return DONE


def make_parser() -> Parser:
    """The command's options."""
    parser = Parser("history", "The games of this table, newest first.")
    parser.add_argument(
        "game", metavar="GAME", nargs="?", help="show the recap of this game instead"
    )
    add_choices(parser)
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--json", action="store_true", help="one JSON list, for programs")
    form.add_argument("--csv", action="store_true", help="a table for a spreadsheet")
    return parser


def _tell_none(wanted: Wanted) -> str:
    if wanted == Wanted():
        return _("No game has been played here yet.")
    return _("No games match.")


def _recap(parser: Parser, game: str, *, as_json: bool, as_csv: bool) -> int:
    from companion.commands import recap

    if as_csv:
        problem = Sentence(
            "one game is shown as its recap, which has no CSV; leave out --csv or the game"
        )
        raise CommandError(blame(f"{parser.prog}: --csv", problem))
    return recap.run([game, *(["--json"] if as_json else [])])


def data(game: Game, known: People) -> dict[str, Any]:
    """The game as JSON; an unfinished one has no end, no winners and no totals."""
    found = game.digest
    names = known.resolve(tuple(player.name for player in found.players))
    ranked = list(zip(names, found.players, strict=True))
    return {
        "game": game.name,
        "started": game.started,
        "ended": game.ended if game.over else None,
        "edition": found.edition,
        "rounds": found.rounds,
        "players": list(names),
        "winners": [name for name, p in ranked if p.place == 1] if game.over else None,
        "totals": {name: p.total for name, p in ranked} if game.over else None,
    }


def rows(game: Game, known: People) -> Iterable[list[Any]]:
    """A row for each of the game's players."""
    found = game.digest
    names = known.resolve(tuple(player.name for player in found.players))
    for name, player in zip(names, found.players, strict=True):
        result = [player.place, player.total, *player.parts, player.gold]
        yield [
            *(game.name, game.started, game.ended if game.over else None, found.edition),
            *(found.rounds, game.minutes if game.over else None, name),
            *(result if game.over else [None] * len(result)),
        ]
