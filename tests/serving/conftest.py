"""Games with a door, and phones in a browser."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, expect

from tests.serving import visits
from tests.serving.local_table import Table
from tests.serving.served import Served
from tests.waiting import PATIENCE

expect.set_options(timeout=PATIENCE * 1000)

_EXPECTED = ("Failed to load resource", "net::ERR_INTERNET_DISCONNECTED")
"""The browser's messages about an error response, and about a network cut by a test."""


@pytest.fixture
def phone(browser: Browser) -> Iterator[BrowserContext]:
    """A separate phone; errors in its console fail the test."""
    context = browser.new_context(
        viewport={"width": 390, "height": 844}, reduced_motion="reduce", has_touch=True
    )
    wrong: list[str] = []

    def note(told: ConsoleMessage) -> None:
        if told.type == "error" and not told.text.startswith(_EXPECTED):
            wrong.append(told.text)

    context.set_default_timeout(PATIENCE * 1000)
    context.on("console", note)
    context.on("weberror", lambda error: wrong.append(str(error.error)))
    yield context
    context.close()
    assert wrong == []


@pytest.fixture
def here(tmp_path: Path) -> Iterator[Served]:
    """The demonstration's game at its start."""
    served = visits.serve(tmp_path)
    yield served
    served.close()


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    """A game of four with its door."""
    result = Table(tmp_path)
    yield result
    result.close()
