"""What has happened in the game that the phones follow, for each viewer in sentences."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, Any, NamedTuple

from companion import language
from companion.game.picks import whose_move
from companion.language import _
from companion.verbs import is_private
from companion.wording import story
from engine import views

if TYPE_CHECKING:
    from collections.abc import Callable

    from companion.game.privacy import Seals
    from companion.game.session import Session
    from engine.moves import Move
    from engine.table import Table

_KEPT = 200
"""Happenings kept for phones that were disconnected."""

_PER_GAME = 1_000_000
"""More moves than any game has: each game gets a higher range, so versions only count up."""


class LogEntry(NamedTuple):
    """A move played or undone, or a player's notes (None) taken back, with the true tables before
    and after."""

    version: int
    before: Table
    move: Move | None
    after: Table
    undone: bool
    seals: tuple[Seals, Seals] = ({}, {})
    """What the seats that were freed do not see of these tables."""


class ViewedEntry(NamedTuple):
    """A happening for one viewer: sentences, and the table in the format of `companion replay`."""

    version: int
    lines: tuple[str, ...]
    view: dict[str, Any]


def list_private(session: Session) -> set[int]:
    """The seats of this game whose phones show what only their players know."""
    happenings = Happenings()
    happenings.follow(session)
    return {seat for seat in session.view.rules.seats if happenings.is_private(seat)}


class Happenings:
    """The latest happenings. Call `follow` first: it says which game is played."""

    def __init__(self) -> None:
        self._game = ""  # the name of the game
        self._start = 0  # the version in which it began
        self._latest: deque[LogEntry] = deque(maxlen=_KEPT)
        self._secretive: set[int] = set()  # the seats with private moves in this game
        self._count: Callable[[], int] = lambda: 0  # the session's version, once there is one

    def follow(self, session: Session) -> None:
        """Begin anew with the game as it is now."""
        self._session, self._now = session, session.referee.table
        self._count = lambda: session.version
        if session.name != self._game:
            # ids begin anew with another log, versions do not
            self._start = max(session.game, self._start // _PER_GAME + 1) * _PER_GAME
            self._game = session.name
        self._latest.clear()
        self._secretive.clear()
        self._seals = session.find_seals()
        for before, move, _after in session.list_unforgotten():
            self._note_secret(before, move)
        for move in session.referee.undone:  # somebody may redo them
            self._note_secret(self._now, move)

    @property
    def version(self) -> int:
        """The number of the last happening; it only counts up, across games and restarts too."""
        return self._start + self._count()

    def note(self, move: Move | None, *, undone: bool) -> None:
        """Note that the move was just played, or undone; without one, a player's notes."""
        before, self._now = self._now, self._session.referee.table
        seals, self._seals = self._seals, self._session.find_seals()
        if move is not None:
            self._note_secret(self._now if undone else before, move)
        entry = LogEntry(self.version, before, move, self._now, undone, (seals, self._seals))
        self._latest.append(entry)

    def forget(self, seat: int) -> None:
        """Tell nothing more of what has happened to whoever sits there next."""
        self._secretive.discard(seat)
        self._seals = self._session.find_seals()
        self._latest.clear()

    def is_private(self, seat: int) -> bool:
        """Whether that seat's phone would show anything that only its player may know. What was
        once private in a game remains so until the seat is freed: a phone shows what has happened,
        too, and that a note was dropped is itself a secret."""
        return seat in self._secretive or self._session.has_told(seat)

    def _note_secret(self, before: Table, move: Move) -> None:
        if is_private(before, move.verb):
            maker = whose_move(before, move)
            self._secretive |= set() if maker is None else {maker}

    def list_since(self, version: int) -> list[LogEntry]:
        """The kept happenings after that version, oldest first."""
        return [entry for entry in self._latest if entry.version > version]

    def events(self, viewer: int | None, code: str, after: int) -> list[ViewedEntry]:
        """The happenings after that version, oldest first. Only the current table if there are too
        many, or if the version is from another game."""
        news = self.list_since(after)
        if (
            after > self.version
            or (not news and after != self.version)
            or (news and news[0].version != after + 1)
        ):
            view = views.table_json(self._session.view_of(viewer), viewer=viewer)
            return [ViewedEntry(self.version, (), view)]
        with language.speaking(code):
            return [self._tell(entry, viewer) for entry in news]

    def tell_everybody(self, version: int) -> tuple[str, ...]:
        """The sentences for everybody about what has happened since that version."""
        news = self.list_since(version)
        return tuple(line for entry in news for line in self._tell(entry, views.PUBLIC).lines)

    def _tell(self, entry: LogEntry, viewer: int | None) -> ViewedEntry:
        before = self._session.redact_for(viewer, entry.before, entry.seals[0])
        after = self._session.redact_for(viewer, entry.after, entry.seals[1])
        if entry.move is None:
            lines = [_("A note was taken back.")]
        elif entry.undone:
            told = story.tell(after, entry.move, before)
            lines = [_("Undone: {what}").format(what=told[0]), *self._session.list_still_known()]
        else:
            lines = story.tell(before, entry.move, after)
        return ViewedEntry(entry.version, tuple(lines), views.table_json(after, viewer=viewer))
