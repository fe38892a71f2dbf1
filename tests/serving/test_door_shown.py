"""The rule of the door in a browser, each sentence once."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from companion.phones.serving import guard, typed_phones
from companion.setup.shared import SetUp
from tests.serving import visits
from tests.serving.breaking import Proxy
from tests.serving.served import Served
from tests.waiting import PATIENCE, wait_until

pytestmark = pytest.mark.outer

Open = Callable[[], Page]


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Served]:
    """A game that nobody has joined yet; Kurt has the crown."""
    served = Served(tmp_path, "faceup bishop merchant", **visits.SETUP)
    yield served
    served.close()


@pytest.fixture
def browse(browser: Browser) -> Open:
    def open_phone() -> Page:
        context = browser.new_context(viewport={"width": 390, "height": 844})
        context.set_default_timeout(PATIENCE * 1000)
        return context.new_page()

    return open_phone


def enter(page: Page, here: Served, code: str) -> Page:
    """Scan that code."""
    visits.leave(page)
    page.goto(f"{here.where.url}#{code}")
    return page


def sit(page: Page, here: Served, player: str) -> Page:
    """Come with that seat's own code."""
    enter(page, here, here.phones.door.now.own_codes[player])
    page.wait_for_url("**/seat")
    return page


def take(page: Page, player: str) -> None:
    """Take that player's free seat, which is asked first."""
    fold = page.get_by_role("group").filter(has_text=f"Take {player}'s seat")
    fold.locator("summary").click()
    expect(fold).to_contain_text(f"{player} then plays on this phone.")
    fold.get_by_role("button").click()
    page.wait_for_url("**/seat")


def code_of(here: Served, player: str) -> str:
    """The seat's own code as it is shown."""
    return guard.format_code(here.phones.door.now.own_codes[player])


def test_the_table_s_code_takes_a_free_seat_and_no_other(table: Served, browse: Open) -> None:
    anna = sit(browse(), table, "Anna")
    page = enter(browse(), table, table.phones.door.now.code)
    expect(page.get_by_text("Anna has a phone")).to_be_visible()
    expect(page.get_by_text("Take Anna's seat")).to_have_count(0)
    take(page, "Ben")
    expect(anna.locator("#arrivals")).to_contain_text("Ben has joined with a phone.")
    page.goto(table.address("/table"))
    expect(page.locator("#arrivals")).to_contain_text("Anna has joined with a phone.")


def test_a_link_with_the_code_joins_where_the_page_is_open_already(
    table: Served, browse: Open
) -> None:
    page = browse()
    page.goto(table.where.url)
    expect(page.locator("#code")).to_be_visible()
    page.goto(f"{table.where.url}#WRONG")
    expect(page.locator("#problem")).to_be_visible()
    page.goto(f"{table.where.url}#{table.phones.door.now.code}")
    expect(page.get_by_role("heading", level=1)).to_have_text("Who are you?")


def test_a_seat_s_own_code_takes_it_over_and_the_phone_before_is_told(
    table: Served, browse: Open
) -> None:
    before, kurt = sit(browse(), table, "Anna"), sit(browse(), table, "Kurt")
    page = enter(browse(), table, table.phones.door.now.code)
    page.locator("#own-seat summary").click()
    page.get_by_label("Your seat's own code").fill(code_of(table, "Anna").lower())
    page.get_by_role("button", name="Take my seat").click()
    page.wait_for_url("**/seat")
    before.wait_for_url(table.where.url)
    expect(before.locator("main")).to_contain_text("This seat is no longer yours")
    expect(kurt.locator("#arrivals")).to_contain_text("Another phone has Anna's seat now.")


def test_the_own_code_is_on_its_page_alone_and_only_while_it_is_held(
    table: Served, browse: Open
) -> None:
    anna, kurt = sit(browse(), table, "Anna"), sit(browse(), table, "Kurt")
    shown = anna.locator("#own-code .code")
    expect(shown).to_be_hidden()
    summary = anna.locator("#own-code summary")
    summary.scroll_into_view_if_needed()
    summary.hover()
    anna.mouse.down()
    expect(shown).to_have_text(code_of(table, "Anna"))
    anna.mouse.up()
    expect(shown).to_be_hidden()
    assert code_of(table, "Anna") not in kurt.content()  # the crown goes round
    kurt.goto(table.address("/table"))
    assert not any(code_of(table, name) in kurt.content() for name in table.phones.door.now.players)


def test_a_phone_put_out_at_the_computer_is_told_and_its_seat_has_a_new_code(
    table: Served, browse: Open
) -> None:
    anna, code = sit(browse(), table, "Anna"), table.phones.door.now.own_codes["Anna"]
    table.do(lambda: typed_phones.answer(table.phones, "out"))
    anna.wait_for_url(table.where.url)
    expect(anna.locator("main")).to_contain_text("This seat is no longer yours")
    assert table.phones.door.now.own_codes["Anna"] != code
    enter(anna, table, code)
    expect(anna.locator("#problem")).to_have_text("Wrong code.")
    sit(anna, table, "Anna")


def test_the_crown_s_phone_frees_a_seat_after_one_question(table: Served, browse: Open) -> None:
    anna, kurt = sit(browse(), table, "Anna"), sit(browse(), table, "Kurt")
    ben, television = sit(browse(), table, "Ben"), browse()
    enter(television, table, table.phones.door.now.code)
    television.goto(table.address("/table"))
    anna.evaluate("fetch('/api/moves', {method: 'POST', headers: {'Content-Type':"
                  " 'application/json'}, body: '{\"move\": \"choose Anna king\"}'})")  # fmt: skip
    expect(anna.locator("#own")).to_contain_text("King: rank 4")
    assert "Free a seat" not in anna.content()  # nor on any other but the next after the crown
    kurt.get_by_text("Free a seat", exact=True).click()
    kurt.locator("#free-0 summary").click()
    expect(kurt.locator("#free-0")).to_contain_text("Free Anna's seat?")
    kurt.locator("#free-0 button").click()
    anna.wait_for_url(table.where.url)
    for page in (kurt, ben, television):
        expect(page.locator("#arrivals")).to_contain_text("Anna's seat was freed")
    page = enter(browse(), table, table.phones.door.now.code)
    take(page, "Anna")
    expect(page.locator("#own-title")).to_be_visible()
    assert page.locator("#own-king").count() == 0


def test_the_next_phone_frees_the_crown_s_seat_once_its_phone_is_gone(
    table: Served, browse: Open
) -> None:
    kurt, ashley = sit(browse(), table, "Kurt"), sit(browse(), table, "Ashley")
    wait_until(lambda: table.phones.streams.is_heard(1))
    ashley.get_by_text("Free a seat", exact=True).click()
    ashley.locator("#free-1 summary").click()
    ashley.locator("#free-1 button").click()
    expect(ashley.locator("#answer")).to_contain_text("Kurt's phone is connected.")
    ashley.get_by_role("button", name="Hide").click()
    ashley.locator("#cover button").click()
    expect(ashley.locator("#answer")).to_be_empty()
    kurt.context.close()
    wait_until(lambda: not table.phones.streams.is_heard(1))
    ashley.locator("#main:not([aria-busy=true]) #free-1 button").click()
    expect(ashley.locator("#arrivals")).to_contain_text("Kurt's seat was freed")


def test_while_a_game_is_set_up_a_phone_is_told_why_it_gets_no_seat(
    table: Served, browse: Open
) -> None:
    sit(browse(), table, "Anna")
    table.do(lambda: table.phones.open_lobby(SetUp(visits.draft(table), lambda _draft: None)))
    page = enter(browse(), table, table.phones.door.now.code)
    page.get_by_label("Your name").fill("Anna")
    page.get_by_role("button", name="Take a chair").click()
    expect(page.locator("#answer")).to_contain_text("This seat needs its own code")
    sit(browse(), table, "Kurt")  # which changes the page below the reason
    expect(page.locator("#main")).to_contain_text("Kurt has a phone")
    expect(page.locator("#answer")).to_contain_text("This seat needs its own code")
    page.locator("#own-seat summary").click()
    page.get_by_label("Your seat's own code").fill("WRONG")
    page.get_by_role("button", name="Take my seat").click()
    expect(page.locator("#answer")).to_have_text("Wrong code.")
    expect(page.locator("#lost")).to_be_empty()


def test_a_table_s_page_that_asks_for_the_code_again_tells_a_wrong_one(
    table: Served, browse: Open
) -> None:
    page = browse()
    page.goto(f"{table.where.url}table#{table.phones.door.now.code}")
    expect(page.locator("#players")).to_be_visible()
    table.do(lambda: typed_phones.answer(table.phones, "out all"))
    code = page.get_by_label("The table's code")
    code.fill("WRONG")
    code.press("Enter")
    expect(page.locator("#problem")).to_have_text("Wrong code.")
    page.get_by_label("The table's code").fill(table.phones.door.now.code)
    page.get_by_role("button", name="Join the table").click()
    expect(page.locator("#players")).to_be_visible()


def test_in_a_public_house_the_table_s_code_watches(tmp_path: Path, browse: Open) -> None:
    table = Served(tmp_path, house="public", **visits.SETUP)
    try:
        page = enter(browse(), table, table.phones.door.now.code)
        expect(page.get_by_label("Your seat's own code")).to_be_visible()
        expect(page.get_by_role("button", name="Ben")).to_have_count(0)
        page.get_by_role("link", name="Table").click()
        expect(page.locator("#players")).to_be_visible()
        table.do(lambda: table.phones.open_lobby(SetUp(visits.draft(table), lambda _draft: None)))
        expect(page.locator("#chairs")).to_contain_text("Ashley")  # it has loaded anew
        page.goto(table.where.url)
        expect(page.locator("main")).to_contain_text("named where the game was started")
        expect(page.locator("#chair")).to_have_count(0)
        page.locator("main").get_by_role("link", name="Table").click()
        expect(page.locator("#chairs")).to_contain_text("Ashley")
    finally:
        table.close()


@pytest.mark.parametrize("failure", [{"status": 503}, {"status": 429}, None])
def test_a_page_that_could_not_be_renewed_catches_up_by_itself(
    table: Served, browse: Open, failure: dict[str, Any] | None
) -> None:
    ben = sit(browse(), table, "Ben")
    failed: list[str] = []

    def fail(route: Route) -> None:
        failed.append(route.request.url)
        if failure is None:
            route.abort()
        else:
            route.fulfill(**failure)

    for move in ("call", "nobody"):
        table.play(move)
        version = str(table.do(lambda: table.phones.table.version))
        expect(ben.locator("#main")).to_have_attribute("data-version", version)
        ben.route("**/seat", fail, times=1)  # from the second move on
    assert len(failed) == 1


def test_a_page_whose_answer_ended_in_the_middle_catches_up_by_itself(
    table: Served, browse: Open
) -> None:
    with closing(Proxy(table.where.port)) as proxy:
        ben = browse()
        ben.goto(f"http://127.0.0.1:{proxy.port}/#{table.phones.door.now.own_codes['Ben']}")
        ben.wait_for_url("**/seat")
        for move in ("call", "nobody"):
            table.play(move)
            version = str(table.do(lambda: table.phones.table.version))
            expect(ben.locator("#main")).to_have_attribute("data-version", version)
            if move == "call":
                proxy.breaks = b"GET /seat "
        assert not proxy.breaks
