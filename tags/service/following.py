"""What a client makes of the service's lines: the events that a reader of its own would have given.

Pure: no socket, no thread.  Keeps in mind which reader is there and which chip lies on it, so that
nothing is told twice when the connection or the service was away, and nothing is left out.
"""

from __future__ import annotations

from collections.abc import Mapping

from tags.presence import Lift, Tap
from tags.sentences import Sentence
from tags.service.protocol import Numbered, ReaderState, Snapshot
from tags.watch import Event, ReaderCame, ReaderLost

LENT = Sentence(
    "Another program is at work with the chips on this reader; go on by keyboard until it is done."
)
AWAY = Sentence("The reader service does not answer; go on by keyboard.")


class Following:
    """What one client has been told so far.

    ``reader`` is the one reader that counts, None all; ``lying`` which chips lay on them before.
    """

    def __init__(self, reader: str | None, lying: Mapping[str, bytes]) -> None:
        self._reader = reader
        self._told: dict[str, ReaderCame | ReaderLost] = {}
        # chips of a session before, not yet seen in this one: still there, or gone unseen
        self._doubtful: set[str] = set(lying)
        self.lying: dict[str, bytes] = dict(lying)
        self._lent: dict[str, int] = {}
        self.mine: int | None = None  # the loan that this client has
        self.session = ""
        self.seq = 0

    def snapshot(self, session: str, snapshot: Snapshot) -> list[Event]:
        """Take in how all readers are; what has happened since the last line."""
        if session != self.session:
            self._doubtful |= set(self.lying)
        known = session == self.session
        self.session, self.seq = session, snapshot.seq
        events = self._left_out({state.reader for state in snapshot.readers})
        for state in snapshot.readers:
            if self._counts(state.reader):
                events += self._reader_is(state)
                events += self._loan_is(state.reader, state.lease)
                if not self._is_elsewhere(state.reader):
                    events += self._chip_is(state, known=known)
        return events

    def event(self, event: Numbered) -> list[Event]:
        """Take in the next event; what it means to this client, nothing for one told before."""
        if event.seq <= self.seq:
            return []
        self.seq = event.seq
        if event.kind == "notice" or not self._counts(event.reader):
            return []
        name, elsewhere = event.reader, self._is_elsewhere(event.reader)
        if event.kind in ("lent", "returned"):
            return self._loan_is(name, event.lease)
        if event.kind == "lost":
            return self._tell(ReaderLost(name, event.text, event.fault), again=True)
        if event.kind == "came":
            lost = ReaderLost(name, LENT, "busy")
            return self._tell(lost if elsewhere else ReaderCame(name))
        if event.kind in ("tap", "settled"):
            return [] if elsewhere else self._put(name, _tap(event))
        return self._put(name, None) if self.lying.get(name) == event.uid else []

    def service_lost(self) -> list[Event]:
        """Take in that the service cannot be reached; told once for each reader that was there."""
        return self._left_out(set())

    def back(self) -> list[Event]:
        """Take in that the same run of the service can be reached again."""
        away = [
            name
            for name, told in self._told.items()
            if isinstance(told, ReaderLost) and told.reason == AWAY
        ]
        return [one for name in away for one in self._tell(ReaderCame(name))]

    def _left_out(self, readers: set[str]) -> list[Event]:
        """What it means that the service has these readers and no others."""
        there = [name for name, told in self._told.items() if isinstance(told, ReaderCame)]
        gone = [name for name in there if name not in readers]
        return [event for name in gone for event in self._tell(ReaderLost(name, AWAY))]

    def _counts(self, reader: str) -> bool:
        return self._reader is None or reader == self._reader

    def _reader_is(self, state: ReaderState) -> list[Event]:
        if state.state == "ready":
            return self._tell(ReaderCame(state.reader))
        if state.state == "lost":
            return self._tell(ReaderLost(state.reader, state.reason, state.fault))
        return []

    def _is_elsewhere(self, name: str) -> bool:
        """Whether another client has the reader, so that its taps are none of ours."""
        return name in self._lent and self._lent[name] != self.mine

    def _loan_is(self, name: str, lease: int | None) -> list[Event]:
        """Take in who has the reader; what lies there meanwhile is never taken for a tap."""
        self._lent.pop(name, None)
        if lease is not None:
            self._lent[name] = lease
        lost = ReaderLost(name, LENT, "busy")
        if self._is_elsewhere(name):
            return [*self._put(name, None), *self._tell(lost)]
        return self._tell(ReaderCame(name)) if self._told.get(name) == lost else []

    def _chip_is(self, state: ReaderState, *, known: bool) -> list[Event]:
        settled = known or state.settled
        if state.uid is None and state.reader in self._doubtful and not settled:
            return []  # the reader has not looked yet
        if state.uid is None:
            return self._put(state.reader, None)
        return self._put(
            state.reader, Tap(state.uid, state.reader, chip=state.chip, found=not known)
        )

    def _put(self, name: str, tap: Tap | None) -> list[Event]:
        """What it means that the chip of ``tap`` lies on the reader now, or none."""
        self._doubtful.discard(name)
        before = self.lying.pop(name, None)
        uid = None if tap is None else tap.uid
        if uid is not None:
            self.lying[name] = uid
        if before == uid:
            return []
        left: list[Event] = [] if before is None else [Lift(before, name)]
        return left if tap is None else [*left, tap]

    def _tell(self, event: ReaderCame | ReaderLost, *, again: bool = False) -> list[Event]:
        if self._told.get(event.name) == event and not again:
            return []
        self._told[event.name] = event
        return [event]


def _tap(event: Numbered) -> Tap | None:
    """The tap that an event tells of, None where it tells that nothing lies there."""
    if event.uid is None:
        return None
    return Tap(event.uid, event.reader, event.swapped, event.chip, event.found)
