"""`companion club init`: makes the folder of a club, with a card for each table."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from common import NamedTuple, own_files
from common.sentences import Sentence
from companion import language, terminal
from companion.commands import DONE, CommandError, load_settings, need_extra
from companion.commands.club.demo import MOST_TABLES
from companion.commands.parsing import Parser
from companion.files import reason
from companion.language import _

if TYPE_CHECKING:
    from collections.abc import Mapping

    from markupsafe import Markup

    from companion.club.folder import Club


BROKER_PORTS = {False: 1883, True: 8883}


def run(words: list[str]) -> int:
    """Make the folder."""
    parser = make_parser()
    args = parser.parse_args(words)
    config = load_settings(parser.settings(args))
    language.use(config.language)
    command = parser.prog
    from companion.club import folder
    from companion.club.demo import name_tables
    from companion.phones.serving.where import find_own_address
    from companion.settings.services import CLUB_NAME

    is_encrypted = not args.no_tls
    if not CLUB_NAME.fullmatch(args.name):
        raise CommandError(
            Sentence(
                "{command}: a club's name is up to 32 small letters, digits and dashes",
                command=command,
            )
        )
    if not 1 <= args.tables <= MOST_TABLES:
        raise CommandError(
            Sentence(
                "{command}: --tables must be from 1 to {most}", command=command, most=MOST_TABLES
            )
        )
    if is_encrypted:
        need_extra(command, "tls")
    host = args.host or find_own_address()
    port = args.port or BROKER_PORTS[is_encrypted]
    path = os.path.abspath(args.folder)
    club = folder.Club(args.name, host, port, is_encrypted)
    tables = name_tables(args.tables)
    try:
        if is_encrypted and not os.path.exists(os.path.join(path, folder.CLUB)):
            folder.encrypt(path, host)
        secrets = folder.make(path, club, tables, host)
        _write_cards(os.path.join(path, folder.CARDS), club, secrets)
    except FileExistsError:
        raise CommandError(
            Sentence(
                "{command}: {path} is the folder of a club already", command=command, path=path
            )
        ) from None
    except OSError as error:
        raise CommandError.of(f"{command}: {error.filename or path}", reason(error)) from None
    print(_("The club's folder: {path}").format(path=path))
    print(
        _("1. Print the cards of the tables, and delete the file: {path}").format(
            path=os.path.join(path, folder.CARDS)
        )
    )
    print(
        _("2. Start the broker: {command}").format(
            command=f"mosquitto -c {os.path.join(path, folder.BROKER)}"
        )
    )
    print(_("3. Start the hub: {command}").format(command=f"companion club hub {path}"))
    return DONE


def make_parser() -> Parser:
    """The command's options."""
    parser = Parser(
        "club init", "make a club's folder: for the broker, the hub and a card for each table"
    )
    parser.add_argument("folder", metavar="FOLDER", help="the folder to make")
    parser.add_argument("--name", metavar="CLUB", default="club", help="the club's name")
    parser.add_argument(
        "--tables", metavar="N", type=int, default=20, help="the number of tables (default: 20)"
    )
    parser.add_argument(
        "--host", metavar="ADDRESS", help="the broker's address (default: this computer's)"
    )
    parser.add_argument("--port", metavar="PORT", type=int, help="the broker's port")
    parser.add_argument(
        "--no-tls", action="store_true", help="no encryption; only for a separate network"
    )
    return parser


class TableCard(NamedTuple):
    """A table's card: its name, address and password, and both in a picture."""

    table: str
    url: str
    password: str
    picture: Markup


def _write_cards(path: str, club: Club, passwords: Mapping[str, str]) -> None:
    """Write all cards as a page to print, readable for this user only. Raises OSError."""
    from markupsafe import Markup

    from companion.club.wall import templates

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
