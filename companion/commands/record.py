"""`companion record [GAME]`: a saved game as a record file, which `replay` plays again."""

from __future__ import annotations

import sys
from io import TextIOWrapper
from typing import Any

from companion import records
from companion.commands import DONE, settings
from companion.commands.files import saved_game
from companion.commands.parsing import Parser
from engine import own_cards


def run(words: list[str]) -> int:
    """Print the record."""
    parser = Parser("record", "A saved game as a record file.")
    parser.add_argument(
        "game", metavar="GAME", nargs="?", help="its name or number (default: the last game)"
    )
    options = parser.parse_args(words)
    log = saved_game(settings.load(), options.game)
    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(encoding="utf-8")  # what a record file is read as, everywhere
    sys.stdout.write(_remark(log.setup))
    sys.stdout.write(records.text_of({**log.setup, "moves": log.moves}))
    return DONE


def _remark(setup: dict[str, Any]) -> str:
    """What a replay elsewhere needs in its `cards.yaml`, where this table has cards of its own."""
    edition = setup.get("edition")
    own = own_cards.in_use(edition) if isinstance(edition, str) else {}
    if not own:
        return ""
    remark = [
        "Played with a table's own cards; to replay it elsewhere, put them into its cards.yaml:",
        f"{edition}:",
        *(f"  {records.flow(id_)}: {records.flow(facts)}" for id_, facts in own.items()),
    ]
    return "".join(f"# {line}\n" for line in remark)
