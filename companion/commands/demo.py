"""`companion demo`: a game that plays itself, in the full screen or in plain mode."""

from __future__ import annotations

from argparse import Namespace

from common.clean import printable
from companion import language, terminal
from companion.commands.declared import command
from companion.commands.play import needs_plain_mode
from companion.game.demonstration import Demonstration, open_demo_store
from companion.language import _
from companion.settings.config import Config
from companion.settings.named_readers import read_readers
from companion.terminal.raw_mode import Wait, listen_for_any_key
from companion.wording import editions_told, facts, state


@command("demo")
def run(config: Config, _args: Namespace) -> int:
    """Run the demonstration; returns the exit code."""
    config.readers = read_readers(None, "none")
    language.use(config.language)
    if needs_plain_mode(config):
        return _show_lines()
    from companion.app.demo_app import run as show  # heavy: Textual

    return show(config)


def _show_lines() -> int:
    """Say in lines what a good host would say after every move, at a readable speed, until the game
    ends or a key is pressed. Return the exit code."""
    terminal.use_utf8()
    with listen_for_any_key() as wait, open_demo_store() as store:
        _say(_("A demo: this game plays itself. Any key ends it."))
        _play_game(Demonstration(store), wait)
    return 0


def _play_game(demonstration: Demonstration, wait: Wait) -> None:
    """Show the game to its end, or until a key is pressed."""
    lines = [
        *editions_told.tell_agreed(demonstration.session.view),
        state.question(demonstration.session.view),
    ]
    _say(*lines)
    while not wait(demonstration.pause(lines)):
        if demonstration.over:
            demonstration.session.close()
            return
        lines = [*demonstration.session.play(demonstration.next_move()).lines]
        if demonstration.session.over:
            lines += facts.score(demonstration.session.view)
        _say(*lines)


def _say(*lines: str) -> None:
    for line in lines:
        print(printable(line))
    print(end="", flush=True)
