"""`companion tags list`: every chip with its meaning, and what the action chips do."""

from __future__ import annotations

from argparse import Namespace
from textwrap import wrap

from companion import chips, language
from companion.chips import entries
from companion.commands.declared import Answer, arg, command, take_count
from companion.language import plural
from companion.settings.config import Config
from tags.links import format_uid


@command(
    "tags list",
    arg(
        "--width",
        metavar="N",
        type=take_count(20, 1000),
        help="at most this many characters a line, such as 40 for braille",
    ),
)
def run(config: Config, args: Namespace) -> Answer:
    """The chips, then the action chips, in lines of at most `width` characters."""
    registry = chips.load(config.chips)
    language.use(config.language)
    lines = [
        *(f"{format_uid(uid)}: {entry}" for uid, entry in registry),
        *entries.list_action_chips(),
    ]
    if args.width:
        lines = [part for line in lines for part in wrap(line, args.width)]
    text = plural(
        "{number} chip in {file}", "{number} chips in {file}", len(registry), file=config.chips
    )
    return Answer(lines, notes=[text])
