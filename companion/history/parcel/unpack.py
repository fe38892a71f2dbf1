"""`companion import`: merges another table's file, all of it or nothing, without duplicates.

The whole file is checked before anything is written. Games, names, cards and chips are then written
together: if one of them fails, none is written. Each game is added once; one that was played on
elsewhere is continued.
"""

from __future__ import annotations

import os
import random
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from common import NamedTuple, own_files, strict_yaml
from common.problems import Problems
from common.sentences import Sentence
from companion import chips
from companion.chips.registry import Registry
from companion.errors import MOST_LINES
from companion.files.clean import clean_text
from companion.files.locations import cannot_be_read, cannot_be_saved
from companion.history import parcel
from companion.history.counting import replay
from companion.history.parcel import Parcel, UnusableFile, format
from companion.history.parcel.format import ArchivedGame
from companion.history.parcel.merging import MergeResult, put_games
from companion.log import game_rows, ledger, name_rows
from companion.log.game_rows import GameLog
from engine import own_cards
from engine.record import MAX_NAME_LENGTH
from tags.links import format_uid

if TYPE_CHECKING:
    from collections.abc import Iterator

    from companion.log.store import Store


_MOST_NAMES = 100_000


class Imported(NamedTuple):
    """What an import has added."""

    games: MergeResult
    names: int
    chips: int
    cards: bool


class _Checked(NamedTuple):
    """The checked content of a file besides its games."""

    names: dict[str, str]
    chips: Registry
    cards: str | None
    figures_hold: bool


def unpack(path: str, store: Store, chips_path: str, cards_path: str) -> Imported:
    """Import the file at `path`.

    Raises ParcelError with every reason, UnusableFile, StoreError and ChipsError; then nothing has
    changed.
    """
    parcel = Parcel(path)
    contents = _check(parcel)
    entries = chips.load(chips_path)
    registry = _join_chips(parcel, entries, contents.chips)
    new_cards = _choose_cards(parcel, cards_path, contents.cards)
    with (
        _restore_on_error(chips_path),
        _restore_on_error(cards_path),
        store.database.errors(Sentence("the games cannot be saved")),
        store.database.write() as rows,
    ):
        put = put_games(rows, _games(parcel, with_figures=contents.figures_hold), store)
        if put.open:
            raise parcel.refuse(*put.open)
        names = name_rows.join(rows, contents.names, put.ids)
        if names:
            ledger.name_again(rows)
        if new_cards is not None:
            _write_cards(cards_path, new_cards)
        if registry != entries:
            chips.save(chips_path, registry)
    count = len(registry) - len(entries)
    return Imported(put, len(names), count, new_cards is not None)


def _games(parcel: Parcel, *, with_figures: bool) -> Iterator[ArchivedGame]:
    for _number, line in parcel.lines():
        if line["kind"] == format.GAME:
            game = format.from_line(line)
            assert isinstance(game, ArchivedGame)  # the file was checked
            yield game if with_figures else game._replace(digest=None)


def _check(parcel: Parcel) -> _Checked:
    """Check every line. Raises ParcelError with all problems."""
    check = _ImportCheck()
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
    figures_hold = not check.problems and check.compare_figures()
    if check.problems:
        raise parcel.refuse(*check.problems[: MOST_LINES - 2])
    return _Checked(check.names, check.chips, check.cards, figures_hold)


_SAMPLE = 20
"""The number of games that are counted again."""


class _ImportCheck:
    """The checks' results so far."""

    def __init__(self) -> None:
        self.problems: list[str] = []
        self.games = 0
        self.end: int | None = None
        self.names: dict[str, str] = {}
        self.chips = Registry()
        self.cards: str | None = None
        self.sample: list[tuple[int, ArchivedGame]] = []

    def draw(self, game: ArchivedGame) -> None:
        """Keep the game for `compare_figures`, each with the same chance."""
        if len(self.sample) < _SAMPLE:
            self.sample.append((self.games, game))
        elif (place := random.randrange(self.games)) < _SAMPLE:
            self.sample[place] = self.games, game

    def compare_figures(self) -> bool:
        """Count the games of the sample; whether all of them can be played here and have these
        figures. Others are a problem of the file."""
        plays = True
        for number, game in self.sample:
            log = GameLog(0, game.name, game.setup)
            for event in game.events:
                game_rows.replay(log, event.kind, event.text)
            digest = replay(log)
            plays = plays and bool(digest.rounds)
            if digest.rounds and game.digest and not parcel.are_alike(digest, game.digest):
                reason = Sentence(
                    "the result of game {name} does not match its moves", name=game.name
                )
                self.problems.append(
                    Sentence("game {number}: {reason}", number=number, reason=reason)
                )
        return plays

    def say(self, number: int, problem: str) -> None:
        self.problems.append(Sentence("line {number}: {reason}", number=number, reason=problem))


def _read_game(check: _ImportCheck, line: dict[str, Any]) -> list[str]:
    check.games += 1
    game = format.from_line(line)
    if not isinstance(game, ArchivedGame):
        return game
    if game.digest is not None:
        check.draw(game)
    return []


def _read_names(check: _ImportCheck, line: dict[str, Any]) -> list[str]:
    names = line.get("names")
    if isinstance(names, dict) and len(names) <= _MOST_NAMES:
        check.names = names
        if all(map(_is_name, (*names, *names.values()))):
            return []
    return [Sentence("these are not players' names")]


def _is_name(name: object) -> bool:
    long_enough = isinstance(name, str) and 0 < len(name) <= 2 * MAX_NAME_LENGTH
    return isinstance(name, str) and long_enough and clean_text(name) == name


def _read_chips(check: _ImportCheck, line: dict[str, Any]) -> list[str]:
    try:
        check.chips = Registry.from_data(line.get("chips"), chips.load_catalogue())
    except Problems as error:
        return [problem.text for problem in error.problems]
    return []


def _read_cards(check: _ImportCheck, line: dict[str, Any]) -> list[str]:
    text = line.get("text")
    if not isinstance(text, str) or len(text) > strict_yaml.MAX_SIZE:
        return [Sentence("these are not a table's own cards")]
    try:
        own_cards.read(strict_yaml.parse(text, name="cards.yaml").data)
    except Problems as error:
        return [problem.text for problem in error.problems]
    check.cards = text
    return []


def _read_end(check: _ImportCheck, line: dict[str, Any]) -> list[str]:
    games = line.get("games")
    check.end = games if isinstance(games, int) else -1
    return []


_READERS = {
    format.GAME: _read_game,
    format.NAMES: _read_names,
    format.CHIPS: _read_chips,
    format.CARDS: _read_cards,
    format.END: _read_end,
}


def _join_chips(parcel: Parcel, entries: Registry, new: Registry) -> Registry:
    """Merge both mappings. Raises ParcelError if a chip has another meaning here."""
    conflicts: list[str] = []
    for uid, entry in new:
        matches = entries.conflicts(uid, entry)
        conflicts += [
            Sentence(
                "{uid} would be {entry}, but here {other} is {held}.",
                uid=format_uid(uid),
                entry=entry,
                other=format_uid(other),
                held=meaning,
            )
            for other, meaning in matches
        ]
        if not matches:
            entries = entries.with_chip(uid, entry)
    if conflicts:
        raise parcel.refuse(*conflicts[: MOST_LINES - 2])
    return entries


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
