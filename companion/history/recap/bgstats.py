"""A finished game for BG Stats: the play in that app's format, its link and QR code.

The format is described in “Push plays to BG Stats from other apps or websites” (bgstatsapp.com,
support): times in UTC, and every boolean field present, which its Android app needs.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from companion import terminal
from companion.history import recap
from companion.language import _, card, translate
from companion.settings import config
from engine import scoring
from engine.moves import fold

if TYPE_CHECKING:
    from companion.history.recap import Recap

LINK = "https://app.bgstatsapp.com/createPlay.html?data="
SOURCE = "Citadels companion"

_DATE = "%Y-%m-%d %H:%M:%S"  # in UTC

_AS_THEY_ARE = ":,"  # frequent in JSON, allowed unescaped in a query: a smaller code


def is_known(look: Recap) -> bool:
    """Whether the game is over, and it was noted when it was played."""
    return look.over and None not in (look.started, look.ended, look.minutes)


def data(look: Recap) -> dict[str, Any]:
    """The play of a game that is over: on the day when it began, or now if nobody noted that.
    `location` is the setting `place`, `board` the box with its cards."""
    edition = look.table.rules.edition
    standing = scoring.standing(look.table)
    place = _find_place()
    return {
        "sourceName": SOURCE,
        "sourcePlayId": _play_id(look),
        "playDate": (look.started or datetime.now(UTC)).astimezone(UTC).strftime(_DATE),
        **({} if look.minutes is None else {"durationMin": look.minutes}),
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
    if terminal.is_dumb():
        return [tell_undrawable(text)]
    rows = terminal.draw_half_blocks(text)
    window = shutil.get_terminal_size()
    if len(rows[0]) > window.columns or len(rows) >= window.lines:
        return [tell_size(rows, below=1)]  # the prompt
    return [f"{terminal.DARK_ON_LIGHT}{row}{terminal.AS_BEFORE}" for row in rows]


def tell_too_long() -> str:
    """Say that the link does not fit into a code, and what to do."""
    return _("The names are too long for a QR code; open the link on the phone itself.")


def _play_id(look: Recap) -> str:
    """A stable id for the game on every computer: from its beginning, box and players; from the
    scores if nobody noted when it began."""
    if look.started is None:
        standing = scoring.standing(look.table)
        when = " ".join(str(score.total) for score in standing.scores)
    else:
        when = look.started.astimezone(UTC).isoformat(timespec="milliseconds")
    return _identify(when, look.table.rules.edition.id, *look.course.players)


def _identify(*facts: str) -> str:
    return hashlib.sha256(json.dumps(facts).encode()).hexdigest()[:16]


def tell_undrawable(link: str) -> str:
    """Say that no code can be drawn here, and what to do."""
    return _("This terminal cannot show a QR code; open {link} on the phone.").format(link=link)


def tell_size(rows: list[str], *, below: int = 0) -> str:
    """Say that a window is too small for the code in `rows` and `below` more lines, and what to
    do."""
    return _(
        "The QR code needs a window of {columns} columns and {lines} lines: make the font smaller, "
        "or write a page with companion recap --html."
    ).format(columns=len(rows[0]), lines=len(rows) + below)


def choose_code(look: Recap) -> str:
    """The link for a code; "" where it would fit into none."""
    link = make_link(look)
    return link if has_code(link) else ""
