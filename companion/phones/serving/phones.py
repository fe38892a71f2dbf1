"""The phones of one program: their table, their door, and their server."""

from __future__ import annotations

import asyncio
import os
import sys
import threading
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Any

from companion import errors
from companion.chips.entries import DistrictChip
from companion.chips.learning import KnownChips
from companion.files import locations
from companion.game import hand_telling
from companion.log.open_game import ADDRESS, PHONES, GameSettings
from companion.phones.happenings import list_private
from companion.phones.lobby import Lobby
from companion.phones.phone_table import PhoneTable
from companion.phones.serving import guard, http
from companion.phones.serving.guard import Connections, RejectionCounter
from companion.phones.serving.seat_keys import SeatKeys
from companion.phones.serving.site import Site, say_words
from companion.phones.serving.stream import GameThread, Post, Streams
from companion.phones.serving.taps_key import TapsKey
from companion.phones.serving.web import Web
from companion.phones.serving.where import Where, listen, tell_address

if TYPE_CHECKING:
    from collections.abc import Callable

    from companion.chips.entries import Entry
    from companion.game.conversation import Conversation
    from companion.game.session import Later, Session
    from companion.phones.phone_table import Lookup
    from companion.phones.serving.http import Handle
    from companion.settings.config import Config
    from companion.setup.shared import SetUp


HANDSHAKE_SECONDS = 10.0
STOPPING = 2.0  # seconds
LOOKS_EVERY = 5.0  # seconds between two looks at this machine's address


class Server:
    """Serves HTTP with the handler `handle`; `call` is safe in any thread.

    When this machine has another address than the one found, the server listens there too and calls
    `on_moved`, in its own thread.
    """

    def __init__(
        self,
        handle: Handle,
        connections: Connections,
        where: Where,
        on_moved: Callable[[], None] = lambda: None,
    ) -> None:
        self._handle = handle
        self._connections = connections
        self._where = where
        self._on_moved = on_moved
        self._loop: asyncio.AbstractEventLoop | None = None
        self._stop = asyncio.Event()
        self._thread = threading.Thread(target=self._serve, name="phones", daemon=True)

    def start(self) -> None:
        """Begin to answer; connections made earlier have been queued."""
        self._loop = asyncio.new_event_loop()
        self._thread.start()

    def call(self, work: Callable[[], object]) -> None:
        """Run `work` in the server's thread without waiting for it."""
        if self._loop is not None:
            with suppress(RuntimeError):  # it was stopped
                self._loop.call_soon_threadsafe(work)

    def stop(self) -> None:
        self.call(self._stop.set)
        if self._thread.is_alive():
            self._thread.join(STOPPING)
        self._where.socket.close()

    def _serve(self) -> None:
        loop = self._loop
        assert loop is not None
        with asyncio.Runner(loop_factory=lambda: loop) as runner:
            runner.run(self._serve_until_stopped())

    async def _serve_until_stopped(self) -> None:
        asyncio.get_running_loop().set_exception_handler(self._handle_error)
        secure: dict[str, Any] = {}
        if self._where.tls is not None:
            secure = {"ssl": self._where.tls, "ssl_handshake_timeout": HANDSHAKE_SECONDS}
        prepare = http.prepare(self._handle, self._connections)
        create = partial(asyncio.get_running_loop().create_server, prepare, **secure)
        place = self._where.host
        servers = {place: await create(sock=self._where.socket)}
        while not await self._is_stopped():
            if (now := self._where.address) == place:
                continue
            with suppress(OSError):  # looked at again soon
                if now not in servers:
                    servers[now] = await create(sock=listen(now, self._where.port))
                place = now
                self._on_moved()
        for server in servers.values():
            server.close()
        self._connections.close()

    async def _is_stopped(self) -> bool:
        """Wait until it is stopped or, if its address may change, until the next look."""
        with suppress(TimeoutError):
            async with asyncio.timeout(LOOKS_EVERY if self._where.is_found else None):
                await self._stop.wait()
        return self._stop.is_set()

    def _handle_error(self, _loop: asyncio.AbstractEventLoop, about: dict[str, Any]) -> None:
        """Handle what asyncio would log: network errors are counted, bugs reported."""
        error = about.get("exception")
        if isinstance(error, Exception) and not isinstance(error, OSError | TimeoutError):
            errors.tell(error)
        else:  # a failed TLS handshake is an OSError too
            self._connections.rejections.add()


_SWITCH_INTERVAL = 0.001  # seconds that a key press may wait for the server's thread each time


class Phones:
    """A face's access to its phones; call every method in the game's thread.

    `post` hands work to that thread from any other, `later` after some seconds. `tell` shows a
    message at the computer, `say` speaks it; `remedy` gives the key or the words there that remove
    the phone that came last.
    """

    def __init__(
        self,
        talk: Conversation | None,
        config: Config,
        where: Where,
        *,
        post: Post,
        later: Later,
        tell: Callable[[str], None],
        say: Callable[[str], None] = lambda text: None,
        remedy: Callable[[], str] = lambda: say_words("out"),
        lookup: Lookup = lambda _uid: None,
        set_up: SetUp | None = None,
        is_hosted: bool = False,
    ) -> None:
        """`talk` is the table's own conversation; without one `set_up` is the game that is being
        set up. `lookup` knows the chips of the table's reader; `is_hosted`, as in `Site`."""
        self.where, self._tell = where, tell
        self._forced = config.plays_forced(people=True)
        self._known = KnownChips(config.chips)
        self._lookup_there = lookup
        self.table = PhoneTable(
            self._notify,
            steps=config.plays_forced(people=False),
            calls=config.calling == "by_itself",
            has_phone=lambda seat: seat in self.door.now.taken,
            has_chips=self._has_chips,
            redraw=self.redraw,
            on_hand=self._notify_hand,
            later=later,
        )
        desk = GameThread(post)
        self.streams = Streams(self.table, desk)
        rejections = RejectionCounter()
        self._group = self._game = ""  # of the game played last; "" before the first one
        self._is_public = config.house == "public"
        length = guard.PUBLIC_LENGTH if self._is_public else guard.TABLE_LENGTH
        if talk is not None:
            session = talk.session
            self._group, self._game = session.settings.group, session.name
            record = session.settings.get(PHONES)
            self.door = SeatKeys(session.setup.players, record, _keep(session), code_length=length)
        else:
            record = None
            if set_up is not None and set_up.unfinished is not None:
                self._game = set_up.unfinished.name
                before = GameSettings(config.games, self._game)
                self._group, record = before.group, before.get(PHONES)
            self.door = SeatKeys((), record, lambda _kept: None, code_length=length)
        self.site = Site(
            *(self.table, self.door, desk, self.streams, where, tell, say),
            remedy=remedy,
            is_public=self._is_public,
            is_hosted=is_hosted,
            taps=TapsKey(os.path.join(config.data, locations.TAPS_NAME)),
        )
        web, connections = Web(self.site, rejections), Connections(rejections)
        self._server = Server(web.answer, connections, where, lambda: post(self._tell_moved))
        if talk is not None:
            self._follow(talk)
        elif set_up is not None:
            self._open_lobby(set_up)

    def open_lobby(self, set_up: SetUp) -> None:
        """Let the phones set up the next game; the phone with the crown leads."""
        crown = self.table.session.view.crown
        self._open_lobby(set_up, self.door.now.players[crown], over=True)
        self.redraw()

    def _open_lobby(self, set_up: SetUp, leader: str = "", *, over: bool = False) -> None:
        set_up.stays = not over
        self.door.open_lobby()
        self.table.lobby = Lobby(set_up, self.door, leader, over=over, is_public=self._is_public)
        set_up.listeners.append(self.redraw)

    def close_lobby(self) -> None:
        """Go back to the game before: everybody has the seat that they had in it."""
        if self.table.lobby is not None:
            self._open_door(self.table.session, new_code=False)
            self._take_lobby()
            self.redraw()

    def _take_lobby(self) -> None:
        lobby, self.table.lobby = self.table.lobby, None
        if lobby is not None:
            lobby.close()
            self.table.change()  # no rank has passed meanwhile

    def start(self) -> None:
        sys.setswitchinterval(_SWITCH_INTERVAL)
        self._server.start()

    def _tell_moved(self) -> None:
        """Show the new address at the computer, and keep it for `companion phones`."""
        if self._game and self.table.lobby is None:
            self.table.session.settings.put(ADDRESS, self.where.url)
        self._tell(tell_address(self.where, self.door.now.code)[0])

    def follow(self, talk: Conversation) -> None:
        """Follow another game. Who plays in it, too, keeps their seat, unless it is that of another
        group: then no phone stays but those that have come to its set-up."""
        code = self.door.now.code
        self._open_door(talk.session, new_code=self._is_public and talk.session.name != self._game)
        if self.door.now.code != code:
            self._tell(tell_address(self.where, self.door.now.code)[1])
        self._server.call(self.streams.begin_anew)
        self._follow(talk)
        self._take_lobby()
        self.redraw()

    def _open_door(self, session: Session, *, new_code: bool) -> None:
        settings, players, lobby = session.settings, session.setup.players, self.table.lobby
        record, keep = settings.get(PHONES), _keep(session)
        if settings.group == self._group:
            # the table's code alone gives no seat that holds something private
            private = {players[seat] for seat in list_private(session)}
            only_code = lobby.newcomers & private if lobby is not None else ()
            self.door.follow(players, keep, new_code=new_code, but=only_code)
        elif lobby is not None and record is None:
            is_first = not self._group
            self.door.begin_group(players, keep, lobby.joined, new_code=not is_first)
        else:
            self.door.attend(players, record, keep)
        self._group, self._game = settings.group, session.name

    def _follow(self, talk: Conversation) -> None:
        talk.session.settings.put(ADDRESS, self.where.url)
        self.table.follow(talk, forced=self._forced, lookup=self._lookup)

    def _lookup(self, uid: bytes) -> Entry | None:
        """The chip's entry, from the table's reader or this table's mapping."""
        entry = self._lookup_there(uid)
        if entry is None:
            self._known.refresh()
            entry = self._known.registry.lookup(uid)
        return entry

    def _has_chips(self) -> bool:
        """Whether this table's mapping has chips of districts."""
        self._known.refresh()
        return any(isinstance(entry, DistrictChip) for _uid, entry in self._known.registry)

    def _notify(self) -> None:
        self._server.call(self.streams.wake)

    def _notify_hand(self, seat: int) -> None:
        self._server.call(
            partial(
                self.streams.tell_hand, seat, hand_telling.data(self.table.session.notebook, seat)
            )
        )

    def redraw(self) -> None:
        """Have every page show what has changed without a move, at the door above all; disconnected
        phones get no more events."""
        self._server.call(self.streams.tell_door)

    def stop(self) -> None:
        """Disconnect every phone; they keep their seats."""
        self._server.stop()


def _keep(session: Session) -> Callable[[dict[str, Any]], None]:
    """The function that stores that game's door beside the log."""
    return partial(session.settings.save, PHONES)
