"""A chip's link in a real browser: with the script it taps once automatically, else at a touch."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, Route, expect

from companion.phones.serving.http_messages import name_cookie
from companion.phones.serving.site import SEAT
from companion.setup.shared import SetUp
from tests.companion.talking import FOUR, SHORT
from tests.serving import visits
from tests.serving.local_table import SELECTED, list_codes
from tests.serving.served import Served
from tests.serving.test_chip_links import CHIPS, TEMPLE, THIEF, TURN
from tests.waiting import wait_until

pytestmark = pytest.mark.outer

READS_CHIPS = """
let scans = 0;
window.NDEFReader = class extends EventTarget {
  async scan() { (window.chips = this).scans = ++scans; }
};
window.touch = (serialNumber) => {
  const event = new Event("reading");
  window.chips.dispatchEvent(Object.assign(event, { serialNumber }));
};
"""
"""What Chrome on Android has, without its radio."""


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Served]:
    served = Served(tmp_path, TURN, CHIPS, players=list(FOUR), crown="Kurt")
    yield served
    served.close()


def sit(phone: BrowserContext, table: Served) -> None:
    key = table.key_of("Anna")
    name = name_cookie(SEAT, table.where.port)
    phone.add_cookies([{"name": name, "value": key, "url": table.where.url}])


def moves(table: Served) -> list[str]:
    """The moves that somebody chose."""
    games = table.do(lambda: table.talk.session.referee.moves)
    return [move.text for move in games if move.text not in ("end", "nobody")]


def test_opening_the_link_taps_once_and_going_back_does_not(
    table: Served, phone: BrowserContext
) -> None:
    sit(phone, table)
    before = moves(table)
    page = phone.new_page()
    page.goto(table.address("/seat"))
    page.goto(table.address(f"/t/{TEMPLE}"))
    page.wait_for_url("**/seat")
    assert moves(table) == [*before, "build temple"]
    page.reload()
    page.go_back()
    page.wait_for_url("**/seat")
    page.wait_for_load_state("networkidle")
    assert moves(table) == [*before, "build temple"]


def test_a_page_that_is_reloaded_waits_for_a_touch(table: Served, phone: BrowserContext) -> None:
    sit(phone, table)
    before = moves(table)
    page = phone.new_page()
    requests = []

    def keep(route: Route) -> None:  # the tap of the opened page never ends
        if route.request.method == "POST":
            requests.append(route)
        else:
            route.continue_()

    page.route("**/t/*", keep)
    page.goto(table.address(f"/t/{TEMPLE}"))
    page.wait_for_selector("#tap:not([data-once])", state="attached")
    page.reload()
    page.wait_for_load_state("networkidle")
    assert len(requests) == 1
    assert moves(table) == before
    page.unroute("**/t/*")
    page.click("#main:not([aria-busy=true]) #tap button")
    page.wait_for_url("**/seat")
    assert moves(table) == [*before, "build temple"]


def test_a_phone_without_a_seat_takes_one_and_comes_back_to_a_button(
    table: Served, phone: BrowserContext
) -> None:
    before = moves(table)
    page = phone.new_page()
    page.goto(table.address(f"/t/{TEMPLE}"))
    page.wait_for_url("**?again")
    page.fill("#code", table.phones.door.now.code)
    page.press("#code", "Enter")
    page.click(f"a[href='/?to=/t/{TEMPLE}']")
    page.click("#own-seat summary")
    page.fill("#code", list_codes(table.phones.door)[0])  # its character was recorded at the table
    requests = []
    page.on(
        "request", lambda request: requests.append((request.is_navigation_request(), request.url))
    )
    page.press("#code", "Enter")
    page.wait_for_url(f"**/t/{TEMPLE}?shown")
    page.wait_for_load_state("networkidle")
    navigations = [url for is_navigation, url in requests if is_navigation]
    assert navigations == [table.address("/enter"), table.address(f"/t/{TEMPLE}?shown")]
    assert moves(table) == before
    page.click("#main:not([aria-busy=true]) #tap button")
    page.wait_for_url("**/seat")
    assert moves(table) == [*before, "build temple"]


def test_a_browser_that_reads_chips_stays_on_the_seats_page(
    tmp_path: Path, phone: BrowserContext
) -> None:
    table = Served(tmp_path, SELECTED, CHIPS, players=list(FOUR), crown="Kurt")
    sit(phone, table)
    phone.add_init_script(READS_CHIPS)
    page = phone.new_page()
    page.goto(table.address("/seat"))
    page.click("#reader button")
    wait_until(lambda: page.evaluate("'chips' in window"))
    page.evaluate("touch('04:a2:b3:c4:d5:e6:81')")
    page.wait_for_selector("#private-text .emblem", state="attached")
    assert moves(table)[1:] == ["choose Anna thief"]
    assert page.url == table.address("/seat")
    page.close()
    table.close()


def test_a_browser_reads_chips_on_whatever_the_page_turns_into(
    tmp_path: Path, phone: BrowserContext
) -> None:
    *moves, last = SHORT.moves
    options = {"cities": "untracked"}
    table = Served(tmp_path, "; ".join(moves), players=list(FOUR), crown="Kurt", options=options)
    sit(phone, table)
    phone.add_init_script(READS_CHIPS)
    page = phone.new_page()
    page.goto(table.address("/seat"))
    table.play(last)
    page.wait_for_selector("#scores")
    page.click("#reader button")
    reader = page.locator("#reader")
    expect(reader).to_have_text("Hold a chip to the back of this phone.", use_inner_text=True)
    assert page.evaluate("chips.scans") == 1
    table.do(lambda: table.phones.open_lobby(SetUp(visits.draft(table), lambda _draft: None)))
    expect(page.locator("#chairs")).to_be_visible()
    table.do(table.phones.close_lobby)
    expect(reader).to_have_text("Hold a chip to the back of this phone.", use_inner_text=True)
    page.evaluate("touch('04:a2:b3:c4:d5:e6:81')")
    expect(reader).to_contain_text("This table doesn't know chip 04A2B3C4D5E681.")
    page.close()
    table.close()


def test_a_browser_that_cannot_read_chips_offers_no_button(
    table: Served, phone: BrowserContext
) -> None:
    sit(phone, table)
    page = phone.new_page()
    page.goto(table.address("/seat"))
    assert not page.is_visible("#reader button")
    assert THIEF not in page.content()
