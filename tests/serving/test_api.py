"""The API for programs: seats, views, moves, taps and errors."""

from __future__ import annotations

import asyncio
import json
from typing import TYPE_CHECKING, Any, cast

import pytest

from companion.phones.serving import guard, words
from companion.phones.serving.asks import PATIENCE
from companion.phones.serving.messages import JSON
from engine import views
from tests.serving.table import SELECTED, Table, cookies, header

if TYPE_CHECKING:
    from pathlib import Path

    from companion.phones.serving.phones import Phones


def type_phones(table: Table, rest: str) -> words.Reply:
    """Type `phones` and the rest at the table."""
    return words.answer(cast("Phones", table), rest)


async def test_a_seat_is_joined_with_the_code_and_left_again(table: Table) -> None:
    status, match = await table.send("/api/join", code="abcd-2345", seat=2)
    assert status == 200
    key = match.pop("key")
    assert match == {"seat": 2, "player": "Kurt"}
    assert (await table.read("/api/seat", key))[0] == 200
    assert await table.send("/api/leave", key) == (200, {"seat": 2, "player": "Kurt"})
    assert (await table.read("/api/seat", key))[0] == 401
    assert (await table.send("/api/join", code=table.code, seat=2))[0] == 200


async def test_joining_sets_a_cookie_that_no_script_and_no_other_site_gets(table: Table) -> None:
    body = b'{"code": "ABCD2345", "seat": 1}'
    answer = await table.ask("POST", "/api/join", body, content_type="application/json")
    (text,) = cookies(answer).values()
    assert "HttpOnly" in text
    assert "SameSite=Strict" in text
    key = text.partition(";")[0]
    view = await table.get("/api/seat", f"companion_seat_8420={key}")
    assert view.status == 200


async def test_a_taken_seat_is_asked_for_and_given_with_the_table_s_yes(table: Table) -> None:
    old = await table.join(2)
    status, request = await table.send("/api/join", code=table.code, seat=2)
    assert (status, set(request)) == (202, {"number", "ticket"})
    assert any(f"phones allow {request['number']}" in text for text in table.told)
    again = {"code": table.code, "seat": 2, "ticket": request["ticket"]}
    assert await table.send("/api/join", **again) == (202, request)
    table.door.asks.answer(int(request["number"]), allowed=True)
    status, match = await table.send("/api/join", **again)
    assert status == 200
    assert table.door.seat_of(match["key"]) == 1
    assert (await table.read("/api/seat", old))[0] == 401
    assert (await table.send("/api/join", **again))[0] == 403  # a ticket is good once


async def test_the_first_who_asks_keeps_nobody_from_the_seat(table: Table) -> None:
    await table.join(4)
    request: dict[str, Any] = {"code": table.code, "seat": 4}
    _status, stranger = await table.send("/api/join", **request)
    status, ben = await table.send("/api/join", **request)
    assert status == 202
    assert stranger["number"] != ben["number"]
    table.door.asks.answer(int(ben["number"]), allowed=True)
    assert (await table.send("/api/join", **request, ticket=stranger["ticket"]))[0] == 202
    assert (await table.send("/api/join", **request, ticket=ben["ticket"]))[0] == 200


async def test_a_program_that_is_refused_a_seat_waits_longer_each_time(tmp_path: Path) -> None:
    now = 1000.0
    table = Table(tmp_path, clock=lambda: now)
    try:
        await table.join(2)
        request: dict[str, Any] = {"code": table.code, "seat": 2}
        waits = []
        for _time in range(3):
            _status, match = await table.send("/api/join", **request)
            table.door.asks.answer(int(match["number"]), allowed=False)
            status, result = await table.send("/api/join", **request, ticket=match["ticket"])
            assert (status, result["error"]) == (403, "The table has said no to Kurt's seat.")
            body = json.dumps(request).encode()
            answer = await table.ask("POST", "/api/join", body, content_type=JSON)
            assert answer.status == 429
            waits.append(int(header(answer, "Retry-After") or 0))
            now += waits[-1]
        assert waits == [5, 10, 20]
        assert table.door.asks.unanswered == ()
        _status, match = await table.send("/api/join", **request)
        now += PATIENCE + 1
        status, result = await table.send("/api/join", **request, ticket=match["ticket"])
        assert (status, result["error"]) == (403, "The table has not answered; ask again.")
    finally:
        table.close()


async def test_a_seat_s_own_code_opens_that_seat_alone_at_once(table: Table) -> None:
    old, own = await table.join(2), table.door.codes[1]
    status, match = await table.send("/api/join", code=own.lower(), seat=2)
    assert (status, match["player"]) == (200, "Kurt")
    assert (await table.read("/api/seat", old))[0] == 401
    assert (await table.send("/api/join", code=own))[1]["seat"] == 2
    assert (await table.send("/api/join", code=own, seat=1))[0] == 403
    assert (await table.read("/api/table", own))[0] == 401


@pytest.mark.parametrize("private", ["choose Ashley king", "kill king"])
async def test_a_free_seat_with_a_secret_is_asked_for_as_a_taken_one_is(
    tmp_path: Path, private: str
) -> None:
    kill = private.startswith("kill")
    moves = f"{SELECTED}; call; reveal Ashley" if kill else SELECTED
    table = Table(tmp_path, f"{moves}; {private}")
    try:
        await table.join(1)
        answers = []
        for seat in (1, 3):
            body = json.dumps({"code": table.code, "seat": seat}).encode()
            answer = await table.ask("POST", "/api/join", body, content_type=JSON)
            match = json.loads(answer.body)
            answers.append((answer.status, answer.headers, len(answer.body), sorted(match)))
            player = table.session.setup.players[seat - 1]
            text = f"A phone with the number {match['number']} is asking for {player}'s seat."
            assert table.told[-1].startswith(text)
        assert answers[0] == answers[1]
        assert answers[0][0] == 202
        assert (await table.send("/api/join", code=table.code, seat=4))[0] == 200
        table.session.undo()  # somebody may redo it
        assert (await table.send("/api/join", code=table.code, seat=3))[0] == 202
    finally:
        table.close()


async def test_in_a_public_house_every_seat_is_asked_for(tmp_path: Path) -> None:
    table = Table(tmp_path, is_public=True)
    try:
        status, request = await table.send("/api/join", code=table.code, seat=1)
        assert status == 202
        assert (await table.read("/api/table", table.code))[0] == 200
        table.door.asks.answer(int(request["number"]), allowed=True)
        again = {"code": table.code, "seat": 1, "ticket": request["ticket"]}
        assert (await table.send("/api/join", **again))[0] == 200
        assert (await table.send("/api/join", code=table.door.codes[2], seat=3))[0] == 200
    finally:
        table.close()


async def test_every_arrival_is_told_and_the_latest_can_be_put_out(table: Table) -> None:
    stranger = await table.join(3)
    text = "Ashley has joined with a phone."
    assert table.told == [f"{text} To remove it: phones out."]
    assert table.messages == [text]
    assert type_phones(table, "out").lines == ("Ashley's phone was removed.",)
    assert (await table.read("/api/seat", stranger))[0] == 401
    assert type_phones(table, "out").refused
    # whoever was put out asks for that seat, others need not
    assert (await table.send("/api/join", code=table.code, seat=3))[0] == 202
    assert (await table.send("/api/join", code=table.code, seat=4))[0] == 200


async def test_the_words_of_the_table_answer_by_number(table: Table) -> None:
    await table.join(2)
    questions = [(await table.send("/api/join", code=table.code, seat=2))[1] for _time in range(2)]
    numbers = [one["number"] for one in questions]
    assert type_phones(table, "allow kurt").refused  # which of the two?
    assert type_phones(table, "allow 9").refused
    for number in numbers:
        text = f"A phone with the number {number} is asking for Kurt's seat."
        assert text in type_phones(table, "").lines
    assert numbers[1] in type_phones(table, f"allow {numbers[1]}").lines[0]
    assert type_phones(table, "refuse Kurt").lines[0].endswith("does not get Kurt's seat.")
    again = {"code": table.code, "seat": 2, "ticket": questions[1]["ticket"]}
    assert (await table.send("/api/join", **again))[0] == 200
    report = type_phones(table, "code Kurt")
    assert guard.format_code(table.door.codes[1]) in report.lines[0]
    assert report.code == table.door.codes[1]


async def test_wrong_codes_are_answered_late_and_the_right_one_always_works(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    late: list[float] = []

    async def sleep(seconds: float) -> None:
        late.append(seconds)

    monkeypatch.setattr(asyncio, "sleep", sleep)
    wrong = [await table.send("/api/join", code="WRONG", seat=1) for _try in range(6)]
    assert [status for status, _found in wrong] == [403] * guard.MOST_WRONG + [429]
    assert [seconds for seconds in late if seconds] == [guard.LONGEST_WAIT]
    assert (await table.read("/api/table", "WRONG"))[0] == 429
    assert (await table.read("/api/table", table.code))[0] == 200
    assert (await table.send("/api/join", code=table.code, seat=1))[0] == 200


@pytest.mark.parametrize(
    "fields",
    [{"code": "ABCD2345"}, {"code": "ABCD2345", "seat": 5}, {"code": "ABCD2345", "seat": True},
     {"code": 5, "seat": 1}, {"code": "ABCD2345", "seat": "1"}, {}],
)  # fmt: skip
async def test_a_request_that_makes_no_sense_is_told_so(table: Table, fields: dict) -> None:
    status, match = await table.send("/api/join", **fields)
    assert status == 400
    assert match["error"]


async def test_views_are_those_of_replay(table: Table) -> None:
    key = await table.join(1)
    true = table.session.referee.table
    public = (200, views.table_json(true))
    assert await table.read("/api/table", table.code) == public
    assert await table.read("/api/table", key) == public
    assert await table.read("/api/seat", key) == (200, views.table_json(true, viewer=0))
    for path in ("/api/table", "/api/seat", "/api/events"):
        assert (await table.read(path))[0] == 401
    assert (await table.read("/api/seat", table.code))[0] == 401


async def test_a_move_is_answered_with_the_table_after_it(table: Table) -> None:
    kurt = await table.join(2)
    status, match = await table.send("/api/moves", kurt, move=SELECTED)
    assert status == 200
    assert match == views.table_json(table.session.referee.table, viewer=1)
    assert match["faceup"] == ["bishop", "merchant"]


async def test_a_program_sees_its_own_character_and_nobody_else_s(table: Table) -> None:
    anna, kurt = await table.join(1), await table.join(2)
    assert (await table.send("/api/moves", kurt, move=SELECTED))[0] == 200
    status, match = await table.send("/api/moves", anna, move="choose Anna king")
    assert (status, match["chosen"]) == (200, {"Anna": ["king"]})
    assert (await table.read("/api/seat", anna))[1]["chosen"] == {"Anna": ["king"]}
    assert (await table.read("/api/seat", kurt))[1]["chosen"] == {}
    for key in (anna, kurt, table.code):
        assert (await table.read("/api/table", key))[1]["chosen"] == {}


async def test_a_move_that_the_rules_forbid_is_refused_as_in_a_record(table: Table) -> None:
    kurt = await table.join(2)
    before = views.table_json(table.session.referee.table, viewer=1)
    status, match = await table.send("/api/moves", kurt, move="call")
    assert status == 409
    refusal = match.pop("refused")
    before.pop("refused")
    assert match == before
    assert refusal.keys() == {"index", "move", "rule", "reason"}
    assert (refusal["index"], refusal["move"]) == (0, "call")
    status, match = await table.send("/api/moves", kurt, move="hello")
    assert (status, match["refused"]["rule"]) == (409, "move.unknown")


async def test_a_move_of_somebody_else_s_is_not_made(table: Table) -> None:
    anna = await table.join(1)
    status, _found = await table.send("/api/moves", anna, move=SELECTED)
    assert status == 403
    assert not table.session.referee.moves
    assert (await table.send("/api/moves", move=SELECTED))[0] == 401
    assert (await table.send("/api/moves", table.code, move=SELECTED))[0] == 401
    assert (await table.send("/api/moves", anna))[0] == 400


async def test_an_unknown_chip_is_told_so_and_changes_nothing(table: Table) -> None:
    anna = await table.join(1)
    assert (await table.send("/api/taps", anna, chip="04A2B3C4D5E680"))[0] == 404
    assert (await table.send("/api/taps", anna, chip="king"))[0] == 400
    assert (await table.send("/api/taps", anna))[0] == 400


async def test_sentences_are_in_the_language_asked_for(table: Table) -> None:
    anna = await table.join(1)
    body = b'{"move": "call"}'
    answer = await table.ask(
        "POST",
        "/api/moves",
        body,
        content_type="application/json",
        authorization=f"Bearer {anna}",
        accept_language="fr-CH, en;q=0.5",
    )
    assert "Ce" in answer.body.decode()
