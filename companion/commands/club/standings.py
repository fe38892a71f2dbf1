"""`companion club standings`: the ranking of a club."""

from __future__ import annotations

from common import extras
from common.sentences import Sentence
from companion.club import league, league_files
from companion.commands import DONE, CommandError, blame, settings
from companion.commands.club import add_folder, find_folder
from companion.commands.looking_back import Progress, answer_csv
from companion.commands.parsing import Parser
from companion.errors.output import answer, answer_json, complain
from companion.history import standings


def run(words: list[str]) -> int:
    """Print the standings."""
    parser = make_parser()
    given = parser.parse_args(words)
    folder = find_folder(given, settings.load())
    if given.best is not None and given.best < 1:
        problem = Sentence("give a number of games, from 1")
        raise CommandError(blame(f"{parser.prog}: --best", problem))
    rules = league_files.read(folder)
    plays = league_files.read_plays(folder, rules, Progress())
    table = league.rank(rules, plays, league_files.read_rounds(folder), best=given.best)
    if given.json:
        answer_json(standings.data(table))
    elif given.csv:
        answer_csv([standings.COLUMNS, *standings.list_rows(table)])
    else:
        answer(standings.tell(table))
    if not table.has_ratings:
        install = extras.find_install("club")
        complain([Sentence("There are no ratings; to add them: {command}", command=install)])
    return DONE


def make_parser() -> Parser:
    """The command's options."""
    parser = Parser(
        "club standings", "The club's players in order of their points, with what separates equals."
    )
    add_folder(parser)
    parser.add_argument(
        "--best",
        metavar="NUMBER",
        type=int,
        help="count only that many games of each player, those with the most points",
    )
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--json", action="store_true", help="one JSON object, for programs")
    form.add_argument("--csv", action="store_true", help="a table for a spreadsheet")
    return parser
