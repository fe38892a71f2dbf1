"""The told hand over HTTP: its JSON, its form, chips touched, and who is told of it."""

from __future__ import annotations

import re

import pytest

from companion.chips.entries import DistrictChip
from companion.phones.serving.http_messages import name_cookie
from companion.phones.serving.seat_keys import form_token
from companion.phones.serving.site import SEAT
from companion.readers import PhoneGate
from tests.serving.local_table import Table, header

CHIPS = {
    bytes.fromhex("04A2B3C4D5E680"): DistrictChip("tavern", 1),
    bytes.fromhex("04A2B3C4D5E681"): DistrictChip("castle", 1),
    bytes.fromhex("04A2B3C4D5E682"): DistrictChip("temple", 1),
    bytes.fromhex("04A2B3C4D5E683"): DistrictChip("museum", 1),  # not in this box
}
TAVERN, CASTLE, TEMPLE, MUSEUM = (uid.hex().upper() for uid in CHIPS)
BEGUN = ("faceup bishop merchant", "call")


async def touch(table: Table, key: str, chip: str, **fields: str) -> str:
    """Open a chip's page and touch it; returns the page."""
    cookie = f"{name_cookie(SEAT, 8420)}={key}"
    html = (await table.get(f"/t/{chip}", cookie)).body.decode()
    opening = re.search(r'name="opening" value="([^"]*)', html)
    assert opening is not None
    message = {"opening": opening[1], "token": form_token(key), **fields}
    answer = await table.post(f"/t/{chip}", cookie, **message)
    assert header(answer, "Location") == "/seat"
    return html


def let_time_pass(table: Table) -> None:
    """The next touch comes as late as from a person, who picks up another card in between."""
    table.site.gate = PhoneGate()


async def send_form(table: Table, key: str, **fields: str) -> int:
    cookie = f"{name_cookie(SEAT, 8420)}={key}"
    answer = await table.post("/hand", cookie, token=form_token(key), **fields)
    return answer.status


async def read_told(table: Table, key: str) -> list[str]:
    status, answer = await table.read("/api/hand", key)
    assert status == 200
    districts: list[str] = answer["told"]
    return districts


@pytest.fixture
async def key(table: Table) -> str:
    """Anna's key, at a table that knows the chips."""
    table.phones.lookup = CHIPS.get
    for move in BEGUN:
        table.session.play(move)
    return await table.join(1)


async def test_a_program_tells_and_reads_a_hand(table: Table, key: str) -> None:
    empty = {"hand": 4, "told": [], "not_told": 4, "noted": []}
    assert await table.read("/api/hand", key) == (200, empty)
    assert await table.send("/api/hand", key, add="tavern") == (
        200,
        {**empty, "told": ["tavern"], "not_told": 3},
    )
    assert (await table.send("/api/hand", key, remove="tavern"))[1] == empty


@pytest.mark.parametrize(
    ("fields", "status"),
    [
        ({"add": "tavrn"}, 400),
        ({"add": ["tavern", "castle"]}, 400),
        ({"add": 3}, 400),
        ({}, 400),
        ({"add": "tavern", "remove": "tavern"}, 400),
        ({"remove": "tavern"}, 409),
        ({"answer": "tavern"}, 400),
    ],
)
async def test_what_cannot_be_is_refused_in_one_sentence(
    table: Table, key: str, fields: dict[str, object], status: int
) -> None:
    told, answer = await table.send("/api/hand", key, **fields)
    assert (told, set(answer)) == (status, {"error"})


async def test_a_full_hand_takes_no_more(table: Table, key: str) -> None:
    for district in ("tavern", "castle", "temple", "keep"):
        await table.send("/api/hand", key, add=district)
    assert (await table.send("/api/hand", key, add="palace"))[0] == 409


async def test_the_hand_needs_a_seat_s_key(table: Table) -> None:
    assert (await table.read("/api/hand", table.code))[0] == 401
    assert (await table.send("/api/hand", table.code, add="tavern"))[0] == 401


async def test_every_chip_touched_is_added_until_done(table: Table, key: str) -> None:
    assert await send_form(table, key, adding="yes") == 303
    await touch(table, key, TAVERN)
    let_time_pass(table)
    status, answer = await table.send("/api/taps", key, chip=CASTLE)
    assert (status, answer["lines"]) == (200, ["Castle: in your hand."])
    assert await read_told(table, key) == ["tavern", "castle"]
    await send_form(table, key, adding="no")
    await send_form(table, key, remove="tavern")
    assert await read_told(table, key) == ["castle"]


async def test_a_page_offers_no_undo_before_a_change_and_no_chips_where_there_are_none(
    table: Table, key: str
) -> None:
    async def read_page() -> str:
        return (await table.get("/seat", f"{name_cookie(SEAT, 8420)}={key}")).body.decode()

    html = await read_page()
    assert "Undo the last change" not in html
    assert "Add every chip I touch" not in html
    table.has_chips = True
    await send_form(table, key, typed="tavern")
    html = await read_page()
    assert "Undo the last change" in html
    assert "Add every chip I touch" in html
    await send_form(table, key, undo="yes")
    assert await read_told(table, key) == []


async def test_a_phone_that_has_touched_a_chip_may_add_more_by_touch(
    table: Table, key: str
) -> None:
    other = await table.join(2)
    await touch(table, key, TAVERN, add="yes")
    for own_key, offered in ((key, True), (other, False)):
        answer = await table.get("/seat", f"{name_cookie(SEAT, 8420)}={own_key}")
        assert ("Add every chip I touch" in answer.body.decode()) is offered


async def test_a_card_typed_by_its_first_letters_is_added(table: Table, key: str) -> None:
    for words in ("tav", "district castle 2", "zzz", "t"):
        await send_form(table, key, typed=words)
    assert await read_told(table, key) == ["tavern", "castle"]


async def test_in_one_s_turn_a_touch_builds_what_is_told_and_asks_for_what_is_not(
    table: Table, key: str
) -> None:
    for move in ("reveal Anna", "kill king", "gold"):
        table.session.play(move)
    await table.send("/api/hand", key, add="tavern")
    html = await touch(table, key, TEMPLE)
    assert "data-once" not in html
    choices = table.phones.page(0, "en").choices
    assert choices is not None
    assert [row.label for row in choices.rows] == ["Build it", "Add it to my hand"]
    page = table.phones.page(0, "en")
    table.phones.take(0, 1, page.moment, "en")
    assert await read_told(table, key) == ["tavern", "temple"]
    let_time_pass(table)
    assert "data-once" in await touch(table, key, TAVERN)
    assert [card.id for card in table.session.view.seats[0].city.cards] == ["tavern"]
    assert await read_told(table, key) == ["temple"]


async def test_who_tells_nothing_builds_with_one_touch(table: Table, key: str) -> None:
    for move in ("reveal Anna", "kill king", "gold"):
        table.session.play(move)
    assert "data-once" in await touch(table, key, TAVERN)
    assert [card.id for card in table.session.view.seats[0].city.cards] == ["tavern"]
    assert await read_told(table, key) == []


async def test_out_of_turn_the_page_of_a_chip_offers_to_add_it(table: Table, key: str) -> None:
    html = await touch(table, key, TAVERN, add="yes")
    assert "data-once" not in html
    assert await read_told(table, key) == ["tavern"]


@pytest.mark.parametrize(
    ("chip", "told"), [(MUSEUM, ()), (TAVERN, ("castle", "temple", "keep", "manor"))]
)
async def test_what_cannot_be_in_the_hand_is_not_offered_for_it(
    table: Table, key: str, chip: str, told: tuple[str, ...]
) -> None:
    async def is_offered(chip: str) -> bool:
        cookie = f"{name_cookie(SEAT, 8420)}={key}"
        return 'name="add"' in (await table.get(f"/t/{chip}", cookie)).body.decode()

    assert await is_offered(TAVERN)
    for district in told:  # as many as she holds
        assert await send_form(table, key, add=district) == 303
    assert not await is_offered(chip)


async def test_at_the_player_s_own_reader_only_the_phone_shows_it(table: Table, key: str) -> None:
    await send_form(table, key, adding="yes")
    count = len(table.lines())
    table.conversation.tap(DistrictChip("tavern", 1), b"", 0)
    assert await read_told(table, key) == ["tavern"]
    assert len(table.lines()) == count


async def test_what_must_have_gone_is_told_with_the_list_and_edited_there(
    table: Table, key: str
) -> None:
    for move in ("nobody", "nobody", "reveal Anna", "gold"):
        table.session.play(move)
    for district in ("tavern", "castle", "temple", "keep"):
        await send_form(table, key, add=district)
    table.session.play("redraw 2")
    cookie = f"{name_cookie(SEAT, 8420)}={key}"
    html = (await table.get("/seat", cookie)).body.decode()
    assert "You hold 4 cards and have noted 4: which 2 cards have gone?" in html
    for district in ("castle", "keep"):
        assert await send_form(table, key, remove=district) == 303
    assert await read_told(table, key) == ["tavern", "temple"]
    await send_form(table, key, undo="yes")
    assert await read_told(table, key) == ["tavern", "temple", "keep"]
