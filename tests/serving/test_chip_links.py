"""A chip's link on a phone: opening it changes nothing, one touch is one tap."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import ndef
import pytest

from companion.chips.entries import CharacterChip, CrownChip, DistrictChip, Entry, PlayerChip
from companion.chips.ndef import encode
from companion.phones.serving.guard import MOST_OPENINGS
from tags import links
from tests.serving.local_table import SELECTED, Answer, Table, header, list_codes

CALLED = f"{SELECTED}; choose Anna king; call; nobody; nobody; nobody"
TURN = f"{CALLED}; reveal Anna; gold"
CHIPS: dict[str, Entry] = {
    "04A2B3C4D5E680": DistrictChip("temple", 1),
    "04A2B3C4D5E681": CharacterChip("thief"),
    "04A2B3C4D5E682": PlayerChip(1),
    "04A2B3C4D5E683": CrownChip(),
}
TEMPLE, THIEF, TOKEN, CROWN = CHIPS


class Linked(Table):
    """A table that knows its chips, and one browser."""

    def __init__(self, folder: Path, moves: str = "") -> None:
        super().__init__(folder, moves)
        self.phones.lookup = {bytes.fromhex(chip): entry for chip, entry in CHIPS.items()}.get
        self.cookie = ""

    async def open(self, chip: str, **headers: str) -> str:
        """The page of that chip's link."""
        answer = await self.get(f"/t/{chip}", self.cookie, **headers)
        assert answer.status == 200
        return answer.body.decode()

    async def touch(self, chip: str, page: str) -> str | None:
        """Touch the page's button: where the browser is sent."""
        answer = await self.post(f"/t/{chip}", self.cookie, **fields(page))
        assert answer.status == 303
        return header(answer, "Location")

    @property
    def state(self) -> Any:
        """Everything that a look might have changed."""
        pages = [self.phones.page(seat, "en") for seat in (None, 0, 1, 2, 3)]
        return [move.text for move in self.session.referee.moves], self.phones.version, pages


async def sit_down(folder: Path, moves: str) -> Linked:
    """A table after these moves, with a browser in the first player's seat."""
    table = Linked(folder, moves)
    table.cookie = f"companion_seat_8420={await table.join(1)}"
    return table


def fields(page: str) -> dict[str, str]:
    return dict(re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)">', page))


def played(table: Linked, before: Any) -> list[str]:
    """The moves since then, without forced ones."""
    played = [move.text for move in table.session.referee.moves][len(before[0]) :]
    return [move for move in played if move not in ("end", "nobody")]


@pytest.mark.parametrize(
    ("moves", "chip", "sentence", "move"),
    [
        (TURN, TEMPLE, "Build the Temple for 1 gold", "build temple"),
        (SELECTED, THIEF, "Anna chose the Thief", "choose Anna thief"),
        (CALLED, TOKEN, "Anna is the King", "reveal Anna"),
    ],
)
async def test_the_page_says_what_one_touch_does(
    tmp_path: Path, moves: str, chip: str, sentence: str, move: str
) -> None:
    table = await sit_down(tmp_path, moves)
    before = table.state
    page = await table.open(chip)
    assert sentence in page
    assert table.state == before
    assert await table.touch(chip, page) == "/seat"
    assert played(table, before)[0] == move
    table.close()


async def test_what_is_written_on_a_chip_is_the_link_of_its_page(tmp_path: Path) -> None:
    table = await sit_down(tmp_path, TURN)
    uid = bytes.fromhex(TEMPLE)
    data = encode(CHIPS[TEMPLE], "Temple", "en", links.parse("anna.local"), uid)
    (link, *_rest) = ndef.message_decoder(data)
    answer = await table.get(urlsplit(link.uri).path, table.cookie)
    assert "Build the Temple for 1 gold" in answer.body.decode()
    table.close()


@pytest.mark.parametrize(
    "headers",
    [{"sec_purpose": "prefetch"}, {"purpose": "prefetch"}, {"sec_purpose": "prefetch;prerender"},
     {"x_moz": "prefetch"}, {}],
)  # fmt: skip
async def test_opening_a_link_changes_nothing_however_often(
    tmp_path: Path, headers: dict[str, str]
) -> None:
    table = await sit_down(tmp_path, TURN)
    before = table.state
    for _ in range(3 * MOST_OPENINGS):
        page = await table.open(TEMPLE, **headers)
    head = await table.ask("HEAD", f"/t/{TEMPLE}", cookie=table.cookie)
    assert head.status == 200
    assert table.state == before
    assert header(head, "Cache-Control") == "no-store"
    assert await table.touch(TEMPLE, page) == "/seat"
    assert played(table, before) == ["build temple"]
    table.close()


async def test_a_page_taps_once_whether_reloaded_gone_back_to_or_sent_twice(tmp_path: Path) -> None:
    table = await sit_down(tmp_path, SELECTED)
    before = table.state
    page = await table.open(THIEF)
    assert [await table.touch(THIEF, page) for _ in range(3)] == ["/seat"] * 3
    assert played(table, before) == ["choose Anna thief"]
    assert table.session.view.seats[0].chosen == ()  # nobody else is told
    assert await table.touch(CROWN, await table.open(THIEF)) == "/seat"  # another chip's page
    assert played(table, before) == ["choose Anna thief"]
    table.close()


async def test_a_page_that_promises_something_else_by_now_is_shown_anew(tmp_path: Path) -> None:
    table = await sit_down(tmp_path, TURN)
    page = await table.open(TEMPLE)
    assert "data-once" in page
    table.phones.move(0, "end", "en")
    before = table.state
    place = await table.touch(TEMPLE, page)
    assert place == f"/t/{TEMPLE}?shown"
    assert played(table, before) == []
    text = (await table.get(place, table.cookie)).body.decode()
    assert "This chip does nothing right now." in text
    assert "data-once" not in text  # a script does not tap again automatically
    table.close()


async def test_whoever_has_no_seat_takes_one_and_comes_back(tmp_path: Path) -> None:
    table = Linked(tmp_path, TURN)
    first = await table.get(f"/t/{TEMPLE}")
    page = first.body.decode()
    assert fields(page)["to"] == f"/t/{TEMPLE}"
    # a page opened by another program may lack our cookies: reload it from our own page
    assert header(first, "Refresh") == f"0; url=/t/{TEMPLE}?again"
    assert header(await table.get(f"/t/{TEMPLE}?again"), "Refresh") is None
    page = (await table.post("/enter", "", **fields(page), code="WRONGCDE")).body.decode()
    answer = await table.post("/enter", "", **fields(page), code=table.code)
    assert header(answer, "Location") == f"/t/{TEMPLE}"
    visitor = (header(answer, "Set-Cookie") or "").partition(";")[0]
    page = (await table.get(f"/t/{TEMPLE}", visitor)).body.decode()
    assert "Temple: religious district, 1 gold." in page
    assert "<form" not in page
    assert f'href="/?to=/t/{TEMPLE}"' in page
    page = (await table.get(f"/?to=/t/{TEMPLE}", visitor)).body.decode()
    # this seat's character was recorded at the table: it needs its own code
    assert (await table.post("/sit", visitor, **fields(page), seat="1")).status == 409
    answer = await table.post("/enter", visitor, **fields(page), code=list_codes(table.door)[0])
    assert header(answer, "Location") == f"/t/{TEMPLE}?shown"
    away = await table.post("/sit", visitor, to="//elsewhere.example/", seat="2")
    assert header(away, "Location") == "/seat"
    table.close()


@pytest.mark.parametrize(
    ("chip", "status"),
    [("04A2B3C4D5E6FF", 200), ("08112233", 200), ("04a2b3c4d5e680", 200),
     ("04:A2:B3:C4:D5:E6:80", 200),
     ("%3Cscript%3E", 404), ("04A2", 404), ("..%2F..%2Fetc", 404), ("0" * 4000, 404), ("%00", 404)],
)  # fmt: skip
async def test_any_address_is_one_sentence_and_nothing_of_it_is_repeated(
    tmp_path: Path, chip: str, status: int
) -> None:
    table = await sit_down(tmp_path, TURN)
    before = table.state
    answer: Answer = await table.get(f"/t/{chip}", table.cookie)
    assert answer.status == status
    page = answer.body.decode()
    for hostile in ("<script>", "..", "000000"):
        assert hostile not in re.sub(r"<script src=[^>]* defer>", "", page)
    assert ("<form" in page) == chip.lower().replace(":", "").startswith("04a2b3c4d5e680")
    new_answer = await table.post(f"/t/{chip}", table.cookie, opening="x", **{"token": "x"})
    assert new_answer.status in (403, 404)
    assert table.state == before
    table.close()
