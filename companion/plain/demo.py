"""The demonstration in lines: what a good host would say after every move, at a readable speed."""

from __future__ import annotations

from companion import terminal
from companion.files.clean import printable
from companion.game import demo
from companion.language import _
from companion.terminal.modes import Wait, listen_for_any_key
from companion.wording import editions, facts, prompts


def run(speed: float, *, loop: bool) -> int:
    """Show it, repeatedly with `loop`, until it ends or a key is pressed. Return the exit code."""
    terminal.use_utf8()
    with listen_for_any_key() as wait, demo.store() as store:
        _say(_("A demo: this game plays itself. Any key ends it."))
        while _play_game(demo.Demonstration(store, speed), wait) and loop:
            pass
    return 0


def _play_game(demonstration: demo.Demonstration, wait: Wait) -> bool:
    """Show one game; return whether it was shown to the end."""
    lines = [
        *editions.tell_agreed(demonstration.session.view),
        prompts.question(demonstration.session.view),
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
