"""Moves in and out of the log, together with the steps that leave no choice."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.game import forced

if TYPE_CHECKING:
    from companion.session import Session
    from engine.moves import Move


class Playing:
    """Plays a session's moves; `with_forced` adds every step that leaves no choice.

    What a forced step is follows from the table alone, so that a game taken up again is undone in
    the same steps in which it was played.
    """

    def __init__(self, session: Session, *, with_forced: bool) -> None:
        self.session = session
        self.with_forced = with_forced

    def play(self, move: Move | str) -> list[str]:
        """Play a move; the sentences that tell it and what followed from it.

        Raises Refused if the rules forbid it, StoreError if it cannot be written down.
        """
        told = list(self.session.play(move))
        while (step := self._step()) is not None:
            told += self.session.play(step)
        return told

    def undo(self) -> str | None:
        """Take back the last move that somebody chose; its sentence, None where there is none.

        Raises StoreError if that cannot be written down.
        """
        taken_back = None
        while told := self.session.last_told():
            move = self.session.undo()
            taken_back = told[0]
            if self._step() != move:
                break
        return taken_back

    def redo(self) -> list[str]:
        """Play again what the last undo took back; its sentences. Raises StoreError."""
        told: list[str] = []
        while (move := self.session.next_redo) is not None and (not told or self._step() == move):
            self.session.redo()
            told += self.session.last_told()
        return told

    def _step(self) -> Move | None:
        if not self.with_forced or self.session.over:
            return None
        return forced.step(self.session.view, self.session.legal())
