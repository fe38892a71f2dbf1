"""`companion score [FILE]`: settles the last game, or a record or position file."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion import records
from companion.commands import DONE, REFUSED, CommandError, seen, settings
from companion.commands.files import record_file, saved_game, saved_record
from companion.commands.output import answer, answer_json
from companion.commands.parsing import Parser
from companion.language import _
from companion.wording import facts
from engine import views
from engine.sentences import Sentence, placed

if TYPE_CHECKING:
    from companion.config import Config
    from engine.record import Record
    from engine.table import Table


def run(words: list[str]) -> int:
    """Print the scores."""
    parser = Parser("score", "The final scores of the last game, or of a record or position file.")
    parser.add_argument(
        "file", metavar="FILE", nargs="?", help="a record or position file (default: the last game)"
    )
    parser.add_argument("--json", action="store_true", help="one JSON object, for programs")
    options = parser.parse_args(words)
    config = settings.load()
    record, table = _from_log(config) if options.file is None else _from_file(options.file)
    final = is_final(record, table)
    if options.json:
        answer_json(views.score_json(table, final=final))
    else:
        answer(described(table, final=final))
    return DONE


def _from_file(path: str) -> tuple[Record, Table]:
    file = record_file(path)
    played = records.play(file.record)
    refused = seen.in_full(played)
    if refused is not None:
        line = file.line_of_move(refused.place)
        raise CommandError(placed(f"{path}:{line}", refused.sentence()), code=REFUSED)
    return file.record, played.table


def _from_log(config: Config) -> tuple[Record, Table]:
    log = saved_game(config)
    record = saved_record(log)
    played = records.play(record)
    refused = seen.in_full(played)
    if refused is not None:
        problem = Sentence("game {name}: {problem}", name=log.name, problem=refused.sentence())
        raise CommandError(problem, code=REFUSED)
    return record, played.table


def is_final(record: Record, table: Table) -> bool:
    """Whether the scores are the last word: the game is over, or the file is a position without a
    moment in the round, noted after the game, in which a city is complete."""
    if table.stage == "over":
        return True
    position = record.position
    if position is None or record.moves:
        return False
    in_a_round = position.get("turn") is not None or position.get("called") is not None
    complete = table.first_complete or any(map(table.is_complete, table.seats))
    return bool(complete) and not in_a_round


def described(t: Table, *, final: bool) -> list[str]:
    """The scores in lines, best player first, a line per reason."""
    if final:
        return [_("Final scores."), *facts.score(t), facts.result(t)]
    return [_("Scores so far; the game is not over."), *facts.score(t)]
