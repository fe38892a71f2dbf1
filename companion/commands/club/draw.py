"""`companion club draw`: who sits where in a round."""

from __future__ import annotations

from typing import TYPE_CHECKING

from common.sentences import Sentence, locate
from companion.club import drawing, league, seating
from companion.club.drawing import CannotDraw, Drawn, DrawOptions, ResultsMatter
from companion.commands import DONE, CommandError, load_settings
from companion.commands.club import add_folder, find_folder
from companion.commands.looking_back import Progress
from companion.commands.parsing import Parser
from companion.errors.output import answer, answer_json
from companion.language import _

if TYPE_CHECKING:
    from argparse import Namespace


def run(words: list[str]) -> int:
    """Draw the next round, or show or change the last one."""
    parser = make_parser()
    args = parser.parse_args(words)
    _check(args, parser)
    folder = find_folder(args, load_settings())
    try:
        result = _draw(args, folder)
    except CannotDraw as error:
        lines = [locate(parser.prog, line) for line in error.lines]
        if isinstance(error, ResultsMatter):
            lines.append(Sentence("To draw anyway: {option}", option="--anyway"))
        raise CommandError(*lines, code=error.code) from None
    if args.json:
        answer_json(league.data(result.round, result.repeats, result.waiting))
        return DONE
    answer(drawing.tell(result))
    if result.path:
        sentence = _("To change it: {command}, or edit {path}")
        command = "companion club draw --swap NAME OTHER"
        answer([sentence.format(command=command, path=result.path)])
    return DONE


def _draw(options: Namespace, folder: str) -> Drawn:
    if options.show:
        return drawing.read_last(folder, Progress())
    if options.swap:
        one, other = options.swap
        return drawing.swap_players(folder, one, other, Progress())
    choices = DrawOptions(
        absent=tuple(options.absent),
        size=options.size,
        most_tables=options.tables,
        seed=options.seed,
        again=options.again,
        anyway=options.anyway,
    )
    return drawing.draw_round(folder, choices, Progress())


def _check(options: Namespace, parser: Parser) -> None:
    """Raise CommandError for options that cannot be used."""
    if options.size is not None and not seating.LEAST <= options.size <= seating.MOST:
        problem = Sentence("a table has 4 to 7 players")
        raise CommandError.of(f"{parser.prog}: --size", problem)
    if options.tables is not None and options.tables < 1:
        problem = Sentence("give a number of tables, from 1")
        raise CommandError.of(f"{parser.prog}: --tables", problem)


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
    parser.add_argument(
        "--seed",
        metavar="TEXT",
        help="decides ties in the draw; the same text gives the same tables",
    )
    parser.add_argument(
        "--anyway", action="store_true", help="draw even if results of the last round are missing"
    )
    change = parser.add_mutually_exclusive_group()
    change.add_argument("--again", action="store_true", help="redraw the last round")
    change.add_argument(
        "--swap", metavar=("NAME", "OTHER"), nargs=2, help="swap two players of the last round"
    )
    change.add_argument("--show", action="store_true", help="show the last round")
    parser.add_argument("--json", action="store_true", help="one JSON object, for programs")
    return parser
