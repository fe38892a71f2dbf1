"""Measure a slow phone: Chromium with a sixth of the processor, from a touch on a row to the next
list painted, beside a page that only shows another word.

    python tests/bench/bench_slow_phone.py [--touches 12]

Both pages are in the same throttled browser and are touched in turn, so the ratio says the same on
a busy machine as on an idle one.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from playwright.sync_api import Browser, Page

from companion.phones.serving.pages import Look
from tests.bench.measuring import SHORT, figure, show_spread
from tests.serving import browsing, visits
from tests.serving.served import Served

SLOWER = 6  # times
PHONE = {"width": 390, "height": 844}
MOST = 500.0  # milliseconds from the touch to the list
GOAL = 30.0  # times the page that does nothing: what 500 milliseconds are to a frame
IDLE = """<!doctype html><button style="font-size:3rem">one</button>
<script>document.querySelector("button").onclick = (event) => {
  event.target.textContent = event.target.textContent === "one" ? "two" : "one";
};</script>"""

_TOUCH = """([selector, awaited]) => new Promise((done) => {
  const began = performance.now();
  const look = () => {
    if (!awaited || document.querySelector(awaited))
      requestAnimationFrame(() => setTimeout(() => done(performance.now() - began)));
    else requestAnimationFrame(look);
  };
  document.querySelector(selector).click();
  look();
})"""
"""Milliseconds from the click to the frame after what is awaited is on the page."""


def throttle(browser: Browser) -> Page:
    """A page of a slow phone."""
    context = browser.new_context(viewport=PHONE, reduced_motion="reduce")
    page = context.new_page()
    context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
    return page


def take_gold(page: Page, here: Served) -> float:
    """Touch “Take 2 gold” on the phone in turn, until the districts are listed; then undo it."""
    page.wait_for_selector("#rows-player button")
    duration = float(page.evaluate(_TOUCH, ["#rows-player button", "#build-player"]))
    here.do(lambda: here.talk.conversation.word("undo"))
    page.wait_for_selector("#build-player", state="detached")
    return duration


def measure(touches: int) -> None:
    """Print the milliseconds, and the ratio to the page that does nothing."""
    visit = next(one for one in visits.VISITS if one.name == "turn-begins")
    with tempfile.TemporaryDirectory() as folder, browsing.chromium() as browser:
        here = visits.serve(Path(folder))
        list(visits.walk(here, (visit.name,)))
        page, idle = throttle(browser), throttle(browser)
        visits.open_page(page, here, visit, Look("en"))
        idle.set_content(IDLE)
        lists, nothing = [], []
        for _touch in range(touches):
            lists.append(take_gold(page, here))
            nothing.append(float(idle.evaluate(_TOUCH, ["button", ""])))
        here.close()
    print(f"list: {show_spread(lists)} ms, nothing: {show_spread(nothing)} ms")
    figure("slow phone: from a touch to the next list", statistics.median(lists), "ms", MOST)
    ratio = statistics.median(lists) / statistics.median(nothing)
    figure("slow phone: beside a page that does nothing", ratio, "times", GOAL)


def main() -> None:
    """Run the bench."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--touches", type=int, default=4 if SHORT else 12)
    measure(parser.parse_args().touches)


if __name__ == "__main__":
    main()
