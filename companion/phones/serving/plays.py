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
    from companion.history.recap.plays_page import Play
    from companion.phones.serving.house import House
    from companion.phones.serving.messages import Answer, Request

MOST = 12
"""Games listed at once; those that are sent make room."""


async def show(house: House, request: Request) -> Answer:
    """One game, for whoever has its key: the code with it was on the table's own screen."""
    look = house.find_look(request)
    name = _find_name(house, request)
    matches = await asyncio.to_thread(_read, house, [name], look.language)
    if not matches:
        raise Rejected(404, _("There is no such page."))
    return pages.show(house, look, "plays", plays=matches, told=_tell(matches))


async def mark(house: House, request: Request) -> Answer:
    """Count the game as sent: the link to BG Stats was opened."""
    name = _find_name(house, request)

    def save() -> None:
        session = house.table.session
        own = name == session.name
        settings = session.settings if own else GameSettings(session.store.path, name)
        settings.put(sending.SENT, True)

    await house.desk.ask(save)
    return messages.see_other(request.path)


async def unsent(house: House, request: Request) -> Answer:
    """The games of this group that were not sent yet, newest first."""
    look = house.find_look(request)
    if not house.find_guest(request).is_visitor:
        return pages.show(house, look, "enter", problem="", to="/plays")
    session = house.table.session
    mine = await house.desk.ask(
        lambda: {session.name, *list_played_by(session.store.path, session.settings.group)}
    )

    def read() -> list[tuple[str, Play]]:
        with Store(session.store.path) as store:
            games = sending.list_unsent(store, frozenset(mine))[:MOST]
        return _read(house, [game.name for game in games], look.language)

    matches = await asyncio.to_thread(read)
    return pages.show(house, look, "plays", plays=matches, told=_tell(matches))


def _find_name(house: House, request: Request) -> str:
    key = request.path.rpartition("/")[2]
    name = sending.find_game(house.table.session.store.path, key)
    if name is None:
        raise Rejected(404, _("There is no such page."))
    return name


def _read(house: House, names: list[str], code: str) -> list[tuple[str, Play]]:
    """These games with the address of their own pages; those that cannot be sent are left out."""
    from companion.history.recap import plays_page  # loaded only when needed

    path, matches = house.table.session.store.path, []
    with language.speaking(code), Store(path) as store:
        for name in names:
            try:
                look = look_back_at(store, name)
            except NotCounted:
                continue
            if bgstats.is_known(look):
                key = sending.make_key(GameSettings(path, name).group, name)
                matches.append((f"/{sending.PATH}{key}", plays_page.describe(look)))
    return matches


def _tell(found: list[tuple[str, Play]]) -> str:
    if not found:
        return _("Every finished game was sent to BG Stats.")
    return _("Open the link to log a game in the BG Stats app.")
