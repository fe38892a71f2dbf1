"""The directory, and a table whose club is slow or refuses."""

from __future__ import annotations

import threading
from collections.abc import Callable, Collection
from pathlib import Path

import pytest

from companion.extensions.club import Club, messages, outbox
from companion.extensions.club.address import ClubAddress, parse_club
from companion.extensions.club.broker_link import GONE, REFUSED, LinkLost
from companion.extensions.club.directory import TableDirectory
from companion.extensions.club.messages import Topic
from companion.extensions.club.outbox import Outbox
from companion.extensions.club.publisher import FIRST_DELAY, LONGEST_DELAY, lengthen
from companion.language import list_offered, load_words
from tests.club.door import NOBODY, Links, Recorder
from tests.club.tables import run_table
from tests.waiting import PATIENCE, wait_until


@pytest.mark.parametrize("code", [code for code in list_offered() if code != "en"])
def test_the_word_that_calls_the_judge_has_one_in_the_language(code: str) -> None:
    assert "judge" in load_words(code, "commands")


@pytest.mark.needs("club")
def test_a_game_without_a_club_after_one_has_no_judge(tmp_path: Path) -> None:
    club = Club()
    club.listen({"club": NOBODY}, str(tmp_path), print)
    assert "judge" in club.list_words()
    assert club.listen({"club": None}, str(tmp_path), print) is None
    assert club.list_words() == {}


# -- a table whose club is slow, or gone ----------------------------------------------------------


class Hanging(Recorder):
    """A link that takes nothing until it is let go."""

    def __init__(self, address: ClubAddress, wake: Callable[[], None]) -> None:
        super().__init__(address, wake)
        self.go = threading.Event()

    def send(self, topic: Topic, payload: bytes, *, retain: bool) -> None:
        assert self.go.wait(PATIENCE)
        super().send(topic, payload, retain=retain)


def test_a_slow_club_delays_no_move_and_gets_the_newest_state(tmp_path: Path) -> None:
    links = Links(Hanging)
    with run_table(tmp_path, NOBODY, connect=links) as table:
        wait_until(lambda: links)
        table.play(40)  # returns although nothing is sent
        links[0].go.set()
        links[0].wait_for(b'"seq":40,')
        states = [payload for topic, payload, _retain in links[0].sent if topic.endswith("/state")]
        assert len(states) <= 2


class Refusing(Recorder):
    """A link whose other side forbids everything."""

    def open(self, birth: int, before: Collection[int]) -> None:
        raise LinkLost("forbidden", "refused")


def test_a_problem_is_told_once(tmp_path: Path) -> None:
    tries = Links(Refusing)
    with run_table(tmp_path, NOBODY, connect=tries) as table:
        file = Path(table.config.data, outbox.NAME)
        wait_until(lambda: len(tries) > 1)
        date = file.stat().st_mtime_ns
        wait_until(lambda: len(tries) > 3)
        assert table.told == ["forbidden"]
        assert file.stat().st_mtime_ns == date  # nothing to write down


def test_a_club_that_refuses_a_table_is_asked_less_and_less() -> None:
    delay, delays = FIRST_DELAY, []
    for _try in range(12):
        delay = lengthen(delay, REFUSED, was_there=True)
        delays.append(delay)
    assert delays[:3] == [2 * FIRST_DELAY, 4 * FIRST_DELAY, 8 * FIRST_DELAY]
    assert delays[-1] == 60
    assert lengthen(delay, GONE, was_there=True) == FIRST_DELAY
    assert lengthen(delay, GONE, was_there=False) == LONGEST_DELAY


class Faulty(Recorder):
    """A link with a mistake in it."""

    def check(self) -> None:
        raise ZeroDivisionError


def test_a_mistake_is_told_once_and_the_table_goes_on(tmp_path: Path) -> None:
    links = Links(lambda *how: (Faulty if len(links) < 3 else Recorder)(*how))
    with run_table(tmp_path, NOBODY, connect=links) as table:
        wait_until(lambda: len(links) == 1)
        table.play(1)  # which the link must check for
        wait_until(lambda: len(links) == 2)
        table.play(1)
        wait_until(lambda: len(links) == 3)
        table.play(1)
        wait_until(lambda: len(links) == 4)
        table.play(1)
        links[3].wait_for(b'"seq":4,')
        assert [line for line in table.told if "ZeroDivisionError" in line] == table.told
        assert len(table.told) == 1


class Callless(Recorder):
    """A link whose other side forbids calls for a judge."""

    def send(self, topic: Topic, payload: bytes, *, retain: bool) -> None:
        super().send(topic, payload, retain=retain)
        if topic.kind == "call":
            raise LinkLost("no calls", REFUSED)


def test_a_forbidden_call_is_told_and_not_sent_again(tmp_path: Path) -> None:
    links = Links(Callless)
    with run_table(tmp_path, NOBODY, connect=links) as table:
        wait_until(lambda: links)
        links[0].wait_for(b'"ready"')
        table.publisher.call_judge("please")
        wait_until(lambda: len(table.told) == 2)
        assert table.told == ["no calls", "The club sees this table again."]
        table.play(1)
        links[1].wait_for(b'"seq":1,')
    assert not any(topic.endswith("/call") for topic, _payload, _retain in links[1].sent)


def test_each_connection_has_a_higher_number_also_after_a_crash(tmp_path: Path) -> None:
    address = parse_club(NOBODY)
    births = []
    for _program in range(3):  # each ends without a word
        box = Outbox(str(tmp_path), address)
        births += [box.count_birth() for _connection in range(150)]
    assert births == sorted({*births})


# -- the directory ------------------------------------------------------------------------------


def test_a_will_said_late_changes_nothing() -> None:
    directory = TableDirectory(lambda _table: None)
    say(directory, "status", state="ready", birth=6)
    say(directory, "status", state="ready", birth=7)
    say(directory, "status", state="lost", birth=6)
    assert directory.tables["t1"].status == "ready"
    say(directory, "status", state="lost", birth=7)
    assert directory.tables["t1"].status == "lost"
    say(directory, "status", state="ready", birth=1)  # its folder was lost
    assert directory.tables["t1"].status == "ready"


def test_a_new_table_is_shown_with_its_first_message() -> None:
    shown: list[str] = []
    directory = TableDirectory(lambda table: shown.append(table.name))
    say(directory, "status", state="init", birth=1)
    assert shown == ["t1"]
    say(directory, "status", state="init", birth=1)
    assert shown == ["t1"]


def test_a_table_that_died_while_the_broker_was_away_is_lost() -> None:
    directory = TableDirectory(lambda _table: None)
    for table in ("t1", "t2", "t3"):
        say(directory, "status", table, state="ready", birth=1)
    directory.set_fresh(False)
    directory.set_fresh(True)
    kept = messages.write({"state": "ready", "birth": 1})  # by the broker, which was killed
    directory.take(Topic("pub", "t1", "status"), kept, is_kept=True)
    say(directory, "status", "t2", state="ready", birth=1)
    later = messages.write({"state": "ready", "birth": 2})
    directory.take(Topic("pub", "t3", "status"), later, is_kept=True)
    assert [directory.tables[name].status for name in ("t1", "t2", "t3")] == [
        "lost",
        "ready",
        "ready",
    ]


def test_what_a_broker_has_kept_is_no_sign_of_life() -> None:
    now = [0.0]
    directory = TableDirectory(lambda _table: None, clock=lambda: now[0])
    kept = messages.write({"state": "ready", "birth": 1})
    for now[0] in (0.0, 20.0):
        directory.take(Topic("pub", "t1", "status"), kept, is_kept=True)
    directory.note_silence()
    assert directory.tables["t1"].status == "ready"
    now[0] = 26.0
    directory.note_silence()
    assert directory.tables["t1"].status == "lost"
    say(directory, "status", state="ready", birth=1)
    assert directory.tables["t1"].status == "ready"


def test_tables_are_in_the_order_of_their_numbers() -> None:
    directory = TableDirectory(lambda _table: None)
    for name in ("table-10", "b", "table-2", "2", "10", "table-1"):
        directory.take(Topic("pub", name, "status"), messages.write({"state": "ready", "birth": 1}))
    assert [table.name for table in directory.list_tables()] == [
        *("2", "10", "b", "table-1", "table-2", "table-10"),
    ]


def test_there_is_a_limit_of_tables() -> None:
    directory = TableDirectory(lambda _table: None)
    for number in range(500):
        say(directory, "status", f"t{number}", state="ready", birth=1)
    with pytest.raises(messages.MessageProblem):
        say(directory, "status", "another", state="ready", birth=1)


def test_one_table_leaves_room_for_the_calls_of_others() -> None:
    directory = TableDirectory(lambda _table: None)
    for number in range(60):
        say(directory, "call", v=1, at=messages.tell_time(), text=str(number))
    say(directory, "call", "t2", v=1, at=messages.tell_time(), text="please")
    assert [call["text"] for call in directory.tables["t1"].calls] == ["0", "1", "2"]
    assert [call["text"] for call in directory.tables["t2"].calls] == ["please"]


def test_a_call_is_over_when_the_table_plays_on() -> None:
    directory = TableDirectory(lambda _table: None)
    say(directory, "status", state="ready", birth=1)
    say(directory, "call", v=1, at=messages.tell_time(), text="please")
    say(directory, "status", state="alert", birth=1)
    assert [call["text"] for call in directory.tables["t1"].calls] == ["please"]
    say(directory, "status", state="ready", birth=1)
    assert directory.tables["t1"].calls == []


def say(directory: TableDirectory, kind: str, table: str = "t1", **message: object) -> None:
    directory.take(Topic("pub", table, kind), messages.write(message))
