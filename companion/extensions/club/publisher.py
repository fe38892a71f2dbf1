"""A table's voice in its club: it listens to the game and publishes what everybody sees of it.

It never delays a move: the game leaves its newest view in a slot of one, and a thread of its own
makes and sends the message. Nothing that comes from the club makes a move.
"""

from __future__ import annotations

import random
import threading
import time
from collections import deque
from typing import TYPE_CHECKING, Any

from common.clean import clean_text
from common.sentences import Sentence
from companion import __version__, errors, language
from companion.extending import Onlooker, Seen
from companion.extensions.club import messages
from companion.extensions.club.address import ClubAddress, parse_club
from companion.extensions.club.broker_link import REFUSED, TAKEN, BrokerLink, LinkLost
from companion.extensions.club.message_kinds import LONGEST_TEXT
from companion.extensions.club.messages import Topic
from companion.extensions.club.outbox import Outbox

if TYPE_CHECKING:
    from collections.abc import Callable

FIRST_DELAY, LONGEST_DELAY, LONGEST_REFUSED_DELAY = 0.2, 2.0, 60.0
"""Seconds until the next try to connect; they double, half more or less at random. With the
second that a link looks for another computer, all tables are back within five seconds of a broker's
start, however long it was away. A club that refuses this table needs a person to change that."""

RESENDING, LONGEST_RESENDING = 20.0, 600.0
"""Seconds until a result that the hub has not confirmed is sent again; they double."""

LEAVING = 2.0
"""Seconds in which what is left is still sent when the program ends."""

MOST_CALLS = 4
"""Calls for a judge that wait to be sent."""

MOST_MISTAKES = 5
"""Unexpected errors that a person is told, each once."""


def lengthen(delay: float, kind: str, *, was_there: bool) -> float:
    """Seconds until the next try to connect, after one that waited `delay` and ended by that kind
    of problem; `was_there` says whether the table had been on the wall."""
    if kind == REFUSED:  # perhaps only a call is
        return min(2 * delay, LONGEST_REFUSED_DELAY)
    return FIRST_DELAY if was_there else min(2 * delay, LONGEST_DELAY)


class Publisher(Onlooker):
    """Publishes one table's games; its methods return at once.

    `tell` shows a person one line; any thread may call it.
    """

    def __init__(
        self,
        url: str,
        folder: str,
        tell: Callable[[str], object],
        *,
        connect: Callable[[ClubAddress, Callable[[], None]], BrokerLink] = BrokerLink,
    ) -> None:
        """`url` is the club's address, `folder` the table's data folder."""
        self._tell_person, self._connect = tell, connect
        self.address = parse_club(url)
        self._said = ""  # the kind of problem that was told last
        self._mistakes: set[str] = set()
        self._game = ""  # that is seen now
        self._wake = threading.Condition()
        self._woken = False
        self._ended = False
        self._slot: Seen | None = None
        self._latest: Seen | None = None  # what was sent last, for the next connection
        self._resending, self._next_sending = RESENDING, 0.0
        self._calls: deque[str] = deque(maxlen=MOST_CALLS)
        self._state = messages.READY  # ALERT from a call until the next move
        self._birth = 0
        self._births: set[int] = set()  # of connections on which something was sent
        self._is_there = False
        self._outbox = Outbox(folder, self.address)
        self._thread = threading.Thread(target=self._run, name="club", daemon=True)

    def call_judge(self, text: str) -> None:
        self._calls.append(clean_text(text, limit=LONGEST_TEXT))
        self._notify()

    def close(self) -> None:
        """Send what is left, if that is quick, and say good-bye."""
        self._ended = True
        self._notify()
        if self._thread.is_alive():
            self._thread.join(LEAVING)

    def see(self, seen: Seen) -> None:
        """Leave it for the thread, in place of one that it has not taken."""
        if seen.game != self._game:
            self._game = seen.game
            self._outbox.add(seen.game)  # before a move: the program may be killed at any time
        with self._wake:
            self._slot, self._woken = seen, True
            self._wake.notify()
        if not self._thread.is_alive() and not self._ended:
            self._thread.start()

    def _notify(self) -> None:
        with self._wake:
            self._woken = True
            self._wake.notify()

    # -- the thread --------------------------------------------------------------------------------

    def _run(self) -> None:
        delay = FIRST_DELAY
        while not self._ended:
            link = self._connect(self.address, self._notify)
            self._is_there = False
            try:
                self._serve(link)
                return
            except LinkLost as error:
                self._say(error)
                kind = error.kind
                if kind == TAKEN:
                    return
            except Exception as error:  # a bug must not silence the table for the whole evening
                self._say_mistake(error)
                kind = REFUSED
            finally:
                link.close()
            delay = lengthen(delay, kind, was_there=self._is_there)
            self._rest(delay * random.uniform(0.5, 1.5))

    def _serve(self, link: BrokerLink) -> None:
        """Publish until the program ends. Raises LinkLost."""
        self._birth = self._outbox.count_birth()
        link.open(self._birth, self._births)
        self._births.add(self._birth)
        self._send_status(link, messages.INIT)
        news = self._take() or self._latest
        if news is not None:
            self._send_meta(link, news)
            self._send_state(link, news)
            self._send_results(link)
        self._send_status(link, self._state)
        self._is_there = True
        if self._said:
            self._said = ""
            self._tell_person(Sentence("The club sees this table again."))
        while not self._ended:
            self._wait(self._find_pause(link))
            self._work(link)
        self._work(link)
        self._send_status(link, messages.DISCONNECTED)

    def _work(self, link: BrokerLink) -> None:
        """Send whatever there is, and at least a sign of life where one is due."""
        link.check()
        last, news = self._latest, self._take()
        if news is not None:
            if last is None or last.game != news.game:
                self._send_meta(link, news)
            self._send_state(link, news)
            is_next = last is not None and last.game != news.game  # the end may not have been seen
            if is_next or news.table.stage == "over":
                self._resending = RESENDING
                self._send_results(link)
        if self._outbox.is_waiting and time.monotonic() >= self._next_sending:
            self._resending = min(2 * self._resending, LONGEST_RESENDING)
            self._send_results(link)
        before = self._state
        self._state = messages.READY if news is not None else before
        while self._calls:
            self._send_call(link)
            self._state = messages.ALERT
        if self._state != before or news is None:
            self._send_status(link, self._state)
        for game, hash_ in link.take_seen():
            if self._outbox.note_seen(game, hash_):
                self._resending = RESENDING
                self._tell_person(Sentence("The club has the result of game {name}.", name=game))

    def _find_pause(self, link: BrokerLink) -> float:
        """Seconds until something is due even if nothing happens."""
        if not self._outbox.is_waiting:
            return link.beat
        return min(max(self._next_sending - time.monotonic(), 0.0), link.beat)

    def _take(self) -> Seen | None:
        """The newest view, once."""
        with self._wake:  # a view that is left meanwhile must not be dropped
            news, self._slot = self._slot, None
        if news is not None:
            self._latest = news
        return news

    def _send_meta(self, link: BrokerLink, news: Seen) -> None:
        rules = news.table.rules
        meta = {
            "v": 1,
            "name": self.address.table,
            "edition": rules.edition.id,
            "seats": list(rules.player_names),
            "language": language.current(),
            "version": __version__,
        }
        self._send(link, "meta", meta)

    def _send_state(self, link: BrokerLink, news: Seen) -> None:
        self._send(link, "state", messages.make_state(news, self._birth))

    def _send_results(self, link: BrokerLink) -> None:
        self._next_sending = time.monotonic() + self._resending
        for result in self._outbox.list_waiting(link.list_players()):
            try:
                # A table does not learn that the hub refuses a message, such as one that is too
                # long; and a broker may end the connection at each try.
                messages.read("result", messages.write(result))
                self._send(link, "result", result, result["uuid"])
            except messages.MessageProblem:
                self._outbox.note_seen(result["game"], result["hash"])
                self._tell_person(
                    Sentence(
                        "The club does not accept the result of game {name}; tell its judge.",
                        name=result["game"],
                    )
                )

    def _send_call(self, link: BrokerLink) -> None:
        """Send the oldest call; one that the club refuses is not sent again."""
        try:
            self._send(link, "call", {"v": 1, "at": messages.tell_time(), "text": self._calls[0]})
        except LinkLost as error:
            if error.kind == REFUSED:
                self._calls.popleft()
            raise
        self._calls.popleft()

    def _send_status(self, link: BrokerLink, state: str) -> None:
        self._send(link, "status", {"state": state, "birth": self._birth})

    def _send(self, link: BrokerLink, kind: str, message: dict[str, Any], game: str = "") -> None:
        topic = Topic(self.address.club, self.address.table, kind, game)
        link.send(topic, messages.write(message), retain=kind != "call")

    def _say(self, lost: LinkLost) -> None:
        """Tell a person about a problem, once until it is solved."""
        if lost.kind != self._said and not self._ended:
            self._said = lost.kind
            self._tell_person(lost.sentence)

    def _say_mistake(self, error: Exception) -> None:
        """Tell a person about an error that nobody has expected, each once."""
        for line in errors.lines(error):
            if line not in self._mistakes and len(self._mistakes) < MOST_MISTAKES:
                self._mistakes.add(line)
                self._tell_person(line)

    def _wait(self, seconds: float) -> None:
        with self._wake:
            self._wake.wait_for(lambda: self._woken or self._ended, seconds)
            self._woken = False

    def _rest(self, seconds: float) -> None:
        """Wait before the next try; moves do not shorten it."""
        with self._wake:
            self._wake.wait_for(lambda: self._ended, seconds)
