"""`companion season`: the players in order of their points over any span, with ratings."""

from __future__ import annotations

from companion.commands import DONE, load_settings, looking_back
from companion.commands.parsing import Parser
from companion.history import people, standings
from companion.log.store import Store


def run(words: list[str]) -> int:
    """Print the standings."""
    parser = make_parser()
    args = parser.parse_args(words)
    config = load_settings(parser.settings(args))
    looking_back.check_best(parser, args)
    if args.since is None:
        args.since = config.season
    choice = looking_back.choose_games(parser, args)
    with Store(config.games) as store:
        plays = standings.read_plays(store, choice, looking_back.Progress())
        if not plays:
            people.need_all(store, args.player)
    table = standings.make(plays, config.points, best=args.best)
    looking_back.answer_standings(args, table, since=args.since, until=args.until)
    return DONE


def make_parser() -> Parser:
    """The command's options."""
    parser = Parser(
        "season", "The players in order of their points by place, with ratings; for any period."
    )
    looking_back.add_choices(parser)
    parser.add_setting("points")
    looking_back.add_ranking_options(parser)
    return parser
