"""`companion export [FILE]`: writes games, names and chips to one file, for another computer."""

from __future__ import annotations

import os
from datetime import date

from common.sentences import Sentence
from companion.commands import DONE, load_settings
from companion.commands.parsing import Parser
from companion.errors.output import answer, answer_json, print_error
from companion.history import telling
from companion.history.parcel.format import pack
from companion.language import _, plural
from companion.log.store import Store

_ENDING = "citadels"
MANY = 2000
"""From this number of games on, a message says that writing them takes a while."""


def run(words: list[str]) -> int:
    """Write the file."""
    args = make_parser().parse_args(words)
    config = load_settings()
    path = args.file or _free_file()
    with Store(config.games) as store:
        number = store.count()
        if number >= MANY:
            print_error([Sentence("Writing {number} games; this takes a while.", number=number)])
        contents = pack(path, store, config.chips, config.cards)
    if args.json:
        answer_json({"file": path, **contents._asdict()})
    else:
        answer(
            [
                _("{file}: {games}, {chips}.").format(
                    file=path,
                    games=telling.games(contents.games),
                    chips=plural("{number} chip", "{number} chips", contents.chips),
                )
            ]
        )
    if contents.unfinished:
        print_error([_SECRETS_ARE_IN_IT])
    return DONE


def make_parser() -> Parser:
    """The command's options."""
    parser = Parser("export", "Write games, names and chips into one file for another computer.")
    parser.add_argument(
        "file", metavar="FILE", nargs="?", help="a new file (default: one with today's date, here)"
    )
    parser.add_argument("--json", action="store_true", help="one JSON object, for programs")
    return parser


_SECRETS_ARE_IN_IT = Sentence(
    "The file contains games that are not over, with their players' secrets."
)


def _free_file() -> str:
    """An unused file name with today's date, in the current folder."""
    name, number = f"{date.today()}.{_ENDING}", 1
    while os.path.lexists(name):
        number += 1
        name = f"{date.today()}-{number}.{_ENDING}"
    return name
