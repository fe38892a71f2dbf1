"""`companion score [GAME|FILE]`: scores a saved game, by default the last, or a file."""

from __future__ import annotations

from argparse import Namespace

from companion.commands.declared import GAME, JSON, Answer, command
from companion.commands.record import play_named
from companion.settings.config import Config
from companion.wording import facts
from engine import views
from engine.record import Record
from engine.table import Table


@command(
    "score",
    GAME,
    JSON,
)
def run(config: Config, args: Namespace) -> Answer:
    """The scores."""
    record, replay = play_named(config, args.game)
    final = is_final(record, replay.table)
    return Answer(
        facts.tell_scores(replay.table, final=final), views.score_json(replay.table, final=final)
    )


def is_final(record: Record, table: Table) -> bool:
    """Whether the scores are final: the game is over, or the file is a position with a complete
    city and without a point in the round, noted after the game."""
    if table.stage == "over":
        return True
    if record.position is None or record.moves:
        return False
    in_a_round = table.called > 0 or bool(table.questions)
    return table.is_last_round and not in_a_round
