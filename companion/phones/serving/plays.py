"""Games for BG Stats on the phones: a page for each finished game, found by the key of its short
link, and one with all that were not sent yet."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from companion import language
from companion.history.recap import bgstats, sending
from companion.history.words import NotCounted, look_back_at
from companion.language import _
from companion.log.game_settings import GameSettings, list_played_by
from companion.log.store import Store
from companion.phones.serving import messages, pages
from companion.phones.serving.messages import Rejected

if TYPE_CHECKING:
    from companion.history.recap.sending import PlayEntry
    from companion.phones.serving.messages import HttpRequest, Response
    from companion.phones.serving.site import Site

MOST = 12
"""Games listed at once; those that are sent make room."""


async def show(site: Site, request: HttpRequest) -> Response:
    """One game, for whoever has its key: the code with it was on the table's own screen."""
    look = site.find_look(request)
    name = _find_name(site, request)
    matches = await asyncio.to_thread(_read, site, [name], look.language)
    if not matches:
        raise Rejected(404, _("There is no such page."))
    return pages.show(site, look, "plays", plays=matches, told=_tell(matches))


async def mark(site: Site, request: HttpRequest) -> Response:
    """Count the game as sent: the link to BG Stats was opened."""
    name = _find_name(site, request)

    def save() -> None:
        session = site.table.session
        own = name == session.name
        settings = session.settings if own else GameSettings(session.store.path, name)
        settings.put(sending.SENT, True)

    await site.desk.ask(save)
    return messages.see_other(request.path)


async def unsent(site: Site, request: HttpRequest) -> Response:
    """The games of this group that were not sent yet, newest first."""
    look = site.find_look(request)
    if not site.find_guest(request).is_visitor:
        return pages.show(site, look, "enter", problem="", to="/plays")
    session = site.table.session
    mine = await site.desk.ask(
        lambda: {session.name, *list_played_by(session.store.path, session.settings.group)}
    )

    def read() -> list[tuple[str, PlayEntry]]:
        with Store(session.store.path) as store:
            games = sending.list_unsent(store, frozenset(mine))[:MOST]
        return _read(site, [game.name for game in games], look.language)

    matches = await asyncio.to_thread(read)
    return pages.show(site, look, "plays", plays=matches, told=_tell(matches))


def _find_name(site: Site, request: HttpRequest) -> str:
    key = request.path.rpartition("/")[2]
    name = sending.find_game(site.table.session.store.path, key)
    if name is None:
        raise Rejected(404, _("There is no such page."))
    return name


def _read(site: Site, names: list[str], code: str) -> list[tuple[str, PlayEntry]]:
    """These games with the address of their own pages; those that cannot be sent are left out."""
    from companion.history.recap import sending  # loaded only when needed

    path, matches = site.table.session.store.path, []
    with language.speaking(code), Store(path) as store:
        for name in names:
            try:
                look = look_back_at(store, name)
            except NotCounted:
                continue
            if bgstats.is_known(look):
                key = sending.make_key(GameSettings(path, name).group, name)
                matches.append((f"/{sending.PATH}{key}", sending.describe(look)))
    return matches


def _tell(rows: list[tuple[str, PlayEntry]]) -> str:
    if not rows:
        return _("Every finished game was sent to BG Stats.")
    return _("Open the link to log a game in the BG Stats app.")
