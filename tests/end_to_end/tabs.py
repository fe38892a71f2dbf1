"""Phones as tabs of Debian's Chromium, which are touched."""

from __future__ import annotations

import re
import time
from contextlib import suppress

from playwright.sync_api import Browser, Locator, Page, TimeoutError, expect

from tests.end_to_end.test_evening import Computer
from tests.waiting import PATIENCE

MS = PATIENCE * 1000


def click_in_folds(button: Locator) -> None:
    """Click a button, and first the folds around it, until it is to be seen.

    A page that is drawn anew in between may show the button outside its fold. While a touch is
    being answered, the page ignores others.
    """
    deadline = time.monotonic() + PATIENCE
    fold = button.locator("xpath=ancestor::details[not(@open)]").first.locator("summary")
    button.page.locator("#main:not([aria-busy=true])").wait_for(state="attached", timeout=MS)
    button.wait_for(state="attached", timeout=MS)
    while not button.is_visible():
        assert time.monotonic() < deadline, f"never seen: {button}"
        with suppress(TimeoutError):
            fold.click(timeout=1000)
    button.click()


class Tab:
    """A phone with one tab, in a browser context of its own."""

    def __init__(self, browser: Browser, computer: Computer) -> None:
        self.context = browser.new_context(
            locale="en-GB", reduced_motion="reduce", viewport={"width": 390, "height": 844}
        )
        self.context.set_default_timeout(MS)
        self.page: Page = self.context.new_page()
        self.url = computer.url

    def join(self, code: str, name: str) -> None:
        """Scan the code, and take a chair under that name."""
        self.page.goto(f"{self.url}#{code}")
        self.page.get_by_label("Your name").fill(name)
        self.page.get_by_role("button", name="Take a chair").click()
        expect(self.page).to_have_url(f"{self.url}seat", timeout=MS)

    def touch(self, label: str) -> None:
        """Touch the button whose label contains that, in whatever fold it is."""
        click_in_folds(self.page.get_by_role("button", name=label, include_hidden=True).first)

    def shows(self, text: str) -> None:
        expect(self.page.locator("main")).to_contain_text(re.compile(text), timeout=MS)
