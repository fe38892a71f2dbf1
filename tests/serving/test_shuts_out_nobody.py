"""Every page in Chromium, in every language and theme: axe-core's findings, overflow and sizes."""

from __future__ import annotations

import json
from importlib.resources import files
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Page

from companion import language
from companion.phones.serving.pages import Look
from tests.serving import browsing, visits
from tests.serving.served import Served
from tests.sizes import pick_first, pick_in_turn, pick_size

pytestmark = pytest.mark.outer

AXE = (files("axe_playwright_python") / "axe.min.js").read_text("utf-8")
NARROW = {"width": 320, "height": 640}  # also what is left of 1280 pixels at 400 %
WIDTHS = range(320, 1025, 8)
FEW = pick_size(4, 4, 1)
"""One page is measured at one in so many of the widths, the next page at the next ones."""

SMALL = """
[...document.querySelectorAll("main button, main .about, main summary, footer nav a")]
  .filter((one) => one.checkVisibility())
  .filter((one) => Math.min(one.offsetWidth, one.offsetHeight) < 44)
  .map((one) => one.outerHTML)
"""

SIZES = """
["navigation", "resource"].flatMap((type) => performance.getEntriesByType(type))
  .map((one) => [one.name, one.decodedBodySize])
"""


def find_faults(page: Page, **options: Any) -> list[str]:
    """axe-core's findings on the page."""
    asked = {"resultTypes": ["violations"], "rules": {"target-size": {"enabled": True}}} | options
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE)
    faults = page.evaluate(f"axe.run({json.dumps(asked)}).then((found) => found.violations)")
    return [
        f"{fault['id']}: {node['html'][:200]} {node['failureSummary']}"
        for fault in faults
        for node in fault["nodes"]
    ]


LONGEST = "de"
"""The language with the longest words; the short soak tries another, the soak all."""
LANGUAGES = pick_first(LONGEST, *(code for code in language.list_offered() if code != LONGEST))
EVERY = pick_size(3, len(LANGUAGES), 1)
"""One page in so many is seen by axe-core; in the short soak each in one language."""


@pytest.mark.sweep
@pytest.mark.parametrize(
    ("shift", "code"),
    [pytest.param(at, *of.values, marks=of.marks) for at, of in enumerate(LANGUAGES)],
)
def test_no_page_shuts_anybody_out(
    here: Served, phone: BrowserContext, shift: int, code: str
) -> None:
    page = phone.new_page()
    faults: dict[str, list[str]] = {}
    for number, visit in enumerate(visits.walk(here)):
        page.set_viewport_size(NARROW)
        visits.open_page(page, here, visit, Look(code, size="huge"))
        found = []
        seen = (number + shift) % EVERY == 0
        for theme in pick_in_turn(number, ("light", "dark")) if seen else ():
            page.emulate_media(color_scheme=theme)
            found += find_faults(page)
        if page.evaluate("document.documentElement.scrollWidth > innerWidth"):
            found.append("it is wider than the phone")
        names = page.evaluate(browsing.CUT_WORDS, ".district .label")
        found += [f"a word is broken: {name}" for name in names]
        for size in ("", "200%"):  # the largest of ours, then twice the usual by the browser
            page.evaluate("size => (document.documentElement.style.fontSize = size)", size)
            names = page.evaluate(browsing.LEAVING_TEXTS)
            found += [f"it does not fit {size}: {name}" for name in names]
        page.evaluate("document.documentElement.style.fontSize = ''")
        found += [f"it is small: {html}" for html in page.evaluate(SMALL)]
        if page.get_attribute("html", "lang") != code:
            found.append("its language is not told")
        page.evaluate("document.documentElement.dataset.size = 'normal'")
        for width in WIDTHS[number % FEW :: FEW]:
            page.set_viewport_size({"width": width, "height": 640})
            names = page.evaluate(browsing.BROKEN_WORDS)
            found += [f"a word is broken at {width} pixels: {name}" for name in names]
        faults |= {visit.name: found} if found else {}
    assert faults == {}


def test_strong_contrast_and_each_theme_by_hand(here: Served, phone: BrowserContext) -> None:
    page = phone.new_page()
    for visit in visits.walk(here, ("look", "refused", "table")):
        for theme in ("light", "dark"):
            look = Look("en", contrast="more", theme=theme)
            visits.open_page(page, here, visit, look)
            assert find_faults(page, runOnly=["color-contrast", "color-contrast-enhanced"]) == []


def test_the_first_page_is_small_and_all_ours(here: Served, phone: BrowserContext) -> None:
    page = phone.new_page()
    for path in ("/", "/seat"):
        visit = visits.Visit("first", 123, path, "" if path == "/" else "Ashley")
        visits.open_page(page, here, visit, Look("en"))
        sizes: dict[str, int] = dict(page.evaluate(SIZES))
        assert 1_000 < sum(sizes.values()) < 60_000
        assert all(url.startswith(here.where.url) for url in sizes)
