"""A phone whose connection dies without a word says so, finds back by itself, loses no touch."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from companion.phones.serving.http_messages import name_cookie
from companion.phones.serving.site import SEAT
from tests.serving import visits
from tests.serving.breaking import Proxy
from tests.serving.hosting import Hosting
from tests.serving.served import Served
from tests.serving.test_in_hand import HEARS, TURN

pytestmark = [pytest.mark.outer, pytest.mark.needs("Chromium")]

LOST = "The connection is lost. Trying again …"
UNTIL_LOST = 15_000  # milliseconds of silence in which the page must notice
ANSWER = 5_500  # milliseconds after which a request counts as dead
PAUSE = 3_000  # until it is sent again
WAKES = "document.dispatchEvent(new Event('visibilitychange'))"


@pytest.fixture
def proxy(here: Served) -> Iterator[Proxy]:
    here.play(*visits.MOVES[:TURN])
    result = Proxy(here.where.port)
    yield result
    result.close()


@pytest.fixture
def ashley(here: Served, proxy: Proxy, phone: BrowserContext) -> Page:
    """Ashley's phone in her turn, behind the proxy; its clock can be put forward."""
    page = phone.new_page()
    page.clock.install()
    _open(
        page,
        f"http://127.0.0.1:{proxy.port}/",
        name_cookie(SEAT, here.where.port),
        here.key_of("Ashley"),
    )
    return page


def _open(page: Page, url: str, name: str, key: str) -> None:
    page.context.add_cookies([{"name": name, "value": key, "url": url}])
    page.goto(f"{url}seat")
    page.evaluate(HEARS)


def _touch(page: Page, label: str) -> None:
    page.get_by_role("button", name=label).click()


def test_silence_is_told_and_ends_by_itself(here: Served, proxy: Proxy, ashley: Page) -> None:
    proxy.silence()
    ashley.clock.fast_forward(UNTIL_LOST)
    expect(ashley.locator("#lost")).to_have_text(LOST)
    here.play("gold")
    proxy.speak()
    ashley.clock.fast_forward(ANSWER)
    expect(ashley.locator("#question")).to_contain_text("Build, rob or end?")
    expect(ashley.locator("#lost")).to_be_empty()


def test_a_touch_in_the_silence_is_sent_again(here: Served, proxy: Proxy, ashley: Page) -> None:
    proxy.silence()
    _touch(ashley, "Take 2 gold")
    ashley.clock.fast_forward(ANSWER)
    expect(ashley.locator("#lost")).to_have_text(LOST)
    proxy.speak()
    ashley.clock.fast_forward(PAUSE)
    expect(ashley.locator("#question")).to_contain_text("Build, rob or end?")
    expect(ashley.locator("#lost")).to_be_empty()


def test_a_touch_whose_answer_is_lost_counts_once(here: Served, proxy: Proxy, ashley: Page) -> None:
    proxy.silence(hears=True)
    with ashley.expect_request(lambda request: request.method == "POST"):
        _touch(ashley, "Take 2 gold")
    ashley.clock.fast_forward(ANSWER)
    expect(ashley.locator("#lost")).to_have_text(LOST)
    proxy.speak()
    ashley.clock.fast_forward(PAUSE)
    expect(ashley.locator("#question")).to_contain_text("Build, rob or end?")
    expect(ashley.locator("main .refused")).to_have_count(0)
    assert [move.text for move in here.talk.session.referee.moves[TURN:]] == ["gold"]


def test_a_phone_that_wakes_does_not_wait_for_a_dead_request(
    here: Served, proxy: Proxy, ashley: Page
) -> None:
    proxy.silence()
    _touch(ashley, "Rob a character")
    here.play("gold")
    ashley.clock.pause_at(ashley.evaluate("Date.now() + 1000"))  # no patience ends by itself
    proxy.speak()
    ashley.evaluate(WAKES)
    expect(ashley.locator("#question")).to_contain_text("Build, rob or end?")


def test_a_host_that_is_stopped_and_one_that_begins_anew(home: Path, phone: BrowserContext) -> None:
    page = phone.new_page()
    page.clock.install()
    host = Hosting()
    _open(page, host.url, name_cookie(SEAT, host.port), host.join(2))
    host.process.send_signal(signal.SIGSTOP)
    page.clock.fast_forward(UNTIL_LOST)
    expect(page.locator("#lost")).to_have_text(LOST)
    host.process.send_signal(signal.SIGCONT)
    page.clock.fast_forward(ANSWER)
    expect(page.locator("#lost")).to_be_empty()
    port = str(host.port)
    host.end(signal.SIGKILL)
    expect(page.locator("#lost")).to_have_text(LOST)
    with Hosting("--port", port, new=False) as again:
        page.clock.fast_forward(ANSWER)
        expect(page.locator("#lost")).to_be_empty()
        assert again.game == host.game
