"""The state of the service's readers, and which client is sent what; for the event loop.

A client may use a reader in private: what happens there is then sent to that client alone, and no
other is ever told of the chip left there. A client that reconnects gets the current state, not
missed events: a missed tap is no longer a move.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Protocol

from common.sentences import Sentence
from tags.presence import Lift, Tap
from tags.service import LONGEST_TEXT, Happening, Notice, ReaderState, Snapshot, message_line
from tags.watch import ReaderConnected, ReaderDisconnected

IN_USE = Sentence(
    "Another program is using this reader for its chips; carry on by keyboard until it is done."
)


class Listener(Protocol):
    """A client, as seen by the hub."""

    def send(self, line: bytes) -> None:
        """Send the line without waiting."""


class Hub:
    """The readers by name, with their paths, and the listening clients."""

    def __init__(self, paths: Mapping[str, str]) -> None:
        self.clients: set[Listener] = set()
        self.notice = ""
        self._states = {name: ReaderState(name, path) for name, path in paths.items()}
        self._users: dict[str, Listener] = {}  # who uses the reader in private
        self._knowing: dict[str, Listener] = {}  # the only client that knows of the chip there

    def join(self, client: Listener) -> None:
        """Send a new client a snapshot, and from now on events."""
        client.send(self.snapshot(client))
        self.clients.add(client)

    def snapshot(self, client: Listener) -> bytes:
        """The snapshot line of all readers, as that client may know them."""
        states = (self._show_to(client, state) for state in self._states.values())
        return message_line(Snapshot(tuple(states), self.notice))

    def find_user(self, reader: str) -> Listener | None:
        """The client that uses the reader in private; thread-safe."""
        return self._users.get(reader)

    def take(
        self, event: Tap | Lift | ReaderConnected | ReaderDisconnected, user: Listener | None = None
    ) -> None:
        """Process an event of a reader, and notify the clients concerned.

        ``user`` is the client that used the reader in private when the event was seen.
        """
        match event:
            case Tap(uid=uid, reader=name):
                chip = event.chip and event.chip[:LONGEST_TEXT]
                self._knowing.pop(name, None)
                if (knowing := user or self._users.get(name)) is not None:
                    self._knowing[name] = knowing
                self._change(name, uid=uid, chip=chip)
                self._send(replace(event, chip=chip), only=self._knowing.get(name))
            case Lift(reader=name):
                self._change(name, uid=None, chip=None)
                self._send(event, only=self._knowing.pop(name, None))
            case ReaderConnected(name):
                self._change(name, state="ready", reason="")
                self._send_state(name, only=self._users.get(name))
            case ReaderDisconnected(name, reason, fault):
                self._change(name, state="lost", reason=reason, fault=fault)
                self._send_state(name, only=self._users.get(name))

    def say(self, text: str) -> None:
        """Publish a notice about the service itself, valid until the next; empty if all is well."""
        self.notice = text[:LONGEST_TEXT]
        self._send(Notice(self.notice))

    # -- readers used in private -------------------------------------------------------------

    def may_use(self, reader: str, client: Listener) -> bool:
        """Whether the client may know which chip is on the reader."""
        return all(one.get(reader, client) is client for one in (self._users, self._knowing))

    def is_free(self, reader: str, client: Listener) -> bool:
        """Whether no other client uses the reader in private."""
        return self._users.get(reader, client) is client

    def begin_private(self, reader: str, client: Listener) -> None:
        """Hide the reader from all other clients: for them it is lost, and its chip lifted."""
        if self._users.get(reader) is client:
            return
        uid = self._states[reader].uid
        if uid is not None and reader not in self._knowing:
            self._send(Lift(uid, reader), but=client)
            self._knowing[reader] = client
        self._users[reader] = client
        self._send_state(reader, but=client)

    def end_private(self, reader: str, client: Listener) -> None:
        """Show the reader to all clients again, but not the chip left there; no-op if that client
        did not hide it."""
        if self._users.get(reader) is client:
            del self._users[reader]
            self._send_state(reader, but=client)

    def leave(self, client: Listener) -> list[str]:
        """Forget a client; returns the readers that it used in private."""
        self.clients.discard(client)
        readers = [name for name, user in self._users.items() if user is client]
        for name in readers:
            self.end_private(name, client)
        return readers

    def _show_to(self, client: Listener, state: ReaderState) -> ReaderState:
        if not self.is_free(state.reader, client):
            return ReaderState(state.reader, state.path, "lost", reason=IN_USE, fault="busy")
        return state if self.may_use(state.reader, client) else replace(state, uid=None, chip=None)

    def _change(self, reader: str, **fields: Any) -> None:
        self._states[reader] = replace(self._states[reader], **fields)

    def _send(
        self, event: Happening, only: Listener | None = None, but: Listener | None = None
    ) -> None:
        line = message_line(event)
        for client in list(self.clients):
            if only in (None, client) and client is not but:
                client.send(line)

    def _send_state(
        self, reader: str, only: Listener | None = None, but: Listener | None = None
    ) -> None:
        for client in list(self.clients):
            if only in (None, client) and client is not but:
                client.send(message_line(self._show_to(client, self._states[reader])))
