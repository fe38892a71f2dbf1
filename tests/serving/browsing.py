"""Debian's Chromium, headless, driven by playwright, which downloads no browser."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from playwright.sync_api import Browser, sync_playwright

from tests.needs import BROWSERS, find_program

PROGRAM = find_program(*BROWSERS)

_OPTIONS = (
    "--no-sandbox",
    "--renderer-process-limit=1",  # one process for all that a phone opens
)


@contextmanager
def chromium() -> Iterator[Browser]:
    """The browser, closed afterwards."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=PROGRAM, args=_OPTIONS)
        try:
            yield browser
        finally:
            browser.close()
