"""The game as the caller drives it: moves, taps and typed lines in, notices out; no screen here.

Every way in ends in `Game.play`, so that a key, a tap and a typed line are judged alike and told
alike, and so that what is secret is kept in one place.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from companion.app import keymap
from companion.app.choices import Choice, choices
from companion.app.notices import Notice
from companion.game import verbs
from companion.intent import gathering
from companion.language import _, said
from companion.privacy import is_private
from companion.store import StoreError
from companion.wording import facts
from engine.refusals import Refused

if TYPE_CHECKING:
    from companion.intent import taps
    from companion.session import Session
    from engine.moves import Move
    from engine.table import Table
    from tags.registry import Entry

EVENTS = 24  # moves told in the list of events


class Tapped(NamedTuple):
    """What came of a tap that played nothing: a choice to make, or cards to show."""

    moves: tuple[Move, ...] = ()
    cards: tuple[str, ...] = ()


class Game:
    """A session, what is being gathered for its next move, and what was told or refused last."""

    def __init__(self, session: Session, on_refused: Callable[[], None] = lambda: None) -> None:
        self.session = session
        self.on_refused = on_refused
        self.refused: Refused | None = None
        self.notice = Notice("note", "")
        self.pending: tuple[str, ...] = ()

    @property
    def view(self) -> Table:
        """The table as everybody may know it."""
        return self.session.view

    def choices(self, keys_of: Mapping[str, Sequence[str]]) -> list[Choice]:
        """The lines to choose from now, with those keys."""
        return choices(self.view, self.session.legal(), keys_of)

    def events(self) -> list[list[str]]:
        """What happened last, a list of sentences for each move, the newest first."""
        return self.session.history(EVENTS)[::-1]

    def play(self, move: Move | str, *, tapped: bool = False) -> bool:
        """Play a move; whether it was accepted. The notice says what happened or why not."""
        self.refused = None
        private = self._is_private(move)
        label = _label(self.view, move) if tapped and not private else ""
        try:
            told = self.session.play(move)
        except Refused as error:
            self._refuse(error, private)
            return False
        except StoreError as error:
            self.notice = Notice("refused", _("Not played: {reason}").format(reason=error))
            return False
        self.pending = ()
        if private:
            self.notice = Notice("told", told[0])
        elif label:
            sentence = _("Tapped: {move}. {key} takes it back.")
            self.notice = Notice("told", sentence.format(move=label, key=keymap.key("undo")))
        else:
            self.notice = Notice("note", "")
        return True

    def undo(self) -> bool:
        """Take the last move back; whether there was one."""
        told = self.session.last_told()
        return self._step(
            self.session.undo,
            _("Taken back: {what}").format(what=told[0] if told else ""),
            _("There is nothing to take back."),
        )

    def redo(self) -> bool:
        """Play the move taken back last again; whether there was one."""
        return self._step(
            self.session.redo, _("Played again."), _("There is nothing to play again.")
        )

    def unawaited(self, entry: Entry, seat: int | None) -> str | None:
        """Why a tap at that seat's own reader does nothing now; None if it may."""
        from companion.intent import taps  # chips are known only when one is tapped: see `tap`

        return taps.unawaited(self.view, self.session.legal(), entry, seat)

    def tap(
        self, entry: Entry, among: Sequence[Move] = (), seat: int | None = None
    ) -> Tapped | None:
        """Do what a tap means here; what is left to choose, show or do, None if it was played.

        `among` are the moves of an open list: it means one of these where it can. `seat` is whose
        own reader it was (1 for the first player), None for a reader of all.
        """
        # All that is about chips is imported with the first one: the first screen needs none of it.
        from companion.intent import taps

        pool: Sequence[Move] = among
        meaning = taps.meaning(self.view, pool, entry, self.pending, seat)
        if not (meaning.moves or meaning.pending):
            pool = self.session.legal()
            meaning = taps.meaning(self.view, pool, entry, self.pending, seat)
        self.pending = meaning.pending
        if meaning.move is not None:
            self.play(meaning.move, tapped=True)
            return None
        if meaning.moves:
            self.refused = None
            return Tapped(moves=meaning.moves, cards=meaning.cards)
        if meaning.pending:
            self.notice = Notice("told", gathering.so_far(pool, meaning.pending))
            return Tapped(moves=tuple(gathering.fitting(self.view, pool, meaning.pending)))
        objection = taps.objection(self.view, entry, meaning)
        if objection is not None:
            self._refuse(objection, self._is_private(objection.move))
            return Tapped()
        return self._shown(meaning)

    def _shown(self, meaning: taps.Meaning) -> Tapped:
        if meaning.seat is not None:
            lines = [facts.gold(self.view)[meaning.seat], *facts.city(self.view, meaning.seat)]
            self.notice = Notice("note", " ".join(lines))
            return Tapped()
        if not meaning.cards:
            self.notice = Notice("note", _("This chip means nothing at this moment."))
        return Tapped(cards=meaning.cards)

    def _step(self, step: Callable[[], Move | None], done: str, nothing: str) -> bool:
        self.refused, self.pending = None, ()
        try:
            move = step()
        except StoreError as error:
            self.notice = Notice("refused", _("Not played: {reason}").format(reason=error))
            return False
        self.notice = Notice("told", done) if move else Notice("refused", nothing)
        return move is not None

    def _refuse(self, error: Refused, private: bool) -> None:
        if private:
            # the reason may name what was whispered; the table learns only that nothing happened
            self.notice = Notice("refused", _("That cannot be chosen; nothing has changed."))
            return
        self.refused = error
        self.notice = Notice("refused", said(error.refusal.reason))

    def _is_private(self, move: Move | str) -> bool:
        words = move.text.split() if not isinstance(move, str) else move.split()
        return bool(words) and is_private(self.view, words[0])


def _label(t: Table, move: Move | str) -> str:
    return move if isinstance(move, str) else verbs.label(t, move)
