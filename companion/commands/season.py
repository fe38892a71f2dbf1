"""`companion season`: the players in order of their points over any span, with ratings."""

from __future__ import annotations

from common import extras
from common.sentences import Sentence
from companion.commands import DONE, CommandError, blame, settings
from companion.commands.looking_back import Progress, add_choices, answer_csv, find_wanted
from companion.commands.parsing import Parser
from companion.errors.output import answer, answer_json, complain
from companion.history import people, standings
from companion.log.store import Store


def run(words: list[str]) -> int:
    """Print the standings."""
    parser = make_parser()
    given = parser.parse_args(words)
    config = settings.load(parser.settings(given))
    if given.best is not None and given.best < 1:
        problem = Sentence("give a number of games, from 1")
        raise CommandError(blame(f"{parser.prog}: --best", problem))
    if given.since is None:
        given.since = config.season
    choice = find_wanted(parser, given)
    with Store(config.games) as store:
        plays = standings.read_plays(store, choice, Progress())
        if not plays:
            people.need_all(store, given.player)
    table = standings.make(plays, config.points, best=given.best)
    if given.json:
        answer_json({"since": given.since, "until": given.until} | standings.data(table))
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
        "season", "The players in order of their points by place, with ratings; over any span."
    )
    add_choices(parser)
    parser.add_setting("points")
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
