"""Messages: whatever a real table says is understood, and nothing else."""

from __future__ import annotations

import json
from typing import Any

import pytest

from companion.extending import Seen, Told
from companion.extensions.club import messages, picture
from companion.extensions.club.directory import TableDirectory
from companion.extensions.club.messages import MessageProblem, Topic
from companion.game.demonstration import read_demo
from companion.game.onlooking import list_told
from companion.language import list_offered, speaking
from companion.wording import story
from engine import views
from engine.editions import editions
from engine.record import read_setup
from tests.engine.playing import random_game


@pytest.mark.parametrize("edition", editions())
@pytest.mark.parametrize("cities", ["tracked", "untracked"])
def test_every_state_of_a_game_is_understood(edition: str, cities: str) -> None:
    players = [f"Zoë {number}" for number in range(editions()[edition].max_players)]
    head = {"edition": edition, "players": players, "crown": players[0]}
    setup = read_setup({**head, "options": {"cities": cities}})
    before = None
    for referee in random_game(setup.table(), edition, rounds=3):
        view = views.redact(referee.table, views.PUBLIC)
        told: tuple[Told, ...] = ()
        if before is not None:
            told = list_told(before, referee.moves[-1], view)
        message = messages.make_state(Seen("2026-11-24-1", 1, view, told), birth=1)
        assert messages.read("state", messages.write(message)) == message
        if before is not None:
            assert_told_alike(before, referee.moves[-1], view, message)
        before = view


def assert_told_alike(before: Any, move: Any, view: Any, message: dict[str, Any]) -> None:
    """Assert that the wall says in every language what the table says."""
    directory = TableDirectory(lambda _table: None)
    directory.take(Topic("pub", "t1", "state"), messages.write(message))
    for code in list_offered():
        with speaking(code):
            lines = tuple(filter(None, story.tell(before, move, view)))
            assert picture.draw(directory, directory.tables["t1"]).told == lines, code


@pytest.mark.parametrize(
    "fields",
    [
        {"sentence": "You have lost."},
        {"sentence": "{player.__class__}"},
        {"sentence": "{player} builds the {district} for {cost}."},
        {"sentence": "The crown goes to {player}.", "player": {"noun": "x", "number": 1}},
        {"sentence": "The crown goes to {player}.", "player": {"sentence": "{x:>9999999}"}},
    ],
    ids=["not ours", "a way in", "without fields", "an unknown noun", "a wide field"],
)
def test_a_foreign_sentence_is_not_said(fields: dict[str, Any]) -> None:
    directory = TableDirectory(lambda _table: None)
    message = {**make_state(), "told": [{"id": "x", "fields": fields}, {"id": "y"}]}
    directory.take(Topic("pub", "t1", "state"), messages.write(message))
    assert picture.draw(directory, directory.tables["t1"]).told == ()


def test_a_long_sentence_is_cut() -> None:
    directory = TableDirectory(lambda _table: None)
    names = {"list": [{"list": ["x" * 120] * 20}] * 20}
    fields = {"sentence": "The crown goes to {player}.", "player": names}
    message = {**make_state(), "told": [{"id": "x", "fields": fields}]}
    directory.take(Topic("pub", "t1", "state"), messages.write(message))
    (text,) = picture.draw(directory, directory.tables["t1"]).told
    assert text.startswith("The crown goes to xxx")
    assert len(text) == picture.LONGEST_SENTENCE


def make_state() -> dict[str, Any]:
    view = views.redact(read_demo().start, views.PUBLIC)
    return messages.make_state(Seen("g", 1, view), birth=1)


def put(message: dict[str, Any], *path: str, value: Any) -> dict[str, Any]:
    inner = message
    for name in path[:-1]:
        inner = inner[name]
    inner[path[-1]] = value
    return message


HOSTILE = {
    "another version": put(make_state(), "v", value=2),
    "an unknown field": put(make_state(), "extra", value=1),
    "an unknown field inside": put(make_state(), "state", "legal", value=[]),
    "a secret": put(make_state(), "state", "chosen", value={"Anna": ["king"]}),
    "a number that is true": put(make_state(), "seq", value=True),
    "a number out of range": put(make_state(), "state", "round", value=10**9),
    "markup as an id": put(make_state(), "state", "edition", value="<b>x</b>"),
    "a long name": put(make_state(), "state", "crown", value="x" * 1000),
    "many players": put(make_state(), "state", "players", value={str(n): {} for n in range(99)}),
    "a time that is none": put(make_state(), "at", value="yesterday"),
    "a time before every computer": put(make_state(), "at", value="0001-01-01T00:00:00+00:00"),
    "a time that UTC cannot hold": put(make_state(), "at", value="0001-01-01T00:00:00+05:00"),
    "nobody who is awaited": put(make_state(), "state", "awaiting", value={}),
    "many things told": put(make_state(), "told", value=[{"id": "gold"}] * 13),
    "lists in lists": put(
        make_state(),
        "told",
        value=[{"id": "gold", "fields": {"x": json.loads("[" * 20 + "]" * 20)}}],
    ),
    "no players": put(make_state(), "state", "players", value={}),
}


@pytest.mark.parametrize("message", HOSTILE.values(), ids=HOSTILE)
def test_what_does_not_fit_is_refused(message: dict[str, Any]) -> None:
    with pytest.raises(MessageProblem):
        messages.read("state", messages.write(message))


@pytest.mark.parametrize(
    "payload",
    [
        b"",
        b"\xff",
        rb'{"v": "\ud800"}',
        b"[]",
        b"null",
        b"{}",
        b'{"v": NaN}',
        b"[" * 30_000,
        b"1" * 70_000,
    ],
    ids=[
        "nothing",
        "no text",
        "half a character",
        "a list",
        "null",
        "empty",
        "NaN",
        "deep",
        "large",
    ],
)
def test_what_is_no_message_is_refused(payload: bytes) -> None:
    for kind in messages.FROM_TABLE:
        with pytest.raises(MessageProblem):
            messages.read(kind, payload)


@pytest.mark.parametrize(
    "message",
    [{"state": "\x1b[2J" + "x" * 5000, "birth": 1}, {"\x1b[2J\n" + "x" * 5000: 1}],
    ids=["a value", "a field"],
)
def test_a_reason_quotes_no_more_than_a_line_can_hold(message: dict[str, Any]) -> None:
    with pytest.raises(MessageProblem) as refusal:
        messages.read("status", messages.write(message))
    reason = str(refusal.value)
    assert reason.isprintable()
    assert len(reason) <= 200


def test_text_is_cleaned() -> None:
    call = {"v": 1, "at": messages.tell_time(), "text": "red\x1b[31m \u202egnp\n"}
    assert messages.read("call", messages.write(call))["text"] == "red[31m gnp"


def test_a_result_has_the_hash_of_its_record() -> None:
    referee = read_demo().start
    score = views.score_json(referee, final=True)
    result = {
        "v": 1,
        "game": "g",
        "hash": messages.find_hash("{}"),
        "at": messages.tell_time(),
        "score": score,
        "players": dict.fromkeys(referee.rules.player_names),
        "record": "{}",
    }
    assert messages.read("result", messages.write(result))["record"] == "{}"
    with pytest.raises(MessageProblem):
        messages.read("result", messages.write({**result, "record": "{ }"}))
    with pytest.raises(MessageProblem):
        messages.read("result", json.dumps({**result, "record": "\ud800"}).encode())


@pytest.mark.parametrize(
    "topic",
    [
        *("citadels/v1/pub/t1/other", "citadels/v2/pub/t1/state", "citadels/v1/pub/hub/state"),
        "citadels/v1/pub/wall/state",
        *("citadels/v1/PUB/t1/state", "citadels/v1/pub/t1/state/x", "citadels/v1/pub/t1/result"),
        *("citadels/v1/pub/t1/result/a/b", "state", "citadels/v1/pub/../state", ""),
    ],
)
def test_other_topics_are_not_read(topic: str) -> None:
    assert messages.read_topic(topic) is None


def test_topics_are_read_as_they_are_written() -> None:
    for topic in (
        messages.Topic("pub", "t1", "state"),
        messages.Topic("pub", "t1", "result", "2026-11-24-1"),
    ):
        assert messages.read_topic(topic.text) == topic
