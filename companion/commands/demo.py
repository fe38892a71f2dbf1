"""`companion demo`: a demonstration game that plays itself, on the screen or in lines."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion import language
from companion.commands import CommandError, imported, settings
from companion.commands.parsing import Parser
from companion.commands.play import in_lines
from companion.demo import FASTEST, SLOWEST

if TYPE_CHECKING:
    from collections.abc import Callable


def run(words: list[str]) -> int:
    """Show it; the exit code."""
    given = _parser().parse_args(words)
    if not SLOWEST <= given.speed <= FASTEST:
        raise CommandError(f"companion demo: --speed is from {SLOWEST:g} to {FASTEST:g}")
    config = settings.load({"reader": "none", "plain": given.plain or None})
    language.use(config.language)
    if in_lines(config):
        show_lines: Callable[..., int] = imported("companion.plain.demo").run
        return show_lines(given.speed, loop=given.loop)
    show: Callable[..., int] = imported("companion.app.demo").run
    return show(config, given.speed, loop=given.loop)


def _parser() -> Parser:
    parser = Parser("demo", "A demonstration game that plays itself; any key ends it.")
    parser.add_argument(
        "--speed", metavar="N", type=float, default=1.0, help="so many times as fast (default: 1)"
    )
    parser.add_argument("--loop", action="store_true", help="begin again after the end")
    parser.add_argument("--plain", action="store_true", help="one fact a line, no full screen")
    return parser
