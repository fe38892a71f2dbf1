"""`companion club standings`: the ranking of a club."""

from __future__ import annotations

from argparse import Namespace

from companion.commands import open_games
from companion.commands.declared import JSON, Answer, command
from companion.extensions.club import league, league_files
from companion.extensions.club.results import list_results
from companion.history import standings
from companion.settings.config import Config


@command("club standings", JSON)
def run(config: Config, _args: Namespace) -> Answer:
    rules = league_files.read(config.data)
    with open_games(config) as store:
        plays = league_files.read_plays(store, rules, list_results(store))
    ranking = league.rank(rules, plays, league_files.read_rounds(config.data))
    return Answer(standings.tell(ranking), standings.data(ranking))
