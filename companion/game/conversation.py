"""The flow of a game at the table: one conversation, drawn by every face in its own way.

A face hands over what a person did (`press`, `take`, `line`, `word`, `tap`) and draws `asked` and
what is said.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.game import keypad, keys, scanned, secretly, typed_moves, words
from companion.game.talk import Talk

if TYPE_CHECKING:
    from companion.chips.entries import Entry
    from companion.game.asking import Row


class Conversation(Talk):
    """A game being played, as its faces know it."""

    def press(self, key: str) -> bool:
        """A key of a keyboard: a digit, a letter, `enter`, `escape`, `backspace`. Whether it meant
        anything here; `enter` takes no marked row, which only a face knows."""
        self.listen()
        return keys.press(self, key)

    def take(self, row: Row) -> None:
        """A row was clicked, or Enter was pressed on it."""
        self.listen()
        words.take(self, row)

    def line(self, text: str, *, seen: bool = False) -> None:
        """A typed line, cleaned: keys of the keypad, a word, a question, a move, nothing, or the
        code of a chip that a scanner has typed, which is a tap.

        `seen` says that others could read it: a private choice in it is asked for again unseen.
        """
        entry = scanned.read(self, text)
        if entry is not None and not (seen and scanned.is_overheard(self, entry)):
            self.tap(entry, str(entry).encode())
            return
        self.listen()
        if entry is not None:
            secretly.ask_again(self)
        elif self.private is not None:
            secretly.answer(self, text, seen=seen)
        elif not text:
            self.reading.stop()
            self.tell_part()
        elif keypad.is_keys(text):
            keys.answer(self, text)
        elif not words.answer(self, text):
            typed_moves.answer(self, text, seen=seen)

    def word(self, word: str, rest: str = "") -> bool:
        """Do what a word of the caller says, by its English name; whether it is one."""
        return words.run(self, word, rest)

    def tap(self, entry: Entry, uid: bytes = b"", seat: int | None = None) -> bool | None:
        """A known chip was tapped, at the own reader of that seat or at one of all. Whether it was
        accepted; None where it only showed something, and where that is nobody else's affair."""
        from companion.game import taps  # chips are imported with the first tap

        secret = self.taps_are_secret
        self.listen()
        taps.tap(self, entry, uid, seat)
        said = {saying.kind for saying in self._saying}
        if secret or (said == {"note"} and not (self.chips.pending or self.lists.digits)):
            return None
        return "refused" not in said

    def back(self) -> bool:
        """One step back: what was typed, the last list, a private moment, cards tapped so far."""
        return words.back(self)
