"""`companion import`: merges another table's file, all of it or nothing, without duplicates.

The whole file is checked before anything is written. Games, names, cards and chips are then written
together: if one of them fails, none is written. Each game is added once; one that was played on
elsewhere is continued.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any, NamedTuple

from common import own_files, strict_yaml
from common.problems import Problems
from common.sentences import Sentence
from companion import chips
from companion.chips.registry import Registry
from companion.errors import MOST_LINES
from companion.files.clean import clean_text
from companion.files.locations import cannot_be_read, cannot_be_saved
from companion.history.parcel import form, pack
from companion.history.parcel.form import Carried, Event, Parcel, UnusableFile, key_of, read_game
from companion.log import game_rows, import_rows, ledger, name_rows
from companion.log.log_errors import BadLog
from engine import own_cards_file
from engine.moves import fold
from engine.record import MAX_NAME_LENGTH
from tags.uids import format_uid

if TYPE_CHECKING:
    import sqlite3

    from companion.log.store import Store


_STARTS = """
SELECT games.id, games.name, start.at, start.text FROM games JOIN events AS start
    ON start.seq = (SELECT min(seq) FROM events WHERE game = games.id)
"""


class Put(NamedTuple):
    """What became of a file's games."""

    added: int
    continued: int
    known: int
    open: tuple[str, ...]
    """Why some cannot be continued; then nothing may be written."""


class _Here(NamedTuple):
    id: int
    name: str


def put_games(rows: sqlite3.Connection, games: Iterable[Carried], store: Store) -> Put:
    """Insert the games that are new here, and the events that known ones lack here."""
    here = _find_here(rows)
    names = {name for (name,) in rows.execute("SELECT name FROM games")}
    added = continued = known = 0
    taken: list[str] = []
    with import_rows.note_imported(rows):
        for game in games:
            same = here.setdefault(game.key, [])
            found, more = _compare(rows, game, same)
            if found is None:
                name = find_free_name(game.name, names)
                names.add(name)
                same.append(_Here(insert(rows, game, name), name))
                added += 1
            elif not more:
                known += 1
            elif store.is_open_elsewhere(found.id):
                sentence = Sentence(
                    "game {name} is open in another window; close it there and import again",
                    name=found.name,
                )
                taken.append(sentence)
            else:
                _insert_events(rows, found.id, more)
                continued += 1
    return Put(added, continued, known, tuple(taken))


def _find_here(rows: sqlite3.Connection) -> dict[tuple[str, str], list[_Here]]:
    """The games of the log by their identity."""
    here: dict[tuple[str, str], list[_Here]] = {}
    for game, name, at, text in rows.execute(_STARTS).fetchall():
        with suppress(BadLog):
            setup = game_rows.setup(text)
            one = _Here(game, name)
            here.setdefault(key_of(at, setup), []).append(one)
            hidden = name_rows.find_forgotten(rows, game, setup)
            if hidden:  # a file written since then calls them somebody
                shown = name_rows.hide_in_setup(setup, hidden)
                here.setdefault(key_of(at, shown), []).append(one)
    return here


def _compare(
    rows: sqlite3.Connection, game: Carried, same: list[_Here]
) -> tuple[_Here | None, Sequence[Event]]:
    """The game here that it equals or continues, and the events that are missing here."""
    wanted = [(event.kind, event.text) for event in game.events]
    for one in same:
        local = read_game(rows, one.id, one.name)
        if local is None:
            continue
        hidden = name_rows.find_forgotten(rows, one.id, local.setup)
        if hidden and game.setup != local.setup:
            hide = name_rows.hide_in_move
            events = [(event.kind, hide(event.text, hidden)) for event in local.events]
        else:
            events = [(event.kind, event.text) for event in local.events]
        if events[: len(wanted)] == wanted:
            return one, ()
        if wanted[: len(events)] == events:
            return one, game.events[len(events) :]
    return None, ()


def find_free_name(name: str, taken: set[str]) -> str:
    """The name, or if it is taken one like it."""
    if name not in taken:
        return name
    head, _dash, last = name.rpartition("-")
    head = head if head and last.isdecimal() else name
    number = 1
    while f"{head}-{number}" in taken:
        number += 1
    return f"{head}-{number}"


def insert(rows: sqlite3.Connection, game: Carried, name: str) -> int:
    """Insert a game under that name; returns its id."""
    id_ = rows.execute("INSERT INTO games (name) VALUES (?)", (name,)).lastrowid
    assert id_ is not None
    start = form.Event(game.started, "start", json.dumps(game.setup))
    _insert_events(rows, id_, (start, *game.events))
    return id_


def _insert_events(rows: sqlite3.Connection, game: int, events: Iterable[Event]) -> None:
    rows.executemany(
        "INSERT INTO events (game, at, kind, text) VALUES (?, ?, ?, ?)",
        [(game, *event) for event in events],
    )


_MOST_NAMES = 100_000


class Taken(NamedTuple):
    """What an import has added."""

    games: Put
    names: int
    chips: int
    cards: bool


class _Checked(NamedTuple):
    """The checked content of a file besides its games."""

    names: dict[str, str]
    chips: Registry
    cards: str | None


def unpack(path: str, store: Store, chips_path: str, cards_path: str) -> Taken:
    """Import the file at `path`.

    Raises ParcelError with every reason, UnusableFile, StoreError and ChipsError; then nothing has
    changed.
    """
    parcel = Parcel(path)
    checked = _check(parcel)
    known = chips.load(chips_path)
    registry = _join_chips(parcel, known, checked.chips)
    new_cards = _choose_cards(parcel, cards_path, checked.cards)
    with (
        _restore_on_error(chips_path),
        _restore_on_error(cards_path),
        store.database.errors(Sentence("the games cannot be saved")),
        store.database.write() as rows,
    ):
        put = put_games(rows, _games(parcel), store)
        if put.open:
            raise parcel.refuse(*put.open)
        before = name_rows.carry(rows)
        names = _join_names(before, checked.names)
        if names != before:
            name_rows.add(rows, {was: now for was, now in names.items() if was not in before})
            ledger.name_again(rows)
        if new_cards is not None:
            _write_cards(cards_path, new_cards)
        if registry != known:
            chips.save(chips_path, registry)
    added = len(registry) - len(known)
    return Taken(put, len(names) - len(before), added, new_cards is not None)


def _games(parcel: Parcel) -> Iterator[Carried]:
    for _number, line in parcel.lines():
        if line["kind"] == form.GAME:
            found = form.from_line(line)
            assert isinstance(found, Carried)  # the file was checked
            yield found


def _check(parcel: Parcel) -> _Checked:
    """Check every line. Raises ParcelError with all problems."""
    check = _Check()
    for number, line in parcel.lines():
        kind = line.get("kind") if isinstance(line, dict) else None
        reader = _READERS.get(kind) if isinstance(kind, str) else None
        if reader is None:
            problems: list[str] = [Sentence("this version does not know this kind of line")]
        elif check.end is not None:
            problems = [Sentence("there is something after the end")]
        else:
            problems = reader(check, line)
        for problem in problems:
            check.say(number, problem)
        if len(check.problems) >= MOST_LINES:
            break
    else:
        if check.end != check.games:
            check.problems.append(
                Sentence("the file does not contain all of its games; export it again")
            )
    if check.problems:
        raise parcel.refuse(*check.problems[: MOST_LINES - 2])
    return _Checked(check.names, check.chips, check.cards)


class _Check:
    """The checks' results so far."""

    def __init__(self) -> None:
        self.problems: list[str] = []
        self.games = 0
        self.end: int | None = None
        self.names: dict[str, str] = {}
        self.chips = Registry()
        self.cards: str | None = None

    def say(self, number: int, problem: str) -> None:
        self.problems.append(Sentence("line {number}: {reason}", number=number, reason=problem))


def _read_game(check: _Check, line: dict[str, Any]) -> list[str]:
    check.games += 1
    found = form.from_line(line)
    return [] if isinstance(found, Carried) else found


def _read_names(check: _Check, line: dict[str, Any]) -> list[str]:
    names = line.get("names")
    if isinstance(names, dict) and len(names) <= _MOST_NAMES:
        check.names = names
        if all(map(_is_name, (*names, *names.values()))):
            return []
    return [Sentence("these are not players' names")]


def _is_name(name: object) -> bool:
    long_enough = isinstance(name, str) and 0 < len(name) <= 2 * MAX_NAME_LENGTH
    return isinstance(name, str) and long_enough and clean_text(name) == name


def _read_chips(check: _Check, line: dict[str, Any]) -> list[str]:
    try:
        check.chips = Registry.from_data(line.get("chips"), chips.list_known_cards())
    except Problems as error:
        return [problem.text for problem in error.problems]
    return []


def _read_cards(check: _Check, line: dict[str, Any]) -> list[str]:
    text = line.get("text")
    if not isinstance(text, str) or len(text) > strict_yaml.MAX_SIZE:
        return [Sentence("these are not a table's own cards")]
    try:
        own_cards_file.read(strict_yaml.parse(text, name="cards.yaml").data)
    except Problems as error:
        return [problem.text for problem in error.problems]
    check.cards = text
    return []


def _read_end(check: _Check, line: dict[str, Any]) -> list[str]:
    games = line.get("games")
    check.end = games if isinstance(games, int) else -1
    return []


_READERS = {
    form.GAME: _read_game,
    pack.NAMES: _read_names,
    pack.CHIPS: _read_chips,
    pack.CARDS: _read_cards,
    pack.END: _read_end,
}


def _join_chips(parcel: Parcel, known: Registry, new: Registry) -> Registry:
    """Merge both mappings. Raises ParcelError if a chip has another meaning here."""
    conflicts: list[str] = []
    for uid, entry in new:
        found = known.conflicts(uid, entry)
        conflicts += [
            Sentence(
                "{uid} would be {entry}, but here {other} is {held}.",
                uid=format_uid(uid),
                entry=entry,
                other=format_uid(other),
                held=held,
            )
            for other, held in found
        ]
        if not found:
            known = known.with_chip(uid, entry)
    if conflicts:
        raise parcel.refuse(*conflicts[: MOST_LINES - 2])
    return known


def _choose_cards(parcel: Parcel, path: str, new: str | None) -> str | None:
    """The cards to write; None if nothing changes. Raises ParcelError if the table has different
    ones."""
    try:
        here = own_files.read(path, strict_yaml.MAX_SIZE).decode()
    except FileNotFoundError:
        return new
    except (OSError, UnicodeDecodeError) as error:
        raise UnusableFile(cannot_be_read(path, error)) from None
    if new is None or _data(new) == _data(here):
        return None
    raise parcel.refuse(
        Sentence(
            "the file's own cards differ from this table's; make {file} the same on "
            "both computers, or move it elsewhere",
            file=path,
        )
    )


def _data(text: str) -> object:
    try:
        return strict_yaml.parse(text, name="cards.yaml").data
    except Problems:
        return text


def _join_names(here: dict[str, str], new: dict[str, str]) -> dict[str, str]:
    """Merge the names; where they differ, those here win."""
    names = dict(here)
    for was, now in new.items():
        if was == fold(was) and was not in names:
            names[was] = here.get(fold(now), now)
    return names


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
