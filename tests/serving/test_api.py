"""The API for programs: seats, views, moves, taps and errors."""

from __future__ import annotations

from typing import Any

import pytest

from companion.phones.serving import guard
from engine import views
from tests.serving.table import SELECTED, Table, cookies


async def test_a_seat_is_joined_with_the_code_and_left_again(table: Table) -> None:
    status, found = await table.send("/api/join", code="abcd-2345", seat=2)
    assert status == 200
    key = found.pop("key")
    assert found == {"seat": 2, "player": "Kurt"}
    assert (await table.read("/api/seat", key))[0] == 200
    assert await table.send("/api/leave", key) == (200, {"seat": 2, "player": "Kurt"})
    assert (await table.read("/api/seat", key))[0] == 401
    assert (await table.send("/api/join", code=table.code, seat=2))[0] == 200


async def test_joining_sets_a_cookie_that_no_script_and_no_other_site_gets(table: Table) -> None:
    body = b'{"code": "ABCD2345", "seat": 1}'
    answer = await table.ask("POST", "/api/join", body, content_type="application/json")
    (said,) = cookies(answer).values()
    assert "HttpOnly" in said
    assert "SameSite=Strict" in said
    key = said.partition(";")[0]
    seen = await table.get("/api/seat", f"companion_seat={key}")
    assert seen.status == 200


async def test_a_taken_seat_is_asked_for_and_given_with_the_table_s_yes(table: Table) -> None:
    old = await table.join(2)
    status, found = await table.send("/api/join", code=table.code, seat=2)
    assert status == 409
    assert found["seat"] == 2
    assert any("phones allow 2" in told for told in table.told)
    again = {"code": table.code, "seat": 2, "request": found["request"]}
    assert (await table.send("/api/join", **again))[0] == 409
    table.door.answer(1, allowed=True)
    status, found = await table.send("/api/join", **again)
    assert status == 200
    assert table.door.seat_of(found["key"]) == 1
    assert (await table.read("/api/seat", old))[0] == 401


async def test_a_program_that_is_refused_a_seat_does_not_ask_again_unawares(table: Table) -> None:
    await table.join(2)
    asked: dict[str, Any] = {"code": table.code, "seat": 2}
    token = (await table.send("/api/join", **asked))[1]["request"]
    table.door.answer(1, allowed=False)
    status, found = await table.send("/api/join", **asked, request=token)
    assert (status, found["request"], found["error"]) == (409, "", "Kurt's phone keeps the seat.")
    assert table.door.asks == ()
    assert (await table.send("/api/join", **asked))[1]["request"]
    assert (await table.send("/api/join", **asked))[1]["request"] == ""  # while that is open


async def test_codes_are_tried_a_few_times_a_minute(table: Table) -> None:
    wrong = [await table.send("/api/join", code="WRONG", seat=1) for _try in range(6)]
    assert [status for status, _found in wrong] == [403] * guard.MOST_WRONG + [429]
    assert (await table.send("/api/join", code=table.code, seat=1))[0] == 429
    assert (await table.read("/api/table", table.code))[0] == 429


@pytest.mark.parametrize(
    "fields",
    [{"code": "ABCD2345"}, {"code": "ABCD2345", "seat": 5}, {"code": "ABCD2345", "seat": True},
     {"code": 5, "seat": 1}, {"code": "ABCD2345", "seat": "1"}, {}],
)  # fmt: skip
async def test_a_request_that_makes_no_sense_is_told_so(table: Table, fields: dict) -> None:
    status, found = await table.send("/api/join", **fields)
    assert status == 400
    assert found["error"]


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
    status, found = await table.send("/api/moves", kurt, move=SELECTED)
    assert status == 200
    assert found == views.table_json(table.session.referee.table, viewer=1)
    assert found["faceup"] == ["bishop", "merchant"]


async def test_a_program_sees_its_own_character_and_nobody_else_s(table: Table) -> None:
    anna, kurt = await table.join(1), await table.join(2)
    assert (await table.send("/api/moves", kurt, move=SELECTED))[0] == 200
    status, found = await table.send("/api/moves", anna, move="choose Anna king")
    assert (status, found["chosen"]) == (200, {"Anna": ["king"]})
    assert (await table.read("/api/seat", anna))[1]["chosen"] == {"Anna": ["king"]}
    assert (await table.read("/api/seat", kurt))[1]["chosen"] == {}
    for key in (anna, kurt, table.code):
        assert (await table.read("/api/table", key))[1]["chosen"] == {}


async def test_a_move_that_the_rules_forbid_is_refused_as_in_a_record(table: Table) -> None:
    kurt = await table.join(2)
    before = views.table_json(table.session.referee.table, viewer=1)
    status, found = await table.send("/api/moves", kurt, move="call")
    assert status == 409
    refused = found.pop("refused")
    before.pop("refused")
    assert found == before
    assert refused.keys() == {"index", "move", "rule", "reason"}
    assert (refused["index"], refused["move"]) == (0, "call")
    status, found = await table.send("/api/moves", kurt, move="hello")
    assert (status, found["refused"]["rule"]) == (409, "move.unknown")


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
