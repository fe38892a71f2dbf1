"""`companion score [GAME|FILE]`: scores a saved game, by default the last, or a file."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.commands import DONE, load_settings
from companion.commands.parsing import Parser
from companion.commands.record import play_named
from companion.errors.output import answer, answer_json
from companion.language import _
from companion.wording import facts
from engine import views

if TYPE_CHECKING:
    from engine.record import Record
    from engine.table import Table


def run(words: list[str]) -> int:
    """Print the scores."""
    options = make_parser().parse_args(words)
    config = load_settings()
    record, replay = play_named(config, options.file)
    table = replay.table
    final = is_final(record, table)
    if options.json:
        answer_json(views.score_json(table, final=final))
    else:
        answer(describe(table, final=final))
    return DONE


def make_parser() -> Parser:
    """The command's options."""
    parser = Parser(
        "score", "Work out the scores of the last game, or of a record or position file."
    )
    parser.add_argument(
        "file",
        metavar="GAME|FILE",
        nargs="?",
        help="the game's name or number, or a record or position file (default: the last game)",
    )
    parser.add_argument("--json", action="store_true", help="one JSON object, for programs")
    return parser


def is_final(record: Record, table: Table) -> bool:
    """Whether the scores are final: the game is over, or the file is a position with a complete
    city and without a point in the round, noted after the game."""
    if table.stage == "over":
        return True
    if record.position is None or record.moves:
        return False
    in_a_round = table.called > 0 or bool(table.questions)
    complete = table.first_complete or any(map(table.is_complete, table.seats))
    return bool(complete) and not in_a_round


def describe(table: Table, *, final: bool) -> list[str]:
    """The scores in lines, best player first, one line per reason."""
    if final:
        return [_("Final scores."), *facts.score(table), facts.result(table)]
    return [_("Scores so far; the game is not over."), *facts.score(table)]
