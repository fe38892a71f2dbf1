"""The door: which phone has which seat by the table's leave, and what of this is kept on disk.

A seat belongs to a player's name, so the phone keeps it in the group's next game. Beside the log,
only the hash of a key is stored, but the codes as they are: they are shown again. Methods that
change anything run in the game's thread, and raise StoreError if the change cannot be saved: then
there is none. The others are safe in any thread.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Any

from common import NamedTuple
from companion.language import _
from companion.log import StoreError
from companion.phones.serving import guard
from companion.phones.serving.asks import Asks

KEY_BYTES = 32
UNUSED_SECONDS = 12 * 3600  # after which a seat's key ends
SAVED_AFTER = 3600.0  # seconds in which the use of keys is saved once
LONGEST_KEY = 64  # characters; longer keys are ignored
MOST_REMEMBERED = 100  # arrivals, and phones that were put out


def _tell_seconds() -> float:
    """The seconds of a clock that nobody sets, and that counts while the computer sleeps where the
    system has such a one."""
    boot: int | None = getattr(time, "CLOCK_BOOTTIME", None)
    return time.monotonic() if boot is None else time.clock_gettime(boot)


class Arrival(NamedTuple):
    """A phone that has taken a seat."""

    seat: int
    version: int
    """The number of the table's last happening then."""

    is_another: bool
    """Whether it has replaced a phone."""

    def describe(self, players: Sequence[str]) -> str:
        """Whose seat has a phone now, in a sentence."""
        text = _("Another phone has {player}'s seat now.") if self.is_another else _(
            "{player} has joined with a phone."
        )  # fmt: skip
        return text.format(player=players[self.seat])


class SeatKeys:
    """The seats of one table. `keep` saves what must survive a restart, or raises StoreError."""

    def __init__(
        self,
        players: Sequence[str],
        kept: Any,
        keep: Callable[[dict[str, Any]], None],
        *,
        code_length: int = guard.CODE_LENGTH,
        clock: Callable[[], float] = _tell_seconds,
        date: Callable[[], float] = time.time,
    ) -> None:
        """`kept` is what was saved before, None if nothing was. The table's code has `code_length`
        letters. `date` is the clock of what is
        saved, which somebody may set."""
        self._clock, self._date, self._code_length = clock, date, code_length
        self._open(players, kept, keep)

    def follow(
        self,
        players: Sequence[str],
        keep: Callable[[dict[str, Any]], None],
        *,
        new_code: bool = False,
    ) -> None:
        """Follow another game of the same group; players who are also in it keep their seats."""
        if new_code:
            self._change_code()
        self.players = tuple(players)
        self._keep = keep
        self.asks.forget()
        self._arrivals.clear()
        self._seat()
        self._save_later()

    def seat(self, players: Sequence[str]) -> None:
        """Follow the names of a game that is being set up: who is no longer among them loses the
        seat."""
        for seat, name in enumerate(self.players):
            if tuple(players[seat : seat + 1]) != (name,):
                self.asks.forget(seat)
        self.players = tuple(players)
        self._seat()

    def rename(self, seat: int, name: str) -> None:
        """Give the player in that seat another name."""
        before = self.players[seat]
        of_players: tuple[dict[str, Any], ...] = (
            *(self._holders, self._last_use, self._codes, self._arrivals, self._clients),
        )
        for entries in of_players:
            if before in entries:
                entries[name] = entries.pop(before)
        self.seat(tuple(name if one == before else one for one in self.players))

    def pause(self) -> dict[str, Any]:
        """Save nothing from now on, while a game is being set up; returns what was saved."""
        record = self._describe()
        self._keep = lambda record: None
        return record

    def list_holders(self, names: Iterable[str]) -> dict[str, str]:
        """The hashes of these players' keys, as they are saved."""
        return {name: key for name, key in self._holders.items() if name in names}

    def attend_others(
        self, players: Sequence[str], record: Any, keep: Callable[[dict[str, Any]], None]
    ) -> None:
        """Follow a game of another group: no code and no key of this one works in it."""
        self._open(players, record, keep)

    def _open(
        self, players: Sequence[str], record: Any, keep: Callable[[dict[str, Any]], None]
    ) -> None:
        self.asks = Asks(self._clock)
        self._keep = keep
        self._last_save = float("-inf")
        self.players = tuple(players)
        self._arrivals: dict[str, Arrival] = {}  # by player, the latest last
        self._clients: dict[str, str] = {}  # by player, where the phone has come from
        self._put_out: set[tuple[str, str]] = set()  # players, and where their phone had come from
        record = record if isinstance(record, dict) else {}
        self.code = _text(record.get("code")) or guard.make_code(self._code_length)
        self._visitor = _text(record.get("visitor")) or secrets.token_urlsafe(KEY_BYTES)
        self._holders = _texts(record.get("seats"))
        self._last_use = self._read_use(record.get("used"))
        self._codes = read_codes(record)
        self._seat()
        self._save_later()

    # -- keys and codes ---------------------------------------------------------------------------

    def seat_of(self, key: str) -> int | None:
        """The seat of this key, counted from 0, which has then been used; None for an unknown key
        or one that has ended."""
        seat = self._seats.get(_hash(key)) if 0 < len(key) <= LONGEST_KEY else None
        if seat is None or seat >= len(self.players) or self._has_ended(seat):
            return None
        self._last_use[self.players[seat]] = self._clock()
        return seat

    @property
    def taken(self) -> frozenset[int]:
        """The seats with a phone."""
        return frozenset(seat for seat in self._seats.values() if not self._has_ended(seat))

    @property
    def visitor(self) -> str:
        """The key of guests who have given the code but have no seat."""
        return self._visitor

    def is_visitor(self, key: str) -> bool:
        """Whether this key belongs to a guest who has given the code."""
        data = key[:LONGEST_KEY].encode(errors="replace")
        return hmac.compare_digest(data, self._visitor.encode())

    @property
    def codes(self) -> tuple[str, ...]:
        """Each seat's own code."""
        return tuple(self._codes[name] for name in self.players)

    def find_seat(self, text: str) -> int | None:
        """The seat whose own code `text` is, counted from 0; None if it is none."""
        matches = [seat for seat, code in enumerate(self.codes) if guard.is_code(text, code)]
        return matches[0] if matches else None

    # -- seats ------------------------------------------------------------------------------------

    def take(self, seat: int) -> str | None:
        """A new key for that seat if it is free; None if it is taken."""
        return None if seat in self.taken else self.give(seat)

    def give(self, seat: int, client: str = "", version: int = 0) -> str:
        """A new key for that seat, in place of another; `client` and `version` as in `Ask` and
        `Arrival`."""
        player, key = self.players[seat], secrets.token_urlsafe(KEY_BYTES)
        arrival = Arrival(seat, version, seat in self.taken)
        with self._changing():
            self._holders[player] = _hash(key)
            self._last_use[player] = self._clock()
        self._arrivals.pop(player, None)
        self._arrivals[player] = arrival
        self._clients[player] = client
        self._put_out.discard((player, client))
        return key

    @property
    def arrivals(self) -> tuple[Arrival, ...]:
        """The arrival of each phone, the latest last."""
        return tuple(self._arrivals.values())

    def was_put_out(self, seat: int, client: str) -> bool:
        """Whether the table has put a phone from there out of that seat."""
        return (self.players[seat], client) in self._put_out

    def free(self, seat: int) -> bool:
        """Give the seat of that phone back; returns whether it had one."""
        with self._changing():
            return self._holders.pop(self.players[seat], None) is not None

    def put_out(self, seat: int) -> bool:
        """Let the table disconnect that seat's phone; returns whether it had one. The seat gets
        another code of its own, which that phone may have come with, and that phone the seat only
        with the table's yes."""
        player = self.players[seat]
        with self._changing():
            had = self._holders.pop(player, None) is not None
            self._codes[player] = guard.make_code()
        if had and len(self._put_out) < MOST_REMEMBERED:
            self._put_out.add((player, self._clients.get(player, "")))
        return had

    def free_all(self, *, but: int | None = None) -> int:
        """Disconnect every phone except that seat's, spectators included, and change every code.
        Returns how many seats had a phone."""
        stays = None if but is None else self.players[but]
        number = len(self.taken - {but})
        with self._changing():
            self._holders = {name: key for name, key in self._holders.items() if name == stays}
            self._codes = {name: guard.make_code() for name in self.players}
            self._change_code()
        self.asks.forget()
        return number

    def _change_code(self) -> None:
        """Change the table's code; spectators have to give the new one."""
        self.code = guard.make_code(self._code_length)
        self._visitor = secrets.token_urlsafe(KEY_BYTES)

    # -- what is saved ----------------------------------------------------------------------------

    def save_use(self) -> None:
        """Save now and then which keys are in use."""
        if self._clock() - self._last_save >= SAVED_AFTER:
            self._save_later()

    def _has_ended(self, seat: int) -> bool:
        last_use = self._last_use.get(self.players[seat], float("-inf"))
        return self._clock() - last_use >= UNUSED_SECONDS

    def _read_use(self, data: Any) -> dict[str, float]:
        """When each key was used last; now for those of which that was not saved."""
        now, dates = self._clock(), data if isinstance(data, dict) else {}
        ages = {name: self._date() - _number(dates.get(name)) for name in self._holders}
        return {name: now - max(0.0, age) if name in dates else now for name, age in ages.items()}

    @contextmanager
    def _changing(self) -> Iterator[None]:
        """Save what the block changes; if that fails, the door is as before."""
        before = self.code, self._visitor, dict(self._holders), dict(self._codes)
        try:
            yield
            self._write()
        except BaseException:
            self.code, self._visitor, self._holders, self._codes = before
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
        self._codes = {name: self._codes.get(name) or guard.make_code() for name in places}
        self._seats = {key: places[name] for name, key in self._holders.items()}
        arrivals = self._arrivals.items()
        self._arrivals = {
            name: one._replace(seat=places[name]) for name, one in arrivals if name in self._holders
        }

    def _describe(self) -> dict[str, Any]:
        to_date = self._date() - self._clock()
        return {
            "code": self.code,
            "visitor": self._visitor,
            "seats": dict(self._holders),
            "codes": dict(self._codes),
            "used": {name: round(self._last_use[name] + to_date) for name in self._holders},
        }

    def _write(self) -> None:
        self._keep(self._describe())
        self._last_save = self._clock()


def read_codes(record: Any) -> dict[str, str]:
    """Each player's own code, of what was saved, in the order of the seats."""
    return _texts(record.get("codes")) if isinstance(record, dict) else {}


def form_token(key: str) -> str:
    """The CSRF token in the forms of this key's owner."""
    return hmac.new(key.encode(errors="replace"), b"form", hashlib.sha256).hexdigest()


def _hash(key: str) -> str:
    return hashlib.sha256(key.encode(errors="replace")).hexdigest()


def _number(value: Any) -> float:
    is_date = isinstance(value, int | float) and 0 < value < 1e12
    return float(value) if is_date else 0.0


def _text(value: Any) -> str:
    return value if isinstance(value, str) and len(value) <= LONGEST_KEY else ""


def _texts(value: Any) -> dict[str, str]:
    texts = value if isinstance(value, dict) else {}
    return {name: text for name, text in texts.items() if _text(text)}
