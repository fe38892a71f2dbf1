"""The state of the service's readers, and which client is told what; for the event loop.

A client may hold a reader: its events then go to that client alone, and no other is ever told of
the chip left there. A client that reconnects gets the current state, not missed events: a missed
tap is no longer a move.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Protocol

from common.sentences import Sentence
from tags.presence import Lift, Tap
from tags.service.protocol import (
    LONGEST_TEXT,
    Notice,
    ReaderState,
    Settled,
    Snapshot,
    Told,
    message_line,
)
from tags.watch import ReaderCame, ReaderLost

HELD = Sentence(
    "Another program is using this reader for its chips; carry on by keyboard until it is done."
)


class Listener(Protocol):
    """A client, as seen by the hub."""

    def tell(self, line: bytes) -> None:
        """Send the line without waiting."""


class Hub:
    """The readers by name, with their paths, and the listening clients."""

    def __init__(self, paths: Mapping[str, str]) -> None:
        self.clients: set[Listener] = set()
        self.notice = ""
        self._states = {name: ReaderState(name, path) for name, path in paths.items()}
        self._holders: dict[str, Listener] = {}
        self._owners: dict[str, Listener] = {}  # the only client that knows of the chip there

    def join(self, client: Listener) -> None:
        """Send a new client a snapshot, and from now on events."""
        client.tell(self.snapshot(client))
        self.clients.add(client)

    def snapshot(self, client: Listener) -> bytes:
        """The snapshot line of all readers, as that client may know them."""
        states = (self._show_to(client, state) for state in self._states.values())
        return message_line(Snapshot(tuple(states), self.notice))

    def take(self, event: Tap | Lift | ReaderCame | ReaderLost | Settled) -> None:
        """Process an event of a reader, and notify the clients concerned."""
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

    def forget(self, reader: str) -> None:
        """Handle a released reader, whose state becomes unknown."""
        self._states[reader] = ReaderState(reader, self._states[reader].path)
        self._owners.pop(reader, None)

    def say(self, text: str) -> None:
        """Publish a notice about the service itself, valid until the next; empty if all is well."""
        self.notice = text[:LONGEST_TEXT]
        self._tell(Notice(self.notice))

    # -- readers held by one client ----------------------------------------------------------

    def knows(self, reader: str) -> bool:
        """Whether there is a reader of that name."""
        return reader in self._states

    def holder(self, reader: str) -> Listener | None:
        """The client that holds the reader."""
        return self._holders.get(reader)

    def list_held(self, client: Listener) -> list[str]:
        """The readers that the client holds."""
        return [name for name, holder in self._holders.items() if holder is client]

    def hold(self, reader: str, client: Listener) -> None:
        """Reserve the reader for that client; for the others it is lost, and its chip gone.

        No-op if the client already holds it.
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
        """Publish the reader to all clients again, but not the chip left there."""
        holder, state = self._holders.pop(reader), self._states[reader]
        if state.state == "ready":
            self._tell(ReaderCame(reader), but=holder)
        elif state.state == "lost":
            self._tell(ReaderLost(reader, state.reason, state.fault), but=holder)
        if state.settled:
            self._tell(Settled(reader), but=holder)

    def _show_to(self, client: Listener, state: ReaderState) -> ReaderState:
        if self._holders.get(state.reader, client) is not client:
            return ReaderState(state.reader, state.path, "lost", reason=HELD, fault="busy")
        if self._owners.get(state.reader, client) is not client:
            return replace(state, uid=None, chip=None)
        return state

    def _change(self, reader: str, **fields: Any) -> None:
        self._states[reader] = replace(self._states[reader], **fields)

    def _tell(self, event: Told, only: Listener | None = None, but: Listener | None = None) -> None:
        line = message_line(event)
        for client in list(self.clients):
            if only in (None, client) and client is not but:
                client.tell(line)
