"""`companion import`: merges another table's file, all of it or nothing, without duplicates.

Games, names, cards and chips are checked and written together: if one of them is wrong or fails,
none is written. Each game is added once; one that was played on elsewhere is continued.
"""

from __future__ import annotations

import os
import sqlite3
import tempfile
from contextlib import closing, contextmanager
from typing import TYPE_CHECKING, NamedTuple

from common import own_files, strict_json, strict_yaml
from common.clean import clean_text
from common.problems import Problems
from common.sentences import Sentence
from companion import chips
from companion.chips.registry import Registry
from companion.errors import MOST_LINES
from companion.files.locations import cannot_be_read, cannot_be_saved
from companion.history import parcel
from companion.history.parcel import UnusableFile, former
from companion.history.parcel.format import (
    CARDS,
    CHIPS,
    TABLES,
    BadGame,
    CheckedGame,
    SharedGame,
    check,
    read_cards,
)
from companion.history.parcel.merging import MergeResult, put_games
from companion.log import ledger, log_file, names
from engine import own_cards
from engine.record import MAX_NAME_LENGTH

if TYPE_CHECKING:
    from collections.abc import Iterator

    from companion.log.store import Store

MOST_ROWS = 4_000_000
"""Moves, undos and redos of all games."""

LARGEST_SETUPS = 20_000_000
"""Characters of the set-ups of all games."""

MOST_NAMES = 100_000
"""Names that have changed."""

LONGEST_TEXT = 4_000_000
"""Bytes of one value in the file: the moves of a game, the list of chips."""


class Imported(NamedTuple):
    games: MergeResult
    names: int
    chips: int
    cards: bool


def unpack(path: str, store: Store, chips_path: str, cards_path: str) -> Imported:
    """Import the file at `path`. Raises ParcelError with the reason, UnusableFile, StoreError and
    ChipsError; then nothing has changed."""
    with _open(path) as file:
        changed = _read_names(path, file)
        theirs, cards = _read_others(path, file)
        here = chips.load(chips_path)
        registry, conflicts = here.join(theirs)
        if conflicts:
            parcel.refuse(path, *conflicts[: MOST_LINES - 2])
        new_cards = _choose_cards(path, cards_path, cards)

        def need_closed(game: int) -> None:
            if store.is_open_elsewhere(game):
                parcel.refuse(
                    path,
                    Sentence(
                        "game {name} is open in another window; close it there and import again",
                        name=store.load(game).name,
                    ),
                )

        with (
            _restore_on_error(chips_path),
            _restore_on_error(cards_path),
            store.database.save() as connection,
        ):
            put = put_games(connection, _list_games(path, file), need_closed)
            added = names.take_names(connection, changed, sorted(put.ids))
            if added:
                ledger.move_players(connection, put.ids)
            if new_cards is not None:
                _write_cards(cards_path, new_cards)
            if registry != here:
                chips.save(chips_path, registry)
    return Imported(put, len(added), len(registry) - len(here), new_cards is not None)


@contextmanager
def _open(path: str) -> Iterator[sqlite3.Connection]:
    """The tables of the file, if they are exactly ours: without triggers and views. Raises
    ParcelError, and UnusableFile."""
    version, packed = parcel.read(path)
    if version == 0 and not packed.startswith(former.GZIP):
        reason = Sentence("this is not a file of “companion export”, or it is damaged")
        parcel.refuse(path, reason)
    with tempfile.TemporaryDirectory(prefix="companion-") as folder:
        place = os.path.join(folder, "games.sqlite3")
        try:
            if version == parcel.VERSION:
                with open(place, "xb", opener=own_files.open_private) as unpacked:
                    unpacked.writelines(parcel.inflate(path, packed))
            else:
                _rewrite(path, version, packed, place)
        except OSError as error:
            raise UnusableFile(cannot_be_read(path, error)) from None
        del packed
        with closing(sqlite3.connect(f"{log_file.uri(place)}?immutable=1", uri=True)) as file:
            file.execute("PRAGMA trusted_schema = OFF")
            file.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, LONGEST_TEXT)
            with _refuse_damaged(path):
                tables = file.execute("SELECT sql FROM sqlite_schema ORDER BY rowid LIMIT 9")
                if tuple(sql for (sql,) in tables) != TABLES:
                    raise ValueError
            yield file


def _rewrite(path: str, version: int, packed: bytes, place: str) -> None:
    with closing(sqlite3.connect(place)) as made, made:
        for table in TABLES:
            made.execute(table)
        former.rewrite(path, version, packed, made)


@contextmanager
def _refuse_damaged(path: str) -> Iterator[None]:
    """Refuse a file that is not what it says: its checksum is right, so somebody made it so."""
    try:
        yield
    except (sqlite3.Error, ValueError, TypeError, LookupError):
        parcel.refuse_damaged(path)


def _list_games(path: str, file: sqlite3.Connection) -> Iterator[CheckedGame]:
    """The games, each checked. Raises ParcelError."""
    moves = letters = 0
    with _refuse_damaged(path):
        for number, row in enumerate(file.execute("SELECT * FROM game ORDER BY rowid"), 1):
            shared = SharedGame._make(row)
            try:
                game = check(shared)
            except BadGame as error:
                (reason,) = error.args
                parcel.refuse(path, Sentence("game {name}: {problem}", name=number, problem=reason))
            moves, letters = moves + len(game.texts), letters + len(shared.setup)
            if number > parcel.MOST_GAMES or moves > MOST_ROWS or letters > LARGEST_SETUPS:
                parcel.refuse(path, Sentence("the file is too large"))
            yield game


def _read_names(path: str, file: sqlite3.Connection) -> dict[str, str]:
    with _refuse_damaged(path):
        found = dict(file.execute("SELECT was, now FROM name LIMIT ?", (MOST_NAMES,)))
    if not all(map(_is_name, (*found, *found.values()))):
        parcel.refuse(path, Sentence("these are not players' names"))
    return {clean_text(one): clean_text(other) for one, other in found.items()}


def _is_name(name: object) -> bool:
    return isinstance(name, str) and len(name) <= 2 * MAX_NAME_LENGTH and bool(clean_text(name))


def _read_others(path: str, file: sqlite3.Connection) -> tuple[Registry, str | None]:
    """The chips, and the table's own cards if it has any."""
    try:
        with _refuse_damaged(path):
            others = dict(file.execute("SELECT kind, text FROM other LIMIT 3"))
            text, cards = others.pop(CHIPS, "null"), others.pop(CARDS, None)
            if others or not isinstance(cards, str | None):
                raise ValueError(others)
            data = strict_json.parse(text)
        if cards is not None:
            own_cards.read(strict_yaml.parse(cards, name="cards.yaml").data)
        return Registry.from_data(data, chips.load_catalogue()), cards
    except Problems as error:
        parcel.refuse(path, *(problem.text for problem in error.problems[: MOST_LINES - 2]))


def _choose_cards(path: str, cards_path: str, new: str | None) -> str | None:
    """The cards to write; None if nothing changes. Raises ParcelError if the table has different
    ones."""
    here = read_cards(cards_path)
    if here is None:
        return new
    if new is None or _data(new) == _data(here):
        return None
    parcel.refuse(
        path,
        Sentence(
            "the file's own cards differ from this table's; make {file} the same on "
            "both computers, or move it elsewhere",
            file=cards_path,
        ),
    )


def _data(text: str) -> object:
    try:
        return strict_yaml.parse(text, name="cards.yaml").data
    except Problems:
        return text


def _write_cards(path: str, text: str) -> None:
    try:
        own_files.replace(path, text)
    except OSError as error:
        raise UnusableFile(cannot_be_saved(path, error)) from None


@contextmanager
def _restore_on_error(path: str) -> Iterator[None]:
    """Restore the file if the block fails."""
    try:
        before: bytes | None = own_files.read(path, strict_yaml.MAX_SIZE)
    except OSError:
        before = None
    try:
        yield
    except BaseException:
        if before is not None:
            own_files.replace(path, before)
        elif os.path.lexists(path):
            os.unlink(path)
        raise
