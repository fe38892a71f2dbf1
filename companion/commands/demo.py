"""`companion demo`: a game that plays itself, in the full screen or in plain mode."""

from __future__ import annotations

from typing import TYPE_CHECKING

from common.sentences import Sentence
from companion import language
from companion.commands import CommandError, import_quickly, settings
from companion.commands.parsing import Parser
from companion.commands.play import needs_plain_mode
from companion.game.demo import FASTEST, SLOWEST

if TYPE_CHECKING:
    from collections.abc import Callable


def run(words: list[str]) -> int:
    """Run the demonstration; returns the exit code."""
    parser = make_parser()
    args = parser.parse_args(words)
    if not SLOWEST <= args.speed <= FASTEST:
        raise CommandError(
            Sentence(
                "companion demo: --speed must be from {least} to {most}",
                least=f"{SLOWEST:g}",
                most=f"{FASTEST:g}",
            )
        )
    config = settings.load({"reader": "none"} | parser.settings(args))
    language.use(config.language)
    if needs_plain_mode(config):
        show_lines: Callable[..., int] = import_quickly("companion.plain.demo").run
        return show_lines(args.speed, loop=args.loop)
    show: Callable[..., int] = import_quickly("companion.app.demo").run
    return show(config, args.speed, loop=args.loop)


def make_parser() -> Parser:
    """The command's options."""
    parser = Parser("demo", "A demonstration game that plays itself; any key ends it.")
    parser.add_argument(
        "--speed",
        metavar="N",
        type=float,
        default=1.0,
        help="speed: 2 is twice as fast (default: 1)",
    )
    parser.add_argument("--loop", action="store_true", help="start over after the end")
    parser.add_setting("plain")
    return parser
