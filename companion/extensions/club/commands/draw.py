"""`companion club draw`: who sits where in a round."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Iterable, Sequence
from datetime import datetime

from common.problems import find_nearest
from common.sentences import Sentence, locate, suggest
from companion.commands import REFUSED, CommandError, open_games
from companion.commands.declared import JSON, Answer, arg, command, take_count
from companion.extensions.club import league, league_files
from companion.extensions.club.folder import list_tables
from companion.extensions.club.league import League, Round
from companion.extensions.club.results import list_results
from companion.history.season import Play
from companion.language import _, listing
from companion.settings.config import Config
from engine.moves import fold

_PROG = "companion club draw"


@command(
    "club draw",
    arg(
        "--absent",
        metavar="NAME",
        action="append",
        default=[],
        help="somebody who is not here; repeat it for several",
    ),
    arg(
        "--tables",
        metavar="NUMBER",
        type=take_count(1, 1000),
        help="how many tables there are at most",
    ),
    arg("--anyway", action="store_true", help="draw even if results of the last round are missing"),
    arg("--show", action="store_true", help="show the last round"),
    JSON,
)
def run(config: Config, args: Namespace) -> Answer:
    rules, rounds = league_files.read(config.data), league_files.read_rounds(config.data)
    with open_games(config) as store:
        plays = league_files.read_plays(store, rules, list_results(store))
    last = rounds[-1] if rounds else None
    if args.show:
        if last is None:
            raise _refuse(Sentence("no round has been drawn yet"))
        return _tell(last, plays)
    for name in args.absent:
        _need_player(name, rules.players.values())
    if last is not None and not args.anyway:
        _need_results(last, league.list_waiting(last, plays))
    drawn = _draw(config.data, args, rules, plays, rounds)
    answer = _tell(drawn, plays)
    change = _("To change it, edit {path}; delete it to draw again with other players").format(
        path=league_files.save_round(config.data, drawn)
    )
    return answer._replace(lines=[*answer.lines, change])


def _refuse(problem: Sentence, *more: Sentence) -> CommandError:
    return CommandError(locate(_PROG, problem), *more, code=REFUSED)


def _need_player(name: str, names: Iterable[str]) -> None:
    """Raise CommandError for a name that is none of these, with the nearest one."""
    names = list(names)
    if fold(name) not in map(fold, names):
        problem = Sentence("there is no player called “{name}”", name=name)
        raise _refuse(suggest(problem, find_nearest(name, names)))


def _need_results(last: Round, waiting: Sequence[str]) -> None:
    """Raise CommandError if results of the last round are missing."""
    if waiting:
        problem = Sentence(
            "league round {round} has no result yet from {tables}",
            round=last.number,
            tables=", ".join(waiting),
        )
        raise _refuse(problem, Sentence("To draw anyway: {option}", option="--anyway"))


def _draw(
    folder: str, args: Namespace, rules: League, plays: Sequence[Play], rounds: list[Round]
) -> Round:
    """The next round, or another in place of the last. Raises CommandError."""
    number = 1 + max((one.number for one in rounds), default=0)
    if number > league_files.MOST_ROUND:
        raise _refuse(Sentence("a league has at most {most} rounds", most=league_files.MOST_ROUND))
    try:
        return league.draw(
            rules,
            plays,
            rounds,
            number,
            at=datetime.now().astimezone().isoformat(timespec="milliseconds"),
            seed=f"round {number}",
            names=list_tables(folder),
            absent=args.absent,
            most_tables=args.tables,
        )
    except ValueError:
        problem = Sentence(
            "a round needs at least four players; the club's list has {number}, of whom "
            "{absent} are absent; to add players: {command}",
            number=len(rules.players),
            absent=len(args.absent),
            command="companion club players add NAME",
        )
        raise _refuse(problem) from None


def _tell(drawn: Round, plays: Iterable[Play]) -> Answer:
    lines = [_("Round {number}.").format(number=drawn.number)]
    for table, (first, *others) in drawn.tables.items():
        starting = _("{player} with the crown").format(player=first)
        lines.append(
            _("{table}: {names}.").format(table=table, names=", ".join((starting, *others)))
        )
    if drawn.byes:
        lines.append(_("Bye: {names}.").format(names=listing(drawn.byes)))
    if drawn.absent:
        lines.append(_("Not here: {names}.").format(names=listing(drawn.absent)))
    return Answer(lines, league.data(drawn, league.list_waiting(drawn, plays)))
