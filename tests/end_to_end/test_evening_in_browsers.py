"""The evening of `test_evening`, in four browsers that are touched."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.end_to_end.hosting import MS, click_in_folds
from tests.end_to_end.test_evening import LIGHT, NAMES, Computer
from tests.serving.test_shuts_out_nobody import NARROW, SMALL, find_faults
from tests.sizes import pick_first

pytestmark = [pytest.mark.outer, pytest.mark.needs("Chromium")]


DELAYS = """[...document.querySelectorAll(".result"), document.querySelector("#now")].map(
  (one) => parseFloat(getComputedStyle(one).animationDelay))"""
"""A script: the seconds after which each result of a game is shown, and then its winner."""


class Tab:
    """A phone with one tab, in a browser context of its own."""

    def __init__(self, browser: Browser, computer: Computer) -> None:
        self.context = browser.new_context(
            locale="en-GB", reduced_motion="reduce", viewport={"width": 390, "height": 844}
        )
        self.context.set_default_timeout(MS)
        self.page: Page = self.context.new_page()
        self.url = computer.url

    def enter(self, code: str) -> None:
        """Scan the code: the link has it in its fragment."""
        self.page.goto(f"{self.url}#{code}")

    def join(self, code: str, name: str) -> None:
        """Scan the code, and take a chair under that name."""
        self.enter(code)
        self.page.get_by_label("Your name").fill(name)
        self.page.get_by_role("button", name="Take a chair").click()
        expect(self.page).to_have_url(f"{self.url}seat", timeout=MS)

    def touch(self, label: str) -> None:
        """Touch the button whose label contains that, in whatever fold it is."""
        click_in_folds(self.page.get_by_role("button", name=label, include_hidden=True).first)

    def shows(self, text: str) -> None:
        """Wait until the page shows that."""
        expect(self.page.locator("main")).to_contain_text(re.compile(text), timeout=MS)

    def move(self, move: str) -> int:
        """Make a move as a program on this phone would; returns the status."""
        answer = self.context.request.post(f"{self.url}api/moves", data={"move": move})
        return answer.status


def hear_scores(tabs: list[Tab]) -> None:
    """Touch on through the parts of the scores, on the phone that offers it; every phone shows the
    same, and at last all points."""
    for tab in tabs:
        expect(tab.page.locator("#now.ended")).to_be_visible(timeout=MS)
    crown = next(tab.page for tab in tabs if tab.page.locator("#go-on").count())
    title = crown.locator("#question")
    while crown.locator("#go-on").count():
        before = title.inner_text()
        for tab in tabs:
            expect(tab.page.locator("#question")).to_have_text(before, timeout=MS)
        crown.locator("#go-on button").click()
        expect(title).not_to_have_text(before, timeout=MS)
    for tab in tabs:
        tab.shows("How the points add up")


def test_an_evening_in_four_browsers_needs_no_keyboard(browser: Browser, home: Path) -> None:
    computer = Computer()
    tabs = [Tab(browser, computer) for _name in NAMES]
    for tab, name in zip(tabs, NAMES, strict=True):
        tab.join(computer.code, name)
    anna, kurt, ashley, ben = tabs
    television = browser.new_context(reduced_motion="no-preference")
    screen = television.new_page()
    screen.goto(f"{computer.url}table#{computer.code}")
    expect(ben.page.locator("#count")).to_have_text("4 of 4 phones", timeout=MS)
    ben.shows("Anna sets up the game")
    # light mode, and Kurt's crown: everybody sees what the first phone chooses
    anna.touch("More: cards and house rules")
    anna.touch("What does the companion keep track of?")
    ben.shows("gold only")
    anna.touch("First crown")
    expect(anna.page.locator("#asked")).to_be_in_viewport(timeout=MS)
    anna.touch("Kurt")
    expect(ben.page.locator(".chairs .crown")).to_have_count(1, timeout=MS)
    anna.touch("Start the game")
    for tab in tabs:
        tab.shows("Round 1")
    for move in LIGHT.moves:
        assert 200 in (tab.move(move) for tab in tabs), move
    hear_scores(tabs)
    screen.wait_for_selector("#scores")
    *cities, winner = screen.evaluate(DELAYS)
    assert winner > max(cities) > min(cities)  # the winner's name comes after the last city
    # the rematch asks before it begins
    crown = next(tab for tab in tabs if tab.page.locator("#crown").count())
    crown.touch("Play again with the same names")
    crown.shows("Play again with Anna, Kurt, Ashley and Ben")
    crown.touch("Yes, begin the next game")
    for tab in tabs:
        expect(tab.page.locator("#scores")).to_have_count(0, timeout=MS)
        tab.shows("Round 1")
    # a phone dies; the crown's frees the seat after one question, and another one takes it
    ashley.context.close()
    crown = next(tab for tab in (anna, kurt, ben) if tab.page.locator("#crown").count())
    crown.page.get_by_text("Free a seat", exact=True).click()
    crown.page.locator("#free-2 summary").click()
    crown.shows("Free Ashley's seat\\?")
    crown.page.locator("#free-2 button").click()
    crown.shows("Ashley's seat was freed")
    spare = Tab(browser, computer)
    spare.enter(computer.code)
    spare.touch("Take my seat")
    expect(spare.page).to_have_url(f"{computer.url}seat", timeout=MS)
    # another box, and somebody who comes late
    crown.touch("Set up another game")
    crown.shows("You set up the game")
    late = Tab(browser, computer)
    late.join(computer.code, "Zoë")
    crown.touch("Box")
    crown.touch("Citadels (2016)")
    crown.shows("Box → Citadels \\(2016\\)")
    crown.touch("Start the game")
    for tab in (anna, kurt, spare, ben, late):
        tab.shows("Round 1")
    view = late.context.request.get(f"{computer.url}api/seat").json()
    assert list(view["players"]) == [*NAMES, "Zoë"]
    assert view["edition"] == "deluxe_2016"
    code, complaints = computer.end()
    assert code == 0
    assert "crash" not in complaints


@pytest.mark.parametrize("theme", pick_first("light", "dark"))
def test_nobody_is_shut_out_of_the_lobby(browser: Browser, home: Path, theme: str) -> None:
    computer = Computer()
    other = Tab(browser, computer)
    phone = browser.new_context(locale="de-DE", viewport=NARROW, color_scheme=theme)
    page = phone.new_page()
    faults = {}

    def look(name: str) -> None:
        page.wait_for_load_state()
        matches = find_faults(page)
        matches += page.evaluate(SMALL.replace(", footer nav a", ""))
        if page.evaluate("document.documentElement.scrollWidth > innerWidth"):
            matches.append("wider than the phone")
        faults[name] = matches

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
    page.wait_for_function("document.querySelectorAll('.chairs li').length === 2")
    look("leading")
    page.goto(f"{computer.url}table")
    look("table")
    for row in (5, 2):  # the players, and one of them
        page.goto(f"{computer.url}seat")
        page.locator("#main button[name=row]").nth(row - 1).click()
        page.wait_for_selector("#list")
        look(f"row {row}")
    assert {name: matches for name, matches in faults.items() if matches} == {}
    assert computer.end()[0] == 0
