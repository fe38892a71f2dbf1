"""`companion host`: the game, the readers and the phones, on a computer without a screen."""

from __future__ import annotations

import os
from argparse import Namespace

from companion.commands import listening, play, systemd
from companion.commands.declared import JSON, Answer, command
from companion.plain import hosting
from companion.settings.config import Config

EVERYWHERE = "0.0.0.0"


@command(
    "host",
    *play.OPTIONS,
    *listening.list_options(),
    JSON,
    systemd.INSTALL,
)
def run(config: Config, args: Namespace) -> Answer | int:
    """Host a game until stopped, or write the unit that does."""
    if args.command == "install":
        return _install(args)
    options = play.check(args, config, "companion host")
    where = listening.listen(args, config, "companion host")
    return hosting.host(options, config, where, as_json=args.json)


def _install(options: Namespace) -> Answer:
    """Write the unit that hosts at every login. It continues the unfinished game, or opens the
    lobby."""
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
    return systemd.install("host", words)
