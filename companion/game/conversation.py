"""The flow of a game at the table: one conversation, rendered by each face in its own way.

A face passes on user input (`press`, `take`, `line`, `word`, `tap`) and renders `asked` and what is
said. What only input needs is imported with the first of it: nobody waits for it to see the table.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.game.talk import Talk

if TYPE_CHECKING:
    from companion.chips.entries import Entry
    from companion.game.asking import Row


class Conversation(Talk):
    """A game in progress, as its faces see it."""

    def press(self, key: str) -> bool:
        """Handle a digit, a letter, `enter`, `escape` or `backspace`; return whether it meant
        anything. `enter` ignores the highlighted row, which only the face knows."""
        from companion.game import keys

        self.listen()
        return keys.press(self, key)

    def take(self, row: Row) -> None:
        """Handle a row that was clicked or picked with Enter."""
        from companion.game import words

        self.listen()
        words.take(self, row)

    def line(self, text: str, *, in_public: bool = False) -> None:
        """Handle a typed, sanitized line: keypad keys, a command, a question, a move, nothing, or a
        scanned chip code, which counts as a tap.

        `in_public` means that others could read it: a private choice is then asked for again
        unseen.
        """
        from companion.game import keys, private_input, taps

        entry = taps.read(self, text)
        if entry is None:
            self.listen()
            keys.answer_line(self, text, in_public=in_public)
        elif in_public and taps.is_overheard(self, entry):
            self.listen()
            private_input.ask_again(self)
        else:
            self.tap(entry, str(entry).encode())

    def word(self, word: str, rest: str = "") -> bool:
        """Run a command by its English name; return whether it is one."""
        from companion.game import words

        return words.run(self, word, rest)

    def tap(self, entry: Entry, uid: bytes = b"", seat: int | None = None) -> bool | None:
        """Handle a tap of a known chip at the reader of `seat`, or at a shared one. Return whether
        it was accepted; None if it only showed something, or if the result is secret."""
        from companion.game import taps

        secret = self.taps_are_secret
        self.listen()
        taps.tap(self, entry, uid, seat)
        kinds = {message.kind for message in self._messages}
        if secret or (kinds == {"note"} and not (self.chips.pending or self.lists.digits)):
            return None
        return "refused" not in kinds

    def go_back(self) -> bool:
        """Go one step back: typed text, the last list, a private moment, cards tapped so far."""
        from companion.game import words

        return words.go_back(self)
