"""The options for the phones' address, and listening on it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from common.sentences import Sentence
from companion.commands import CommandError, blame
from companion.files.system_errors import reason
from companion.language import _
from tags.links import PORT

if TYPE_CHECKING:
    import argparse
    import ssl

    from companion.commands.parsing import Parser
    from companion.phones.serving.where import Where
    from companion.settings.config import Config


def add_options(parser: Parser) -> None:
    """Add the options for address, port and certificate."""
    parser.add_argument(
        "--host",
        metavar="ADDRESS",
        help="the address for phones (default: this computer's address on its "
        "network; 127.0.0.1: this computer only)",
    )
    port = _("the port (default {port}; 0: any free one)").format(port=PORT)
    parser.add_argument("--port", metavar="PORT", type=int, help=port)
    parser.add_argument(
        "--tls",
        metavar=("CERT", "KEY"),
        nargs=2,
        help="encrypt the connection, with the certificate and the key in these files",
    )


def are_given(given: argparse.Namespace) -> bool:
    """Whether any of these options is given."""
    return given.host is not None or given.port is not None or given.tls is not None


def listen(given: argparse.Namespace, config: Config, command: str) -> Where:
    """Open the listening socket. Raises CommandError."""
    import socket

    from companion.phones.serving import where

    port = PORT if given.port is None else given.port
    if not 0 <= port < 65536:
        raise CommandError(blame(command, Sentence("--port must be from 0 to 65535")))
    names = (*where.find_own_names(), *_names_on_chips(config))
    tls = _load_tls(given.tls, command) if given.tls else None
    host = given.host or where.find_own_address()
    try:
        return where.find(host, port, tls, names)
    except (socket.gaierror, UnicodeError):
        problem: str = Sentence("this computer has no such address")
    except OSError as error:
        problem = reason(error)
    raise CommandError(blame(f"{command}: {host}:{port}", problem))


def _names_on_chips(config: Config) -> tuple[str, ...]:
    """This computer's names in the links on this table's chips."""
    from tags import links

    host = links.parse(config.link).host.strip("[]")
    return (host,) if host else ()


def _load_tls(files: list[str], command: str) -> ssl.SSLContext:
    """Load the certificate and its key. Raises CommandError."""
    import ssl

    from companion.phones.serving import where

    try:
        return where.load_tls(*files)
    except ssl.SSLError:
        problem: str = Sentence(
            "{cert} and {key} are not a certificate and its key in PEM format",
            cert=files[0],
            key=files[1],
        )
    except (OSError, ValueError) as error:
        path = getattr(error, "filename", None) or files[0]
        problem = Sentence("{path}: {reason}", path=path, reason=reason(error))
    raise CommandError(blame(f"{command}: --tls", problem))
