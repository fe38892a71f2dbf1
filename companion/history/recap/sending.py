"""Which plays are in BG Stats already, and short links to our own page about a play, where phones
can reach it: their codes fit into any terminal.

A play counts as sent once its link was opened on that page, or when somebody says so. It is kept in
the settings of its game. A short link holds a key made from the group's id, which nobody can guess.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from common import NamedTuple
from companion import terminal
from companion.history import recap
from companion.history.games import GameFilter, read_all
from companion.history.recap import bgstats
from companion.history.recap.page import DEFAULT, load_template, read_styles
from companion.language import _, current
from companion.log.open_game import ADDRESS, GameSettings, list_groups

if TYPE_CHECKING:
    from collections.abc import Iterable

    from companion.history.games import Game
    from companion.history.recap import Recap
    from companion.log.store import Store


SENT = "bgstats"
"""The key of a game's setting that says whether its play was sent."""

PATH = "b/"
"""Where our own pages about a play are."""

KEY_LENGTH = 8
"""Letters of a key: 40 bits."""

PATIENCE = 0.7
"""Seconds in which our own page must answer to be offered."""


def make_key(group: str, game: str) -> str:
    """The key of that group's game in a short link."""
    data = hashlib.sha256(f"{group}\0{game}".encode()).digest()
    return base64.b32encode(data)[:KEY_LENGTH].decode()


def find_game(log: str, key: str) -> str | None:
    """The name of the game with that key in its short link."""
    for game, group in list_groups(log).items():
        if hmac.compare_digest(make_key(group, game).encode(), key.encode()):
            return game
    return None


def is_sent(log: str, game: str) -> bool:
    """Whether that game's play was sent."""
    return GameSettings(log, game).get(SENT) is True


def list_unsent(store: Store, names: frozenset[str] | None = None) -> list[Game]:
    """The finished games whose plays were not sent, newest first; with `names` only those. Results
    without moves, most often from BG Stats itself, are none of them. Raises StoreError."""
    games = read_all(store, GameFilter(names=names))
    played = [game for game in games if game.over and None not in game.seats[0].parts]
    return [game for game in played if not is_sent(store.path, game.name)]


def find_short_link(look: Recap, settings: GameSettings) -> str | None:
    """The link to our own page about that play; None where no phone can reach one."""
    address = settings.get(ADDRESS)
    if look.name is None or not isinstance(address, str) or not _is_reachable(address):
        return None
    return f"{address}{PATH}{make_key(settings.group, look.name)}"


def choose_code(look: Recap, settings: GameSettings) -> str:
    """The link for a code: the short one if there is one, else that of BG Stats; "" where it would
    fit into no code."""
    short_link = find_short_link(look, settings)
    if short_link is not None:
        return short_link
    link = bgstats.link(look)
    return link if bgstats.has_code(link) else ""


def _is_reachable(address: str) -> bool:
    """Whether our server answers there, at an address that other machines reach, too."""
    place = urlsplit(address)
    host = place.hostname or ""
    if host in ("", "localhost", "::1") or host.startswith("127."):
        return False
    return _answers(place.scheme, host, place.port)


def _answers(scheme: str, host: str, port: int | None) -> bool:
    import http.client

    if scheme == "https":
        import ssl

        # only asks whether it is there: our own authority need not be known here
        context = ssl._create_unverified_context()
        connection: http.client.HTTPConnection = http.client.HTTPSConnection(
            host, port, timeout=PATIENCE, context=context
        )
    else:
        connection = http.client.HTTPConnection(host, port, timeout=PATIENCE)
    try:
        connection.request("HEAD", "/static/icon.svg")
        return connection.getresponse().status == 200
    except (OSError, http.client.HTTPException):
        return False
    finally:
        connection.close()


# -- a page with the links that log games in BG Stats ---------------------------------------------


class PlayEntry(NamedTuple):
    """A game with its link, and the picture of its code if it fits into one."""

    title: str
    frame: str
    link: str
    code: str | None


def write(looks: Iterable[Recap]) -> str:
    """The page of these finished games, in the current language."""
    plays = [describe(look) for look in looks]
    waiting = _("Scan the code or open the link to log this game in the BG Stats app.")
    return load_template("plays.html").render(
        lang=current(),
        styles=read_styles(),
        style=DEFAULT,
        links=(),
        symbols="",
        title="BG Stats",
        told=waiting if plays else _("Every finished game was sent to BG Stats."),
        plays=plays,
        open=_("Log this game in BG Stats"),
        alt=_("QR code with that link"),
    )


def describe(look: Recap) -> PlayEntry:
    """The game for a page."""
    link = bgstats.link(look)
    code = terminal.draw_picture(link) if bgstats.has_code(link) else None
    return PlayEntry(recap.tell_outcome(look), recap.tell_frame(look), link, code)
