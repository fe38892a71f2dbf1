"""The card of each table: what its computer needs to join the club, in words and as a QR code."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from markupsafe import Markup

from common import own_files
from common.named_tuples import NamedTuple
from companion import language
from companion.club.wall import templates
from companion.terminal import qr

if TYPE_CHECKING:
    from collections.abc import Mapping

    from companion.club.folder import Club


class TableCard(NamedTuple):
    """A table's card: its name, address and password, and both in a picture."""

    table: str
    url: str
    password: str
    picture: Markup


def write(path: str, club: Club, passwords: Mapping[str, str]) -> None:
    """Write all cards as a page to print, readable for this user only. Raises OSError."""
    cards = [
        TableCard(
            table, club.url(table), word, Markup(qr.draw_inline(_join(club.url(table), word)))
        )
        for table, word in passwords.items()
    ]
    page = templates().get_template("cards.html")
    html = page.render(club=club, cards=cards, spoken=language.current())
    own_files.replace(path, html)


def _join(url: str, password: str) -> str:
    """The address with the password in it, as text: a phone that scans the code can send both to
    the table's computer."""
    parts = urlsplit(url)
    return url.replace(f"://{parts.username}@", f"://{parts.username}:{password}@", 1)
