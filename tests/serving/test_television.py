"""The television: all on its screen can be read from four metres, and nothing there is a link."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from companion import language
from companion.phones.serving.pages import Look
from tests.bench.many_games import play_setup
from tests.serving import browsing, visits
from tests.serving.served import Served
from tests.serving.visits import Visit
from tests.waiting import wait_until

pytestmark = [pytest.mark.outer, pytest.mark.needs("Chromium")]

SCREEN = {"width": 1920, "height": 1080}
LEAST = 36  # pixels
ROUND_2 = visits.MOVES.index(visits.CHOICE) - 1  # moves before it

_SMALL = """(least) => {
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT), found = [];
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    if (!node.textContent.trim()) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    const box = range.getBoundingClientRect(), of = getComputedStyle(node.parentElement);
    const hidden = of.visibility === "hidden" || !node.parentElement.checkVisibility();
    const clipped = node.parentElement.closest("h2, .skip, .city, .unseen");
    if (hidden || clipped || box.width < 2 || box.top >= innerHeight || box.bottom <= 0) continue;
    const size = parseFloat(of.fontSize);
    if (size < least) found.push(`${size}: ${node.textContent.trim()}`);
  }
  return found;
}"""
"""The texts on the screen that are smaller than that."""

_LOWEST = """() => Math.max(...[...document.querySelectorAll("main > *")]
  .map((one) => one.getBoundingClientRect().bottom))"""

_LINKS = """() => [...document.querySelectorAll("main a[href]")]
  .filter((link) => link.checkVisibility() && !link.closest(".city, .strip"))
  .map((link) => link.textContent)"""


_COVERED = """() => [...document.querySelectorAll(".player")].flatMap((player) => {
  const houses = [...player.querySelectorAll(".skyline li")]
    .map((one) => one.getBoundingClientRect());
  return [...player.querySelectorAll("h3, .standing span")].filter((one) => {
    const box = one.getBoundingClientRect();
    return houses.some((of) => of.left < box.right && of.right > box.left
      && of.top < box.bottom && of.bottom > box.top);
  }).map((one) => one.textContent);
})"""
"""Names and points behind the city."""

_FADED = """() => [...document.querySelectorAll("#now, #now *, .result, .place *")]
  .filter((one) => getComputedStyle(one).animationName !== "none").map((one) => one.outerHTML)"""
"""What of the scores is not there at once."""

LONGEST = (
    *("assassin", "blackmailer", "wizard", "patrician", "cardinal", "merchant"),
    *("architect", "marshal", "tax_collector"),
)
"""The characters with the longest German names, the longest there are."""


@pytest.fixture
def screen(browser: Browser) -> Page:
    """A television."""
    return browser.new_context(viewport=SCREEN, reduced_motion="reduce").new_page()


@pytest.fixture
def eight(tmp_path: Path) -> Iterator[tuple[Served, list[str]]]:
    """A table of eight with the longest names, and the moves of a whole game."""
    names = ("Annabella", "Kurt", "Ashley", "Ben", "Konstantin", "Li", "Wilhelmine", "Max")
    head = {"edition": "deluxe_2016", "players": names, "crown": "Kurt", "characters": LONGEST}
    game = play_setup(head, 0)
    here = Served(tmp_path, **game.setup)
    for name in names:
        here.key_of(name)
    yield here, list(game.moves)
    here.close()


@pytest.mark.parametrize(
    "name", ["table-selection", "table-calling", "table", "table-end", "table-lobby"]
)
def test_everything_is_large_enough_and_nothing_is_a_link(
    name: str, screen: Page, here: Served
) -> None:
    (visit,) = visits.walk(here, (name,))
    visits.open_page(screen, here, visit, Look("en", theme="dark"))
    assert screen.evaluate(_SMALL, LEAST) == []
    assert screen.evaluate(_LINKS) == []
    assert screen.evaluate(_LOWEST) <= SCREEN["height"]
    call = screen.locator(".now").bounding_box()
    assert call is not None
    assert call["height"] >= SCREEN["height"] / 5 or name == "table-lobby"


@pytest.mark.parametrize(("arrived", "explained", "at"), [(4, 0, 0), (0, 1, 0), (0, 0, ROUND_2)])
def test_a_round_begins_on_the_screen_whoever_has_come_and_whatever_is_explained(
    arrived: int, explained: int, at: int, screen: Page, here: Served
) -> None:
    def begin() -> None:
        here.talk.session.teacher.switch(bool(explained))
        for seat in range(arrived):
            here.phones.door.give(seat, here.phones.table.version)

    here.play(*visits.MOVES[:at])
    here.do(begin)
    visits.open_page(screen, here, Visit("begin", at, "/table", "visitor"), Look("en"))
    assert screen.locator("#dealing li").count() >= 5
    assert screen.locator("#arrivals p").count() == arrived
    assert screen.locator("#lesson").count() == explained
    assert screen.evaluate(_LOWEST) <= SCREEN["height"]


def test_a_great_moment_fits_beside_eight_cities(
    screen: Page, eight: tuple[Served, list[str]]
) -> None:
    here, moves = eight
    seen = set()
    for move in moves:
        here.play(move)
        great = here.do(lambda: here.phones.table.page(None, "de").great)
        if great is not None and great.kind not in seen:
            seen.add(great.kind)
            visits.open_page(screen, here, Visit("great", 0, "/table", "visitor"), Look("de"))
            assert screen.locator("#great h2").inner_text() == great.lines[0]
            assert screen.evaluate(_LOWEST) <= SCREEN["height"], great
            assert screen.evaluate(_SMALL, LEAST) == []
    for to_the_end, shown in ((False, ".part-lines"), (True, "#scores")):
        here.do(partial(visits.tell_scores, here, to_the_end=to_the_end))
        visits.open_page(screen, here, Visit("end", 0, "/table", "visitor"), Look("de"))
        assert screen.locator(shown).is_visible()
        assert screen.evaluate(_LOWEST) <= SCREEN["height"], shown
    assert {"murdered", "crowned", "destroyed", "last_round"} <= seen


def test_eight_cities_and_nine_ranks_are_all_on_the_screen(
    screen: Page, eight: tuple[Served, list[str]]
) -> None:
    here, moves = eight
    last = max(at for at, move in enumerate(moves) if move.startswith("reveal"))
    here.play(*moves[: last + 1])
    for code in language.list_offered():
        visits.open_page(screen, here, Visit("many", 0, "/table", "visitor"), Look(code))
        assert screen.locator(".strip li").count() == 9
        assert screen.locator(".strip .by").count() > 3
        assert screen.evaluate(browsing.CUT_WORDS, ".strip :is(a, .by, .mark)") == []
        assert screen.evaluate(_COVERED) == []
        assert screen.evaluate(_LOWEST) <= SCREEN["height"]
        assert screen.evaluate(_SMALL, LEAST) == []


def test_once_the_scores_are_told_the_last_round_is_over(screen: Page, here: Served) -> None:
    (visit,) = visits.walk(here, ("table-part",))
    visits.open_page(screen, here, visit, Look("en"))
    assert screen.locator(".now .part-lines").is_visible()
    assert screen.locator(".now .ending").count() == 0


def test_each_part_of_the_scores_is_there_at_once_and_the_winner_first(
    browser: Browser, here: Served
) -> None:
    page = browser.new_context(viewport=SCREEN, reduced_motion="no-preference").new_page()
    for visit in visits.walk(here, ("table-part", "table-end")):
        visits.open_page(page, here, visit, Look("en"))
        assert page.evaluate(_FADED) == []
    assert page.locator(".result .number").all_text_contents() == ["1.", "2.", "3.", "4."]


def test_the_television_goes_on_to_speak_after_the_end(phone: BrowserContext, here: Served) -> None:
    page = phone.new_page()
    (visit,) = visits.walk(here, ("table-part",))
    visits.open_page(page, here, visit, Look("en"))
    here.do(partial(visits.tell_scores, here, to_the_end=True))
    expect(page.locator("#scores")).to_be_visible()
    wait_until(lambda: page.evaluate("saying === null"))  # what has changed was said
