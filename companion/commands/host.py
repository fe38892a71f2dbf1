"""`companion host`: the game, the readers and the phones, on a computer without a screen."""

from __future__ import annotations

import os

from companion.commands import import_quickly, listening, load_settings, play
from companion.commands.daemon import add_how_to_install
from companion.commands.parsing import Parser

EVERYWHERE = "0.0.0.0"

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable

    from companion.phones.serving.where import Where
    from companion.settings.config import Config
    from companion.setup import PlayOptions


def run(words: list[str]) -> int:
    """Host a game until stopped; returns the exit code."""
    parser = make_parser()
    args = parser.parse_args(words)
    if args.command != "run":
        return _install(args)
    config = load_settings(parser.settings(args))
    options = play.check(args, config, parser.prog)
    where = listening.listen(args, config, parser.prog)
    hosting = import_quickly("companion.plain.hosting")
    host: Callable[[PlayOptions, Config, Where, bool], int] = hosting.host
    return host(options, config, where, args.json)


def make_parser() -> Parser:
    """The command's options."""
    parser = Parser("host", "Host a game that is played with phones; no screen is needed.")
    play.add_options(parser)
    listening.add_options(parser)
    parser.add_argument(
        "--json",
        action="store_true",
        help="print the address, the codes and the game as a JSON object on the first line",
    )
    add_how_to_install(parser)
    return parser


def _install(options: argparse.Namespace) -> int:
    """Install or remove the automatic start. It continues the unfinished game, or opens the
    lobby."""
    from companion.commands import daemon_install

    load_settings()
    how = {"has_consent": options.yes, "dry": options.dry_run}
    if options.command == "uninstall":
        return daemon_install.uninstall("host", options.root, **how)
    words: list[str] = []
    options.host = options.host or EVERYWHERE  # the network may come up later
    for option in ("host", "port", "reader"):
        value = getattr(options, option)
        words += [] if value is None else [f"--{option}", str(value)]
    if options.tls:
        words += [
            "--tls",
            *(path if path == listening.AUTO else os.path.abspath(path) for path in options.tls),
        ]
    return daemon_install.install("host", words, options.root, **how)
