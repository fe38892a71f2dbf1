"""Write the manual page, docs/companion.1, from the parsers of all commands.

    python scripts/manual.py

It is installed with the companion, so that `man companion` shows it.
"""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT))

from argparse_manpage.manpage import Manpage  # noqa: E402

from companion import __version__, language  # noqa: E402
from companion.commands import completion  # noqa: E402

PAGE = ROOT / "docs" / "companion.1"


def write() -> str:
    """The page, in English."""
    os.environ |= {"COMPANION_LANGUAGE": "en", "COLUMNS": "10000"}  # man breaks the lines
    language.use("en")
    parser = argparse.ArgumentParser(
        "companion",
        usage="%(prog)s [COMMAND] [OPTION ...]",
        description="Without a command, the companion plays: it has the options of companion play.",
    )
    parser.add_argument("--version", action="version", help="print the version")
    page = Manpage(completion.add_all(parser), format="single-commands-section")
    page.description = "a companion for the card game Citadels"
    page.manual = "Citadels companion"
    page.source, page.date = f"companion {__version__}", ""
    return str(page)


if __name__ == "__main__":
    PAGE.write_text(write(), encoding="utf-8")
