"""Two games that differ in one secret, in a real terminal from the started command: screen, speech
and scrollback are the same until the secret becomes public.

`tests/twins` compares many more secrets; what a terminal adds to them is the same for all, so one
is tried in `make test` and the others in the soak."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import NamedTuple

import pytest

from companion import language
from companion.language import _
from companion.wording import state, story
from engine.record import Record, read
from tests.app.keying import keyboard, typist
from tests.end_to_end.steps import has_moves, options_of, steps
from tests.end_to_end.tmux import Terminal
from tests.sizes import pick_first

pytestmark = pytest.mark.outer


class Twins(NamedTuple):
    """The moves until the secret becomes public: `{}` stands for one of the two secrets."""

    moves: str
    secrets: tuple[str, str]
    characters: tuple[str, ...] = ()
    language: str = "en"

    def record(self, secret: str) -> Record:
        """The game with that secret."""
        data: dict[str, object] = {
            "edition": "deluxe_2016" if self.characters else "classic_2016",
            "players": ["Anna", "Kurt", "Ashley", "Ben"],
            "crown": "Kurt",
            "secrecy": "secret",
            "moves": [move.strip().format(secret) for move in self.moves.split(",")],
        }
        if self.characters:
            data["characters"] = list(self.characters)
        return read(data)

    @property
    def place(self) -> int:
        """The number of moves up to and including the secret."""
        return 1 + next(at for at, move in enumerate(self.moves.split(",")) if "{}" in move)


MIDDLE = ("magician", "king", "bishop", "merchant", "architect", "warlord")
TWINS = {
    "kill": Twins(
        "faceup bishop magician, call, reveal Anna, kill {}, gold, end, nobody, nobody, nobody",
        ("merchant", "architect"),
    ),
    "rob": Twins(
        "faceup bishop magician, call, nobody, reveal Kurt, gold, rob {}, end, nobody, nobody,"
        " nobody",
        ("merchant", "warlord"),
        language="fr",
    ),
    "choose": Twins(
        "faceup bishop magician, choose Kurt thief, choose Anna {}, call, nobody, reveal Kurt,"
        " gold, end, nobody",
        ("king", "warlord"),
        language="ru",
    ),
    "signed": Twins(
        "faceup bishop merchant, call, reveal Anna, warrants thief king architect, signed {}, gold,"
        " end, reveal Ben, gold",
        ("king", "architect"),
        ("magistrate", "thief", *MIDDLE),
        language="ru",
    ),
    "real": Twins(
        "faceup bishop merchant, call, nobody, reveal Anna, threats king architect, real {}, gold,"
        " end, nobody, reveal Kurt, gold, bribe, end",
        ("king", "architect"),
        ("assassin", "blackmailer", *MIDDLE),
        language="fr",
    ),
}


def on_the_screen(record: Record, place: int, folder: Path, terminal: Terminal) -> object:
    """Every screen from the secret on, with its title and the scrollback; then what stays in the
    terminal, and the speech."""
    voice = folder / "voice"
    terminal.start(
        [*("play", *options_of(record)), "--voice", "--reader", "none"],
        {
            "TESTS_VOICE": str(voice),
            "COMPANION_ANIMATION": "false",
            "COMPANION_LANGUAGE": language.current(),
            "COMPANION_FORCED": "ask",
        },
        size=(100, 40),
    )
    terminal.wait_until((voice / "table.txt").exists, "the first word of the voice")
    lines = []
    with typist(record.setup) as hand:
        for number, step in enumerate(steps(record), start=1):
            terminal.keys(*keyboard(hand.keys_to(step.move)))
            has_moves(terminal, number)
            terminal.see(state.question(step.after))
            terminal.see(story.tell(step.before, step.move, step.after)[0])
            if number >= place:
                lines.append(terminal.wait_for_rest())
            if number == place:
                lines += looked_back(terminal)
    terminal.keys("C-q")
    terminal.see(_("Leave the table?"))
    lines.append(terminal.wait_for_rest())
    terminal.keys("1")
    assert terminal.wait() == 0
    left = terminal.read_scrollback()
    terminal.end()
    return lines, left, (voice / "table.txt").read_text(encoding="utf-8")


def looked_back(terminal: Terminal) -> list[str]:
    """The sheets of past moves, and undo and redo of the secret."""
    lines = []
    for key, title in (("F6", _("What happened")), ("F5", _("The cities"))):
        terminal.keys(key)
        terminal.see(title)
        lines.append(terminal.wait_for_rest())
        terminal.keys("Escape")
        terminal.wait_until(partial(_is_gone, terminal, title), f"the end of {title}")
    for key, text in (("C-z", _("Undone: {what}")), ("C-y", _("Redone."))):
        terminal.keys(key)
        terminal.see(text.partition("{")[0])
        lines.append(terminal.wait_for_rest())
    return lines


def _is_gone(terminal: Terminal, text: str) -> bool:
    return text not in terminal.text()


@pytest.mark.parametrize("name", pick_first(*TWINS))
def test_the_terminal_is_the_same(
    name: str,
    speak: Callable[[str], None],
    terminal: Terminal,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    twins = TWINS[name]
    speak(twins.language)
    sightings = []
    for secret in twins.secrets:
        folder = tmp_path / secret
        monkeypatch.setenv("COMPANION_DATA", str(folder / "data"))
        sightings.append(on_the_screen(twins.record(secret), twins.place, folder, terminal))
    assert sightings[0] == sightings[1]
