"""Looking back on the phones: the page of `companion recap --html`, plays for BG Stats, and this
table's games, season and statistics, in the phone's language."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from companion import language
from companion.history.recap import Recap, bgstats
from companion.history.words import NotCounted, add_up_games, look_back, look_back_at
from companion.language import _, translate
from companion.log.open_game import GameSettings, list_played_by
from companion.log.store import Store, StoreError
from companion.phones.serving import messages, pages
from companion.phones.serving.messages import HttpRequest, Rejected, Response

if TYPE_CHECKING:
    from companion.history.recap.bgstats import PlayEntry
    from companion.history.telling import Section
    from companion.phones.serving.pages import Look
    from companion.phones.serving.site import Site


OF_ITS_OWN = (
    "Content-Security-Policy",
    "default-src 'none'; style-src 'unsafe-inline'; img-src data:; form-action 'none'; "
    "base-uri 'none'; frame-ancestors 'none'",
)
"""The page contains its styles, and loads and sends nothing."""


async def recap(site: Site, request: HttpRequest) -> Response:
    """The game so far, public."""
    look = site.find_look(request)
    if not site.find_guest(request).is_visitor:
        return pages.show(site.where, look, "enter", problem="", to="/recap")

    text = await site.kept.get(
        ("recap", *look), site.table.version, lambda: _write_recap(site, look)
    )
    answer = messages.page(text)
    answer.headers.append(OF_ITS_OWN)
    return answer


async def _write_recap(site: Site, look: Look) -> str:
    def write() -> str:
        from companion.history.recap import page  # loaded only when needed

        with language.speaking(look.language):
            links = [("/", _("Seat")), ("/table", _("Table")), ("/games", _("Statistics"))]
            return page.write(game, page.Style(look.size, look.theme, look.contrast), links)

    game = await _look_back(site, look.language)
    return await asyncio.to_thread(write)  # too slow for the event loop


async def _look_back(site: Site, code: str) -> Recap:
    def tell() -> Recap:
        with language.speaking(code):
            return look_back(site.table.session)

    return await site.desk.ask(tell)


CARD, CARD_TEXT = "citadels.svg", "citadels.txt"
"""The card to share, as a picture and as text."""


async def share(site: Site, request: HttpRequest) -> Response:
    """The card of the finished game; the phone makes the PNG of it itself."""
    if not site.find_guest(request).is_visitor:
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
        return Response(body=text.encode())
    return Response(kind="image/svg+xml", body=picture.encode())


async def _draw_card(site: Site, code: str) -> tuple[str, str]:
    def draw() -> tuple[str, str]:
        from companion.history.recap import card  # loaded only when needed

        with language.speaking(code):
            return card.draw(game), "\n".join(card.tell(game)) + "\n"

    game = await _look_back(site, code)
    return await asyncio.to_thread(draw)


MOST_GAMES = 20  # games listed


async def games(site: Site, request: HttpRequest) -> Response:
    """The latest games of this group, its season and statistics; nothing of others who have played.
    They are counted when this game begins and when it ends."""
    look = site.find_look(request)
    if not site.find_guest(request).is_visitor:
        return pages.show(site.where, look, "enter", problem="", to="/games")
    code, session = look.language, site.table.session
    state = session.game, session.version if session.over else None
    try:
        sections = await site.kept.get(
            ("games", code), state, lambda: site.desk.ask(lambda: _tell_games(site, code))
        )
    except (NotCounted, StoreError) as reason:
        return pages.show(site.where, look, "games", sections=(), problem=translate(str(reason)))
    return pages.show(site.where, look, "games", sections=sections, problem="")


def _tell_games(site: Site, code: str) -> list[Section]:
    from companion.history import standings, telling
    from companion.history.games import GameFilter, begin_of_day

    session = site.table.session
    mine = list_played_by(session.store.path, session.settings.group)
    names = frozenset({session.name, *mine})
    scheme, since = site.season
    query = GameFilter(since=since and begin_of_day(since), names=names)
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


# -- games for BG Stats on the phones -------------------------------------------------------------


MOST = 12
"""Games listed at once; those that are sent make room."""


async def show(site: Site, request: HttpRequest) -> Response:
    """One game, for whoever has its key: the code with it was on the table's own screen."""
    look = site.find_look(request)
    name = _find_name(site, request)
    matches = await asyncio.to_thread(_read, site, [name], look.language)
    if not matches:
        raise Rejected(404, _("There is no such page."))
    return pages.show(site.where, look, "plays", plays=matches, told=_tell(matches))


async def mark(site: Site, request: HttpRequest) -> Response:
    """Count the game as sent: the link to BG Stats was opened."""
    name = _find_name(site, request)

    def save() -> None:
        session = site.table.session
        own = name == session.name
        settings = session.settings if own else GameSettings(session.store.path, name)
        settings.put(bgstats.SENT, True)

    await site.desk.ask(save)
    return messages.see_other(request.path)


async def unsent(site: Site, request: HttpRequest) -> Response:
    """The games of this group that were not sent yet, newest first."""
    look = site.find_look(request)
    if not site.find_guest(request).is_visitor:
        return pages.show(site.where, look, "enter", problem="", to="/plays")
    session = site.table.session
    mine = await site.desk.ask(
        lambda: {session.name, *list_played_by(session.store.path, session.settings.group)}
    )

    def read() -> list[tuple[str, PlayEntry]]:
        with Store(session.store.path) as store:
            games = bgstats.list_unsent(store, frozenset(mine))[:MOST]
        return _read(site, [game.name for game in games], look.language)

    matches = await asyncio.to_thread(read)
    return pages.show(site.where, look, "plays", plays=matches, told=_tell(matches))


def _find_name(site: Site, request: HttpRequest) -> str:
    key = request.path.rpartition("/")[2]
    name = bgstats.find_game(site.table.session.store.path, key)
    if name is None:
        raise Rejected(404, _("There is no such page."))
    return name


def _read(site: Site, names: list[str], code: str) -> list[tuple[str, PlayEntry]]:
    """These games with the address of their own pages; those that cannot be sent are left out."""
    path, matches = site.table.session.store.path, []
    with language.speaking(code), Store(path) as store:
        for name in names:
            try:
                look = look_back_at(store, name)
            except NotCounted:
                continue
            if bgstats.is_known(look):
                key = bgstats.make_key(GameSettings(path, name).group, name)
                matches.append((f"/{bgstats.PATH}{key}", bgstats.describe(look)))
    return matches


def _tell(rows: list[tuple[str, PlayEntry]]) -> str:
    if not rows:
        return _("Every finished game was sent to BG Stats.")
    return _("Open the link to log a game in the BG Stats app.")
