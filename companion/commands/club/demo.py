"""`companion club demo`: a whole club on this computer, whose tables play by themselves."""

from __future__ import annotations

import os
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

from common.sentences import Sentence
from companion import language
from companion.commands import DONE, CommandError, listening, load_settings
from companion.commands.club.hub import PORT, add_hub_options, announce, tell
from companion.commands.parsing import Parser

MOST_TABLES = 200
MOST_AT_BROKER = 100
"""Tables of one program at a broker: with more, the client library's `select` runs out of file
numbers below 1,024."""

STARTING = 20.0
"""Seconds for all tables of the demonstration to sit down."""

WAITING = 5.0
"""Seconds for a broker to start."""


def run(words: list[str]) -> int:
    """Run the demonstration until it is stopped."""
    parser = make_parser()
    args = parser.parse_args(words)
    config = load_settings(parser.settings(args))
    language.use(config.language)
    command = parser.prog
    from common import extras
    from companion.club import folder
    from companion.club.demo import Demo, name_tables
    from companion.club.running import Running, wait_for_end

    if not 1 <= args.tables <= MOST_TABLES:
        raise CommandError(
            Sentence(
                "{command}: --tables must be from 1 to {most}", command=command, most=MOST_TABLES
            )
        )
    if not 0.1 <= args.speed <= 1000:
        raise CommandError(Sentence("{command}: --speed must be from 0.1 to 1000", command=command))
    args.host = args.host or "127.0.0.1"
    where = listening.listen(args, config, command, PORT)
    with ExitStack() as stack:
        data = stack.enter_context(
            tempfile.TemporaryDirectory(prefix="citadels-club-", ignore_cleanup_errors=True)
        )
        with_broker = not args.http and args.tables <= MOST_AT_BROKER
        program = folder.find_broker() if with_broker and extras.is_installed("club") else None
        address = None
        if program is not None:
            club = folder.Club("demo", "127.0.0.1", _find_port(), False)
            secrets = folder.make(data, club, name_tables(args.tables), "127.0.0.1")
            stack.enter_context(_run_broker(program, data, club.port))
            address = club.address(folder.HUB, data)
        running = Running("demo", data, where, tell=tell, language=config.language, address=address)
        running.start()
        stack.callback(running.stop)

        def find_address(table: str) -> str:
            if program is None:
                return f"{where.scheme}://{table}@127.0.0.1:{where.port}/demo"
            path = os.path.join(data, f"{table}.password")
            _write_private(path, secrets[table])
            return f"{club.url(table)}?password-file={path}"

        demo = Demo(args.tables, os.path.join(data, "tables"), find_address, speed=args.speed)
        demo.start()
        stack.callback(demo.stop)
        running.wait_for_tables(args.tables, STARTING)
        announce(args, running)
        wait_for_end()
    return DONE


def make_parser() -> Parser:
    """The command's options."""
    parser = Parser("club demo", "a demonstration club on this computer, with simulated tables")
    add_hub_options(parser)
    parser.add_argument(
        "--tables", metavar="N", type=int, default=20, help="the number of tables (default: 20)"
    )
    parser.add_argument(
        "--speed", metavar="N", type=float, default=1.0, help="speed: 2 is twice as fast"
    )
    parser.add_argument(
        "--http",
        action="store_true",
        help="without a broker, even if mosquitto is installed; always with over 100 tables",
    )
    return parser


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
