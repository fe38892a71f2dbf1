"""The pages in a browser without scripts: login, the seat, the table, forms."""

from __future__ import annotations

import itertools
import re
import threading
from urllib.parse import urlencode

import pytest

from companion.chips.entries import CharacterChip
from companion.language import list_offered
from companion.phones.serving import guard
from companion.phones.serving.http_messages import FORM, JSON
from companion.phones.serving.seat_keys import form_token
from tests.companion.talking import FOUR
from tests.serving.local_table import SELECTED, Table, cookies, header, list_codes, read_cookies
from tests.waiting import PATIENCE

CHIP = bytes.fromhex("04A2B3C4D5E680")


@pytest.fixture
def table(table: Table) -> Table:
    table.phones.lookup = {CHIP: CharacterChip("king")}.get
    return table


async def seated(table: Table, seat: int) -> str:
    """The cookie of a phone in that seat, from 1 on, that has come by the pages."""
    answer = await table.post("/enter", code=table.code)
    assert (answer.status, header(answer, "Location")) == (303, "/")
    visitor = cookies(answer)["companion_visitor_8420"].partition(";")[0]
    seats = await table.get("/", f"companion_visitor_8420={visitor}")
    assert b'name="seat"' in seats.body
    answer = await table.post("/sit", f"companion_visitor_8420={visitor}", seat=str(seat))
    assert header(answer, "Location") == "/seat"
    key = cookies(answer)["companion_seat_8420"].partition(";")[0]
    return f"companion_seat_8420={key}"


async def form(table: Table, cookie: str) -> dict[str, str]:
    """The hidden fields of every form on the seat's page."""
    html = (await table.get("/seat", cookie)).body.decode()
    return {
        name: re.findall(f'name="{name}" value="([^"]*)"', html)[0] for name in ("token", "moment")
    }


async def test_the_code_then_the_seat_then_its_page(table: Table) -> None:
    first = await table.get("/")
    assert b'name="code"' in first.body
    assert table.code not in first.body.decode()
    kurt = await seated(table, 2)
    page = (await table.get("/seat", kurt)).body.decode()
    assert "<h1" in page
    assert "Kurt" in page
    assert header(await table.get("/", kurt), "Location") == "/seat"
    assert kurt.partition("=")[2] not in page


async def test_without_a_seat_there_is_no_seat_s_page_and_without_the_code_nothing(
    table: Table,
) -> None:
    assert header(await table.get("/seat"), "Location") == "/"
    for path in ("/table", "/t/04A2B3C4D5E680"):
        assert b'name="code"' in (await table.get(path)).body
    assert header(await table.get("/card/king"), "Location") == "/"
    assert (await table.post("/sit", seat="1")).status == 403


async def test_a_browser_keeps_keys_for_a_year_and_for_one_table_alone(table: Table) -> None:
    answer = await table.post("/enter", code=table.code)
    answers = [answer, await table.post("/sit", read_cookies(answer), seat="2")]
    given = {name: text for answer in answers for name, text in cookies(answer).items()}
    assert sorted(given) == ["companion_seat_8420", "companion_visitor_8420"]
    assert all("Max-Age=31536000" in text for text in given.values())
    seat = read_cookies(answers[1])
    elsewhere = seat.replace("8420", "8421")
    assert header(await table.get("/seat", elsewhere), "Location") == "/"
    assert (await table.get("/seat", f"{elsewhere}x; {seat}")).status == 200


async def test_a_wrong_code_stays_outside(table: Table) -> None:
    answer = await table.post("/enter", code="WRONG")
    assert answer.status == 403
    assert not cookies(answer)
    for _try in range(4):
        await table.post("/enter", code="WRONG")
    assert cookies(await table.post("/enter", code=table.code))


@pytest.mark.parametrize("to", ["//evil.example", "https://evil.example", "/\\evil", "/api/events"])
async def test_nobody_is_sent_elsewhere(table: Table, to: str) -> None:
    assert header(await table.post("/enter", code=table.code, to=to), "Location") == "/"


async def test_a_row_is_taken_once_however_often_its_form_is_sent(table: Table) -> None:
    kurt = await seated(table, 2)
    fields = {**await form(table, kurt), "as": "caller", "row": "0"}
    before = table.session.version
    for _time in range(3):
        assert header(await table.post("/seat", kurt, **fields), "Location") == "/seat"
    assert table.session.version - before <= 1
    assert "Something has changed" in (await table.get("/seat", kurt)).body.decode()


async def test_a_page_in_the_language_of_before_can_still_be_touched(table: Table) -> None:
    table.session.play(SELECTED)
    anna = await seated(table, 1)
    for code in ("en", "de", "en"):
        await table.get("/seat", anna, accept_language=code)
    fields = {**await form(table, anna), "as": "player", "row": "0"}
    await table.post("/seat", anna, **fields)
    assert [move.verb for move in table.session.referee.moves] == ["faceup", "choose"]


async def test_a_form_without_its_token_or_with_another_s_does_nothing(table: Table) -> None:
    kurt, anna = await seated(table, 2), await seated(table, 1)
    fields = {**await form(table, kurt), "as": "caller", "row": "0"}
    foreign = form_token(anna.partition("=")[2])
    for token in ("", "x", foreign):
        assert (await table.post("/seat", kurt, **{**fields, "token": token})).status == 403
    assert (await table.post("/seat", "", **fields)).status == 403
    assert (await table.post("/seat", anna, **{**fields, "token": foreign})).status == 403
    assert table.session.version == 0


async def test_undo_is_the_crown_s(table: Table) -> None:
    table.session.play(SELECTED)
    anna, kurt = await seated(table, 1), await seated(table, 2)
    words = {"as": "caller", "word": "undo"}
    answer = await table.post("/seat", anna, **await form(table, anna), **words)
    assert answer.status == 403
    assert table.session.referee.moves
    await table.post("/seat", kurt, **await form(table, kurt), **words)
    assert not table.session.referee.moves


async def test_an_arrival_is_on_the_crown_s_phone_and_on_the_table(table: Table) -> None:
    kurt = await seated(table, 2)
    ashley = await seated(table, 3)
    data = b"Ashley has joined with a phone."
    page = (await table.get("/seat", kurt)).body
    assert data in page
    assert b"Kurt has joined" not in page  # that is this phone
    assert data in (await table.get("/table", kurt)).body
    assert data not in (await table.get("/seat", ashley)).body
    fields = {"token": form_token(kurt.partition("=")[2]), "seat": "3"}
    await table.post("/free", kurt, **fields)
    assert header(await table.get("/seat", ashley), "Location") == "/"
    assert b"This seat is no longer yours" in (await table.get("/", ashley)).body
    for path in ("/seat", "/table"):
        page = (await table.get(path, kurt)).body
        assert data not in page
        assert b"Ashley&#39;s seat was freed" in page


async def test_a_seat_s_own_code_leads_to_its_page(table: Table) -> None:
    answer = await table.post("/enter", code=guard.format_code(list_codes(table.door)[2]))
    assert header(answer, "Location") == "/seat"
    assert b"Ashley" in (await table.get("/seat", read_cookies(answer))).body


async def test_whoever_is_put_out_while_a_form_comes_does_nothing_with_it(table: Table) -> None:
    kurt = await seated(table, 2)
    data = urlencode({**await form(table, kurt), "as": "caller", "word": "next"}).encode()
    table.meanwhile = lambda: table.door.leave(1)
    here = {"origin": "http://127.0.0.1:8420", "cookie": kurt}
    for path, kind, body in (
        ("/seat", FORM, data),
        ("/api/moves", JSON, b'{"move": "faceup bishop merchant"}'),
    ):
        answer = await table.ask("POST", path, body, content_type=kind, **here)
        assert answer.status == 403, path
        assert not table.session.referee.moves
        key = table.door.give(1)
        here["cookie"] = f"companion_seat_8420={key}"


async def test_a_page_drawn_while_another_group_begins_shows_its_own_seat_s_code(
    table: Table,
) -> None:
    cookie = await seated(table, 1)
    codes, is_over = [table.door.now.own_codes["Anna"]], threading.Event()

    def change_groups() -> None:
        for group in itertools.cycle([("Ben", "Anna", "Zoë", "Kurt"), FOUR]):
            table.door.begin_group(group, table.keep, ["Anna"], new_code=True)
            codes.append(table.door.now.own_codes["Anna"])
            if is_over.is_set():
                return

    game = threading.Thread(target=change_groups)
    game.start()
    pages = [await table.get("/seat", cookie) for _once in range(60)]
    is_over.set()
    game.join(PATIENCE)
    assert not game.is_alive()
    pages.append(await table.get("/seat", cookie))
    assert {page.status for page in pages} <= {200, 403}  # 403: she has just got another seat
    assert pages[-1].status == 200
    own = re.compile(r'id="own-code".*?"code">([^<]+)<', re.DOTALL)
    shown = {code for page in pages for code in own.findall(page.body.decode())}
    assert shown
    assert shown <= {*map(guard.format_code, codes)}


async def test_a_card_is_explained_in_the_language_of_the_phone(table: Table) -> None:
    kurt = await seated(table, 2)
    assert b"King" in (await table.get("/card/king", kurt)).body
    for card, sign in (("king", "king"), ("castle", "noble")):
        assert f'#{sign}"/>'.encode() in (await table.get(f"/card/{card}", kurt)).body
    answer = await table.post("/look", kurt, language="fr", size="huge", theme="dark", to="/seat")
    look = cookies(answer)["companion_look_8420"].partition(";")[0]
    assert header(answer, "Location") == "/seat"
    page = (await table.get("/card/king", f"{kurt}; companion_look_8420={look}")).body.decode()
    assert "Roi" in page
    assert '<html lang="fr"' in page
    assert 'data-size="huge"' in page
    assert (await table.get("/card/nonsense", kurt)).status == 404


async def test_a_look_that_there_is_not_changes_nothing(table: Table) -> None:
    look = "language=xx&size=%22%3E%3Cscript%3E&theme=" + "x" * 500
    page = (await table.get("/look", f"companion_look_8420={look}")).body.decode()
    assert '<html lang="en"' in page
    assert "<script>" not in page


@pytest.mark.parametrize("code", list_offered())
async def test_every_page_is_made_in_every_language(table: Table, code: str) -> None:
    table.session.play(SELECTED)
    kurt = await seated(table, 2)
    for path in ("/", "/seat", "/table", "/look", "/card/temple", "/t/04A2B3C4D5E680", "/nothing"):
        answer = await table.get(path, kurt, accept_language=code)
        assert answer.status in (200, 303, 404), path
        if answer.body:
            assert f'<html lang="{code}"'.encode() in answer.body
            assert b"//" not in answer.body.replace(b"http://127.0.0.1:8420/", b""), path


async def test_a_player_s_name_is_never_markup(table: Table) -> None:
    table.door.follow(("<b>Anna</b>", "Kurt"), table.keep)
    page = await table.get("/", f"companion_visitor_8420={table.door.now.visitor}")
    assert b"&lt;b&gt;Anna" in page.body
