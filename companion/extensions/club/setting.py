"""The setting of a club: its address."""

from __future__ import annotations

from typing import Any

from common.sentences import Sentence
from companion.extensions.club.address import parse_club
from companion.settings.setting import Notice, Setting


def _check(value: Any) -> str | None:
    if value is None:
        return None
    try:
        parse_club(value if isinstance(value, str) else "")
    except ValueError as error:
        return str(error)
    return None


def _renew(value: Any) -> tuple[Any, list[Notice]]:
    """A club's address without what there was once: the hub over HTTP, and Home Assistant."""
    if not isinstance(value, str):
        return value, []
    if value.startswith(("http://", "https://")):
        sentence = Sentence(
            "“{path}”: a club has no address like this any more, and gets nothing from this table; "
            "write that of its broker, {example}",
            path=value.partition("?")[0],
            example="mqtts://TABLE@HOST/CLUB",
        )
        return None, [Notice(sentence, at_every_start=True)]
    address, _mark, options = value.partition("?")
    words = [word for word in options.split("&") if word != "home-assistant=yes"]
    if "&".join(words) == options:
        return value, []
    sentence = Sentence(
        "“{word}”: Home Assistant is no longer told of this table; the topics on the broker are "
        "there for it to read",
        word="home-assistant=yes",
    )
    return "?".join(filter(None, (address, "&".join(words)))), [Notice(sentence)]


CLUB = Setting(
    "club",
    None,
    _check,
    option="club",
    metavar="URL",
    help="show this game on the wall of a club, such as mqtts://TABLE@HOST/CLUB",
    renew=_renew,
).describe(
    """The club that this table belongs to, by its broker: mqtts://TABLE@HOST/CLUB (mqtt://
    without encryption), where TABLE and CLUB are small letters, digits and dashes. Add
    ?password-file=PATH with this table's password in that file, and &ca-file=PATH with the
    club's certificate. The club gets what everybody at the table sees, and the result; it
    cannot play. null means none."""
)
