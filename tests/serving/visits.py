"""Every page of phones and the television, and how to reach it in the demonstration."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from playwright.sync_api import Error, Page

from companion.chips.entries import CharacterChip
from companion.game.demonstration import read_demo
from companion.phones.serving.http_messages import name_cookie
from companion.phones.serving.pages import Look
from companion.phones.serving.site import LOOK, SEAT, VISITOR
from companion.settings import config
from companion.setup import PlayOptions
from companion.setup.draft import Draft
from companion.setup.shared import SetUp
from tests.serving.served import Served

GAME = read_demo()
CHOICE = "choose Kurt thief"  # of the second and third round, in which the Thief is murdered
MOVES = (*GAME.moves[:25], CHOICE, *GAME.moves[25:50], CHOICE, *GAME.moves[50:])
END = len(MOVES)
CHIP = "04A1B2C3"
SETUP: dict[str, Any] = {
    "players": ["Anna", "Kurt", "Ashley", "Ben"],
    "crown": "Kurt",
    "secrecy": "secret",
}


class Visit(NamedTuple):
    """A page: the number of moves before it, whose phone shows it (None: nobody's), and the actions
    there."""

    name: str
    at: int
    path: str
    player: str = ""
    do: Callable[[Page, Served], object] = lambda page, here: None


def _say_wrong_code(page: Page, _here: Served) -> None:
    page.fill("#code", "WRONGCDE")
    with page.expect_navigation():  # after five of them, to a page about it
        page.press("#code", "Enter")


def _tell_hand(page: Page, here: Served) -> None:
    if not here.do(lambda: here.talk.session.notebook.of(2).told):
        here.do(lambda: here.talk.session.tell_hand(2, "add", "docks"))
        page.reload()
    page.evaluate("document.querySelector('#telling').open = true")


def _arrive(page: Page, here: Served) -> None:
    here.do(lambda: here.phones.door.give(3, here.phones.table.version))
    here.phones.redraw()
    page.wait_for_selector("#arrival-3")


def _open_phones(page: Page, _here: Served) -> None:
    page.click("#for-others summary")
    page.click("#phones summary")
    page.click("#freeing > summary")
    page.click("#free-0 summary")


def _open_card(page: Page, _here: Served) -> None:
    page.press("#private summary", "Enter")


def _hide(page: Page, _here: Served) -> None:
    page.click("#bar button")
    page.wait_for_selector("#cover:popover-open")


def _open_list(page: Page, _here: Served) -> None:
    if page.locator("#own-choices [name=word]").count():
        return  # another tab of this phone already has
    page.locator("#rows-player button").nth(2).click()  # after gold and cards
    settle(page)


def _ask_why(page: Page, _here: Served) -> None:
    page.locator("#build-player .not").first.click()
    page.wait_for_selector("#answer .refused")


def _set_up_another(page: Page, here: Served) -> None:
    if here.phones.table.lobby is None:
        here.do(lambda: here.phones.open_lobby(SetUp(draft(here), lambda _draft: None)))
        page.wait_for_selector("main[data-kind=lobby]")
        page.wait_for_load_state()


def draft(here: Served) -> Draft:
    """The next game of the same people."""
    return Draft.of(PlayOptions(), config.load({}), here.talk.session.setup)


def _open_boxes(page: Page, here: Served) -> None:
    _set_up_another(page, here)
    if not page.locator("#list").count():
        page.locator("#game button").first.click()
        page.wait_for_selector("#list")


VISITS = (
    Visit("enter", 1, "/"),
    Visit("wrong-code", 1, "/", "", _say_wrong_code),
    Visit("seats", 1, "/", "visitor"),
    Visit("look", 1, "/look", "Anna"),
    Visit("choosing", 1, "/seat", "Anna"),
    Visit("table-selection", 1, "/table", "visitor"),
    Visit("calling", 3, "/seat", "Kurt"),
    Visit("table-calling", 3, "/table", "visitor"),
    Visit("turn-begins", 4, "/seat", "Ashley"),
    Visit("list", 4, "/seat", "Ashley", _open_list),
    Visit("own-card", 26, "/seat", "Kurt", _open_card),
    Visit("called", 28, "/seat", "Kurt"),
    Visit("robbed", 34, "/seat", "Ashley"),
    Visit("murdered", 55, "/seat", "Kurt"),
    Visit("refused", 80, "/seat", "Anna", _ask_why),
    Visit("phones", 123, "/seat", "Kurt", _open_phones),
    Visit("turn", 123, "/seat", "Ashley"),
    Visit("waiting", 123, "/seat", "Ben"),
    Visit("hidden", 123, "/seat", "Ben", _hide),
    Visit("arrivals", 123, "/seat", "Kurt", _arrive),
    Visit("table-arrivals", 123, "/table", "visitor"),
    Visit("card", 123, "/card/warlord", "visitor"),
    Visit("chip", 123, f"/t/{CHIP}", "visitor"),
    Visit("chip-seat", 123, f"/t/{CHIP}?shown", "Ashley"),
    Visit("held", 123, "/seat", "Ashley", _tell_hand),
    Visit("problem", 123, "/nowhere", "visitor"),
    Visit("table", 123, "/table", "visitor"),
    Visit("part", END, "/seat", "Kurt"),
    Visit("table-part", END, "/table", "visitor"),
    Visit("end", END, "/seat", "Kurt"),
    Visit("won", END, "/seat", "Ben"),
    Visit("table-end", END, "/table", "visitor"),
    Visit("recap", END, "/recap", "visitor"),
    Visit("lobby", END, "/seat", "Kurt", _set_up_another),
    Visit("lobby-list", END, "/seat", "Kurt", _open_boxes),
    Visit("lobby-waits", END, "/seat", "Anna", _set_up_another),
    Visit("table-lobby", END, "/table", "visitor", _set_up_another),
)


def serve(folder: Path) -> Served:
    """The demonstration's game at its start, with everybody seated."""
    setup: dict[str, Any] = {"players": list(GAME.setup.players), "crown": GAME.setup.crown}
    here = Served(folder, chips={CHIP: CharacterChip("assassin")}, **setup)
    for player in GAME.setup.players:
        here.key_of(player)
    return here


def walk(here: Served, names: tuple[str, ...] = ()) -> Iterator[Visit]:
    """The visits in order, named ones or all, with the game played up to each."""
    for visit in VISITS:
        if not names or visit.name in names:
            here.play(*MOVES[here.do(lambda: len(here.talk.session.referee.moves)) : visit.at])
            if visit.at == END:
                here.do(partial(tell_scores, here, to_the_end=not visit.name.endswith("part")))
            yield visit


def tell_scores(here: Served, *, to_the_end: bool) -> None:
    """Tell the first part of the scores at the table, or all of them."""
    base = here.talk.conversation.base
    base.begin()
    while to_the_end and base.go_on():
        pass


def open_page(page: Page, here: Served, visit: Visit, look: Look) -> None:
    """Open the page with that look, and perform its actions."""
    cookies = {LOOK: look.cookie()}
    if visit.player == "visitor":
        cookies[VISITOR] = here.phones.door.now.visitor
    elif visit.player:
        cookies[SEAT] = here.key_of(visit.player)
    url = here.where.url
    leave(page)  # without its cookies, the previous page would redirect
    page.context.clear_cookies()
    port = here.where.port
    page.context.add_cookies(
        [{"name": name_cookie(n, port), "value": v, "url": url} for n, v in cookies.items()]
    )
    page.goto(here.address(visit.path))
    visit.do(page, here)


def leave(page: Page) -> None:
    """Go to an empty page, also if the page is just going to another by itself: what it shows has
    ended."""
    while page.url != "about:blank":
        try:
            page.goto("about:blank")
        except Error as error:
            if "interrupted" not in error.message:
                raise


def settle(page: Page) -> None:
    """Wait until the last press was answered."""
    page.wait_for_selector("main:not([aria-busy])")
