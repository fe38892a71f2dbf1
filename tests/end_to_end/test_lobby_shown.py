"""The lobby's pages as displayed, to a phone that is narrow and has large text."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.end_to_end.test_evening import Computer
from tests.serving.test_shuts_out_nobody import NARROW, SMALL, find_faults
from tests.serving.visiting import Visitor
from tests.sizes import pick_first

pytestmark = [pytest.mark.outer, pytest.mark.needs("Chromium")]


@pytest.mark.parametrize("theme", pick_first("light", "dark"))
def test_nobody_is_shut_out_of_the_lobby(browser: Browser, home: Path, theme: str) -> None:
    computer = Computer()
    other = Visitor(computer.url)
    phone = browser.new_context(locale="de-DE", viewport=NARROW, color_scheme=theme)
    page = phone.new_page()
    faults = {}

    def look(name: str) -> None:
        page.wait_for_load_state()
        found = find_faults(page)
        found += page.evaluate(SMALL.replace(", footer nav a", ""))
        if page.evaluate("document.documentElement.scrollWidth > innerWidth"):
            found.append("wider than the phone")
        faults[name] = found

    page.goto(computer.url)
    look("code")
    page.fill("#code", computer.code)
    page.click("#enter button")
    page.wait_for_selector("#name")
    look("name")
    page.fill("#name", "Anna")
    page.click("#chair button.chief")
    page.wait_for_selector("#start")
    other.join(computer.code, "Ben mit dem sehr langen Namen am Tisch")
    expect(page.locator(".chairs li")).to_have_count(2)
    look("leading")
    page.goto(f"{computer.url}table")
    look("table")
    for row in (5, 2):  # the players, and one of them
        page.goto(f"{computer.url}seat")
        page.locator("#main button[name=row]").nth(row - 1).click()
        page.wait_for_selector("#list")
        look(f"row {row}")
    assert {name: found for name, found in faults.items() if found} == {}
    assert computer.end() == 0


HEARD = """() => {
  const words = document.querySelector("#lost");
  window.lostTold = [];
  new MutationObserver(() => lostTold.push(words.textContent)).observe(words, { childList: true });
}"""


def test_who_moves_to_another_chair_reads_of_no_lost_connection(
    browser: Browser, home: Path
) -> None:
    computer = Computer()
    first = Visitor(computer.url)
    first.join(computer.code, "Ben")
    page = browser.new_context().new_page()
    page.goto(computer.url)
    page.fill("#code", computer.code)
    page.click("#enter button")
    page.fill("#name", "Anna")
    page.click("#chair button.chief")
    expect(page.locator(".chairs li")).to_have_count(2)
    page.evaluate(HEARD)
    first.send("/leave")
    expect(page.locator("#start")).to_be_visible()
    assert page.evaluate("lostTold.filter(Boolean)") == []
    assert computer.end() == 0
