"""`companion serve`: the caller in a browser, for a tablet on the table."""

from __future__ import annotations

import asyncio
import socket
import sys
from contextlib import suppress
from importlib.util import find_spec

from companion import errors, language
from companion.commands import DONE, CommandError, settings
from companion.commands.output import answer
from companion.commands.parsing import Parser
from companion.language import _
from companion.serving import guard
from companion.system_errors import reason
from engine.sentences import placed

HOST, PORT = "127.0.0.1", 8000
EVERYWHERE = {"0.0.0.0": "203.0.113.1", "::": "2001:db8::1"}
"""Addresses that mean every network, and one of each kind that belongs to nobody."""

NEEDED = ("textual_serve", "aiohttp", "markupsafe")


def run(words: list[str]) -> int:
    """Serve until Ctrl+C; the exit code."""
    given = _parser().parse_args(words)
    config = settings.load()
    language.use(config.language)
    if not 0 < given.port < 65536:
        raise CommandError("companion serve: --port is from 1 to 65535")
    if any(find_spec(name) is None for name in NEEDED):
        raise CommandError(
            "companion serve needs the extra “serve”: .venv/bin/python -m pip install -e '.[serve]'"
        )
    from companion.serving.server import TableServer

    errors.catch_logged()
    code = guard.new_code()
    server = TableServer(_command(), given.host, given.port, guard.Guard(code))
    try:
        asyncio.run(server.run(lambda: _tell(given.host, given.port, code)))
    except OSError as error:
        place = f"{given.host}:{given.port}"
        raise CommandError(placed(f"companion serve: {place}", reason(error))) from None
    return DONE


def _parser() -> Parser:
    parser = Parser("serve", "The caller in a browser, for a tablet on the table.")
    parser.add_argument(
        "--host",
        metavar="HOST",
        default=HOST,
        help=f"the address to serve at (default {HOST}: only this machine; 0.0.0.0: all networks)",
    )
    parser.add_argument(
        "--port", metavar="PORT", type=int, default=PORT, help=f"the port (default {PORT})"
    )
    return parser


def _command() -> list[str]:
    """What runs for each tab."""
    return [sys.executable, "-m", "companion", "play"]


def _tell(host: str, port: int, code: str) -> None:
    """Where to point a browser, and the code, which is said nowhere else."""
    host = _reached_at(host)
    shown = f"[{host}]" if ":" in host else host
    lines = [
        _("The table is served at http://{host}:{port}").format(host=shown, port=port),
        _("Access code: {code}").format(code=guard.shown(code)),
    ]
    if not guard.is_loopback(host):
        lines.append(
            _("Whoever is in this network can read what is sent: use it only among friends.")
        )
    answer([*lines, _("Ctrl+C ends it; every game is saved.")])
    sys.stdout.flush()


def _reached_at(host: str) -> str:
    """What a tablet must be told: where every network is served, this machine's address in one."""
    if host not in EVERYWHERE:
        return host
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # nothing is sent: the system only says from which address it would be
    with suppress(OSError), socket.socket(family, socket.SOCK_DGRAM) as probe:
        probe.connect((EVERYWHERE[host], PORT))
        return str(probe.getsockname()[0])
    return HOST  # there is no network: only this machine can come
