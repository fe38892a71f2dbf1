"""The options for the phones' address, and listening on it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from common.sentences import Sentence
from companion.commands import CommandError, need_extra
from companion.files import locations, reason
from companion.language import _
from tags.links import PORT

if TYPE_CHECKING:
    import argparse
    import ssl

    from companion.commands.parsing import Parser
    from companion.phones.serving.where import Where
    from companion.settings.config import Config


AUTO = "auto"
"""Instead of the files of `--tls`: a certificate of our own."""


def add_options(parser: Parser, usual: int = PORT) -> None:
    """Add the options for address, port and certificate; `usual` is the default port."""
    parser.add_argument(
        "--host",
        metavar="ADDRESS",
        help="the address for phones (default: this computer's address on its "
        "network; 127.0.0.1: this computer only)",
    )
    port = _("the port (default {port}; 0: any free one)").format(port=usual)
    parser.add_argument("--port", metavar="PORT", type=int, help=port)
    parser.add_argument(
        "--tls",
        metavar=("auto", "KEY"),
        nargs="+",
        help="encrypt the connection: with auto by a certificate that the companion makes, which "
        "phones can install, or with the files of a certificate and its key (CERT KEY)",
    )


def are_given(options: argparse.Namespace) -> bool:
    """Whether any of these options is given."""
    return options.host is not None or options.port is not None or options.tls is not None


def listen(options: argparse.Namespace, config: Config, command: str, usual: int = PORT) -> Where:
    """Open the listening socket. Raises CommandError."""
    import socket

    from companion.phones.serving import where

    port = usual if options.port is None else options.port
    if not 0 <= port < 65536:
        raise CommandError.of(command, Sentence("--port must be from 0 to 65535"))
    names = (*where.find_own_names(), *_names_on_chips(config))
    is_auto = options.tls == [AUTO]
    if options.tls and len(options.tls) != 2 and not is_auto:
        problem: str = Sentence("give auto, or the files of a certificate and of its key")
        raise CommandError.of(f"{command}: --tls", problem)
    if is_auto:
        need_extra(f"{command}: --tls {AUTO}", "tls")
    tls = _load_tls(options.tls, command) if options.tls and not is_auto else None
    host = options.host or where.find_own_address()
    try:
        address = where.find(host, port, tls, names)
        return _encrypt(address, config, command) if is_auto else address
    except (socket.gaierror, UnicodeError):
        problem = Sentence("this computer has no such address")
    except OSError as error:
        problem = reason(error)
    raise CommandError.of(f"{command}: {host}:{port}", problem)


def _encrypt(address: Where, config: Config, command: str) -> Where:
    """Use a certificate of this computer's own authority. Raises CommandError."""
    from companion.phones.serving import where
    from companion.phones.serving.authority import UnusableError

    authority, certificate = locations.certificate_files(config.data)
    try:
        return where.encrypt(address, authority, certificate)
    except UnusableError as error:
        problem: str = Sentence(
            "{path} cannot vouch for {host}; remove this file, and a new authority is made, "
            "which phones have to install again",
            path=error.path,
            host=address.address,
        )
    except OSError as error:
        problem = Sentence(
            "{path}: {reason}", path=error.filename or authority, reason=reason(error)
        )
    address.socket.close()
    raise CommandError.of(f"{command}: --tls {AUTO}", problem)


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
    raise CommandError.of(f"{command}: --tls", problem)
