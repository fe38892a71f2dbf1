"""A phone as a face of the conversation: keeps what is said until the page is rendered."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from companion.game.messages import Message
    from engine.moves import Move


class NoVoice:
    """Does nothing: a phone only shows its page to its owner."""

    def repeat(self) -> bool:
        """Repeat nothing."""
        return False

    def read(self, lines: Sequence[str]) -> None:
        """Read nothing aloud."""

    def speak_privately(self, *texts: str) -> bool:
        """Whisper nothing: the page shows it."""
        return False

    def whisper_choices(self, title: str, choices: Sequence[str]) -> None:
        """Whisper nothing."""

    def whisper_chosen(self, move: Move) -> None:
        """Whisper nothing."""


class PhoneFace:
    """The `companion.game.messages.Face` of one phone."""

    def __init__(self, do: Callable[[str, str], bool] = lambda word, rest: False) -> None:
        """`do` does words that only the table's own face can do; it returns whether it could."""
        self.do = do
        self.voice = NoVoice()
        self.messages: list[Message] = []  # since the last action on this phone

    def say(self, message: Message) -> None:
        """Keep it, unless it is a list: the page renders the rows anyway."""
        if message.kind != "list":
            self.messages.append(message)

    def keep_reader(self, alone: bool) -> None:
        """Do nothing: a phone does not control the readers."""
