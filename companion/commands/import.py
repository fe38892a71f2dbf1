"""`companion import FILE`: imports another table's games, names and chips, each once."""

from __future__ import annotations

import os
import sys
from argparse import Namespace
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from common.sentences import Sentence, locate
from companion import chips
from companion.commands import DONE, REFUSED, CommandError, open_games
from companion.commands.declared import JSON, Answer, arg, command, show
from companion.commands.record import play_file
from companion.commands.score import is_final
from companion.errors.output import print_error
from companion.files import kinds
from companion.history.completing import complete
from companion.history.parcel.merging import MergeResult, put_record
from companion.history.parcel.unpack import Imported, unpack
from companion.language import plural
from companion.log.store import Store
from companion.settings.config import Config, use_own_cards

LARGE = 1_000_000
"""Bytes, about a thousand games: from this size on, a message says that it takes a while."""


@command(
    "import",
    arg(
        "file",
        metavar="FILE",
        help="a file made by “companion export”, with --chips too, a record file, or a file for "
        "“companion score”",
    ),
    JSON,
)
def run(config: Config, args: Namespace) -> Answer | int:
    """Import the file, and tell what is new."""
    kind = kinds.find_kind(args.file)
    with _tell_copied(config):
        return _import(kind, args, config)


@contextmanager
def _tell_copied(config: Config) -> Iterator[None]:
    """Say that the mapping of chips was copied before its comments were lost, if it was."""
    copy = chips.name_copy(config.chips)
    was_there = os.path.lexists(copy)
    yield
    if os.path.lexists(copy) and not was_there:
        print_error([chips.tell_copied(config.chips)])


def _import(kind: str, args: Namespace, config: Config) -> Answer | int:
    if kind == kinds.CHIPS:
        return _import_chips(args.file, config)
    if _is_large(args.file):
        print_error([Sentence("Checking {file}; this takes a while.", file=args.file)])
    with open_games(config) as store:
        if kind == kinds.RESULTS:
            raise CommandError(locate(args.file, kinds.RESULTS_STAY), code=REFUSED)
        if kind == kinds.RECORD:
            imports = Imported(_take_record(args.file, store), 0, 0, cards=False)
        else:
            imports = unpack(args.file, store, config.chips, config.cards)
        put = imports.games
        data = {"added": put.added, "continued": put.continued, "known": put.known}
        data |= {"names": imports.names, "chips": imports.chips}
        show(Answer(describe(imports), data), args)
        sys.stdout.flush()  # the rest is slow and may be interrupted
        if imports.cards:
            use_own_cards(config)  # the games may use them
        complete(store)  # so that the first statistics are fast
    return DONE


def _import_chips(path: str, config: Config) -> Answer:
    """Add the chips of a `tags.yaml`: all of them, or none if one contradicts the mapping here.
    Raises CommandError."""
    here = chips.load(config.chips, config.deck or "")
    registry, conflicts = here.join(chips.load(path))
    if conflicts:
        raise CommandError(*conflicts, Sentence("Nothing was imported."), code=REFUSED)
    chips.save(config.chips, registry)
    count = len(registry) - len(here)
    data = dict.fromkeys(("added", "continued", "known", "names"), 0)
    return Answer([_tell_chips(count)], data | {"chips": count})


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


def _is_large(path: str) -> bool:
    with suppress(OSError, ValueError):  # reported when the file is read
        return os.path.getsize(path) >= LARGE
    return False


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
    return [*lines, _tell_chips(imports.chips)]


def _tell_chips(number: int) -> str:
    return plural("{number} new chip imported.", "{number} new chips imported.", number)
