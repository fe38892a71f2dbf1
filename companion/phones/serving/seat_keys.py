"""The seats of a table: which phone has which, each seat's own code, and what of this is kept.

A seat belongs to a player's name, so the phone keeps it in the group's next game. Beside the log,
only the hash of a key is stored, but the codes as they are: they are shown again. Nobody's clock
ends a key. Methods that change anything run in the game's thread, and raise StoreError if the
change cannot be saved: then there is none. The others are safe in any thread, since every change
replaces the whole door in one step.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from typing import Any, NamedTuple

from companion.language import _
from companion.log import StoreError
from companion.phones.serving import guard

KEY_BYTES = 32
LONGEST_KEY = 64  # characters; longer keys are ignored


class SeatNews(NamedTuple):
    """What has happened to a seat's phone: it has `joined`, `replaced` another, or was `freed`."""

    kind: str
    seat: int
    player: str
    version: int
    """The number of the table's last happening then."""

    def describe(self) -> str:
        text = {
            "joined": _("{player} has joined with a phone."),
            "replaced": _("Another phone has {player}'s seat now."),
            "freed": _("{player}'s seat was freed; its phone has left."),
        }[self.kind]
        return text.format(player=self.player)


class Seats(NamedTuple):
    """The whole door at one moment; never changed, only replaced by the next."""

    code: str
    """The table's code."""

    visitor: str
    """The key of guests who have given the table's code but have no seat."""

    players: tuple[str, ...]
    holders: Mapping[str, str]
    """The hash of each phone's key, by player, here or in the game before."""

    own_codes: Mapping[str, str]
    """Each seat's own code, in the same way; each of the `players` has one."""

    news: tuple[SeatNews, ...] = ()
    """The latest news of each seat, the latest last."""

    @property
    def taken(self) -> frozenset[int]:
        return frozenset(seat for seat, name in enumerate(self.players) if name in self.holders)

    def seat_of(self, key: str) -> int | None:
        """The seat of this key, counted from 0; None if it is none's."""
        name = self.name_of(key)
        return self.players.index(name) if name in self.players else None

    def name_of(self, key: str) -> str | None:
        """The player whose seat this key opens, here or in the game before."""
        if not 0 < len(key) <= LONGEST_KEY:
            return None
        hashed = _hash(key)
        return self._prefer_here(name for name, held in self.holders.items() if held == hashed)

    def find_name(self, code: str) -> str | None:
        """The player whose seat's own code that is, here or in the game before."""
        owners = self.own_codes.items()
        return self._prefer_here(name for name, own in owners if guard.is_code(code, own))

    def has_phone(self, name: str) -> bool:
        """Whether that player's seat has a phone, here or in the game before."""
        return name in self.holders

    @property
    def known_names(self) -> tuple[str, ...]:
        """The players here, then those of the game before."""
        return tuple(dict.fromkeys((*self.players, *self.own_codes)))

    def is_visitor(self, key: str) -> bool:
        """Whether this key belongs to a guest who has given the code."""
        data = key[:LONGEST_KEY].encode(errors="replace")
        return hmac.compare_digest(data, self.visitor.encode())

    def _prefer_here(self, names: Iterable[str]) -> str | None:
        """One of the names: whoever took another one in the set-up has both."""
        return min(names, key=lambda name: name not in self.players, default=None)

    def with_players(self, players: Sequence[str]) -> Seats:
        """The same with these players; who is new gets a code."""
        new = {name: guard.make_code() for name in players if name not in self.own_codes}
        return self._replace(
            players=tuple(players),
            own_codes={**self.own_codes, **new},
            news=tuple(
                one._replace(seat=players.index(one.player))
                for one in self.news
                if one.player in players
            ),
        )

    def only(self, players: Sequence[str]) -> Seats:
        """The same for another game, without anybody who does not play in it."""
        return self._replace(
            holders={name: key for name, key in self.holders.items() if name in players},
            own_codes={name: code for name, code in self.own_codes.items() if name in players},
            news=(),
        )


class SeatKeys:
    """The seats of one table. `keep` saves what must survive a restart, or raises StoreError.

    Whoever needs two facts that belong together takes both from `now`.
    """

    now: Seats

    def __init__(
        self,
        players: Sequence[str],
        kept: Any,
        keep: Callable[[dict[str, Any]], None],
        *,
        code_length: int = guard.CODE_LENGTH,
    ) -> None:
        """`kept` is what was saved before, None if nothing was. The table's code has `code_length`
        letters."""
        self._code_length = code_length
        self.attend(players, kept, keep)

    def attend(
        self, players: Sequence[str], kept: Any, keep: Callable[[dict[str, Any]], None]
    ) -> None:
        """Follow a game with the door that was saved for it: no other code and key works in it."""
        kept = kept if isinstance(kept, dict) else {}
        code = _text(kept.get("code")) or guard.make_code(self._code_length)
        visitor = _text(kept.get("visitor")) or secrets.token_urlsafe(KEY_BYTES)
        seats = Seats(code, visitor, (), _texts(kept.get("seats")), read_codes(kept))
        self._resume(seats, players, keep)

    def follow(
        self,
        players: Sequence[str],
        keep: Callable[[dict[str, Any]], None],
        *,
        new_code: bool = False,
        but: Collection[str] = (),
    ) -> None:
        """Follow another game of the same group: its players keep their seats, `but` not those
        players."""
        now = self._with_new_code() if new_code else self.now
        now = now._replace(holders=_leave_out(now.holders, but))
        self._resume(now.only(players), players, keep)

    def begin_group(
        self,
        players: Sequence[str],
        keep: Callable[[dict[str, Any]], None],
        staying: Collection[str],
        *,
        new_code: bool,
    ) -> None:
        """Follow the first game of another group: only the phones of the players `staying` keep
        their seats, and who was in the group before gets another code."""
        now = self._with_new_code() if new_code else self.now
        now = now._replace(own_codes=_leave_out(now.own_codes, self._group)).only(players)
        now = now._replace(holders=_leave_out(now.holders, set(players) - set(staying)))
        self._resume(now, players, keep)

    def _resume(
        self, seats: Seats, players: Sequence[str], keep: Callable[[dict[str, Any]], None]
    ) -> None:
        self._keep = keep
        self._group = frozenset(players)
        self._waiting: set[str] = set()
        self.now = seats.with_players(players)
        with suppress(StoreError):  # a game begins without; the next change saves it
            self._write(self.now)

    # -- while a game is being set up -------------------------------------------------------------

    def open_lobby(self) -> None:
        """Save nothing from now on, and remember the players of the game before."""
        self._keep = lambda kept: None
        self._group = self._group.union(self.now.holders, self.now.own_codes)
        self._waiting = set(self.now.holders) - set(self.now.players)

    def welcome(self, key: str) -> str | None:
        """The player of the game before whose phone has this key and is here for the first time in
        the set-up."""
        name = self.now.name_of(key)
        if name not in self._waiting:
            return None
        self._waiting.remove(name)
        return name

    def seat(self, players: Sequence[str]) -> None:
        """Follow the names of a game that is being set up: who is no longer among them loses the
        seat, but not in the game before."""
        gone = set(self.now.players) - set(players) - self._group
        now = self.now.with_players(players)
        self.now = now._replace(
            holders=_leave_out(now.holders, gone), own_codes=_leave_out(now.own_codes, gone)
        )

    def rename(self, before: str, name: str) -> None:
        """Give that player another name; one of the game before has a code already."""
        now, gone = self.now, {before} - self._group

        def move(by_name: Mapping[str, str]) -> dict[str, str]:
            moved = {name: by_name[before]} if before in by_name else {}
            return {**moved, **_leave_out(by_name, gone)}

        self.now = now._replace(
            players=tuple(name if one == before else one for one in now.players),
            holders=move(now.holders),
            own_codes=move(now.own_codes),
            news=tuple(
                one._replace(player=name) if one.player == before else one for one in now.news
            ),
        )

    # -- phones come and go -----------------------------------------------------------------------

    def give(self, seat: int, version: int = 0) -> str:
        """A new key for that seat, in place of another; `version` as in `SeatNews`."""
        now, player, key = self.now, self.now.players[seat], secrets.token_urlsafe(KEY_BYTES)
        kind = "replaced" if player in now.holders else "joined"
        self._change(
            now._replace(holders={**now.holders, player: _hash(key)}),
            news=SeatNews(kind, seat, player, version),
        )
        return key

    def leave(self, seat: int) -> bool:
        """Give the seat of that phone back; returns whether it had one."""
        had_one, player = seat in self.now.taken, self.now.players[seat]
        self._change(self.now._replace(holders=_leave_out(self.now.holders, {player})))
        return had_one

    def put_out(self, seat: int) -> bool:
        """Disconnect that seat's phone; returns whether it had one. The seat gets another code."""
        had_one = seat in self.now.taken
        self._change(self._clear(seat))
        return had_one

    def free(self, seat: int, version: int, forget: Callable[[], object]) -> None:
        """Clear that seat for somebody else; `forget` forgets what was noted there, and the seat
        stays as it is if that fails."""
        news = SeatNews("freed", seat, self.now.players[seat], version)
        self._change(self._clear(seat), forget, news)

    def free_all(self, then: Callable[[], object] = lambda: None) -> int:
        """Disconnect every phone, spectators included, and change every code; `then` belongs to it.
        Returns how many seats had a phone."""
        number = len(self.now.taken)
        codes = {name: guard.make_code() for name in self.now.players}
        self._change(self._with_new_code()._replace(holders={}, own_codes=codes), then)
        return number

    def _clear(self, seat: int) -> Seats:
        now, player = self.now, self.now.players[seat]
        return now._replace(
            holders=_leave_out(now.holders, {player}),
            own_codes={**now.own_codes, player: guard.make_code()},
        )

    def _with_new_code(self) -> Seats:
        """Now with another code of the table; spectators have to give the new one."""
        code = guard.make_code(self._code_length)
        return self.now._replace(code=code, visitor=secrets.token_urlsafe(KEY_BYTES))

    # -- what is saved ----------------------------------------------------------------------------

    def _change(
        self,
        seats: Seats,
        then: Callable[[], object] = lambda: None,
        news: SeatNews | None = None,
    ) -> None:
        """Save these seats, do what belongs to it, and have them; if one of them fails, all is as
        before."""
        try:
            self._write(seats)
            then()
        except BaseException:
            with suppress(StoreError):
                self._write(self.now)
            raise
        told = [one for one in seats.news if one.kind == "freed" or one.player in seats.holders]
        if news is not None:
            told = [*(one for one in told if one.player != news.player), news]
        self.now = seats._replace(news=tuple(told))

    def _write(self, seats: Seats) -> None:
        codes, holders = seats.own_codes, seats.holders
        self._keep(
            {
                "code": seats.code,
                "visitor": seats.visitor,
                "seats": {name: holders[name] for name in seats.players if name in holders},
                "codes": {name: codes[name] for name in seats.players},
            }
        )


def _leave_out(by_name: Mapping[str, str], names: Collection[str]) -> dict[str, str]:
    return {name: text for name, text in by_name.items() if name not in names}


def read_codes(record: Any) -> dict[str, str]:
    """Each player's own code, of what was saved, in the order of the seats."""
    return _texts(record.get("codes")) if isinstance(record, dict) else {}


def form_token(key: str) -> str:
    """The CSRF token in the forms of this key's owner."""
    return hmac.new(key.encode(errors="replace"), b"form", hashlib.sha256).hexdigest()


def _hash(key: str) -> str:
    return hashlib.sha256(key.encode(errors="replace")).hexdigest()


def _text(value: Any) -> str:
    return value if isinstance(value, str) and len(value) <= LONGEST_KEY else ""


def _texts(value: Any) -> dict[str, str]:
    texts = value if isinstance(value, dict) else {}
    return {name: text for name, text in texts.items() if _text(text)}
