"""Looking back on the phones: the page of `companion recap --html`, and this table's games, season
and statistics, in the phone's language."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from companion import language
from companion.history.words import NotCounted, add_up_games, look_back
from companion.language import _, translate
from companion.log.game_settings import list_played_by
from companion.log.store import StoreError
from companion.phones.serving import messages, pages
from companion.phones.serving.messages import Answer, Rejected

if TYPE_CHECKING:
    from companion.history.recap.recap import Recap
    from companion.history.telling import Section
    from companion.phones.serving.house import House
    from companion.phones.serving.look import Look
    from companion.phones.serving.messages import Request

OF_ITS_OWN = (
    "Content-Security-Policy",
    "default-src 'none'; style-src 'unsafe-inline'; img-src data:; form-action 'none'; "
    "base-uri 'none'; frame-ancestors 'none'",
)
"""The page contains its styles, and loads and sends nothing."""


async def recap(house: House, request: Request) -> Answer:
    """The game so far, public."""
    look = house.find_look(request)
    if not house.find_guest(request).is_visitor:
        return pages.show(house, look, "enter", problem="", to="/recap")

    text = await house.kept.get(
        ("recap", *look), house.table.version, lambda: _write_recap(house, look)
    )
    answer = messages.page(text)
    answer.headers.append(OF_ITS_OWN)
    return answer


async def _write_recap(house: House, look: Look) -> str:
    def write() -> str:
        from companion.history.recap import page  # loaded only when needed

        with language.speaking(look.language):
            links = [("/", _("Seat")), ("/table", _("Table")), ("/games", _("Statistics"))]
            return page.write(game, page.Style(look.size, look.theme, look.contrast), links)

    game = await _look_back(house, look.language)
    return await asyncio.to_thread(write)  # too slow for the event loop


async def _look_back(house: House, code: str) -> Recap:
    def tell() -> Recap:
        with language.speaking(code):
            return look_back(house.table.session)

    return await house.desk.ask(tell)


CARD, CARD_TEXT = "citadels.svg", "citadels.txt"
"""The card to share, as a picture and as text."""


async def share(house: House, request: Request) -> Answer:
    """The card of the finished game; the phone makes the PNG of it itself."""
    if not house.find_guest(request).is_visitor:
        look = house.find_look(request)
        return pages.show(house, look, "enter", problem="", to=request.path)
    name = request.path.rpartition("/")[2]
    if name not in (CARD, CARD_TEXT) or not house.table.session.over:
        raise Rejected(404, _("There is no such page."))
    code = house.find_look(request).language
    picture, text = await house.kept.get(
        ("card", code), house.table.version, lambda: _draw_card(house, code)
    )
    if name == CARD_TEXT:
        return Answer(body=text.encode())
    return Answer(kind="image/svg+xml", body=picture.encode())


async def _draw_card(house: House, code: str) -> tuple[str, str]:
    def draw() -> tuple[str, str]:
        from companion.history.recap import card  # loaded only when needed

        with language.speaking(code):
            return card.draw(game), "\n".join(card.tell(game)) + "\n"

    game = await _look_back(house, code)
    return await asyncio.to_thread(draw)


MOST_GAMES = 20  # games listed


async def games(house: House, request: Request) -> Answer:
    """The latest games of this group, its season and statistics; nothing of others who have played.
    They are counted when this game begins and when it ends."""
    look = house.find_look(request)
    if not house.find_guest(request).is_visitor:
        return pages.show(house, look, "enter", problem="", to="/games")
    code, session = look.language, house.table.session
    state = session.game, session.version if session.over else None
    try:
        sections = await house.kept.get(
            ("games", code), state, lambda: house.desk.ask(lambda: _tell_games(house, code))
        )
    except (NotCounted, StoreError) as reason:
        return pages.show(house, look, "games", sections=(), problem=translate(str(reason)))
    return pages.show(house, look, "games", sections=sections, problem="")


def _tell_games(house: House, code: str) -> list[Section]:
    from companion.history import standings, telling
    from companion.history.games import Wanted, begin_of_day

    session = house.table.session
    mine = list_played_by(session.store.path, session.settings.group)
    names = frozenset({session.name, *mine})
    scheme, since = house.season
    query = Wanted(since=since and begin_of_day(since), names=names)
    with language.speaking(code):
        moves, results = add_up_games(session.store, names, MOST_GAMES)
        plays = standings.read_plays(session.store, query)
        if not moves:
            return [telling.Section("", [_("No games match.")])]
        sums = telling.sections(results, by_character=False)
        lines = standings.tell(standings.make(plays, scheme)) if plays else []
        parts = [
            telling.Section("", moves),
            telling.Section(_("Season"), lines),
            telling.Section(_("Statistics"), [telling.number_of(results)]),
            *sums,
        ]
        return [part for part in parts if part.lines]
