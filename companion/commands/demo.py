"""`companion demo`: a game that plays itself, in the full screen or in plain mode."""

from __future__ import annotations

from collections.abc import Callable

from common.sentences import Sentence
from companion import language, terminal
from companion.commands import CommandError, import_quickly, load_settings
from companion.commands.parsing import Parser
from companion.commands.play import needs_plain_mode
from companion.files.clean import printable
from companion.game import playing
from companion.game.playing import FASTEST, SLOWEST
from companion.language import _
from companion.terminal.modes import Wait, listen_for_any_key
from companion.wording import editions, facts, state


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
    config = load_settings({"reader": "none"} | parser.settings(args))
    language.use(config.language)
    if needs_plain_mode(config):
        return _show_lines(args.speed, loop=args.loop)
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


def _show_lines(speed: float, *, loop: bool) -> int:
    """Say in lines what a good host would say after every move, at a readable speed; again and
    again with `loop`, until it ends or a key is pressed. Return the exit code."""
    terminal.use_utf8()
    with listen_for_any_key() as wait, playing.store() as store:
        _say(_("A demo: this game plays itself. Any key ends it."))
        while _play_game(playing.Demonstration(store, speed), wait) and loop:
            pass
    return 0


def _play_game(demonstration: playing.Demonstration, wait: Wait) -> bool:
    """Show one game; return whether it was shown to the end."""
    lines = [
        *editions.tell_agreed(demonstration.session.view),
        state.question(demonstration.session.view),
    ]
    _say(*lines)
    while not wait(demonstration.pause(lines)):
        if demonstration.over:
            demonstration.session.close()
            return True
        lines = [*demonstration.session.play(demonstration.next_move()).lines]
        if demonstration.session.over:
            lines += facts.score(demonstration.session.view)
        _say(*lines)
    return False


def _say(*lines: str) -> None:
    for line in lines:
        print(printable(line))
    print(end="", flush=True)
