"""`companion season`: the players in order of their points over any span, with ratings."""

from __future__ import annotations

from companion.commands import DONE, load_settings
from companion.commands.looking_back import (
    Progress,
    add_choices,
    add_ranking_options,
    answer_standings,
    check_best,
    choose_games,
)
from companion.commands.parsing import Parser
from companion.history import people, standings
from companion.log.store import Store


def run(words: list[str]) -> int:
    """Print the standings."""
    parser = make_parser()
    args = parser.parse_args(words)
    config = load_settings(parser.settings(args))
    check_best(parser, args)
    if args.since is None:
        args.since = config.season
    choice = choose_games(parser, args)
    with Store(config.games) as store:
        plays = standings.read_plays(store, choice, Progress())
        if not plays:
            people.need_all(store, args.player)
    table = standings.make(plays, config.points, best=args.best)
    answer_standings(args, table, since=args.since, until=args.until)
    return DONE


def make_parser() -> Parser:
    """The command's options."""
    parser = Parser(
        "season", "The players in order of their points by place, with ratings; for any period."
    )
    add_choices(parser)
    parser.add_setting("points")
    add_ranking_options(parser)
    return parser
