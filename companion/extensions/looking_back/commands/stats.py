"""`companion stats [PLAYER…]`: statistics of the finished games."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Iterable
from typing import Any

from companion.commands import open_games
from companion.commands.declared import CSV, JSON, Answer, arg, command
from companion.extensions.looking_back import commands, statistics, telling
from companion.settings.config import Config

COLUMNS = ("about", "name", "character", "measure", "value")
"""Columns of the CSV, which has one figure per row."""


@command(
    "stats",
    arg("players", metavar="PLAYER", nargs="*", help="only these players"),
    commands.EDITION,
    *commands.DAYS,
    [JSON, CSV],
)
def run(config: Config, args: Namespace) -> Answer:
    """The statistics."""
    games = commands.choose_games(args, args.edition)
    with open_games(config) as store:
        figures = statistics.read_statistics(store, games, args.players)
    lines = telling.statistics(figures, by_character=bool(args.players))
    return Answer(lines, figures, [COLUMNS, *rows(figures)])


def rows(figures: dict[str, Any]) -> Iterable[list[Any]]:
    """The statistics, one figure per row."""
    yield ["games", None, None, "games", figures["games"]]
    for name, own in figures["players"].items():
        for measure, value in own.items():
            if measure != "characters":
                yield ["player", name, None, measure, value]
        for character, counts in own["characters"].items():
            yield from (["player", name, character, *pair] for pair in counts.items())
    for about in ("characters", "districts", "editions"):
        for name, own in figures[about].items():
            yield from ([about[:-1], name, None, *pair] for pair in own.items())
    for pair in figures["head_to_head"]:
        together = " / ".join(pair["players"])
        yield ["head_to_head", together, None, "games", pair["games"]]
        for name, ahead in pair["ahead"].items():
            yield ["head_to_head", together, None, f"ahead: {name}", ahead]
    for record in figures["records"]:
        yield ["record", record["player"], None, record["record"], record["value"]]
