"""The API for programs: seats, views, moves, taps and errors."""

from __future__ import annotations

import asyncio
import json
from typing import TYPE_CHECKING, cast

import pytest

from companion.chips.entries import CharacterChip
from companion.phones.serving import guard, typed_phones
from engine import views
from tests.serving.local_table import SELECTED, Table, cookies, list_codes
from tests.tags.test_chip_lines import ABSENT, CHIP, GOING, IDS

if TYPE_CHECKING:
    from companion.phones.serving.phones import Phones


def type_phones(table: Table, rest: str) -> typed_phones.Reply:
    """Type `phones` and the rest at the table."""
    return typed_phones.answer(cast("Phones", table), rest)


async def test_joining_sets_a_cookie_that_no_script_and_no_other_site_gets(table: Table) -> None:
    body = b'{"code": "ABCD2345", "seat": 1}'
    answer = await table.ask("POST", "/api/join", body, content_type="application/json")
    (cookie,) = cookies(answer).values()
    assert "HttpOnly" in cookie
    assert "SameSite=strict" in cookie
    key = cookie.partition(";")[0]
    view = await table.get("/api/seat", f"companion_seat_8420={key}")
    assert view.status == 200


async def test_a_seat_s_own_code_opens_that_seat_alone_at_once(table: Table) -> None:
    old, own = await table.join(2), list_codes(table.door)[1]
    status, answer = await table.send("/api/join", code=own.lower(), seat=2)
    assert (status, answer["player"]) == (200, "Kurt")
    assert (await table.read("/api/seat", old))[0] == 401
    assert (await table.send("/api/join", code=own))[1]["seat"] == 2
    wide = "".join(chr(ord(letter) + 0xFEE0) for letter in own)  # as a Japanese keyboard types it
    assert (await table.send("/api/join", code=f"\u201c{wide}\u201d"))[1]["seat"] == 2
    assert (await table.send("/api/join", code=own, seat=1))[0] == 403
    assert (await table.read("/api/table", own))[0] == 401


async def test_every_arrival_is_told_and_the_latest_can_be_put_out(table: Table) -> None:
    stranger = await table.join(3)
    text = "Ashley has joined with a phone."
    assert table.told == [f"{text} To remove it: phones out."]
    assert table.messages == [text]
    assert type_phones(table, "out").lines == ("Ashley's phone was removed.",)
    assert (await table.read("/api/seat", stranger))[0] == 401
    assert type_phones(table, "out").refused
    assert (await table.send("/api/join", code=table.code, seat=3))[0] == 200  # it is free again
    assert type_phones(table, "allow 47").refused
    assert type_phones(table, "out 7").refused


async def test_the_table_s_words_show_a_code_to_whoever_asks_there(table: Table) -> None:
    report = type_phones(table, "code Kurt")
    assert guard.format_code(list_codes(table.door)[1]) in report.lines[0]
    assert report.code == list_codes(table.door)[1]
    (taps,) = type_phones(table, "code taps").lines
    assert table.site.taps is not None
    assert taps.endswith(table.site.taps.text)
    assert not any(code in "".join(type_phones(table, "").lines) for code in list_codes(table.door))


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
    status, answer = await table.send("/api/join", **fields)
    assert status == 400
    assert answer["error"]


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
    status, answer = await table.send("/api/moves", kurt, move=SELECTED)
    assert status == 200
    assert answer == views.table_json(table.session.referee.table, viewer=1)
    assert answer["faceup"] == ["bishop", "merchant"]


async def test_a_program_sees_its_own_character_and_nobody_else_s(table: Table) -> None:
    anna, kurt = await table.join(1), await table.join(2)
    assert (await table.send("/api/moves", kurt, move=SELECTED))[0] == 200
    status, answer = await table.send("/api/moves", anna, move="choose Anna king")
    assert (status, answer["chosen"]) == (200, {"Anna": ["king"]})
    assert (await table.read("/api/seat", anna))[1]["chosen"] == {"Anna": ["king"]}
    assert (await table.read("/api/seat", kurt))[1]["chosen"] == {}
    for key in (anna, kurt, table.code):
        assert (await table.read("/api/table", key))[1]["chosen"] == {}


async def test_a_move_that_the_rules_forbid_is_refused_as_in_a_record(table: Table) -> None:
    kurt = await table.join(2)
    before = views.table_json(table.session.referee.table, viewer=1)
    status, answer = await table.send("/api/moves", kurt, move="call")
    assert status == 409
    refusal = answer.pop("refused")
    before.pop("refused")
    assert answer == before
    assert refusal.keys() == {"index", "move", "rule", "reason"}
    assert (refusal["index"], refusal["move"]) == (0, "call")
    status, answer = await table.send("/api/moves", kurt, move="hello")
    assert (status, answer["refused"]["rule"]) == (409, "move.unknown")


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


async def test_a_chip_is_whatever_a_line_may_say(table: Table) -> None:
    anna = await table.join(1)
    king = bytes.fromhex("04A2B3C4D5E680")
    table.phones.lookup = lambda uid: CharacterChip("king") if uid == king else None
    for chip in ("none", "", "-04A2B3C4D5E680", "not:04A2B3C4D5E680"):
        status, found = await table.send("/api/taps", anna, chip=chip)
        assert (status, found["lines"]) == (200, [])
    for chip in ("04-a2-b3-c4-d5-e6-80", "uid=04A2B3C4D5E680", "character king"):
        status, found = await table.send("/api/taps", anna, chip=chip)
        assert status in (200, 409), found
    for number in (135410774, "135410774"):  # a fob's number: no phone
        assert (await table.send("/api/taps", anna, chip=number))[0] == 404


@pytest.mark.parametrize("payload", [*IDS, *ABSENT, *GOING])
async def test_every_payload_is_taken_over_http_as_in_a_file(table: Table, payload: str) -> None:
    anna = await table.join(1)
    table.phones.lookup = lambda uid: CharacterChip("king") if uid == CHIP else None
    try:
        sent = json.loads(payload)
    except ValueError:
        sent = payload
    for fields in ({"chip": payload}, sent if isinstance(sent, dict) else {"uid": sent}):
        status, found = await table.send("/api/taps", anna, **fields)
        assert status in (200, 409), found
        assert bool(found.get("lines") or found.get("refused")) == (payload in IDS)


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
