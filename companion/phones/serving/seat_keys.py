"""The seats of a table: which phone has which, each seat's own code, and what of this is kept.

A seat belongs to a player's name, so the phone keeps it in the group's next game. Beside the log,
only the hash of a key is stored, but the codes as they are: they are shown again. Nobody's clock
ends a key. Methods that change anything run in the game's thread, and raise StoreError if the
change cannot be saved: then there is none. The others are safe in any thread.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager, suppress
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
    version: int
    """The number of the table's last happening then."""

    def describe(self, players: Sequence[str]) -> str:
        """The news in a sentence."""
        text = {
            "joined": _("{player} has joined with a phone."),
            "replaced": _("Another phone has {player}'s seat now."),
            "freed": _("{player}'s seat was freed; its phone has left."),
        }[self.kind]
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
        self.code = _text(kept.get("code")) or guard.make_code(self._code_length)
        self.visitor = _text(kept.get("visitor")) or secrets.token_urlsafe(KEY_BYTES)
        """The key of guests who have given the table's code but have no seat."""
        self._holders, self._codes = _texts(kept.get("seats")), read_codes(kept)
        self._resume(players, keep)

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
        if new_code:
            self._change_code()
        stay = [name for name in players if name not in but]
        self._holders = {name: key for name, key in self._holders.items() if name in stay}
        self._codes = {name: code for name, code in self._codes.items() if name in players}
        self._resume(players, keep)

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
        self._holders = {name: key for name, key in self._holders.items() if name in staying}
        self._codes = {name: code for name, code in self._codes.items() if name not in self._group}
        self.follow(players, keep, new_code=new_code)

    def _resume(self, players: Sequence[str], keep: Callable[[dict[str, Any]], None]) -> None:
        self._keep = keep
        self._group: frozenset[str] = frozenset(players)
        self._waiting: set[str] = set()
        self._news: dict[str, SeatNews] = {}  # by player, the latest last
        self._seat(players)
        with suppress(StoreError):  # a game begins without; the next change saves it
            self._write()

    # -- while a game is being set up -------------------------------------------------------------

    def open_lobby(self) -> None:
        """Save nothing from now on, and remember the players of the game before."""
        self._keep = lambda kept: None
        self._group = self._group.union(self._holders, self._codes)
        self._waiting = set(self._holders) - set(self.players)

    def welcome(self, key: str) -> str | None:
        """The player of the game before whose phone has this key and is here for the first time in
        the set-up."""
        name = self.name_of(key)
        if name not in self._waiting:
            return None
        self._waiting.remove(name)
        return name

    def seat(self, players: Sequence[str]) -> None:
        """Follow the names of a game that is being set up: who is no longer among them loses the
        seat, but not in the game before."""
        gone = set(self.players) - set(players) - self._group
        self._seat(players)
        for name in gone:
            self._holders.pop(name, None)
            self._codes.pop(name, None)

    def rename(self, seat: int, name: str) -> None:
        """Give the player in that seat another name."""
        before = self.players[seat]
        of_players: tuple[dict[str, Any], ...] = (self._holders, self._codes, self._news)
        for by_name in of_players:
            if before in by_name:
                by_name[name] = by_name[before] if before in self._group else by_name.pop(before)
        self._seat(tuple(name if one == before else one for one in self.players))

    def _seat(self, players: Sequence[str]) -> None:
        """Seat the holders of keys, as far as they play."""
        places = {name: seat for seat, name in enumerate(players)}
        for name in places:
            self._codes.setdefault(name, guard.make_code())
        self.players = tuple(players)  # a page that is drawn meanwhile needs all their codes
        self._seats = {key: places[name] for name, key in self._holders.items() if name in places}
        self._news = {
            name: news._replace(seat=places[name])
            for name, news in self._news.items()
            if name in places
        }

    # -- keys and codes ---------------------------------------------------------------------------

    def seat_of(self, key: str) -> int | None:
        """The seat of this key, counted from 0; None if it is none's."""
        return self._seats.get(_hash(key)) if 0 < len(key) <= LONGEST_KEY else None

    def name_of(self, key: str) -> str | None:
        """The player whose seat this key opens, here or in the game before; in the game's thread
        alone."""
        hashed = _hash(key[: LONGEST_KEY + 1])
        return next((name for name, held in self._holders.items() if held == hashed), None)

    def has_phone(self, name: str) -> bool:
        """Whether that player's seat has a phone, here or in the game before."""
        return name in self._holders

    @property
    def known_names(self) -> tuple[str, ...]:
        """The players here, then those of the game before."""
        return tuple(dict.fromkeys((*self.players, *self._codes)))

    @property
    def taken(self) -> frozenset[int]:
        """The seats with a phone."""
        return frozenset(self._seats.values())

    def is_visitor(self, key: str) -> bool:
        """Whether this key belongs to a guest who has given the code."""
        data = key[:LONGEST_KEY].encode(errors="replace")
        return hmac.compare_digest(data, self.visitor.encode())

    @property
    def codes(self) -> tuple[str, ...]:
        """Each seat's own code."""
        return tuple(self._codes[name] for name in self.players)

    def code_of(self, name: str) -> str:
        """The own code of that player's seat, here or in the game before."""
        return self._codes[name]

    def find_name(self, code: str) -> str | None:
        """The player whose seat's own code that is, here or in the game before."""
        names = [name for name, own in tuple(self._codes.items()) if guard.is_code(code, own)]
        return names[0] if names else None

    # -- phones come and go -----------------------------------------------------------------------

    def give(self, seat: int, version: int = 0) -> str:
        """A new key for that seat, in place of another; `version` as in `SeatNews`."""
        player, key = self.players[seat], secrets.token_urlsafe(KEY_BYTES)
        kind = "replaced" if seat in self.taken else "joined"
        with self._changing():
            self._holders[player] = _hash(key)
        self._tell(SeatNews(kind, seat, version))
        return key

    def leave(self, seat: int) -> bool:
        """Give the seat of that phone back; returns whether it had one."""
        with self._changing():
            return self._holders.pop(self.players[seat], None) is not None

    def put_out(self, seat: int) -> bool:
        """Disconnect that seat's phone; returns whether it had one. The seat gets another code."""
        with self._changing():
            return self._clear(seat)

    def free(self, seat: int, version: int, forget: Callable[[], object]) -> None:
        """Clear that seat for somebody else; `forget` forgets what was noted there, and the seat
        stays as it is if that fails."""
        with self._changing(forget):
            self._clear(seat)
        self._tell(SeatNews("freed", seat, version))

    def free_all(self, then: Callable[[], object] = lambda: None) -> int:
        """Disconnect every phone, spectators included, and change every code; `then` belongs to it.
        Returns how many seats had a phone."""
        number = len(self.taken)
        with self._changing(then):
            self._holders = {}
            self._codes = {name: guard.make_code() for name in self.players}
            self._change_code()
        return number

    @property
    def news(self) -> tuple[SeatNews, ...]:
        """The latest news of each seat, the latest last."""
        return tuple(self._news.values())

    def _clear(self, seat: int) -> bool:
        player = self.players[seat]
        self._codes[player] = guard.make_code()
        return self._holders.pop(player, None) is not None

    def _tell(self, news: SeatNews) -> None:
        player = self.players[news.seat]
        self._news.pop(player, None)
        self._news[player] = news

    def _change_code(self) -> None:
        """Change the table's code; spectators have to give the new one."""
        self.code = guard.make_code(self._code_length)
        self.visitor = secrets.token_urlsafe(KEY_BYTES)

    # -- what is saved ----------------------------------------------------------------------------

    @contextmanager
    def _changing(self, then: Callable[[], object] = lambda: None) -> Iterator[None]:
        """Save what the block changes, and do what belongs to it; if one of them fails, all is as
        before."""
        before = self.code, self.visitor, dict(self._holders), dict(self._codes)
        try:
            yield
            self._write()
            then()
        except BaseException:
            self.code, self.visitor, self._holders, self._codes = before
            with suppress(StoreError):
                self._write()
            raise
        self._seat(self.players)
        self._news = {
            name: news
            for name, news in self._news.items()
            if news.kind == "freed" or name in self._holders
        }

    def _write(self) -> None:
        holders = self._holders
        self._keep(
            {
                "code": self.code,
                "visitor": self.visitor,
                "seats": {name: holders[name] for name in self.players if name in holders},
                "codes": {name: self._codes[name] for name in self.players},
            }
        )


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
