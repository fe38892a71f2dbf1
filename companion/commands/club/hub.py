"""`companion club hub`: the wall, the standings and the judge's page of a club."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from common.sentences import Sentence
from companion import language
from companion.commands import DONE, CommandError, listening, load_settings, need_extra
from companion.commands.parsing import Parser
from companion.errors.output import print_error
from companion.files import reason
from companion.language import _

if TYPE_CHECKING:
    from argparse import Namespace

    from companion.club.folder import Club, Passwords
    from companion.club.running import Running
    from companion.settings.config import Config
    from companion.settings.services import ClubAddress

PORT = 8430


def run(words: list[str]) -> int:
    """Run the hub until it is stopped."""
    parser = make_parser()
    args = parser.parse_args(words)
    config = load_settings(parser.settings(args))
    language.use(config.language)
    command = parser.prog
    from companion.club.running import Running, wait_for_end

    club, address, passwords = _find_tables(args, config, command)
    data = args.folder or config.data
    if args.host is None and args.folder is None and address is None:
        args.host = "127.0.0.1"  # without passwords the tables of this computer only
    where = listening.listen(args, config, command, PORT)
    try:
        running = Running(
            club,
            data,
            where,
            tell=tell,
            language=config.language,
            address=address,
            passwords=passwords,
        )
    except OSError as error:
        raise CommandError.of(command, reason(error)) from None
    running.start()
    announce(args, running)
    try:
        wait_for_end()
    finally:
        running.stop()
    return DONE


def _find_tables(
    args: Namespace, config: Config, command: str
) -> tuple[str, ClubAddress | None, Passwords | None]:
    """The club's name, the broker at which its tables are, None for tables that come over HTTP, and
    their passwords, None for a club without any. Raises CommandError."""
    from companion.club.folder import HUB
    from companion.settings.services import USUAL_CLUB, parse_club

    address = parse_club(config.club) if config.club else None
    if args.http and address is not None and address.is_broker:
        raise CommandError(
            Sentence(
                "{command}: with --http there is no broker; leave out --http, or the club's "
                "address {url}",
                command=command,
                url=config.club,
            )
        )
    if args.folder is None:
        name, passwords = address.club if address is not None else USUAL_CLUB, None
    else:
        club, passwords = _read_folder(args.folder, command)
        name = club.name
        if address is None and not args.http:
            address = club.address(HUB, args.folder)
        _check_address(args, address, name, command)
    if address is None or not address.is_broker:
        return name, None, passwords
    need_extra(_("{command} at a broker (without one: --http)").format(command=command), "club")
    return name, address, passwords


def _check_address(args: Namespace, address: ClubAddress | None, name: str, command: str) -> None:
    """Raises CommandError if that is not an address of the folder's club, or if its broker would be
    left out although nobody has said so."""
    if address is not None and address.club != name:
        raise CommandError(
            Sentence(
                "{command}: {path} is the folder of the club {name}, but the address is of {other}",
                command=command,
                path=args.folder,
                name=name,
                other=address.club,
            )
        )
    if address is not None and not address.is_broker and not args.http:
        raise CommandError(
            Sentence(
                "{command}: {path} is for a broker, but the club's address is {url}; add --http to "
                "take the tables' messages without a broker",
                command=command,
                path=args.folder,
                url=f"{address.place.scheme}://{address.place.location}",
            )
        )


def make_parser() -> Parser:
    """The command's options."""
    parser = Parser("club hub", "the wall, the standings and the judge's page of a club")
    add_hub_options(parser)
    parser.add_argument(
        "--http", action="store_true", help="without a broker: the tables come over HTTP"
    )
    parser.add_setting("club", help="the club's broker, such as mqtts://hub@HOST/CLUB")
    parser.add_argument("folder", metavar="FOLDER", nargs="?", help="the club's folder (club init)")
    return parser


def add_hub_options(parser: Parser) -> None:
    """Add the options of every hub."""
    listening.add_options(parser, PORT)
    parser.add_argument(
        "--json", action="store_true", help="print the addresses as a JSON object on the first line"
    )


def _read_folder(path: str, command: str) -> tuple[Club, Passwords]:
    from companion.club import folder

    try:
        club_files = folder.read(path)
    except (OSError, ValueError, KeyError) as error:
        text = reason(error) if isinstance(error, OSError) else Sentence("it is damaged")
        raise CommandError.of(f"{command}: {path}", text) from None
    if club_files is None:
        raise CommandError(
            Sentence(
                "{command}: {path} is not the folder of a club; make one with {init}",
                command=command,
                path=path,
                init="companion club init FOLDER",
            )
        )
    return club_files


def tell(line: str) -> None:
    """Tell the judge a line."""
    print_error([line])


def announce(options: Namespace, running: Running) -> None:
    """Print where the wall is, and how tables and the judge get there."""
    url, table, code = running.where.url, running.table_address, running.judge_code
    if options.json:
        print(json.dumps({"url": url, "club": table, "judge": code}), flush=True)
        return
    from companion.phones.serving import guard

    print(_("The wall: {url}").format(url=url))
    print(_("At each table: {command}").format(command=f"companion play --club {table}"))
    print(_("The judge's code: {code}").format(code=guard.format_code(code)), flush=True)
