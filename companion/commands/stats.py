"""`companion stats [PLAYER…]`: statistics of the finished games."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from companion.commands import DONE, load_settings, looking_back
from companion.commands.parsing import Parser
from companion.errors.output import answer, answer_json
from companion.history import people, statistics, telling
from companion.log.store import Store

COLUMNS = ("about", "name", "character", "measure", "value")
"""Columns of the CSV, which has one figure per row."""


def run(words: list[str]) -> int:
    """Print the statistics."""
    parser = make_parser()
    args = parser.parse_args(words)
    config = load_settings()
    query = looking_back.choose_games(parser, args, any_of=args.players)
    with Store(config.games) as store:
        results = statistics.read_statistics(store, query, looking_back.Progress())
        if not results["games"]:
            people.need_all(store, args.player)
        if args.players:
            names = people.find_all(store, args.players)
            looking_back.need_finished(parser.prog, names, results, store)
            results = statistics.limit_to_players(results, names)
    if args.json:
        answer_json(results)
    elif args.csv:
        looking_back.answer_csv([COLUMNS, *rows(results)])
    else:
        answer(telling.statistics(results, by_character=bool(args.players)))
    return DONE


def make_parser() -> Parser:
    """The command's options."""
    parser = Parser("stats", "Statistics of the finished games: players, cards, boxes, records.")
    parser.add_argument("players", metavar="PLAYER", nargs="*", help="only these players")
    looking_back.add_choices(parser)
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--json", action="store_true", help="one JSON object, for programs")
    form.add_argument("--csv", action="store_true", help="a table for a spreadsheet")
    return parser


def rows(figures: dict[str, Any]) -> Iterable[list[Any]]:
    """The statistics, one figure per row."""
    yield ["games", None, None, "games", figures["games"]]
    for name, sums in figures["players"].items():
        for measure, value in sums.items():
            if measure != "characters":
                yield ["player", name, None, measure, value]
        for character, counts in sums["characters"].items():
            yield from (["player", name, character, *pair] for pair in counts.items())
    for about in ("characters", "districts", "editions"):
        for name, sums in figures[about].items():
            yield from ([about[:-1], name, None, *pair] for pair in sums.items())
    for pair in figures["head_to_head"]:
        together = " / ".join(pair["players"])
        yield ["head_to_head", together, None, "games", pair["games"]]
        for name, ahead in pair["ahead"].items():
            yield ["head_to_head", together, None, f"ahead: {name}", ahead]
    for record in figures["records"]:
        yield ["record", record["player"], None, record["record"], record["value"]]
