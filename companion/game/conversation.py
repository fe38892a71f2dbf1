"""The flow of a game at the table: one conversation, rendered by each face in its own way.

A face passes on user input (`press`, `take`, `line`, `word`, `tap`) and renders `asked` and what is
said.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.game import keypad, keys, scanned, secretly, typed_moves, words
from companion.game.talk import Talk

if TYPE_CHECKING:
    from companion.chips.entries import Entry
    from companion.game.asking import Row


class Conversation(Talk):
    """A game in progress, as its faces see it."""

    def press(self, key: str) -> bool:
        """Handle a digit, a letter, `enter`, `escape` or `backspace`; return whether it meant
        anything. `enter` ignores the highlighted row, which only the face knows."""
        self.listen()
        return keys.press(self, key)

    def take(self, row: Row) -> None:
        """Handle a row that was clicked or picked with Enter."""
        self.listen()
        words.take(self, row)

    def line(self, text: str, *, seen: bool = False) -> None:
        """Handle a typed, sanitized line: keypad keys, a command, a question, a move, nothing, or a
        scanned chip code, which counts as a tap.

        `seen` means that others could read it: a private choice is then asked for again unseen.
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
        """Run a command by its English name; return whether it is one."""
        return words.run(self, word, rest)

    def tap(self, entry: Entry, uid: bytes = b"", seat: int | None = None) -> bool | None:
        """Handle a tap of a known chip at the reader of `seat`, or at a shared one. Return whether
        it was accepted; None if it only showed something, or if the result is secret."""
        from companion.game import taps  # chips are imported with the first tap

        secret = self.taps_are_secret
        self.listen()
        taps.tap(self, entry, uid, seat)
        said = {saying.kind for saying in self._saying}
        if secret or (said == {"note"} and not (self.chips.pending or self.lists.digits)):
            return None
        return "refused" not in said

    def go_back(self) -> bool:
        """Go one step back: typed text, the last list, a private moment, cards tapped so far."""
        return words.go_back(self)
