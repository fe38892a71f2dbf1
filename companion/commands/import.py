"""`companion import FILE`: imports another computer's games, names and chips, each once."""

from __future__ import annotations

import os
import re
import sys
from contextlib import suppress

from common.sentences import Sentence
from companion.commands import DONE, REFUSED, CommandError, load_settings
from companion.commands.looking_back import Progress
from companion.commands.parsing import Parser
from companion.commands.record import play_file
from companion.commands.score import is_final
from companion.errors.output import answer, answer_json, print_error
from companion.history.counting import complete
from companion.history.parcel.merging import MergeResult, put_record, put_results
from companion.history.parcel.results import read_bgstats, read_table
from companion.history.parcel.unpack import Imported, unpack
from companion.language import plural
from companion.log.store import Store

LARGE = 1_000_000
"""Bytes, about a thousand games: from this size on, a message says that it takes a while."""


def run(words: list[str]) -> int:
    """Import the file."""
    args = make_parser().parse_args(words)
    config = load_settings()
    if _is_large(args.file):
        print_error([Sentence("Checking {file}; this takes a while.", file=args.file)])
    with Store(config.games) as store:
        take = next((take for begin, take in _KINDS if _begins(args.file, begin)), None)
        if take is None:
            imports = unpack(args.file, store, config.chips, config.cards)
        else:
            imports = Imported(take(args.file, store), 0, 0, cards=False)
        if args.json:
            put = imports.games._asdict()
            answer_json(
                {key: put[key] for key in ("added", "continued", "known")} | _others(imports)
            )
        else:
            answer(describe(imports))
        sys.stdout.flush()  # the rest is slow and may be interrupted
        if imports.cards:
            from companion.settings.config import use_own_cards

            use_own_cards(config)  # the games may use them
        complete(store, Progress())  # so that the first statistics are fast
    return DONE


def make_parser() -> Parser:
    """The command's options."""
    parser = Parser("import", "Import games from a file, each once: all of it, or nothing.")
    parser.add_argument(
        "file",
        metavar="FILE",
        help="a file made by “companion export”, a record file, a file for “companion score”, "
        "a CSV file with the columns started, player and total, or the JSON export of BG "
        "Stats",
    )
    parser.add_argument("--json", action="store_true", help="one JSON object, for programs")
    return parser


def _begins(path: str, pattern: re.Pattern[bytes]) -> bool:
    with suppress(OSError, ValueError), open(path, "rb") as file:  # reported when it is read
        return os.path.isfile(path) and pattern.match(file.read(65_536)) is not None
    return False


def _take_table(path: str, store: Store) -> MergeResult:
    return put_results(store, read_table(path))


def _take_bgstats(path: str, store: Store) -> MergeResult:
    return put_results(store, read_bgstats(path))


def _take_record(path: str, store: Store) -> MergeResult:
    """Import the game of a record file. Raises CommandError, also if a position is not the end of a
    game."""
    record, replay = play_file(path)
    over = is_final(record, replay.table)
    if record.position is not None and not over:
        problem = Sentence(
            "{path}: the game is not over; only the final cities of a game can be imported",
            path=path,
        )
        raise CommandError(problem, Sentence("Nothing was imported."), code=REFUSED)
    return put_record(store, path, record, over=over)


_KINDS = (
    # comments and empty lines, and then a key
    (re.compile(rb"(?:[ \t]*(?:#[^\n]*)?\r?\n)*[a-z_]+[ \t]*:"), _take_record),
    # the names of columns
    (re.compile(rb"(?:\xef\xbb\xbf)?\"?[a-z_ ]+\"?[,;\t]", re.IGNORECASE), _take_table),
    (re.compile(rb"(?:\xef\xbb\xbf)?\s*\{"), _take_bgstats),
)
"""How files other than those of `companion export` begin."""


def _is_large(path: str) -> bool:
    with suppress(OSError, ValueError):  # reported when the file is read
        return os.path.getsize(path) >= LARGE
    return False


def _others(imports: Imported) -> dict[str, int]:
    return {"names": imports.names, "chips": imports.chips}


def describe(imports: Imported) -> list[str]:
    """What an import added, one fact per line."""
    put = imports.games
    lines = [plural("{number} new game.", "{number} new games.", put.added)]
    if put.continued:
        lines.append(plural("{number} game updated.", "{number} games updated.", put.continued))
    if put.known:
        lines.append(
            plural(
                "{number} game was already here.", "{number} games were already here.", put.known
            )
        )
    return [
        *lines,
        plural("{number} new chip imported.", "{number} new chips imported.", imports.chips),
    ]
