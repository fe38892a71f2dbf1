"""A phone as a face of the conversation: what is said to it is kept until its page is drawn."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from companion.game.sayings import Saying
    from engine.moves import Move


class NoVoice:
    """A phone reads its page to its owner: nothing is spoken to the table."""

    def repeat(self) -> bool:
        """Say nothing again."""
        return False

    def read(self, lines: Sequence[str]) -> None:
        """Read nothing aloud."""

    def in_private(self, *texts: str) -> bool:
        """There is no ear: the page shows it."""
        return False

    def whisper_choices(self, title: str, choices: Sequence[str]) -> None:
        """Whisper nothing."""

    def whisper_chosen(self, move: Move) -> None:
        """Whisper nothing."""


class PhoneFace:
    """The `companion.game.sayings.Face` of one phone."""

    def __init__(self, do: Callable[[str, str], bool] = lambda word, rest: False) -> None:
        """`do` does what a word asks for that only the table's own face can; whether it could."""
        self.do = do
        self.voice = NoVoice()
        self.said: list[Saying] = []  # since something was last done here

    def say(self, saying: Saying) -> None:
        """Keep it; the rows of a list are drawn anyway."""
        if saying.kind != "list":
            self.said.append(saying)

    def keep_reader(self, alone: bool) -> None:
        """The readers on the table are no affair of a phone's."""
