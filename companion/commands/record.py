"""`companion record [GAME]`: a saved game as a record file, which `replay` plays again."""

from __future__ import annotations

import sys
from io import TextIOWrapper

from companion import records
from companion.commands import DONE, settings
from companion.commands.files import saved_game
from companion.commands.parsing import Parser


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
    sys.stdout.write(records.text_of({**log.setup, "moves": log.moves}))
    return DONE
