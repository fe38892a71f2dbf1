"""The state of the service's readers, and which client is sent what; for the event loop.

One program at a time owns the readers: what is tapped is sent to it alone, and nobody else is ever
told of a chip that came meanwhile. While none owns them, all clients are told. A client that
reconnects gets the current state, not missed events: a missed tap is no longer a move.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Protocol

from common.sentences import Sentence
from tags.presence import Lift, Tap
from tags.service import (
    LONGEST_TEXT,
    Own,
    ReaderState,
    Snapshot,
    message_line,
)
from tags.watch import Event, ReaderConnected, ReaderDisconnected, ReaderNotice


class Listener(Protocol):
    """A client, as seen by the switchboard."""

    def send(self, line: bytes) -> None:
        """Send the line without waiting."""


class Switchboard:
    """The readers by name, with their paths, and the listening clients."""

    def __init__(self, paths: Mapping[str, str]) -> None:
        self.clients: set[Listener] = set()
        self._states = {name: ReaderState(name, path) for name, path in paths.items()}
        self._names: dict[Listener, str] = {}  # of the programs that want the readers
        self._queue: list[Own] = []  # each program once; the first has the readers
        self._told: dict[str, str] = {}  # who owned the readers when the chip on each came

    @property
    def owner(self) -> str:
        """The program that has the readers, "" for none; thread-safe."""
        queue = self._queue
        return queue[0].owner if queue else ""

    def join(self, client: Listener) -> None:
        """Send a new client a snapshot, and from now on events."""
        client.send(self.snapshot(client))
        self.clients.add(client)

    def snapshot(self, client: Listener) -> bytes:
        """The snapshot line of all readers, as that client may know them."""
        states = (self._show_to(client, state) for state in self._states.values())
        return message_line(Snapshot(tuple(states), self.owner))

    def own(self, client: Listener, request: Own) -> None:
        """Give that client's program the readers, or let it wait; answered with a snapshot. One
        that comes ``over`` the others has them at once, unless another such one has."""
        before, self._names[client] = self.owner, request.owner
        if all(one.owner != request.owner for one in self._queue):
            self._queue = sorted([*self._queue, request], key=lambda one: not one.over)
        if self.owner == before:
            client.send(self.snapshot(client))
        else:
            self._tell_all()

    def leave(self, client: Listener) -> None:
        """Forget a client; the next program has the readers when its last one has left."""
        self.clients.discard(client)
        before, name = self.owner, self._names.pop(client, "")
        if name and name not in self._names.values():
            self._queue = [one for one in self._queue if one.owner != name]
        if self.owner != before:
            self._tell_all()

    def take(
        self,
        event: Event,
        owner: str | None = None,
    ) -> None:
        """Process an event of a reader, and notify the clients concerned.

        ``owner`` is the program that had the readers when the event was seen, by default now.
        """
        match event:
            case Tap(uid=uid, reader=name):
                chip = event.chip and event.chip[:LONGEST_TEXT]
                self._told[name] = self.owner if owner is None else owner
                self._change(name, uid=uid, chip=chip)
                self._send_touch(replace(event, chip=chip), self._told[name])
            case Lift(reader=name):
                self._change(name, uid=None, chip=None)
                self._send_touch(event, self._told.pop(name, ""))
            case ReaderConnected(name):
                self._change(name, state="ready", reason="")
                self._send_state(name)
            case ReaderDisconnected(name, reason, fault):
                self._change(name, state="lost", reason=reason, fault=fault)
                self._send_state(name)
            case ReaderNotice():
                for client in list(self.clients):
                    client.send(message_line(event))

    def may_use(self, reader: str, client: Listener) -> bool:
        """Whether the client may know which chip is on the reader."""
        return self._hears(client) and self._told.get(reader, "") in ("", self.owner)

    def explain_busy(self) -> Sentence:
        """The sentence for a client that must wait."""
        if not self.owner:
            return Sentence("This chip was laid on for another program; take it away first.")
        return Sentence(
            "{owner} has this reader; carry on by keyboard until it is done.", owner=self.owner
        )

    def _hears(self, client: Listener) -> bool:
        """Whether the client is told of taps: the owner's clients, or all while there is none."""
        return self.owner in ("", self._names.get(client))

    def _show_to(self, client: Listener, state: ReaderState) -> ReaderState:
        if client in self._names and not self._hears(client):
            reason = self.explain_busy()
            return ReaderState(state.reader, state.path, "lost", reason=reason, fault="busy")
        return state if self.may_use(state.reader, client) else replace(state, uid=None, chip=None)

    def _change(self, reader: str, **fields: Any) -> None:
        self._states[reader] = replace(self._states[reader], **fields)

    def _send_touch(self, touch: Tap | Lift, told: str) -> None:
        """Send it to the clients of the program that was told of the chip."""
        line = message_line(touch)
        for client in list(self.clients):
            if told in ("", self.owner) and self._hears(client):
                client.send(line)

    def _send_state(self, reader: str) -> None:
        for client in list(self.clients):
            if client not in self._names or self._hears(client):
                client.send(message_line(self._show_to(client, self._states[reader])))

    def _tell_all(self) -> None:
        for client in list(self.clients):
            client.send(self.snapshot(client))
