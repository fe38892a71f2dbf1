"""How the readers of the service are, and which client is told what; for the service's loop.

A client may hold a reader: what happens on it is then told to that client alone, and nobody else
ever hears of the chip that lies there at the end.  Whoever listens again is told how things are now
and not what happened meanwhile: a tap that nobody heard is no longer a move.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Protocol

from common.sentences import Sentence
from tags.presence import Lift, Tap
from tags.service.fields import LONGEST_TEXT
from tags.service.protocol import Notice, ReaderState, Settled, Snapshot, Told, message_line
from tags.watch import ReaderCame, ReaderLost

HELD = Sentence(
    "Another program is using this reader for its chips; carry on by keyboard until it is done."
)


class Listener(Protocol):
    """A client as it is seen from here."""

    def tell(self, line: bytes) -> None:
        """Send it the line, without waiting."""


class Hub:
    """The readers by their names, with the path of each, and the clients that listen."""

    def __init__(self, paths: Mapping[str, str]) -> None:
        self.clients: set[Listener] = set()
        self.notice = ""
        self._states = {name: ReaderState(name, path) for name, path in paths.items()}
        self._holders: dict[str, Listener] = {}
        self._owners: dict[str, Listener] = {}  # who alone knows of the chip that lies there

    def join(self, client: Listener) -> None:
        """Tell a new client how things are, and from now on what happens."""
        client.tell(self.snapshot(client))
        self.clients.add(client)

    def snapshot(self, client: Listener) -> bytes:
        """The line that says how all readers are now, as far as that client may know."""
        states = (self._seen_by(client, state) for state in self._states.values())
        return message_line(Snapshot(tuple(states), self.notice))

    def take(self, event: Tap | Lift | ReaderCame | ReaderLost | Settled) -> None:
        """Take in what happened on a reader, and tell whom it concerns."""
        match event:
            case Tap(uid=uid, reader=name):
                chip = event.chip and event.chip[:LONGEST_TEXT]
                self._owners.pop(name, None)
                if name in self._holders:
                    self._owners[name] = self._holders[name]
                self._change(name, uid=uid, chip=chip)
                self._tell(replace(event, chip=chip), self._owners.get(name))
            case Lift(reader=name):
                self._change(name, uid=None, chip=None)
                self._tell(event, self._owners.pop(name, None))
            case ReaderCame(name):
                self._change(name, state="ready", settled=False)
                self._tell(event, self._holders.get(name))
            case ReaderLost(name, reason, fault):
                self._change(name, state="lost", settled=False, reason=reason, fault=fault)
                self._tell(event, self._holders.get(name))
            case Settled(name):
                self._change(name, settled=True)
                self._tell(event, self._holders.get(name))

    def closed(self, reader: str) -> None:
        """Take in that the reader was let go, so that nothing is known of it."""
        self._states[reader] = ReaderState(reader, self._states[reader].path)
        self._owners.pop(reader, None)

    def say(self, text: str) -> None:
        """A sentence about the service itself, in force until the next; empty when all is well."""
        self.notice = text[:LONGEST_TEXT]
        self._tell(Notice(self.notice))

    # -- readers that one client has -----------------------------------------------------------

    def knows(self, reader: str) -> bool:
        """Whether there is a reader of that name."""
        return reader in self._states

    def holder(self, reader: str) -> Listener | None:
        """Who has the reader for itself."""
        return self._holders.get(reader)

    def held_by(self, client: Listener) -> list[str]:
        """The readers that client has for itself."""
        return [name for name, holder in self._holders.items() if holder is client]

    def hold(self, reader: str, client: Listener) -> None:
        """Let that client alone know of the reader; for the others it is lost, and its chip gone.

        Harmless when it has the reader already.
        """
        if self._holders.get(reader) is client:
            return
        uid = self._states[reader].uid
        if uid is not None and reader not in self._owners:
            self._tell(Lift(uid, reader), but=client)
            self._owners[reader] = client
        self._holders[reader] = client
        self._tell(ReaderLost(reader, HELD, "busy"), but=client)

    def free(self, reader: str) -> None:
        """Let everybody know of the reader again, but not of the chip that lies there."""
        holder, state = self._holders.pop(reader), self._states[reader]
        if state.state == "ready":
            self._tell(ReaderCame(reader), but=holder)
        elif state.state == "lost":
            self._tell(ReaderLost(reader, state.reason, state.fault), but=holder)
        if state.settled:
            self._tell(Settled(reader), but=holder)

    def _seen_by(self, client: Listener, state: ReaderState) -> ReaderState:
        if self._holders.get(state.reader, client) is not client:
            return ReaderState(state.reader, state.path, "lost", reason=HELD, fault="busy")
        if self._owners.get(state.reader, client) is not client:
            return replace(state, uid=None, chip=None)
        return state

    def _change(self, reader: str, **fields: Any) -> None:
        self._states[reader] = replace(self._states[reader], **fields)

    def _tell(self, told: Told, only: Listener | None = None, but: Listener | None = None) -> None:
        line = message_line(told)
        for client in list(self.clients):
            if only in (None, client) and client is not but:
                client.tell(line)
