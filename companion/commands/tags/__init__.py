"""`companion tags`: the meanings of this table's chips, and what is written on them."""

from __future__ import annotations

from common.sentences import Sentence
from companion.chips.box import BUTTONS, KINDS, USUAL
from companion.commands.declared import arg, setting

READER = setting("reader", help="simulated, usb, or a path")
EDITION = setting("edition", help="the box, instead of the table's")
ONLY = arg(
    "--only",
    nargs="+",
    choices=KINDS,
    default=(),
    metavar="KIND",
    help=Sentence(
        "only these kinds; there are {kinds} (default: {usual}, and {buttons})",
        kinds=", ".join(KINDS),
        usual=", ".join(USUAL),
        buttons=", ".join(BUTTONS),
    ),
)
