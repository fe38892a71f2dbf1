"""`companion tags`: what each chip of this table stands for, and what is written on it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion import chips
from companion.commands import REFUSED, CommandError, settings
from companion.commands.parsing import Parser
from tags import ndef

if TYPE_CHECKING:
    from argparse import Namespace

    from companion.config import Config

COMMANDS = ("list", "learn", "write", "verify", "lock", "erase", "export", "import")


def run(words: list[str]) -> int:
    """Carry out one of the commands about chips."""
    parser = Parser("tags", "The chips: what each of them stands for, and what is on them.")
    parser.add_argument("command", choices=COMMANDS, help="what to do")
    parser.add_argument("file", metavar="FILE", nargs="?", help="for export and import: the file")
    parser.add_argument("--reader", metavar="READER", help="simulated, usb, or a path")
    parser.add_argument(
        "--link",
        metavar="LINK",
        default=ndef.DEFAULT_BASE,
        help="for write: what the web link on each chip begins with (default: %(default)s)",
    )
    options = parser.parse_args(words)
    if (options.command in ("export", "import")) != (options.file is not None):
        parser.error("export and import take one FILE, the others none")
    problem = ndef.check_base(options.link)
    if problem:
        parser.error(f"--link: {problem}")
    config = settings.load({"reader": options.reader})
    try:
        return _run(options, config)
    except chips.ChipsError as error:
        raise CommandError(*error.problems, code=REFUSED) from None


def _run(options: Namespace, config: Config) -> int:
    if options.command in ("list", "export", "import"):
        from companion.commands.tags import mapping

        return mapping.run(options.command, options.file, config)
    if options.command == "learn":
        from companion.commands.tags import learn

        return learn.run(config)
    from companion.commands.tags import content

    return content.run(options.command, config, options.link)
