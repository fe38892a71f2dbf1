"""The door: which phone has which seat by the table's leave, and what of this is kept on disk.

A seat belongs to a player's name, so the phone keeps it in the table's next game. Only the hash of
a key is stored, beside the log. Methods that change anything run in the game's thread, and raise
StoreError if the change cannot be saved: then there is none. The others are safe in any thread.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Any, NamedTuple

from companion.log.log_errors import StoreError
from companion.phones.serving import guard

KEY_BYTES = 32
PATIENCE = 120.0  # seconds that a request for a taken seat stays open
FIRST_SAY = 30.0  # seconds in which only the crowned player's phone may answer for its own seat
LONGEST_KEY = 64  # characters; longer keys are ignored


class Ask(NamedTuple):
    """A request for a taken seat."""

    seat: int
    hashed: str
    """Hash of the requester's token."""

    until: float
    allowed: bool


class Door:
    """The seats of one table. `keep` saves what must survive a restart, or raises StoreError."""

    def __init__(
        self,
        players: Sequence[str],
        kept: Any,
        keep: Callable[[dict[str, Any]], None],
        *,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """`kept` is what was saved before, None if nothing was."""
        self._clock = clock
        self._asks: dict[int, Ask] = {}
        self._refused: dict[int, str] = {}  # by seat, the hash of the token refused last
        self._keep = keep
        self.players = tuple(players)
        kept = kept if isinstance(kept, dict) else {}
        self.code = _text(kept.get("code")) or guard.make_code()
        self._visitor = _text(kept.get("visitor")) or secrets.token_urlsafe(KEY_BYTES)
        seats = kept.get("seats")
        seats = seats if isinstance(seats, dict) else {}
        self._holders = {name: key for name, key in seats.items() if _text(key)}
        self._seat()
        self._save_later()

    def attend(self, players: Sequence[str], keep: Callable[[dict[str, Any]], None]) -> None:
        """Follow another game; players who are also in it keep their seats."""
        self.players = tuple(players)
        self._keep = keep
        self._asks.clear()
        self._refused.clear()
        self._seat()
        self._save_later()

    # -- keys -------------------------------------------------------------------------------------

    def seat_of(self, key: str) -> int | None:
        """The seat of this key, counted from 0; None for an unknown key."""
        return self._seats.get(_hash(key)) if 0 < len(key) <= LONGEST_KEY else None

    @property
    def taken(self) -> frozenset[int]:
        """The seats with a phone."""
        return frozenset(self._seats.values())

    @property
    def visitor(self) -> str:
        """The key of guests who have given the code but have no seat."""
        return self._visitor

    def is_visitor(self, key: str) -> bool:
        """Whether this key belongs to a guest who has given the code."""
        shown = key[:LONGEST_KEY].encode(errors="replace")
        return hmac.compare_digest(shown, self._visitor.encode())

    # -- seats ------------------------------------------------------------------------------------

    def take(self, seat: int) -> str | None:
        """A new key for that seat if it is free; None if it is taken."""
        return None if seat in self.taken else self._give(seat)

    def ask(self, seat: int) -> str | None:
        """Ask the table for a taken seat: the token for `claim`, None while another request for it
        is open."""
        if self._open(seat) is not None:
            return None
        token = secrets.token_urlsafe(KEY_BYTES)
        self._asks[seat] = Ask(seat, _hash(token), self._clock() + PATIENCE, False)
        return token

    def find_ask(self, token: str) -> Ask | None:
        """The request with that token; None once it is closed or expired."""
        hashed = _hash(token)
        asks = tuple(self._asks.values())
        found = [ask for ask in asks if hmac.compare_digest(ask.hashed, hashed)]
        return self._open(found[0].seat) if found else None

    def claim(self, token: str) -> str | None:
        """The key of the seat if the table has allowed the request; None if not."""
        ask = self.find_ask(token)
        if ask is None or not ask.allowed:
            return None
        return self._give(ask.seat)

    @property
    def asks(self) -> tuple[int, ...]:
        """The seats with an open request that the table has not answered."""
        opened = [self._open(seat) for seat in sorted(tuple(self._asks))]
        return tuple(ask.seat for ask in opened if ask is not None and not ask.allowed)

    def answer(self, seat: int, *, allowed: bool) -> bool:
        """Allow or refuse the request for that seat; returns whether there was one."""
        if seat not in self.asks:
            return False
        if allowed:
            self._asks[seat] = self._asks[seat]._replace(allowed=True)
        else:
            self._refused[seat] = self._asks.pop(seat).hashed
        return True

    def find_refused(self, token: str) -> int | None:
        """The seat that the table refused to this token's owner."""
        hashed = _hash(token)
        seats = tuple(self._refused.items())
        return next((seat for seat, one in seats if hmac.compare_digest(one, hashed)), None)

    def free(self, seat: int) -> bool:
        """Disconnect that seat's phone; returns whether it had one."""
        with self._changing():
            self._asks.pop(seat, None)
            return self._holders.pop(self.players[seat], None) is not None

    def is_unanswered(self, seat: int) -> bool:
        """Whether a request for that seat has been open for longer than FIRST_SAY."""
        ask = self._open(seat)
        left = 0.0 if ask is None else ask.until - self._clock()
        return ask is not None and not ask.allowed and left < PATIENCE - FIRST_SAY

    def free_all(self, *, but: int | None = None) -> int:
        """Disconnect every phone except that seat's, spectators included, and change the code.
        Returns how many seats had a phone."""
        kept = None if but is None else self.players[but]
        number = len(self.taken - {but})
        with self._changing():
            self._holders = {name: key for name, key in self._holders.items() if name == kept}
            self._asks.clear()
            self.code, self._visitor = guard.make_code(), secrets.token_urlsafe(KEY_BYTES)
        return number

    def _open(self, seat: int) -> Ask | None:
        """The request for that seat, unless it has expired."""
        ask = self._asks.get(seat)
        return None if ask is None or ask.until < self._clock() else ask

    def _give(self, seat: int) -> str:
        key = secrets.token_urlsafe(KEY_BYTES)
        with self._changing():
            self._asks.pop(seat, None)
            self._holders[self.players[seat]] = _hash(key)
        return key

    @contextmanager
    def _changing(self) -> Iterator[None]:
        """Save what the block changes; if that fails, the door is as before."""
        before = self.code, self._visitor, dict(self._holders), dict(self._asks)
        try:
            yield
            self._write()
        except BaseException:
            self.code, self._visitor, self._holders, self._asks = before
            raise
        self._seat()

    def _save_later(self) -> None:
        """Save the door if that is possible now; if not, the next change does: a game begins
        without."""
        with suppress(StoreError):
            self._write()

    def _seat(self) -> None:
        """Seat the holders of keys, as far as they play in this game."""
        places = {name: seat for seat, name in enumerate(self.players)}
        self._holders = {name: key for name, key in self._holders.items() if name in places}
        self._seats = {key: places[name] for name, key in self._holders.items()}

    def _write(self) -> None:
        self._keep({"code": self.code, "visitor": self._visitor, "seats": dict(self._holders)})


def form_token(key: str) -> str:
    """The CSRF token in the forms of this key's owner."""
    return hmac.new(key.encode(errors="replace"), b"form", hashlib.sha256).hexdigest()


def _hash(key: str) -> str:
    return hashlib.sha256(key.encode(errors="replace")).hexdigest()


def _text(value: Any) -> str:
    return value if isinstance(value, str) and len(value) <= LONGEST_KEY else ""
