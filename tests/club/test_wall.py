"""The wall in a browser: pictures come without a reload, and nothing on it is markup of a table."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Route, expect

from companion.extensions.club import messages
from companion.game.demonstration import read_demo
from engine import views
from tests.club.tables import Pub, run_table
from tests.serving.conftest import phone  # noqa: F401 - a fixture
from tests.waiting import wait_until

pytestmark = [pytest.mark.outer, pytest.mark.needs("Chromium", "mosquitto", "club")]


@pytest.fixture
def pub(tmp_path: Path) -> Pub:
    return Pub(tmp_path / "pub", ["t1", "t2"])


def test_the_wall_shows_each_move_and_each_loss(
    phone: BrowserContext,  # noqa: F811
    pub: Pub,
    tmp_path: Path,
) -> None:
    with pub.open(), pub.hub() as hub:
        page = phone.new_page()
        page.goto(hub.url)
        expect(page.locator("#nobody")).to_be_visible()
        with run_table(tmp_path / "t", pub.url("t1")) as table:
            tile = page.locator('[data-table="t1"]')
            expect(tile).to_have_attribute("data-status", "ready")
            for number in (1, 40):
                table.play(number)
                expect(tile).to_contain_text(f"Round {table.session.view.round}")
            table.publisher.call_judge("<img src=x onerror=alert(1)>")
            expect(tile.locator(".call")).to_contain_text("<img src=x onerror=alert(1)>")
            large = phone.new_page()
            large.goto(f"{hub.url}table/t1")
            table.play(60)
            expect(large.locator("#now")).to_contain_text(f"Round {table.session.view.round}")
        expect(tile).to_have_attribute("data-status", "disconnected")
        expect(tile).to_contain_text("This table has left")


HEARS = """
    window.tiles = "";
    window.EventSource = class extends EventSource {
        constructor(url) {
            super(url);
            this.addEventListener("tile", (event) => (window.tiles += event.data));
        }
    };
"""
READY = """window.tiles.includes('data-table=\\\\"t1\\\\" data-status=\\\\"ready')"""


def test_a_late_page_does_not_replace_a_newer_tile(
    phone: BrowserContext,  # noqa: F811
    pub: Pub,
) -> None:
    def answer_late(route: Route) -> None:
        response = route.fetch()
        pub.put("t1", "status", b'{"state": "ready", "birth": 1}')
        page.wait_for_function(READY)
        route.fulfill(response=response)

    with pub.open(), pub.hub() as hub:
        pub.put("t1", "status", b'{"state": "init", "birth": 1}')
        wait_until(lambda: hub.table("t1"))
        page = phone.new_page()
        page.add_init_script(HEARS)
        page.goto(hub.url)
        tile = page.locator('[data-table="t1"]')
        expect(tile).to_have_attribute("data-status", "init")
        page.route(hub.url, answer_late, times=1)
        pub.put("t2", "status", b'{"state": "ready", "birth": 1}')
        expect(page.locator('[data-table="t2"]')).to_be_visible()
        expect(tile).to_have_attribute("data-status", "ready")


def test_hostile_names_stay_text(browser: Browser, pub: Pub) -> None:
    state = views.state_json(views.redact(read_demo().start, views.PUBLIC))
    names = ["<script>alert(1)</script>", "\x1b[31m\u202eevil", "a" * 120, "&amp;"]
    players = dict(zip(names, state["players"].values(), strict=False))
    hostile = {**state, "players": players, "crown": names[0], "awaiting": None}
    message = {
        "v": 1,
        "game": "g",
        "seq": 1,
        "birth": 1,
        "at": messages.tell_time(),
        "state": hostile,
    }
    with pub.open(), pub.hub() as hub:
        pub.put("t1", "state", messages.write(message))
        wait_until(lambda: hub.table("t1"))
        page = browser.new_page()
        page.goto(hub.url)
        tile = page.locator('[data-table="t1"]')
        expect(tile).to_contain_text("<script>alert(1)</script>")
        expect(tile).to_contain_text("[31mevil")
        assert tile.locator("script").count() == 0
        page.close()
