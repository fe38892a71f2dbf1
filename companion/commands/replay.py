"""`companion replay FILE`: plays a record and shows the table, to the public or one viewer."""

from __future__ import annotations

from typing import TYPE_CHECKING

from common.problems import find_nearest
from common.sentences import Sentence, locate, suggest
from companion.commands import DONE, REFUSED, CommandError, blame, seen, settings
from companion.commands.files import record_file
from companion.commands.parsing import Parser
from companion.errors.output import answer, answer_json, complain
from companion.language import _, card, listing, translate
from companion.log import records
from companion.wording import facts
from companion.wording.prompts import question
from engine import views
from engine.moves import fold

if TYPE_CHECKING:
    from engine.record import Record
    from engine.table import Table

FULL = "full"
PUBLIC = "public"


def run(words: list[str]) -> int:
    """Play the record and print the table."""
    options = make_parser().parse_args(words)
    settings.load()
    file = record_file(options.file)
    full = options.view in (None, FULL)
    viewer = None if full else _viewer(file.record, options.view)
    played = records.play(file.record)
    refused = seen.explain_fully(played) if full else seen.explain_to(played, viewer)
    if options.json:
        table = views.table_json(played.table, viewer=viewer, full=full)
        answer_json(table | {"refused": refused and refused.data()})
    else:
        answer(describe(played.table if full else views.redact(played.table, viewer)))
    if refused is not None:
        line = file.line_of_move(refused.place)
        complain([locate(f"{options.file}:{line}", refused.sentence())])
    if options.view is None and not options.json and _holds_secrets(played.table):
        complain([_SECRETS_ARE_SHOWN])
    return DONE if refused is None else REFUSED


def make_parser() -> Parser:
    """The command's options."""
    parser = Parser("replay", "Replay a record and show the table as it is at the end.")
    parser.add_argument("file", metavar="FILE", help="a record file")
    parser.add_argument("--json", action="store_true", help="one JSON object, for programs")
    parser.add_argument(
        "--view",
        metavar="VIEW",
        help="full (the default), public, or a player's name: only what that player may know",
    )
    return parser


_SECRETS_ARE_SHOWN = Sentence(
    "This game is not over, and its players' secrets are shown; --view public leaves them out."
)


def _holds_secrets(t: Table) -> bool:
    """Whether the game is unfinished and the table contains secrets."""
    known = views.redact(t, views.PUBLIC)
    ours, all_of_it = (
        (table.killed, table.robbed, table.signed, table.real, [s.chosen for s in table.seats])
        for table in (known, t)
    )
    return t.stage != "over" and ours != all_of_it


def _viewer(record: Record, view: str) -> int | None:
    """The seat of that player; None for the public. Raises CommandError."""
    if view == PUBLIC:
        return views.PUBLIC
    for seat, name in enumerate(record.setup.players):
        if fold(name) == fold(view):
            return seat
    known = [FULL, PUBLIC, *record.setup.players]
    problem = Sentence("there is no player called “{view}”", view=view)
    raise CommandError(
        blame("companion replay: --view", suggest(problem, find_nearest(view, known)))
    )


def describe(table: Table) -> list[str]:
    """The table in lines, one fact per line."""
    lines = [
        translate(table.rules.edition.title),
        _("Round {number}.").format(number=table.round),
        question(table),
        *facts.tell_who(table),
    ]
    for index, line in enumerate(facts.gold(table)):
        lines += [line, *facts.city(table, index)]
    completed = listing(table.rules.names(table.first_complete))
    if completed:
        lines.append(_("First to complete a city: {names}.").format(names=completed))
    for seat in table.seats:
        for character in seat.chosen:
            lines.append(
                _("{player} chose the {character}.").format(
                    player=seat.name, character=card(character)
                )
            )
    if table.stage == "over":
        lines += [*facts.score(table), facts.result(table)]
    return lines
