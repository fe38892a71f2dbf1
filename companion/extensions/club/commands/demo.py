"""`companion club demo`: a whole club on this computer, whose tables play by themselves."""

from __future__ import annotations

import os
import socket
import subprocess
import tempfile
import time
from argparse import Namespace
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

from common import own_files
from common.sentences import Sentence
from companion import language
from companion.commands import DONE, CommandError, listening, need_extra
from companion.commands.declared import arg, command, take_count
from companion.extensions.club import folder
from companion.extensions.club.commands.hub import PORT, announce, tell
from companion.extensions.club.demo import Demo, name_tables
from companion.extensions.club.running import Running, wait_for_end
from companion.settings.config import Config

_PROG = "companion club demo"
MOST_TABLES = 100
"""With more tables in one program, the client library's `select` runs out of file numbers below
1,024."""

STARTING = 20.0
"""Seconds for all tables of the demonstration to sit down."""

WAITING = 5.0
"""Seconds for a broker to start."""


@command(
    "club demo",
    listening.make_port(PORT),
    arg(
        "--tables",
        metavar="N",
        type=take_count(1, MOST_TABLES),
        default=20,
        help="the number of tables (default: 20)",
    ),
)
def run(config: Config, args: Namespace) -> int:
    language.use(config.language)
    need_extra(_PROG, "club")
    program = folder.find_broker()
    if program is None:
        problem = Sentence(
            "it needs the broker mosquitto; on Debian and Ubuntu: {install}, elsewhere see {page}",
            install="sudo apt install mosquitto",
            page="https://mosquitto.org/download",
        )
        raise CommandError.of(_PROG, problem)
    where = listening.listen(
        Namespace(host="127.0.0.1", port=args.port, tls=None), config, _PROG, PORT
    )
    with ExitStack() as stack:
        data = stack.enter_context(
            tempfile.TemporaryDirectory(prefix="citadels-club-", ignore_cleanup_errors=True)
        )
        club = folder.Club("demo", "127.0.0.1", _find_port(), False)
        passwords = folder.make(data, club, name_tables(args.tables), "127.0.0.1")
        stack.enter_context(_run_broker(program, data, club.port))
        running = Running(
            data,
            where,
            tell=tell,
            language=config.language,
            address=club.address(data),
        )
        running.start()
        stack.callback(running.stop)

        def find_address(table: str) -> str:
            path = os.path.join(data, f"{table}.password")
            own_files.replace(path, f"{passwords[table]}\n", is_key=True)
            return f"{club.url(table)}?password-file={path}"

        demo = Demo(args.tables, os.path.join(data, "tables"), find_address)
        demo.start()
        stack.callback(demo.stop)
        running.wait_for_tables(args.tables, STARTING)
        announce(running)
        wait_for_end()
    return DONE


def _find_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port: int = server.getsockname()[1]
        return port


@contextmanager
def _run_broker(program: str, path: str, port: int) -> Iterator[None]:
    process = subprocess.Popen(
        [program, "-c", os.path.join(path, folder.BROKER)],
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
