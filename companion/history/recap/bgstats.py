"""A finished game for BG Stats: the play in that app's format, its link and QR code, and whether it
was sent.

The format is described in “Push plays to BG Stats from other apps or websites” (bgstatsapp.com,
support): times in UTC, and every boolean field present, which its Android app needs.

Where phones reach our own page about a play, its short link is in the code, which then fits into
any terminal. A short link holds a key made from the group's id, which nobody can guess. A play
counts as sent once its link was opened on that page, or when somebody says so; this is kept in the
settings of its game.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import os
import shutil
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any
from urllib.parse import quote, urlsplit

from common import NamedTuple
from companion import terminal
from companion.history import recap
from companion.history.games import Game, GameFilter, read_all
from companion.language import _, card, translate
from companion.log.open_game import ADDRESS, GameSettings, list_groups
from engine import scoring
from engine.moves import fold

if TYPE_CHECKING:
    from companion.history.recap import Recap
    from companion.log.store import Store

LINK = "https://app.bgstatsapp.com/createPlay.html?data="
SOURCE = "Citadels companion"

SENT = "bgstats"
"""The key of a game's setting that says whether its play was sent."""

PATH = "b/"
"""Where our own pages about a play are."""

KEY_LENGTH = 8
"""Letters of a key: 40 bits."""

PATIENCE = 0.7
"""Seconds in which our own page must answer to be offered."""

_AS_THEY_ARE = ":,"  # frequent in JSON, allowed unescaped in a query: a smaller code


def is_known(look: Recap) -> bool:
    """Whether the game has all that BG Stats needs: it is over, and was played here."""
    return look.over and None not in (look.started, look.ended, look.minutes)


def data(look: Recap) -> dict[str, Any]:
    """The play; only for a game that `is_known`. `location` is the setting `place`, `board` the box
    with its cards."""
    assert look.started is not None
    assert look.ended is not None
    edition = look.table.rules.edition
    standing = scoring.standing(look.table)
    place = _find_place()
    return {
        "sourceName": SOURCE,
        "sourcePlayId": _play_id(look, look.started),
        "playDate": look.ended.astimezone(UTC).strftime("%Y-%m-%d %H:%M:%S"),
        "durationMin": look.minutes,
        "game": {
            "bggId": edition.bgg_id,
            "name": translate(edition.title),
            "highestWins": True,
            "noPoints": False,
            "sourceGameId": edition.id,
        },
        "players": [
            {
                "name": name,
                "sourcePlayerId": _identify(fold(name))[:8],
                "startPlayer": seat == look.first,
                "rank": standing.places[seat],
                "role": str(card(role)) if (role := recap.find_last_role(look, seat)) else "",
                "score": standing.scores[seat].total,
                "winner": seat in standing.winners,
            }
            for seat, name in enumerate(look.course.players)
        ],
        "board": translate(edition.title),
        "comments": " ".join(point.text for point in look.story),
        **({"location": place} if place else {}),
    }


def _find_place() -> str | None:
    from companion.settings import config

    try:
        return config.load(os.environ).place
    except config.ConfigError:
        return None  # the command that reads the settings says so


def make_link(look: Recap) -> str:
    """The link that imports the play into BG Stats; without comments if its code has no room for
    them."""
    play = data(look)
    full = _write(play)
    return full if has_code(full) else _write(play | {"comments": ""})


def _write(play: dict[str, Any]) -> str:
    text = json.dumps(play, ensure_ascii=False, separators=(",", ":"))
    return LINK + quote(text, safe=_AS_THEY_ARE)


def has_code(link: str) -> bool:
    """Whether the link fits into a QR code: many long names do not."""
    return len(link.encode()) <= terminal.CAPACITY


def draw_for_terminal(text: str) -> list[str]:
    """The QR code in lines for the terminal of standard output, or a sentence if it does not fit:
    half a code is useless."""
    if not has_code(text):
        return [tell_too_long()]
    rows = terminal.draw_half_blocks(text)
    window = shutil.get_terminal_size()
    if len(rows[0]) > window.columns or len(rows) >= window.lines:
        return [tell_size(rows, below=1)]  # the prompt
    return [f"{terminal.DARK_ON_LIGHT}{row}{terminal.AS_BEFORE}" for row in rows]


def tell_too_long() -> str:
    """Say that the link does not fit into a code, and what to do."""
    return _("The names are too long for a QR code; open the link on the phone itself.")


def _play_id(look: Recap, start: datetime) -> str:
    """A stable id for the game on every computer: from its beginning, box and players."""
    text = start.astimezone(UTC).isoformat(timespec="milliseconds")
    return _identify(text, look.table.rules.edition.id, *look.course.players)


def _identify(*facts: str) -> str:
    return hashlib.sha256(json.dumps(facts).encode()).hexdigest()[:16]


def tell_size(rows: list[str], *, below: int = 0) -> str:
    """Say that a window is too small for the code in `rows` and `below` more lines, and what to
    do."""
    return _(
        "The QR code needs a window of {columns} columns and {lines} lines: make the font smaller, "
        "write a page with companion recap --html, or start the game with --phones: then the code "
        "is small."
    ).format(columns=len(rows[0]), lines=len(rows) + below)


# -- short links, and what was sent --------------------------------------------------------------


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
    link = make_link(look)
    return link if has_code(link) else ""


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


class PlayEntry(NamedTuple):
    """A game with its link, and the picture of its code if it fits into one."""

    title: str
    frame: str
    link: str
    code: str | None


def describe(look: Recap) -> PlayEntry:
    """The game for a page."""
    link = make_link(look)
    code = terminal.draw_picture(link) if has_code(link) else None
    return PlayEntry(recap.tell_outcome(look), recap.tell_frame(look), link, code)
