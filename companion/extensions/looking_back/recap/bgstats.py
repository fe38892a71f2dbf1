"""A finished game for BG Stats: the play in that app's format, its link and QR code.

The format is described in “Push plays to BG Stats from other apps or websites” (bgstatsapp.com,
support): times in UTC, and every boolean field present, which its Android app needs.
"""

from __future__ import annotations

import hashlib
import json
import os
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from common.clean import write_moment
from common.sentences import Sentence
from companion.extensions.looking_back import recap
from companion.extensions.looking_back.settings import find_place
from companion.language import card, translate
from companion.settings import config
from companion.wording import codes
from engine import scoring
from engine.moves import fold

if TYPE_CHECKING:
    from companion.extensions.looking_back.recap import Recap

LINK = "https://app.bgstatsapp.com/createPlay.html?data="
SOURCE = "Citadels companion"
UNFINISHED = Sentence("The game is not over; BG Stats takes only finished games.")

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
        **({"durationMin": look.minutes} if look.minutes else {}),
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
        return find_place(config.load(os.environ))
    except config.ConfigError:
        return None  # the command that reads the settings says so


def make_link(look: Recap) -> str:
    """The link that imports the play into BG Stats; without comments if its code has no room for
    them."""
    play = data(look)
    full = _write(play)
    return full if codes.fits(full) else _write(play | {"comments": ""})


def _write(play: dict[str, Any]) -> str:
    text = json.dumps(play, ensure_ascii=False, separators=(",", ":"))
    return LINK + quote(text, safe=_AS_THEY_ARE)


def _play_id(look: Recap) -> str:
    """A stable id for the game on every computer: from its beginning, box and players; from the
    scores if nobody noted when it began."""
    if look.started is None:
        standing = scoring.standing(look.table)
        when = " ".join(str(score.total) for score in standing.scores)
    else:
        when = write_moment(look.started)
    return _identify(when, look.table.rules.edition.id, *look.course.players)


def _identify(*facts: str) -> str:
    return hashlib.sha256(json.dumps(facts).encode()).hexdigest()[:16]
