"""What the service has published, and how its readers are: numbers, a ring of events, a snapshot.

Pure: no socket, no thread, no clock.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Mapping
from dataclasses import replace

from tags.readers.base import Fault
from tags.service.fields import LONGEST_TEXT
from tags.service.protocol import (
    Hello,
    Kind,
    Numbered,
    ReaderState,
    Snapshot,
    Why,
    message_line,
)


class Journal:
    """The events of one run of the service, called ``session``, which no two runs share.

    ``readers`` says where each reader is, by its name.  The last ``ring`` events
    (1 or more) are kept for clients that resume.  What happens on a reader that is lent is told to
    its borrower alone, and nobody else ever hears of the chip that lay there at its end.
    """

    def __init__(self, session: str, readers: Mapping[str, str], *, ring: int = 1024) -> None:
        self.session = session
        self.seq = 0
        self.notice = ""
        self._lines: deque[tuple[bytes, int | None]] = deque(maxlen=ring)  # and whose it is
        self._states = {name: ReaderState(name, path=path) for name, path in readers.items()}
        self._lain: dict[str, int] = {}  # during which loan the chip on that reader came

    @property
    def oldest(self) -> int:
        """The number of the oldest event that is kept; one more than ``seq`` if none is."""
        return self.seq - len(self._lines) + 1

    def hello(self) -> bytes:
        """The line that greets a client."""
        return message_line(Hello(self.session, self.seq))

    def snapshot(self, why: Why, loans: Collection[int] = ()) -> bytes:
        """The line that says how all readers are now, for a client that has had these loans."""
        states = (
            state
            if self._owner(state.reader) in (None, *loans)
            else replace(state, uid=None, chip=None)
            for state in self._states.values()
        )
        return message_line(Snapshot(self.seq, why, tuple(states), self.notice))

    def after(self, seq: int, most: int = 64, loans: Collection[int] = ()) -> list[bytes] | None:
        """The lines of at most ``most`` events after number ``seq`` for a client that has had these
        loans, empty for an event that is none of its affair; None if some are lost.

        So is the future: a number that was never given is none to go on from.
        """
        if not self.oldest - 1 <= seq <= self.seq:
            return None
        first = seq - (self.oldest - 1)
        kept = [self._lines[place] for place in range(first, min(first + most, len(self._lines)))]
        return [line if owner in (None, *loans) else b"" for line, owner in kept]

    def tap(
        self,
        reader: str,
        uid: bytes,
        chip: str | None,
        *,
        swapped: bool = False,
        found: bool = False,
    ) -> None:
        """A chip lies on the reader; ``chip`` is what it is called, None if nobody knows it,
        ``swapped`` whether another one lay there up to that moment, ``found`` whether nobody saw it
        come."""
        chip = chip if chip is None else chip[:LONGEST_TEXT]
        self._states[reader] = replace(self._states[reader], uid=uid, chip=chip)
        self._lain.pop(reader, None)
        if (lease := self._states[reader].lease) is not None:
            self._lain[reader] = lease
        self._publish("tap", reader, uid=uid, chip=chip, swapped=swapped, found=found)

    def lift(self, reader: str, uid: bytes) -> None:
        """The chip was taken away."""
        self._states[reader] = replace(self._states[reader], uid=None, chip=None)
        self._publish("lift", reader, uid=uid)
        self._lain.pop(reader, None)

    def came(self, reader: str) -> None:
        """The reader is being polled."""
        state = replace(self._states[reader], state="ready", settled=False, reason="")
        self._states[reader] = state
        self._publish("came", reader)

    def lost(self, reader: str, reason: str, fault: Fault) -> None:
        """The reader cannot be used; what lies on it stays there as far as anybody knows."""
        self._states[reader] = replace(
            self._states[reader], state="lost", settled=False, reason=reason, fault=fault
        )
        self._publish("lost", reader, text=reason, fault=fault)

    def settled(self, reader: str) -> None:
        """It is certain now what lies on the reader, or that nothing does; told once."""
        state = self._states[reader]
        if state.state == "ready" and not state.settled:
            self._states[reader] = replace(state, settled=True)
            self._publish("settled", reader, uid=state.uid)

    def lent(self, reader: str, lease: int) -> None:
        """A client has the reader for itself; its taps belong to that loan."""
        self._states[reader] = replace(self._states[reader], lease=lease)
        self._publish("lent", reader, lease=lease)

    def returned(self, reader: str) -> None:
        """The reader's taps are for everybody again."""
        self._states[reader] = replace(self._states[reader], lease=None)
        self._publish("returned", reader)

    def _owner(self, reader: str) -> int | None:
        """The loan to which belongs what happens on the reader, None while it is everybody's."""
        lease = self._states[reader].lease
        return self._lain.get(reader) if lease is None else lease

    def say(self, text: str) -> None:
        """A sentence about the service itself, in force until the next; empty when all is well."""
        self.notice = text[:LONGEST_TEXT]
        self._publish("notice", text=self.notice)

    def _publish(
        self,
        kind: Kind,
        reader: str = "",
        *,
        uid: bytes | None = None,
        chip: str | None = None,
        text: str = "",
        fault: Fault = "failed",
        lease: int | None = None,
        swapped: bool = False,
        found: bool = False,
    ) -> None:
        self.seq += 1
        event = Numbered(self.seq, kind, reader, uid, chip, text, fault, lease, swapped, found)
        private = uid is not None  # whatever names a chip
        self._lines.append((message_line(event), self._owner(reader) if private else None))
