"""`companion export [FILE]`: writes games, names and chips to one file, for another computer."""

from __future__ import annotations

import os
from argparse import Namespace
from datetime import date

from common.sentences import Sentence, locate
from companion import chips
from companion.commands import CommandError, open_games
from companion.commands.declared import JSON, Answer, arg, command
from companion.errors.output import print_error
from companion.history.parcel.format import pack
from companion.language import _, end_sentence, plural
from companion.settings.config import Config
from companion.wording import facts

_ENDING = "citadels"
MANY = 2000
"""From this number of games on, a message says that writing them takes a while."""


@command(
    "export",
    arg(
        "file", metavar="FILE", nargs="?", help="a new file (default: one with today's date, here)"
    ),
    arg("--chips", action="store_true", help="only the list of chips, as the text of tags.yaml"),
    JSON,
)
def run(config: Config, args: Namespace) -> Answer:
    """Write the file, and tell what is in it."""
    path = args.file or _free_file("tags.yaml" if args.chips else _ENDING)
    if args.chips:
        return _export_chips(path, config)
    with open_games(config) as store:
        number = store.count()
        if number >= MANY:
            print_error([Sentence("Writing {number} games; this takes a while.", number=number)])
        contents = pack(path, store, config.chips, config.cards)
    text = _("{file}: {games}, {chips}.").format(
        file=path,
        games=facts.games(contents.games),
        chips=plural("{number} chip", "{number} chips", contents.chips),
    )
    notes = [_SECRETS_ARE_IN_IT] if contents.unfinished else []
    return Answer([text], {"file": path, **contents._asdict()}, notes=notes)


_SECRETS_ARE_IN_IT = Sentence(
    "The file contains games that are not over, with their players' secrets."
)


def _export_chips(path: str, config: Config) -> Answer:
    """Write the list of chips to a new file. Raises CommandError."""
    if os.path.lexists(path):
        raise CommandError(
            Sentence("{file}: this file already exists; name another one", file=path)
        )
    registry = chips.load(config.chips)
    chips.save(path, registry, makes_folder=False)
    number = len(registry)
    text = end_sentence(plural("{number} chip", "{number} chips", number))
    return Answer([locate(path, text)], {"file": path, "chips": number})


def _free_file(ending: str) -> str:
    """An unused file name with today's date, in the current folder."""
    name, number = f"{date.today()}.{ending}", 1
    while os.path.lexists(name):
        number += 1
        name = f"{date.today()}-{number}.{ending}"
    return name
