"""The options for the phones' address, and listening on it."""

from __future__ import annotations

import os
import socket
from argparse import Namespace
from typing import TYPE_CHECKING

from common.sentences import Sentence, locate
from companion.commands import CommandError, need_extra
from companion.commands.declared import Arg, arg, take_count
from companion.files import locations, reason
from companion.settings.config import Config
from tags import links
from tags.links import PORT

if TYPE_CHECKING:
    import ssl

    from companion.phones.serving.where import Where

AUTO = "auto"
"""Instead of the files of `--tls`: a certificate of our own."""


def list_options(usual: int = PORT) -> tuple[Arg, ...]:
    """The options for address, port and certificate; `usual` is the default port."""
    return (
        arg(
            "--host",
            metavar="ADDRESS",
            help="the address for phones (default: this computer's address on its "
            "network; 127.0.0.1: this computer only)",
        ),
        make_port(usual),
        arg(
            "--tls",
            metavar=("auto", "KEY"),
            nargs="+",
            help="encrypt the connection: with auto by a certificate that the companion makes, of "
            "which each browser warns once, or with the files of a certificate and its key "
            "(CERT KEY)",
        ),
    )


def make_port(usual: int) -> Arg:
    """The option for the port."""
    text = Sentence("the port (default {port}; 0: any free one)", port=usual)
    return arg("--port", metavar="PORT", type=take_count(0, 65535), help=text)


def are_given(options: Namespace) -> bool:
    """Whether any of these options is given."""
    return options.host is not None or options.port is not None or options.tls is not None


def listen(options: Namespace, config: Config, command: str, usual: int = PORT) -> Where:
    """Open the listening socket. Raises CommandError."""
    from companion.phones.serving import where  # heavy: what encrypts and serves

    problem: str
    port = usual if options.port is None else options.port
    if options.host and where.is_link_local(options.host):
        problem = Sentence(
            "phones cannot open a link-local address; give another address of this computer, or "
            "leave --host out"
        )
        raise CommandError.of(f"{command}: {options.host}", problem)
    names = (*where.find_own_names(), *_names_on_chips(config))
    is_auto = options.tls == [AUTO]
    if options.tls and len(options.tls) != 2 and not is_auto:
        problem = Sentence("give auto, or the files of a certificate and of its key")
        raise CommandError.of(f"{command}: --tls", problem)
    if is_auto:
        need_extra(f"{command}: --tls {AUTO}", "tls")
    tls = _load_tls(options.tls, command) if options.tls and not is_auto else None
    try:
        address = where.find(options.host, port, tls, names)
        return _encrypt(address, config, command) if is_auto else address
    except (socket.gaierror, UnicodeError):
        problem = Sentence("this computer has no such address")
    except OSError as error:
        problem = reason(error)
    raise CommandError.of(f"{command}: {options.host or where.find_own_address()}:{port}", problem)


def _encrypt(address: Where, config: Config, command: str) -> Where:
    """Use a certificate that this computer signs itself. Raises CommandError."""
    from companion.phones.serving import where  # heavy: what encrypts and serves

    path = os.path.join(config.data, locations.CERTIFICATE_NAME)
    try:
        return where.encrypt(address, path)
    except OSError as error:
        address.socket.close()
        problem = locate(error.filename or path, reason(error))
        raise CommandError.of(f"{command}: --tls {AUTO}", problem) from None


def _names_on_chips(config: Config) -> tuple[str, ...]:
    """This computer's names in the links on this table's chips."""
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
        problem = locate(getattr(error, "filename", None) or files[0], reason(error))
    raise CommandError.of(f"{command}: --tls", problem)
