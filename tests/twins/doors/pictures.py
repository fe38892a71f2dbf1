"""Pictures of every untouched page of the phones and the television, the owner's of the secret
included."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page, expect

from companion.phones.serving.http_messages import name_cookie
from companion.phones.serving.site import SEAT, VISITOR
from tests.serving.served import Served
from tests.twins.pairs import Twins
from tests.waiting import PATIENCE

CALLED = b"called"
"""Instead of the picture of a phone that fills, because its player is about to show himself."""

LOUD = "document.querySelector('#now').dataset.stage?.endsWith('called') || false"
"""A script: whether the phone is that of a player who is about to show the called character."""


def look(browser: Browser, twins: Twins, which: int, folder: Path) -> Iterator[tuple[str, Any]]:
    """Play one of the twins at the table; yields every page after each move from the secret on."""
    served = Served(folder, **twins.head)
    pages: dict[str, Page] = {}
    try:
        for name in (*twins.names, ""):
            pages[name] = _open(browser, served, name)
        for place, text in enumerate(twins.moves(which), start=1):
            play(served, text)
            if place < twins.since:
                continue
            version = str(served.do(lambda: served.phones.table.version))
            for name, page in pages.items():
                settle(page, version)
                yield f"{name or 'table'} after {place}: {page.title()}", _picture(page)
    finally:
        for page in pages.values():
            page.context.close()
        served.close()


def is_called(one: Any, other: Any) -> bool:
    """Whether one of two pictures is of a phone that fills, as it may."""
    return CALLED in (one[1], other[1])


def play(served: Served, text: str) -> None:
    """Make a move at the table; `hand Anna add tavern` is told to Anna's phone."""
    verb, *words = text.split()
    if verb == "hand":
        name, word, district = words
        seat = served.talk.session.view.rules.player_names.index(name)
        served.do(partial(served.talk.session.tell_hand, seat, word, district))
    else:
        served.play(text)


def settle(page: Page, version: str) -> None:
    """Wait until the page shows that version."""
    expect(page.locator("#main")).to_have_attribute("data-version", version)


def _open(browser: Browser, served: Served, name: str) -> Page:
    context = browser.new_context(
        viewport={"width": 390, "height": 844}, reduced_motion="reduce", locale="en-GB"
    )
    context.set_default_timeout(PATIENCE * 1000)
    cookie, key = (SEAT, served.key_of(name)) if name else (VISITOR, served.phones.door.now.visitor)
    context.add_cookies(
        [{"name": name_cookie(cookie, served.where.port), "value": key, "url": served.where.url}]
    )
    page = context.new_page()
    page.goto(served.address("/seat" if name else "/table"))
    return page


def _picture(page: Page) -> bytes:
    """The page as it is seen, from top to bottom; that a player is about to show a character is no
    secret any more."""
    if page.evaluate(LOUD):
        return CALLED
    return page.screenshot(full_page=True, animations="disabled")
