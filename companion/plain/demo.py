"""The demonstration in lines: what a good host would say after every move, at a readable speed."""

from __future__ import annotations

from companion.files.clean import printable
from companion.game import demo
from companion.language import _
from companion.terminal import lines
from companion.terminal.modes import Wait, listen_for_any_key
from companion.wording import editions, facts, prompts


def run(speed: float, *, loop: bool) -> int:
    """Show it, repeatedly with `loop`, until it ends or a key is pressed. Return the exit code."""
    lines.prepare()
    with listen_for_any_key() as wait, demo.store() as store:
        _say(_("A demo: this game plays itself. Any key ends it."))
        while _play_game(demo.Demonstration(store, speed), wait) and loop:
            pass
    return 0


def _play_game(shown: demo.Demonstration, wait: Wait) -> bool:
    """Show one game; return whether it was shown to the end."""
    told = [*editions.tell_agreed(shown.session.view), prompts.question(shown.session.view)]
    _say(*told)
    while not wait(shown.pause(told)):
        if shown.over:
            shown.session.close()
            return True
        told = [*shown.session.play(shown.next_move()).lines]
        if shown.session.over:
            told += facts.score(shown.session.view)
        _say(*told)
    return False


def _say(*told: str) -> None:
    for line in told:
        print(printable(line))
    print(end="", flush=True)
