"""Looking back on the phones, in their language: the page of `companion recap --html`, and the card
to share."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, NamedTuple

from starlette.responses import Response

from companion import language
from companion.history.recap import Recap, bgstats
from companion.history.words import look_back
from companion.language import _
from companion.phones.serving import messages, pages
from companion.phones.serving.messages import HttpRequest, Rejected

if TYPE_CHECKING:
    from companion.phones.page import Page
    from companion.phones.serving.pages import Look
    from companion.phones.serving.site import Site


OF_ITS_OWN = {
    "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'; img-src data:; "
    "form-action 'none'; base-uri 'none'; frame-ancestors 'none'"
}
"""The page contains its styles, and loads and sends nothing."""


async def recap(site: Site, request: HttpRequest) -> Response:
    """The game so far, public."""
    look = site.find_look(request)
    if not site.find_guest(request).may_look:
        return pages.show(site.where, look, "enter", problem="", to="/recap")

    text = await site.kept.get(
        ("recap", *look), site.table.version, lambda: _write_recap(site, look)
    )
    answer = messages.page(text)
    answer.headers.update(OF_ITS_OWN)
    return answer


async def _write_recap(site: Site, look: Look) -> str:
    def write() -> str:
        from companion.history.recap import page  # loaded only when needed

        with language.speaking(look.language):
            links = [("/", _("Seat")), ("/table", _("Table"))]
            return page.write(game, page.Style(look.size, look.theme, look.contrast), links)

    game = await _look_back(site, look.language)
    return await asyncio.to_thread(write)  # too slow for the event loop


class Afterwards(NamedTuple):
    """What the pages of a finished game tell beside the scores."""

    story: tuple[str, ...] = ()
    play: str = ""
    """The link with which BG Stats logs the game; "" if nobody noted when it was played."""


async def look_at_end(site: Site, page: Page, code: str) -> Afterwards:
    """What that page tells once every part of the scores has been told."""
    if page.end is None:
        return Afterwards()

    async def tell() -> Afterwards:
        game = await _look_back(site, code)
        with language.speaking(code):
            link = bgstats.make_link(game) if bgstats.is_known(game) else ""
            return Afterwards(tuple(point.text for point in game.story), link)

    return await site.kept.get(("afterwards", code), site.table.version, tell)


async def _look_back(site: Site, code: str) -> Recap:
    def tell() -> Recap:
        with language.speaking(code):
            return look_back(site.table.session)

    return await site.desk.ask(tell)


CARD, CARD_TEXT = "citadels.svg", "citadels.txt"
"""The card to share, as a picture and as text."""


async def share(site: Site, request: HttpRequest) -> Response:
    """The card of the finished game; the phone makes the PNG of it itself."""
    if not site.find_guest(request).may_look:
        look = site.find_look(request)
        return pages.show(site.where, look, "enter", problem="", to=request.path)
    name = request.path.rpartition("/")[2]
    if name not in (CARD, CARD_TEXT) or not site.table.session.over:
        raise Rejected(404, _("There is no such page."))
    code = site.find_look(request).language
    picture, text = await site.kept.get(
        ("card", code), site.table.version, lambda: _draw_card(site, code)
    )
    if name == CARD_TEXT:
        return Response(text, media_type="text/plain")
    return Response(picture, media_type="image/svg+xml")


async def _draw_card(site: Site, code: str) -> tuple[str, str]:
    def draw() -> tuple[str, str]:
        from companion.history.recap import card  # loaded only when needed

        with language.speaking(code):
            return card.draw(game), "\n".join(card.tell(game)) + "\n"

    game = await _look_back(site, code)
    return await asyncio.to_thread(draw)
