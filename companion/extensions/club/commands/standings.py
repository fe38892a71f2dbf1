"""`companion club standings`: the ranking of a club."""

from __future__ import annotations

from argparse import Namespace

from companion.commands.declared import JSON, Answer, command
from companion.extensions.club import league, league_files
from companion.history import standings
from companion.settings.config import Config


@command("club standings", JSON)
def run(config: Config, _args: Namespace) -> Answer:
    rules = league_files.read(config.data)
    plays = league_files.read_plays(config.data, rules)
    table = league.rank(rules, plays, league_files.read_rounds(config.data))
    return Answer(standings.tell(table), standings.data(table))
