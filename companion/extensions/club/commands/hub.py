"""`companion club hub`: the wall of a club, with its standings."""

from __future__ import annotations

import json
import sys
from argparse import Namespace

from common.sentences import Sentence
from companion import language
from companion.commands import DONE, CommandError, listening, need_extra
from companion.commands.declared import JSON, arg, command
from companion.errors.output import print_error
from companion.extensions.club import folder
from companion.extensions.club.address import ClubAddress, parse_club
from companion.extensions.club.folder import Club
from companion.extensions.club.running import Running, wait_for_end
from companion.extensions.club.setting import CLUB
from companion.files import reason
from companion.language import _
from companion.settings.config import Config

PORT = 8430
_PROG = "companion club hub"


@command(
    "club hub",
    *listening.list_options(PORT),
    JSON,
    arg("folder", metavar="FOLDER", nargs="?", help="the club's folder (club init)"),
)
def run(config: Config, args: Namespace) -> int:
    language.use(config.language)
    address = _find_broker(args, config)
    need_extra(_PROG, "club")
    where = listening.listen(args, config, _PROG, PORT)
    try:
        running = Running(
            args.folder or config.data,
            where,
            tell=tell,
            language=config.language,
            address=address,
        )
    except OSError as error:
        raise CommandError.of(_PROG, reason(error)) from None
    running.start()
    announce(running, as_json=args.json)
    try:
        wait_for_end()
    finally:
        running.stop()
    return DONE


def _find_broker(args: Namespace, config: Config) -> ClubAddress:
    """The broker of the club: the settings' own, else that of the folder. Raises CommandError."""
    url = config.extended.get(CLUB.key)
    address = parse_club(url) if url else None
    if args.folder is not None:
        club = _read_folder(args.folder)
        address = address or club.address(args.folder)
        if address.club != club.name:
            raise CommandError(
                Sentence(
                    "{command}: {path} is the folder of the club {name}, but the address is of "
                    "{other}",
                    command=_PROG,
                    path=args.folder,
                    name=club.name,
                    other=address.club,
                )
            )
    if address is None:
        problem = Sentence(
            "name the club's folder; make one with {init}", init="companion club init FOLDER"
        )
        raise CommandError.of(_PROG, problem, hint=_PROG)
    return address


def _read_folder(path: str) -> Club:
    try:
        club = folder.read(path)
    except (OSError, ValueError, KeyError) as error:
        text = reason(error) if isinstance(error, OSError) else Sentence("it is damaged")
        raise CommandError.of(f"{_PROG}: {path}", text) from None
    if club is None:
        raise CommandError(
            Sentence(
                "{command}: {path} is not the folder of a club; make one with {init}",
                command=_PROG,
                path=path,
                init="companion club init FOLDER",
            )
        )
    return club


def tell(line: str) -> None:
    print_error([line])


def announce(running: Running, *, as_json: bool = False) -> None:
    """Print where the wall is, and how tables get there."""
    url, table = running.where.url, running.table_address
    if as_json:
        print(json.dumps({"url": url, "club": table}), flush=True)
        return
    print(_("The wall: {url}").format(url=url))
    print(_("At each table: {command}").format(command=f"companion play --club {table}"))
    sys.stdout.flush()
