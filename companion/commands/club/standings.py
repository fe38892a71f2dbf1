"""`companion club standings`: the ranking of a club."""

from __future__ import annotations

from companion.club import league, league_files
from companion.commands import DONE, load_settings, looking_back
from companion.commands.club import add_folder, find_folder
from companion.commands.parsing import Parser


def run(words: list[str]) -> int:
    """Print the standings."""
    parser = make_parser()
    args = parser.parse_args(words)
    folder = find_folder(args, load_settings())
    looking_back.check_best(parser, args)
    rules = league_files.read(folder)
    plays = league_files.read_plays(folder, rules, looking_back.Progress())
    table = league.rank(rules, plays, league_files.read_rounds(folder), best=args.best)
    looking_back.answer_standings(args, table)
    return DONE


def make_parser() -> Parser:
    """The command's options."""
    parser = Parser(
        "club standings", "The club's players in order of their points, with tie-breaks."
    )
    add_folder(parser)
    looking_back.add_ranking_options(parser)
    return parser
