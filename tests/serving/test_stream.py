"""Event streams: each viewer's events, resuming, and disconnects."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator
from typing import Any

import pytest

from companion.phones.serving import stream
from tests.serving.local_table import SELECTED, Answer, Table, header

KILLED = (SELECTED, "call", "reveal Anna", "kill king")


async def listening(table: Table, key: str, query: str = "", **headers: str) -> AsyncGenerator:
    answer: Answer = await table.ask(
        "GET", f"/api/events{query}", b"", authorization=f"Bearer {key}", **headers
    )
    assert (header(answer, "Content-Type") or "").startswith("text/event-stream")
    assert answer.parts is not None
    assert (await anext(answer.parts)).startswith(b"retry: ")
    return answer.parts


async def event(events: AsyncGenerator) -> dict[str, Any]:
    """The next event: its id and data."""
    number, data, *_rest = (await anext(events)).decode().split("\n")
    results: dict[str, Any] = json.loads(data.removeprefix("data: "))
    assert number == f"id: {results['version']}"
    return results


async def test_the_first_event_is_the_table_and_each_move_one_more(table: Table) -> None:
    anna, public = await table.join(1), await listening(table, table.code)
    own = await listening(table, anna)
    for events in (own, public):
        assert (await event(events))["lines"] == []
    for move in KILLED:
        table.session.play(move)
    for events, victim in ((own, "king"), (public, None)):
        told = [await event(events) for _move in KILLED]
        assert [one["version"] - told[0]["version"] for one in told] == [0, 1, 2, 3]
        assert told[0]["lines"]
        assert told[0]["view"]["faceup"] == ["bishop", "merchant"]
        assert told[-1]["view"]["killed"] == victim
    table.session.undo()
    assert "Undone" in (await event(public))["lines"][0]


async def test_the_same_viewers_get_the_same_bytes(table: Table) -> None:
    streams = [await listening(table, table.code) for _time in range(3)]
    for events in streams:
        await anext(events)
    table.session.play(SELECTED)
    assert len({await anext(events) for events in streams}) == 1


async def test_whoever_was_away_gets_what_was_missed(table: Table) -> None:
    version = table.phones.version
    for move in (SELECTED, "call", "reveal Anna"):
        table.session.play(move)
    events = await listening(table, table.code, last_event_id=str(version + 1))
    gap = (await anext(events)).decode()
    assert gap.count("id: ") == 2
    assert f"id: {version + 3}\n" in gap
    for strange in ("x", "-1", "9" * 15, "9" * 500):
        events = await listening(table, table.code, last_event_id=strange)
        assert (await event(events))["version"] == version + 3


async def test_whoever_could_not_be_told_in_time_comes_back_for_it(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    events = await listening(table, table.code)
    await event(events)
    monkeypatch.setattr(stream, "PATIENCE", 0.01)
    monkeypatch.setattr(table.streams._desk, "_post", lambda _work: None)  # its thread is busy
    table.session.play(SELECTED)
    assert [part async for part in events] == []  # and not `again`: it is to wait a little


async def test_a_phone_that_was_put_out_hears_no_more(table: Table) -> None:
    anna = await table.join(1)
    events = await listening(table, anna)
    await anext(events)
    table.door.put_out(0)
    table.streams.tell_door()
    assert [part async for part in events] == [stream.AGAIN]  # and then learns that it is


async def test_everybody_hears_of_the_door(table: Table) -> None:
    own, public = await listening(table, await table.join(1)), await listening(table, table.code)
    await anext(own)
    await anext(public)
    await table.send("/api/join", code=table.code, seat=3)
    data = b'{"lines": ["Ashley has joined with a phone."]}'
    for events in (own, public):
        assert await anext(events) == b"event: door\ndata: " + data + b"\n\n"


async def test_a_seat_s_phone_may_hear_what_everybody_hears(table: Table) -> None:
    events = await listening(table, await table.join(1), "?view=public")
    await anext(events)
    for move in KILLED:
        table.session.play(move)
    told = [await event(events) for _move in KILLED]
    assert told[-1]["view"]["killed"] is None


async def test_whoever_does_not_keep_up_is_let_go(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stream, "MOST_WAITING", 2)
    events = await listening(table, table.code)
    await anext(events)
    table.session.play(SELECTED)
    for _time in range(4):
        table.session.undo()
        table.session.redo()
        await asyncio.sleep(0)
    for _turn in range(20):
        await asyncio.sleep(0)
    left = [event async for event in events]
    assert len(left) <= stream.MOST_WAITING
    assert not table.streams._groups


async def test_nothing_happening_is_told_now_and_then(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stream, "HEARTBEAT_SECONDS", 0.01)
    events = await listening(table, table.code)
    await anext(events)
    assert await anext(events) == stream.HEARTBEAT


async def test_only_so_many_listen(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stream, "MOST_LISTENERS", 2)
    async_generators = [await listening(table, table.code) for _time in range(2)]
    answer = await table.ask("GET", "/api/events", b"", authorization=f"Bearer {table.code}")
    assert answer.status == 503
    await listening(table, await table.join(1))
    await async_generators[0].aclose()
    await listening(table, table.code)


async def test_another_game_s_lower_numbers_are_told_too(table: Table) -> None:
    events = await listening(table, table.code)
    await anext(events)
    table.streams.begin_anew()
    for group in table.streams._groups.values():
        for listener in group.listeners:
            listener.put(1, b"id: 1\n\n")
    assert await anext(events) == b"id: 1\n\n"
