"""`companion club results`: what the tables have sent, and the judge's corrections."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from common.sentences import Sentence
from companion.club import ledger
from companion.club.judge import LONGEST_REASON, MOST_POINTS
from companion.club.ledger import Ledger, LedgerResult
from companion.commands import DONE, REFUSED, CommandError, load_settings
from companion.commands.club import add_folder, find_folder
from companion.commands.looking_back import answer_csv
from companion.commands.parsing import Parser
from companion.errors.output import answer, answer_json
from companion.files.clean import clean_text
from companion.files.locations import games_file
from companion.language import _
from engine.moves import fold

COLUMNS = (
    *("number", "table", "game", "at", "state", "note", "log"),
    *("player", "id", "place", "total"),
)
"""Columns of the CSV, which has a row per player and result."""


def run(words: list[str]) -> int:
    """Print the results, or do what the judge says."""
    parser = make_parser()
    args = parser.parse_args(words)
    folder = find_folder(args, load_settings())
    results = Ledger(games_file(folder))
    match args.words:
        case []:
            pass
        case ["correct", number, *totals] if totals:
            _correct(results, _find(results, number, parser), totals, args.reason, parser)
        case ["accept" | "reject" as word, number]:
            result = _find(results, number, parser)
            note = clean_text(args.reason or "", limit=LONGEST_REASON)
            if results.decide(result.number, accept=word == "accept", note=note) is None:
                problem = Sentence("result {number} does not wait for the judge", number=number)
                raise CommandError.of(parser.prog, problem, code=REFUSED)
        case _:
            problem = Sentence("write correct NUMBER NAME=POINTS, accept NUMBER or reject NUMBER")
            raise CommandError.of(parser.prog, problem, hint=parser.prog)
    rows = results.list_results()
    if args.json:
        answer_json([one._asdict() for one in rows])
    elif args.csv:
        answer_csv([COLUMNS, *(row for one in rows for row in list_rows(one))])
    elif rows:
        answer(map(describe, rows))
    else:
        answer([_("No table has sent a result yet.")])
    return DONE


def make_parser() -> Parser:
    """The command's options."""
    parser = Parser(
        "club results", "The tables' results, and which of them the judge has corrected."
    )
    parser.add_argument(
        "words",
        metavar="correct NUMBER NAME=POINTS… | accept NUMBER | reject NUMBER",
        nargs="*",
        help="correct the points of players in a result, or decide on a result that a table has "
        "sent in place of another",
    )
    parser.add_argument("--reason", metavar="TEXT", help="why, for everybody to read")
    add_folder(parser)
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--json", action="store_true", help="one JSON list, for programs")
    form.add_argument("--csv", action="store_true", help="a table for a spreadsheet")
    return parser


def _find(results: Ledger, word: str, parser: Parser) -> LedgerResult:
    """The result with that number. Raises CommandError."""
    for one in results.list_results():
        if word == str(one.number):
            return one
    problem = Sentence("there is no result with the number {word}", word=word)
    raise CommandError.of(parser.prog, problem)


def _correct(
    results: Ledger, result: LedgerResult, words: list[str], reason: str | None, parser: Parser
) -> None:
    """Correct the points of those players. Raises CommandError."""
    note = clean_text(reason or "", limit=LONGEST_REASON)
    if not note:
        problem = Sentence("give a --reason, which everybody can read")
        raise CommandError.of(parser.prog, problem)
    totals = {name: facts["total"] for name, facts in result.score["players"].items()}
    names = {fold(name): name for name in totals}
    for word in words:
        name, _equals, points = word.rpartition("=")
        if fold(name) not in names:
            problem = Sentence("nobody called “{name}” played this game", name=name)
            raise CommandError.of(parser.prog, problem)
        if not (points.isascii() and points.isdecimal() and int(points[:9]) <= MOST_POINTS):
            problem = Sentence(
                "“{word}” is not a number from 0 to {most}", word=points, most=MOST_POINTS
            )
            raise CommandError.of(parser.prog, problem)
        totals[names[fold(name)]] = int(points)
    if results.correct(result.number, totals, note) is None:
        problem = Sentence("result {number} does not count", number=result.number)
        raise CommandError.of(parser.prog, problem, code=REFUSED)


def list_rows(result: LedgerResult) -> Iterable[list[Any]]:
    """A row for each player of the result, the best first."""
    for name in result.score["ranking"]:
        yield [
            *(result.number, result.table, result.game, result.at, result.state, result.note),
            *(result.log, name, result.players.get(name)),
            *(result.places[name], result.score["players"][name]["total"]),
        ]


def describe(result: LedgerResult) -> str:
    """A result in a line."""
    totals = ((name, result.score["players"][name]["total"]) for name in result.score["ranking"])
    parts = [
        _("{number}. {table}, game {game}: {scores}.").format(
            number=result.number,
            table=result.table,
            game=result.game,
            scores=", ".join(f"{name} {total}" for name, total in totals),
        )
    ]
    if result.state == ledger.WAITING:
        parts.append(_("It waits for the judge: the table has sent another result of this game."))
    elif result.state == ledger.REPLACED:
        parts.append(_("Replaced."))
    elif result.state == ledger.REJECTED:
        parts.append(_("Turned down by the judge."))
    elif result.note:
        parts.append(_("Corrected by the judge: {reason}").format(reason=result.note))
    return " ".join(parts)
