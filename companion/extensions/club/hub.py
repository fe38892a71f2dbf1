"""The hub of a club: it takes the tables' messages, keeps their results, and feeds the wall.

Everything here runs in the server's thread; only the store of results, which waits for the disk
and plays records, has a thread of its own. Nothing that the hub sends makes a move at a table.
"""

from __future__ import annotations

import asyncio
import os
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from common.sentences import Sentence
from companion import errors
from companion.extensions.club import messages
from companion.extensions.club.directory import ClubTable, TableDirectory, Viewers
from companion.extensions.club.league import make_draw_message, make_message
from companion.extensions.club.league_files import WatchedLeague
from companion.extensions.club.results import Result, take
from companion.log.store import Store, StoreError

if TYPE_CHECKING:
    from collections.abc import Callable

    from companion.extensions.club.messages import Topic

MOST_WAITING = 16 * 1024 * 1024
"""Bytes of the broker's messages that wait for the hub, states and results each; of each topic only
the newest does. A table sends again what is lost."""

MOST_AT_ONCE = 200
"""States that are taken before the wall's viewers have their turn."""

OVERHEAD = 300
"""Bytes that a waiting message costs besides its text."""

LOOK_SECONDS = 1.0
LONGEST_PAUSE = 60.0
"""Seconds between two looks at the league at most, also where one took long: a computer that slept
meanwhile has not been reading."""


class _Inbox:
    """Messages that wait, the newest of each topic; any thread may use it."""

    def __init__(self) -> None:
        self._messages: dict[str, tuple[bytes, bool]] = {}
        self._size = 0
        self._lock = threading.Lock()

    def add(self, topic: str, payload: bytes, is_retained: bool) -> bool:
        """Add a message, unless too much waits; whether it is the first."""
        with self._lock:
            is_first = not self._messages
            old = self._messages.get(topic)
            size = self._size + len(payload) + (-len(old[0]) if old else len(topic) + OVERHEAD)
            if size <= MOST_WAITING:
                self._messages[topic], self._size = (payload, is_retained), size
            return is_first

    def take(self) -> tuple[str, bytes, bool] | None:
        """The oldest, which waits no longer: topic, payload, and whether the broker has kept it."""
        with self._lock:
            if not self._messages:
                return None
            topic = next(iter(self._messages))
            payload, is_retained = self._messages.pop(topic)
            self._size -= len(payload) + len(topic) + OVERHEAD
            return topic, payload, is_retained


class ClubHub:
    def __init__(self, club: str, games: str, *, tell: Callable[[str], object]) -> None:
        """`games` is the log of the hub, for the club's history. `tell` shows the judge a line."""
        self.club = club
        self._tell = tell
        self.viewers = Viewers()
        self.directory = TableDirectory(self._note_change)
        self.results: dict[int, Result] = {}
        """By their numbers, which begin with the oldest."""
        self.seen: dict[str, dict[str, Any]] = {}
        self._folder = os.path.dirname(games)
        self.league = WatchedLeague(self._folder)
        self._next_look = 0.0
        self.publish: Callable[[str, bytes], object] = lambda _topic, _payload: None
        """Sends a retained message of the hub's own to the broker; nothing without one."""
        self.refused = 0  # messages that were none
        self._long: set[str] = set()  # own messages that are too long to be sent
        self._store = Store(games)
        self._worker = ThreadPoolExecutor(1, "results")
        self._states, self._results = _Inbox(), _Inbox()
        self._known: set[tuple[str, str, str]] = set()  # table, game and hash of each result
        self._taking: asyncio.Task[None] | None = None  # the results that wait

    async def run(self) -> None:
        """Look after the league and silent tables until cancelled."""
        while True:
            try:
                await self._renew_league()
            except StoreError as error:
                self._tell(str(error))
            except Exception as error:  # a bug, and the wall must notice silent tables all the same
                errors.tell(error)
            await asyncio.sleep(LOOK_SECONDS)
            self.directory.note_silence()

    def stop(self) -> None:
        """Finish writing."""
        self._worker.shutdown()

    # -- messages ------------------------------------------------------------------------------

    def _take_message(
        self, topic: Topic, payload: bytes, *, is_kept: bool = False
    ) -> dict[str, Any]:
        try:
            message = self.directory.take(topic, payload, is_kept=is_kept)
            names = (message.get("game"), message.get("uuid"))  # tables of before send their name
            if topic.kind == "result" and topic.game not in names:
                raise messages.MessageProblem("result: of another game than its topic")
        except messages.MessageProblem as refusal:
            self._count_refusal(topic.table, refusal)
            raise
        return message

    def note_from_broker(
        self, topic: str, payload: bytes, is_retained: bool, call: Callable[[Any], object]
    ) -> None:
        """Note a message; `call` runs work in the server's thread. Call this in any thread. A flood
        costs no more than its newest messages."""
        is_result = "/result/" in topic
        if (self._results if is_result else self._states).add(topic, payload, is_retained):
            call(self._begin_results if is_result else self._take_states)

    def _take_states(self) -> None:
        for _message in range(MOST_AT_ONCE):
            one = self._states.take()
            if one is None:
                return
            topic, payload = messages.read_topic(one[0]), one[1]
            if topic is not None and topic.club == self.club and payload:
                with suppress(messages.MessageProblem):
                    self._take_message(topic, payload, is_kept=one[2])
        asyncio.get_running_loop().call_soon(self._take_states)

    def _begin_results(self) -> None:
        """Take the results that wait, unless that is being done: what a flood brings meanwhile
        must wait in the inbox, which is bounded."""
        if self._taking is None:
            self._taking = asyncio.get_running_loop().create_task(self._take_results())

    async def _take_results(self) -> None:
        while (one := self._results.take()) is not None:
            text, payload, is_retained = one
            topic = messages.read_topic(text)
            if topic is not None and topic.club == self.club and payload:
                await self._take_quietly(topic, payload, is_retained)
            await asyncio.sleep(0)  # the wall must not wait for all of them
        self._taking = None

    async def _take_quietly(self, topic: Topic, payload: bytes, is_retained: bool) -> None:
        """Take a result that a table has sent now (even if it was known), or that the broker has
        kept."""
        try:
            message = self._take_message(topic, payload, is_kept=is_retained)
            await self._take_result(topic.table, message, again=not is_retained)
        except messages.MessageProblem:
            return  # it was counted
        except StoreError as error:
            self._tell(str(error))  # the table keeps its result, and sends it again
        except Exception as error:  # a bug, which must not keep the other results waiting
            errors.tell(error)

    def _count_refusal(self, table: str, refusal: messages.MessageProblem) -> None:
        self.refused += 1
        if self.refused & (self.refused - 1) == 0:  # the first, the second, the fourth ...
            self._tell(
                Sentence(
                    "Table {table} sent an invalid message ({reason}); {number} so far.",
                    table=table,
                    reason=str(refusal),
                    number=self.refused,
                )
            )

    # -- results -------------------------------------------------------------------------------

    async def _take_result(self, table: str, message: dict[str, Any], *, again: bool) -> None:
        """Keep a result, and confirm it; one that was known only if it was sent `again`."""
        key = table, message["game"], message["hash"]
        if key in self._known and not again:
            return
        try:
            result: Result = await self._work(take, self._store, table, message)
        except messages.MessageProblem as refusal:
            self._count_refusal(table, refusal)
            raise
        if key not in self._known:
            self._known.add(key)
            self.results[result.number] = result
            self.viewers.wake("")
        self.seen[table] = {"hash": message["hash"], "game": message["game"]}
        topic = messages.name_hub(self.club, "seen", table)
        self.publish(topic, messages.write(self.seen[table]))

    # -- the hub's own messages ----------------------------------------------------------------

    async def _renew_league(self) -> None:
        """Show and publish the league if anything of it has changed: a result, a file that somebody
        has edited, or what another program has written. It takes a tenth of the time at most."""
        loop = asyncio.get_running_loop()
        begin, problem = loop.time(), self.league.problem
        if begin < self._next_look:
            return
        try:
            has_changed = await self._work(self.league.renew)
        finally:
            took = loop.time() - begin
            self._next_look = loop.time() + min(10 * took, LONGEST_PAUSE)
        if self.league.problem not in ("", problem):
            self._tell(self.league.problem)
        if has_changed:
            results = self.league.results
            self.results = {one.number: one for one in results}
            self._known = {(one.table, one.name, one.hash) for one in results}
            self.publish_own()
            self.viewers.wake("")

    @property
    def draw(self) -> dict[str, Any] | None:
        """The message that says who sits where; None before the first round."""
        seating = self.league.drawn
        return None if seating is None else make_draw_message(seating)

    @property
    def players(self) -> dict[str, Any] | None:
        """The message with the club's list; None without anybody on it."""
        players = self.league.players
        return {"v": 1, "players": players} if players else None

    @property
    def standings(self) -> dict[str, Any] | None:
        """The message with the ranking; None before the first game."""
        ranking = self.league.standings
        return None if ranking is None or not ranking.rows else make_message(ranking)

    def publish_own(self) -> None:
        """Publish the hub's own messages again: a broker may have forgotten them."""
        own = {"players": self.players, "draw": self.draw, "standings": self.standings}
        for kind, message in own.items():
            payload = b"" if message is None else messages.write(message)
            if len(payload) > messages.LARGEST:
                self._tell_long(kind, len(payload))
            elif payload:
                self._long.discard(kind)
                self.publish(messages.name_hub(self.club, kind), payload)
        for table, sightings in self.seen.items():
            self.publish(messages.name_hub(self.club, "seen", table), messages.write(sightings))

    def _tell_long(self, kind: str, number: int) -> None:
        """Tell the judge once of a message that is longer than any table reads."""
        if kind not in self._long:
            self._long.add(kind)
            self._tell(
                Sentence(
                    "The message {topic} is too long for the tables ({number} bytes, at most "
                    "{most}) and is not sent.",
                    topic=f"hub/{kind}",
                    number=number,
                    most=messages.LARGEST,
                )
            )

    # -- helpers -------------------------------------------------------------------------------

    def _note_change(self, table: ClubTable) -> None:
        self.viewers.wake(table.name)

    async def _work(self, function: Callable[..., Any], *arguments: Any) -> Any:
        """Run that in the store's thread."""
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._worker, function, *arguments)
