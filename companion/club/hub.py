"""The hub of a club: it takes the tables' messages, keeps their results, and feeds the wall.

Everything here runs in the server's thread; only the ledger, which waits for the disk and plays
records, has a thread of its own. Nothing that the hub sends makes a move at a table.
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
from companion.club import drawing, ledger, messages
from companion.club.board import ClubTable, TableDirectory, Viewers
from companion.club.league import make_draw_message, make_message
from companion.club.league_files import Watched
from companion.club.ledger import Ledger, LedgerResult
from companion.log import StoreError

if TYPE_CHECKING:
    from collections.abc import Callable

    from companion.club.drawing import Drawn, DrawOptions
    from companion.club.messages import Topic

MOST_WAITING = 16 * 1024 * 1024
"""Bytes of the broker's messages that wait for the hub, states and results each; of each topic only
the newest does. A table sends again what is lost."""

MOST_AT_ONCE = 200
"""States that are taken before the wall's viewers have their turn."""

OVERHEAD = 300
"""Bytes that a waiting message costs besides its text."""

LOOK_SECONDS = 1.0


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
    """One club."""

    def __init__(self, club: str, games: str, *, tell: Callable[[str], object]) -> None:
        """`games` is the log of the hub, for the club's history. `tell` shows the judge a line."""
        self.club = club
        self._tell = tell
        self.viewers = Viewers()
        self.board = TableDirectory(self._note_change)
        self.results: list[LedgerResult] = []
        self.seen: dict[str, dict[str, Any]] = {}
        self._folder = os.path.dirname(games)
        self.league = Watched(self._folder)
        self._next_look = 0.0
        self.publish: Callable[[str, bytes], object] = lambda _topic, _payload: None
        """Sends a retained message of the hub's own to the broker; nothing without one."""
        self.refused = 0  # messages that were none
        self._long: set[str] = set()  # own messages that are too long to be sent
        self._ledger = Ledger(games)
        self._worker = ThreadPoolExecutor(1, "ledger")
        self._states, self._results = _Inbox(), _Inbox()
        self._known: set[tuple[str, str, str]] = set()  # table, game and hash of each result
        self._taking: asyncio.Task[None] | None = None  # the results that wait

    async def run(self) -> None:
        """Read the results, and look after silent tables until cancelled."""
        await self._renew_results()
        while True:
            try:
                await self._renew_league()
            except Exception as error:  # the wall must notice silent tables whatever the league is
                errors.tell(error)
            await asyncio.sleep(LOOK_SECONDS)
            self.board.note_silence()

    def stop(self) -> None:
        """Finish writing."""
        self._worker.shutdown()

    # -- messages ------------------------------------------------------------------------------

    async def take(
        self, topic: Topic, payload: bytes, *, by_http: bool = False, again: bool = True
    ) -> None:
        """Take a table's message, which it has sent now (`again`, even if it was known) or which
        the broker has kept. Raises messages.MessageProblem, and StoreError for a result that
        cannot be written."""
        message = self._take_message(topic, payload, by_http=by_http, is_kept=not again)
        if topic.kind == "result":
            await self._take_result(topic.table, message, again=again)

    def _take_message(
        self, topic: Topic, payload: bytes, *, by_http: bool = False, is_kept: bool = False
    ) -> dict[str, Any]:
        try:
            message = self.board.take(topic, payload, by_http=by_http, is_kept=is_kept)
            if topic.kind == "result" and message["game"] != topic.game:
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
        try:
            await self.take(topic, payload, again=not is_retained)
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
            result: LedgerResult = await self._work(self._ledger.take, table, message)
        except messages.MessageProblem as refusal:
            self._count_refusal(table, refusal)
            raise
        is_new = key not in self._known
        if is_new:
            self._known.add(key)
            self.results.append(result)
            self.viewers.wake("")
        if result.state != ledger.WAITING:
            self._confirm(table, message["game"], message["hash"])
        elif is_new:
            self._tell(
                Sentence(
                    "Table {table} has corrected the result of game {game}; the judge decides.",
                    table=table,
                    game=message["game"],
                )
            )

    def _confirm(self, table: str, game: str, hash_: str) -> None:
        self.seen[table] = {"hash": hash_, "game": game}
        topic = messages.name_hub(self.club, "seen", table)
        self.publish(topic, messages.write(self.seen[table]))

    async def decide(self, number: int, *, accept: bool, note: str) -> LedgerResult | None:
        """The judge's answer to a correction that waits. Raises StoreError."""
        result: LedgerResult | None = await self._work(self._decide, number, accept, note)
        if result is not None:
            self._confirm(result.table, result.game, result.hash)
            await self._renew_results()
        return result

    def _decide(self, number: int, accept: bool, note: str) -> LedgerResult | None:
        return self._ledger.decide(number, accept=accept, note=note)

    async def correct(self, number: int, totals: dict[str, int], note: str) -> LedgerResult | None:
        """The judge's own correction. Raises StoreError."""
        result: LedgerResult | None = await self._work(self._ledger.correct, number, totals, note)
        if result is not None:
            await self._renew_results()
        return result

    async def draw_round(self, choices: DrawOptions) -> Drawn:
        """Draw a round. Raises CannotDraw, LeagueError and StoreError."""
        return await self._change_round(drawing.draw_round, self._folder, choices)

    async def swap_players(self, one: str, other: str) -> Drawn:
        """Exchange two players of the last round. Raises as `draw_round`."""
        return await self._change_round(drawing.swap_players, self._folder, one, other)

    async def _change_round(self, change: Callable[..., Drawn], *arguments: Any) -> Drawn:
        result: Drawn = await self._work(change, *arguments)
        self._next_look = 0.0
        await self._renew_league()
        return result

    async def _renew_results(self) -> None:
        self._set_results(await self._work(self._ledger.list_results))
        self.viewers.wake("")

    def _set_results(self, results: list[LedgerResult]) -> None:
        self.results = results
        self._known = {(one.table, one.game, one.hash) for one in results}

    def list_counted(self) -> list[LedgerResult]:
        """The results that count, oldest first."""
        return [one for one in self.results if one.state == ledger.COUNTED]

    # -- the hub's own messages ----------------------------------------------------------------

    async def _renew_league(self) -> None:
        """Show and publish the league if anything of it has changed: a result, a file that somebody
        has edited, or what another program has written. It takes a tenth of the time at most."""
        loop = asyncio.get_running_loop()
        begin, problem = loop.time(), self.league.problem
        if begin < self._next_look:
            return
        try:
            news = await self._work(self.league.renew)
            results = await self._work(self._ledger.list_results) if news else self.results
        except StoreError as error:
            self._tell(str(error))
            news, results = False, self.results
        self._next_look = loop.time() + 10 * (loop.time() - begin)
        if self.league.problem not in ("", problem):
            self._tell(self.league.problem)
        if news:
            self._set_results(results)
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
        for kind in ("players", "draw", "standings"):
            payload = self.find_own(kind)
            if payload is not None:
                self.publish(messages.name_hub(self.club, kind), payload)
        for table, sightings in self.seen.items():
            self.publish(messages.name_hub(self.club, "seen", table), messages.write(sightings))

    def find_own(self, *levels: str) -> bytes | None:
        """The hub's own message at that topic; None if there is none, or if it is longer than any
        table reads, which the judge is told once."""
        match levels:
            case ("players",):
                message = self.players
            case ("draw",):
                message = self.draw
            case ("standings",):
                message = self.standings
            case ("seen", table):
                message = self.seen.get(table)
            case _:
                message = None
        payload = None if message is None else messages.write(message)
        if payload is not None and len(payload) > messages.LARGEST:
            self._tell_long(levels[0], len(payload))
            return None
        self._long.discard(levels[0])
        return payload

    def _tell_long(self, kind: str, number: int) -> None:
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
        """Run that in the ledger's thread."""
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._worker, function, *arguments)
