"""Looking back on the phones, in their language: the page of `companion recap --html`, and the card
to share."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from starlette.responses import Response

from companion import language
from companion.extensions.looking_back.conversation_words import look_back
from companion.extensions.looking_back.recap import Recap, bgstats, recap_card, recap_page
from companion.language import _
from companion.phones.serving import http_messages, pages
from companion.phones.serving.afterwards import Ending, Link
from companion.phones.serving.http_messages import HttpRequest, Rejected

if TYPE_CHECKING:
    from companion.phones.serving.pages import Look
    from companion.phones.serving.site import Site


NOWHERE = "form-action 'none'; base-uri 'none'; frame-ancestors 'none'"


async def recap(site: Site, request: HttpRequest) -> Response:
    """The game so far, public."""
    look = site.find_look(request)
    if not site.find_guest(request).may_look:
        return pages.show(site.where, look, "enter", problem="", to="/recap")

    text = await site.kept.get(
        ("recap", *look), site.table.version, lambda: _write_recap(site, look)
    )
    answer = http_messages.page(text)
    answer.headers["Content-Security-Policy"] = f"{recap_page.POLICY}; {NOWHERE}"
    return answer


async def _write_recap(site: Site, look: Look) -> str:
    def write() -> str:
        with language.speaking(look.language):
            links = [("/", _("Seat")), ("/table", _("Table"))]
            return recap_page.write(
                game, recap_page.Style(look.size, look.theme, look.contrast), links
            )

    game = await _look_back(site, look.language)
    return await asyncio.to_thread(write)  # too slow for the event loop


async def tell_end(site: Site, code: str) -> Ending:
    """The story of the game, its card and its recap; the link with which BG Stats logs it, if it
    was noted when it was played."""
    game = await _look_back(site, code)
    with language.speaking(code):
        links = [Link(_("A card to share"), f"/share/{CARD}", PICTURE, f"/share/{CARD_TEXT}")]
        if bgstats.is_known(game):
            links.append(Link(_("Log this game in BG Stats"), bgstats.make_link(game)))
        links.append(Link(_("The game round by round"), "/recap"))
        return Ending(tuple(point.text for point in game.story), tuple(links))


async def _look_back(site: Site, code: str) -> Recap:
    def tell() -> Recap:
        with language.speaking(code):
            return look_back(site.table.session)

    return await site.desk.ask(tell)


CARD, CARD_TEXT = "citadels.svg", "citadels.txt"
"""The card to share, as a picture and as text."""

PICTURE = "citadels.png"
"""The picture that a phone makes of the card."""


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
        with language.speaking(code):
            return recap_card.draw(game), "\n".join(recap_card.tell(game)) + "\n"

    game = await _look_back(site, code)
    return await asyncio.to_thread(draw)


PAGES = {"/recap": recap, "/share/": share}
"""The pages by address."""
