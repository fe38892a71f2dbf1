"""Turn the service's lines into the events that a local reader would give.

Pure: no socket, no thread. Tracks the readers and the chips on them, so that nothing is reported
twice after the connection or the service was lost.
"""

from __future__ import annotations

from collections.abc import Mapping

from common.sentences import Sentence
from tags.presence import Lift, Tap
from tags.service.protocol import Message, ReaderState, Settled, Snapshot
from tags.watch import Event, ReaderCame, ReaderLost

AWAY = Sentence("The reader service does not answer; carry on by keyboard.")


class Following:
    """The state that one client has been told.

    ``reader`` is the only reader to follow, None all; ``lying`` the chips that lay on them before.
    """

    def __init__(self, reader: str | None, lying: Mapping[str, bytes]) -> None:
        self._reader = reader
        self._told: dict[str, ReaderCame | ReaderLost] = {}
        self._doubtful: set[str] = set()  # readers whose chip this connection has not reported yet
        self.lying: dict[str, bytes] = dict(lying)

    def take(self, message: Message) -> list[Event]:
        """Process the next line; returns the events that are new to this client."""
        match message:
            case Snapshot(readers):
                return self._snapshot([one for one in readers if self._is_followed(one.reader)])
            case Tap(reader=name) if self._is_followed(name):
                return self._put(name, message)
            case Lift(uid=uid, reader=name) if self.lying.get(name) == uid:
                return self._put(name, None)
            case Settled(name) if name in self._doubtful:
                return self._put(name, None)
            case ReaderCame(name) if self._is_followed(name):
                return self._tell(message)
            case ReaderLost(name) if self._is_followed(name):
                return self._tell(message, again=True)
        return []

    def service_lost(self) -> list[Event]:
        """Handle a lost service; returns one event for each reader that was there."""
        return self._tell_removed(set())

    def _snapshot(self, readers: list[ReaderState]) -> list[Event]:
        """Process the state of all readers; returns the events since the last line."""
        self._doubtful = set(self.lying)
        events = self._tell_removed({state.reader for state in readers})
        for state in readers:
            if state.state == "ready":
                events += self._tell(ReaderCame(state.reader))
            elif state.state == "lost":
                events += self._tell(ReaderLost(state.reader, state.reason, state.fault))
            if state.uid is not None:
                # This client did not see it come, so it may have been there for long.
                tap = Tap(state.uid, state.reader, chip=state.chip, found=True)
                events += self._put(state.reader, tap)
            elif state.settled:
                events += self._put(state.reader, None)
        return events

    def _tell_removed(self, readers: set[str]) -> list[Event]:
        """The events for readers that the service no longer has."""
        there = [name for name, told in self._told.items() if isinstance(told, ReaderCame)]
        gone = [name for name in there if name not in readers]
        return [event for name in gone for event in self._tell(ReaderLost(name, AWAY))]

    def _is_followed(self, reader: str) -> bool:
        return self._reader is None or reader == self._reader

    def _put(self, name: str, tap: Tap | None) -> list[Event]:
        """The events for the chip of ``tap``, or none, now being on the reader."""
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
