"""`companion club init`: makes the folder of a club, with a card for each table."""

from __future__ import annotations

import os
from argparse import Namespace
from collections.abc import Mapping
from typing import NamedTuple
from urllib.parse import urlsplit

from markupsafe import Markup

from common import own_files
from common.sentences import Sentence
from companion import language, terminal
from companion.commands import CommandError, need_extra
from companion.commands.declared import Answer, arg, command, take_count, wrong
from companion.extensions.club import folder
from companion.extensions.club.address import CLUB_NAME
from companion.extensions.club.demo import name_tables
from companion.extensions.club.folder import Club
from companion.extensions.club.wall import templates
from companion.files import reason
from companion.language import _
from companion.phones.serving.where import find_own_address
from companion.settings.config import Config

_PROG = "companion club init"
MOST_TABLES = 200
BROKER_PORTS = {False: 1883, True: 8883}


def _take_name(word: str) -> str:
    if not CLUB_NAME.fullmatch(word):
        raise wrong(Sentence("a club's name is up to 32 small letters, digits and dashes"))
    return word


@command(
    "club init",
    arg("folder", metavar="FOLDER", help="the folder to make"),
    arg("--name", metavar="CLUB", type=_take_name, default="club", help="the club's name"),
    arg(
        "--tables",
        metavar="N",
        type=take_count(1, MOST_TABLES),
        default=20,
        help="the number of tables (default: 20)",
    ),
    arg("--host", metavar="ADDRESS", help="the broker's address (default: this computer's)"),
    arg("--no-tls", action="store_true", help="no encryption; only for a separate network"),
)
def run(config: Config, args: Namespace) -> Answer:
    language.use(config.language)
    is_encrypted = not args.no_tls
    if is_encrypted:
        need_extra(_PROG, "tls")
    host = args.host or find_own_address()
    path = os.path.abspath(args.folder)
    club = Club(args.name, host, BROKER_PORTS[is_encrypted], is_encrypted)
    tables = name_tables(args.tables)
    try:
        if is_encrypted and not os.path.exists(os.path.join(path, folder.CLUB)):
            folder.encrypt(path, host)
        secrets = folder.make(path, club, tables, host)
        _write_cards(os.path.join(path, folder.CARDS), club, secrets)
    except FileExistsError:
        raise CommandError(
            Sentence("{command}: {path} is the folder of a club already", command=_PROG, path=path)
        ) from None
    except OSError as error:
        raise CommandError.of(f"{_PROG}: {error.filename or path}", reason(error)) from None
    cards, start = os.path.join(path, folder.CARDS), os.path.join(path, folder.BROKER)
    return Answer(
        [
            _("The club's folder: {path}").format(path=path),
            _("1. Print the cards of the tables, and delete the file: {path}").format(path=cards),
            _("2. Start the broker: {command}").format(command=f"mosquitto -c {start}"),
            _("3. Start the hub: {command}").format(command=f"companion club hub {path}"),
        ]
    )


class TableCard(NamedTuple):
    """A table's card: its name, address and password, and both in a picture."""

    table: str
    url: str
    password: str
    picture: Markup


def _write_cards(path: str, club: Club, passwords: Mapping[str, str]) -> None:
    """Write all cards as a page to print, readable for this user only. Raises OSError."""
    cards = [
        TableCard(
            table,
            club.url(table),
            word,
            Markup(terminal.draw_inline(_put_password_in(club.url(table), word))),
        )
        for table, word in passwords.items()
    ]
    page = templates().get_template("cards.html")
    html = page.render(club=club, cards=cards, spoken=language.current())
    own_files.replace(path, html)


def _put_password_in(url: str, password: str) -> str:
    """The address with the password in it, as text: a phone that scans the code can send both to
    the table's computer."""
    parts = urlsplit(url)
    return url.replace(f"://{parts.username}@", f"://{parts.username}:{password}@", 1)
