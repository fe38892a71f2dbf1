"""`companion club standings`: the ranking of a club."""

from __future__ import annotations

from companion.club import league, league_files
from companion.commands import DONE, settings
from companion.commands.club import add_folder, find_folder
from companion.commands.looking_back import (
    Progress,
    add_ranking_options,
    answer_standings,
    check_best,
)
from companion.commands.parsing import Parser


def run(words: list[str]) -> int:
    """Print the standings."""
    parser = make_parser()
    given = parser.parse_args(words)
    folder = find_folder(given, settings.load())
    check_best(parser, given)
    rules = league_files.read(folder)
    plays = league_files.read_plays(folder, rules, Progress())
    table = league.rank(rules, plays, league_files.read_rounds(folder), best=given.best)
    answer_standings(given, table)
    return DONE


def make_parser() -> Parser:
    """The command's options."""
    parser = Parser(
        "club standings", "The club's players in order of their points, with tie-breaks."
    )
    add_folder(parser)
    add_ranking_options(parser)
    return parser
