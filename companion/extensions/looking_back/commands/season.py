"""`companion season`: the players in order of their points over any span."""

from __future__ import annotations

from argparse import Namespace

from companion.commands import open_games
from companion.commands.declared import CSV, JSON, Answer, command
from companion.extensions.looking_back import commands
from companion.extensions.looking_back.settings import find_points
from companion.history import standings
from companion.settings.config import Config


@command(
    "season",
    *commands.DAYS,
    [JSON, CSV],
)
def run(config: Config, args: Namespace) -> Answer:
    """The standings."""
    with open_games(config) as store:
        games = commands.choose_games(args)
        plays = standings.read_plays(store, games)
    ranking = standings.make(plays, find_points(config))
    return Answer(
        standings.tell(ranking),
        {"since": args.since, "until": args.until} | standings.data(ranking),
        [standings.COLUMNS, *standings.list_rows(ranking)],
    )
