"""`companion club`: the hub of many tables, a demonstration of it, and a club's folder."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import tempfile
import time
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING

from common.sentences import N_, Sentence
from companion import language
from companion.commands import DONE, CommandError, blame, listening, need_extra, see, settings
from companion.commands.parsing import Parser
from companion.errors.output import complain
from companion.files.system_errors import reason
from companion.language import _, translate

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Callable, Iterator

    from companion.club.folder import Club
    from companion.club.passwords import Passwords
    from companion.phones.serving.where import Where
    from companion.settings.config import Config

COMMANDS = {
    "hub": N_("the wall, the standings and the judge's page of a club"),
    "demo": N_("a whole club on this computer, whose tables play by themselves"),
    "init": N_("make a club's folder: for the broker, the hub and a card for each table"),
}
"""Every subcommand with its description."""

PORT = 8430
BROKER_PORTS = {False: 1883, True: 8883}
MOST_TABLES = 200
STARTING = 20.0
"""Seconds for all tables of the demonstration to sit down."""

WAITING = 5.0
"""Seconds for a broker to start."""


def run(words: list[str]) -> int:
    """Run a subcommand."""
    if words and words[0] in ("-h", "--help"):
        print(_help())
        return DONE
    command = words[0] if words else ""
    if command not in COMMANDS:
        raise _refuse(command)
    parser = make_parser(command)
    given = parser.parse_args(words[1:])
    config = settings.load(parser.settings(given))
    language.use(config.language)
    run_command: Callable[[Namespace, Config, str], int] = {
        "hub": _run_hub,
        "demo": _run_demo,
        "init": _run_init,
    }[command]
    return run_command(given, config, parser.prog)


def _refuse(command: str) -> CommandError:
    from common.problems import find_nearest
    from common.sentences import suggest

    if not command:
        problem = Sentence(
            "companion club: choose a command: {commands}", commands=", ".join(COMMANDS)
        )
        return CommandError(problem, see("companion club"))
    unknown = Sentence("companion club: unknown command “{word}”", word=command)
    return CommandError(suggest(unknown, find_nearest(command, COMMANDS)), see("companion club"))


def _help() -> str:
    settings.speak()
    rows = (f"  {name:12}{translate(Sentence(what))}" for name, what in COMMANDS.items())
    return "\n".join(
        (
            _("usage: companion club COMMAND [OPTION ...]"),
            "",
            _("Many tables on one wall, and their results."),
            "",
            *rows,
            "",
            _("For more: companion club COMMAND --help."),
        )
    )


def make_parser(command: str) -> Parser:
    """The options of a subcommand."""
    parser = Parser(f"club {command}", COMMANDS[command])
    if command == "init":
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
            "--no-tls", action="store_true", help="without encryption, for a network of its own"
        )
        return parser
    listening.add_options(parser, PORT)
    parser.add_argument(
        "--json", action="store_true", help="print the addresses as a JSON object on the first line"
    )
    if command == "hub":
        parser.add_setting("club", help="the club's broker, such as mqtts://hub@HOST/CLUB")
        parser.add_argument(
            "folder", metavar="FOLDER", nargs="?", help="the club's folder (club init)"
        )
    else:
        parser.add_argument(
            "--tables", metavar="N", type=int, default=20, help="the number of tables (default: 20)"
        )
        parser.add_argument(
            "--speed", metavar="N", type=float, default=1.0, help="speed: 2 is twice as fast"
        )
        parser.add_argument(
            "--http", action="store_true", help="without a broker, even if mosquitto is installed"
        )
    return parser


# -- the hub ----------------------------------------------------------------------------------


def _run_hub(given: Namespace, config: Config, command: str) -> int:
    from companion.club import folder
    from companion.club.running import Running, wait_for_end
    from companion.settings.club import USUAL_CLUB, parse_club

    address = parse_club(config.club) if config.club else None
    passwords = None
    club = address.club if address is not None else USUAL_CLUB
    if given.folder is not None:
        found = _read_folder(given.folder, command)
        settled, passwords = found
        club = settled.name
        if address is None and folder.find_broker() is not None:
            address = settled.address(folder.HUB, given.folder)
    if address is not None and not address.is_broker:
        club, address = address.club, None
    if address is not None:
        need_extra(f"{command}: --club", "club")
    data = given.folder or config.data
    if given.host is None and given.folder is None and address is None:
        given.host = "127.0.0.1"  # without passwords the tables of this computer only
    where = listening.listen(given, config, command, PORT)
    try:
        running = Running(
            club,
            data,
            where,
            tell=_tell,
            language=config.language,
            address=address,
            passwords=passwords,
        )
    except OSError as error:
        raise CommandError(blame(command, reason(error))) from None
    running.start()
    _announce(given, where, club, running.judge_code)
    try:
        wait_for_end()
    finally:
        running.stop()
    return DONE


def _read_folder(path: str, command: str) -> tuple[Club, Passwords]:
    from companion.club import folder

    try:
        found = folder.read(path)
    except (OSError, ValueError, KeyError) as error:
        text = reason(error) if isinstance(error, OSError) else Sentence("it is damaged")
        raise CommandError(blame(f"{command}: {path}", text)) from None
    if found is None:
        raise CommandError(
            Sentence(
                "{command}: {path} is not the folder of a club; make one with {init}",
                command=command,
                path=path,
                init="companion club init FOLDER",
            )
        )
    return found


def _tell(line: str) -> None:
    complain([line])


def _announce(given: Namespace, where: Where, club: str, code: str, broker: str = "") -> None:
    host = f"[{where.address}]" if ":" in where.address else where.address
    table = broker or f"{where.scheme}://TABLE@{host}:{where.port}/{club}"
    if given.json:
        print(json.dumps({"url": where.url, "club": table, "judge": code}), flush=True)
        return
    from companion.phones.serving import guard

    print(_("The wall: {url}").format(url=where.url))
    print(_("At each table: {command}").format(command=f"companion play --club {table}"))
    print(_("The judge's code: {code}").format(code=guard.format_code(code)), flush=True)


# -- the demonstration ------------------------------------------------------------------------


def _run_demo(given: Namespace, config: Config, command: str) -> int:
    from common import extras
    from companion.club import folder
    from companion.club.demo import Demo, name_tables
    from companion.club.running import Running, wait_for_end

    if not 1 <= given.tables <= MOST_TABLES:
        raise CommandError(
            Sentence(
                "{command}: --tables must be from 1 to {most}", command=command, most=MOST_TABLES
            )
        )
    if not 0.1 <= given.speed <= 1000:
        raise CommandError(Sentence("{command}: --speed must be from 0.1 to 1000", command=command))
    given.host = given.host or "127.0.0.1"
    where = listening.listen(given, config, command, PORT)
    with ExitStack() as stack:
        data = stack.enter_context(
            tempfile.TemporaryDirectory(prefix="citadels-club-", ignore_cleanup_errors=True)
        )
        program = None if given.http or not extras.is_installed("club") else folder.find_broker()
        address, broker = None, ""
        if program is not None:
            club = folder.Club("demo", "127.0.0.1", _find_port(), False)
            words = folder.make(data, club, name_tables(given.tables), "127.0.0.1")
            stack.enter_context(_run_broker(program, data, club.port))
            address, broker = club.address(folder.HUB, data), club.url("TABLE")
        running = Running(
            "demo", data, where, tell=_tell, language=config.language, address=address
        )
        running.start()
        stack.callback(running.stop)

        def find_address(table: str) -> str:
            if program is None:
                return f"{where.scheme}://{table}@127.0.0.1:{where.port}/demo"
            path = os.path.join(data, f"{table}.password")
            _write_private(path, words[table])
            return f"{club.url(table)}?password-file={path}"

        demo = Demo(given.tables, os.path.join(data, "tables"), find_address, speed=given.speed)
        demo.start()
        stack.callback(demo.stop)
        running.wait_for_tables(given.tables, STARTING)
        _announce(given, where, "demo", running.judge_code, broker)
        wait_for_end()
    return DONE


def _write_private(path: str, text: str) -> None:
    from common import own_files

    own_files.replace(path, f"{text}\n")


def _find_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port: int = server.getsockname()[1]
        return port


@contextmanager
def _run_broker(program: str, folder: str, port: int) -> Iterator[None]:
    """Run a broker of our own for the block."""
    from companion.club.folder import BROKER

    process = subprocess.Popen(
        [program, "-c", os.path.join(folder, BROKER)],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        end = time.monotonic() + WAITING
        while process.poll() is None and time.monotonic() < end:
            try:
                socket.create_connection(("127.0.0.1", port), 1).close()
                break
            except OSError:
                time.sleep(0.02)
        yield
    finally:
        process.terminate()
        process.wait()


# -- a club's folder --------------------------------------------------------------------------


def _run_init(given: Namespace, config: Config, command: str) -> int:
    from companion.club import cards, folder
    from companion.club.demo import name_tables
    from companion.phones.serving.where import find_own_address
    from companion.settings.club import NAME

    del config
    is_encrypted = not given.no_tls
    if not NAME.fullmatch(given.name):
        raise CommandError(
            Sentence(
                "{command}: a club's name is up to 32 small letters, digits and dashes",
                command=command,
            )
        )
    if not 1 <= given.tables <= MOST_TABLES:
        raise CommandError(
            Sentence(
                "{command}: --tables must be from 1 to {most}", command=command, most=MOST_TABLES
            )
        )
    if is_encrypted:
        need_extra(command, "tls")
    host = given.host or find_own_address()
    port = given.port or BROKER_PORTS[is_encrypted]
    path = os.path.abspath(given.folder)
    club = folder.Club(given.name, host, port, is_encrypted)
    tables = name_tables(given.tables)
    try:
        if is_encrypted and not os.path.exists(os.path.join(path, folder.CLUB)):
            folder.encrypt(path, host)
        words = folder.make(path, club, tables, host)
        cards.write(os.path.join(path, folder.CARDS), club, words)
    except FileExistsError:
        raise CommandError(
            Sentence(
                "{command}: {path} is the folder of a club already", command=command, path=path
            )
        ) from None
    except OSError as error:
        raise CommandError(blame(f"{command}: {error.filename or path}", reason(error))) from None
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
