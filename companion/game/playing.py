"""Plays and undoes moves, together with forced ones: each an ordinary move in the log.

Only public knowledge forces a move. So when a kill is secret, calling that rank is what makes it
public, and a call that somebody might answer is never skipped.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from common.sentences import Sentence
from companion.game import asking
from companion.verbs import asks_for_secret, is_private
from companion.wording.story import Narration, restates_question
from engine.explain import Refusal, Refused
from engine.referee import list_legal_moves
from engine.rules.selection import find_last_holder, passes_at_once

if TYPE_CHECKING:
    from collections.abc import Sequence

    from companion.game.session import Session
    from engine.moves import Move
    from engine.table import Table


def find_forced_move(view: Table, legal: Sequence[Move]) -> Move | None:
    """The only move possible now; None if there is a choice.

    Only the players can tell when everybody has chosen, so `call` is never forced.
    """
    if view.stage == "selection":
        return None
    choices = asking.select_offered(view, legal)
    public = [move for move in choices if not is_private(view, move.verb)]
    deduced = _deduce_who(view, public)
    if deduced is not None:
        return deduced
    # A private move is a choice, unless it only records what somebody holds.
    if len(public) != 1 or any(m.verb != "choose" for m in choices if m is not public[0]):
        return None
    return None if asks_for_secret(view) else public[0]


def _deduce_who(view: Table, moves: Sequence[Move]) -> Move | None:
    """The move that says who has the character in question, if everybody can deduce it."""
    asking_who = [move for move in moves if move.verb in ("reveal", "unmask")]
    name = find_last_holder(view) if asking_who else ""
    return next((move for move in asking_who if move.args[:1] == (name,)), None)


class Playing:
    """Plays a session's moves; `with_forced` adds every forced step.

    Forced steps follow from the table alone, so a resumed game is undone in the same steps in which
    it was played.
    """

    def __init__(self, session: Session, *, with_forced: bool, viewer: int | None = None) -> None:
        """`viewer` is the one player who plays and is told; None for the whole table."""
        self.session = session
        self.with_forced = with_forced
        self.viewer = viewer
        self.version = session.version  # the session's version as of the last move played here

    def play(self, move: Move | str) -> Narration:
        """Play a move and the forced steps after it. Raises Refused if the rules forbid it,
        StoreError if it cannot be written down."""
        with self.session.together():
            before, narration = self.session.view_of(self.viewer), self._play(move)
            if restates_question(before, self.session.referee.moves[-1]):
                narration = narration.without_first()
            while (forced_move := self._step()) is not None:
                narration = narration.then(self._play(forced_move))
        return narration

    def _play(self, move: Move | str) -> Narration:
        narration = self.session.play(move, self.viewer)
        self.version = self.session.version
        return narration

    def find_last(self) -> int | None:
        """The place of the last move that somebody chose; None if there is none. Only forced steps
        have followed."""
        latest = self.session.referee.list_latest()
        for place, (before, move, _after) in reversed([*enumerate(latest)]):
            view = self.session.redact_for(None, before)
            if not self.with_forced or find_forced_move(view, list_legal_moves(view)) != move:
                return place
        return None

    def undo(self) -> str | None:
        """Undo the last move that somebody chose; its sentence, None if there is none. Raises
        Refused if that is a note that only its owner takes back, StoreError if that cannot be
        written down."""
        last = self.session.referee.moves[-1:]
        if last and self.session.is_owners_note(last[0]):
            reason = Sentence(
                "{player} has noted a character, and only {player} can take that back, on their "
                "phone.",
                player=last[0].args[0],
            )
            raise Refused("undo", Refusal("", reason, Sentence("Notation, Moves")))
        taken_back = None
        while lines := self.session.tell_last():
            move = self.session.undo()
            self.version = self.session.version
            taken_back = lines[0]
            if self._step() != move:
                break
        return taken_back

    def redo(self) -> tuple[str, ...]:
        """Replay what the last undo took back; its sentences. Raises StoreError."""
        lines: tuple[str, ...] = ()
        with self.session.together():
            while (
                (move := self.session.next_redo) is not None
                and (not lines or self._step() == move)
                and not self.session.is_owners_note(move)
            ):
                self.session.redo()
                self.version = self.session.version
                lines += tuple(self.session.tell_last())
        return lines

    def _step(self) -> Move | None:
        if not self.with_forced or self.session.over:
            return None
        view = self.session.view
        waits = view.stage == "calling" and self.session.calls_by_itself()
        if waits and not passes_at_once(view):
            return None
        return find_forced_move(view, self.session.legal())
