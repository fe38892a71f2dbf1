"""`companion club draw`: who sits where in a round."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING

from common.problems import find_nearest
from common.sentences import Sentence, suggest
from companion.club import league, league_files, seating
from companion.commands import DONE, REFUSED, CommandError, blame, settings
from companion.commands.club import add_folder, find_folder
from companion.commands.looking_back import Progress
from companion.commands.parsing import Parser
from companion.errors.output import answer, answer_json
from companion.language import _, listing, plural
from engine.moves import fold

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Iterable, Sequence

    from companion.club.league import League, Repeats, Round
    from companion.history.season import Play


def run(words: list[str]) -> int:
    """Draw the next round, or show or change the last one."""
    parser = make_parser()
    given = parser.parse_args(words)
    folder = find_folder(given, settings.load())
    rules = league_files.read(folder)
    rounds = league_files.read_rounds(folder)
    plays = league_files.read_plays(folder, rules, Progress())
    path = ""
    if given.show or given.swap:
        if not rounds:
            raise CommandError(blame(parser.prog, Sentence("no round has been drawn yet")))
        one_round = rounds[-1]
        if given.swap:
            one_round = _swap(one_round, given.swap, parser)
            path = league_files.save_round(folder, one_round)
    else:
        names = league_files.list_tables(folder)
        one_round = _draw(given, parser, rules, rounds, plays, names)
        path = league_files.save_round(folder, one_round)
    repeats = league.find_repeats(one_round, plays, rounds)
    waiting = league.list_waiting(one_round, plays)
    if given.json:
        answer_json(league.data(one_round, repeats, waiting))
    else:
        answer([*tell(one_round), *tell_repeats(repeats)])
        if path:
            answer(
                [
                    _("To change it: {command}, or edit {path}").format(
                        command="companion club draw --swap NAME OTHER", path=path
                    )
                ]
            )
    return DONE


def make_parser() -> Parser:
    """The command's options."""
    parser = Parser(
        "club draw",
        "Draw who sits where: by points, with as few repeated meetings and first crowns as "
        "possible. The same players, results and seed give the same tables.",
    )
    add_folder(parser)
    parser.add_argument(
        "--absent",
        metavar="NAME",
        action="append",
        default=[],
        help="somebody who is not here; repeat it for several",
    )
    parser.add_argument(
        "--size", metavar="NUMBER", type=int, help="players at a table, from 4 to 7"
    )
    parser.add_argument(
        "--tables", metavar="NUMBER", type=int, help="how many tables there are at most"
    )
    parser.add_argument("--seed", metavar="TEXT", help="decides between equals")
    parser.add_argument(
        "--anyway", action="store_true", help="although results of the last round are missing"
    )
    change = parser.add_mutually_exclusive_group()
    change.add_argument("--again", action="store_true", help="draw the last round once more")
    change.add_argument(
        "--swap", metavar=("NAME", "OTHER"), nargs=2, help="exchange two players of the last round"
    )
    change.add_argument("--show", action="store_true", help="show the last round")
    parser.add_argument("--json", action="store_true", help="one JSON object, for programs")
    return parser


def _draw(
    given: Namespace,
    parser: Parser,
    rules: League,
    rounds: Sequence[Round],
    plays: Sequence[Play],
    names: Sequence[str],
) -> Round:
    """Draw a round for tables of these names. Raises CommandError if it cannot be drawn."""
    _check(given, parser, rules)
    last = rounds[-1] if rounds else None
    waiting = league.list_waiting(last, plays) if last is not None else []
    if given.again:
        if last is None:
            raise CommandError(blame(parser.prog, Sentence("no round has been drawn yet")))
        if len(waiting) < len(last.tables) and not given.anyway:
            problem = Sentence(
                "round {round} has results already; --anyway draws it again", round=last.number
            )
            raise CommandError(blame(f"{parser.prog} --again", problem), code=REFUSED)
        rounds = rounds[:-1]
    elif waiting and not given.anyway:
        problem = Sentence(
            "round {round} has no result yet from {tables}; --anyway draws without",
            round=last.number if last else 0,
            tables=listing(waiting),
        )
        raise CommandError(blame(parser.prog, problem), code=REFUSED)
    number = 1 + max((one.number for one in rounds), default=0)
    if number > league_files.MOST_ROUND:
        raise CommandError(
            blame(
                parser.prog,
                Sentence("a league has at most {most} rounds", most=league_files.MOST_ROUND),
            )
        )
    seed = given.seed
    if seed is None:
        seed = f"{last.seed}+" if given.again and last is not None else f"round {number}"
    try:
        return league.draw(
            rules,
            plays,
            rounds,
            at=datetime.now().astimezone().isoformat(timespec="milliseconds"),
            seed=seed,
            names=names,
            absent=given.absent,
            size=given.size,
            most_tables=given.tables,
        )
    except ValueError:
        problem = Sentence(
            "a round needs at least four players; the club's list has {number}, of whom {absent} "
            "are absent; to add players: {command}",
            number=len(rules.players),
            absent=len(given.absent),
            command="companion club players add NAME",
        )
        raise CommandError(blame(parser.prog, problem)) from None


def _check(given: Namespace, parser: Parser, rules: League) -> None:
    """Raise CommandError for options that cannot be used."""
    if given.size is not None and not seating.LEAST <= given.size <= seating.MOST:
        problem = Sentence("a table has 4 to 7 players")
        raise CommandError(blame(f"{parser.prog}: --size", problem))
    if given.tables is not None and given.tables < 1:
        problem = Sentence("give a number of tables, from 1")
        raise CommandError(blame(f"{parser.prog}: --tables", problem))
    for name in given.absent:
        _need(name, rules.players.values(), f"{parser.prog}: --absent")


def _need(name: str, names: Iterable[str], command: str) -> None:
    names = list(names)
    if fold(name) not in map(fold, names):
        problem = Sentence("there is no player called “{name}”", name=name)
        raise CommandError(blame(command, suggest(problem, find_nearest(name, names))))


def _swap(one_round: Round, names: Sequence[str], parser: Parser) -> Round:
    for name in names:
        _need(name, league.list_everybody(one_round), f"{parser.prog}: --swap")
    return league.swap(one_round, *names)


def tell(one_round: Round) -> list[str]:
    """The round in lines, a table in each."""
    lines = [_("Round {number}.").format(number=one_round.number)]
    for table, (first, *others) in one_round.tables.items():
        sentence = _("{table}: {first} with the crown, {others}.")
        lines.append(sentence.format(table=table, first=first, others=", ".join(others)))
    if one_round.byes:
        lines.append(_("No seat: {names}.").format(names=listing(one_round.byes)))
    if one_round.absent:
        lines.append(_("Not here: {names}.").format(names=listing(one_round.absent)))
    return lines


def tell_repeats(repeats: Repeats) -> list[str]:
    """What a round repeats, for the judge."""
    lines = [
        plural(
            "{player} and {other} have met {number} time before.",
            "{player} and {other} have met {number} times before.",
            times,
            player=one,
            other=other,
        )
        for one, other, times in repeats.meetings
    ]
    return [
        *lines,
        *(
            _("{player} begins with the crown again.").format(player=name)
            for name, _times in repeats.starts
        ),
    ]
