"""`companion export`: writes a table's games, names, cards and chips to one file."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

from common import own_files, strict_yaml
from common.sentences import Sentence
from companion import chips
from companion.files.locations import cannot_be_read
from companion.history.counting import complete
from companion.history.parcel import container, format
from companion.history.parcel.container import UnusableFile
from companion.log import log_file, name_rows

if TYPE_CHECKING:
    from companion.chips.registry import Registry
    from companion.log.store import Store

NAMES, CHIPS, CARDS, END = "names", "chips", "cards", "end"
"""Kinds of lines other than games; the last line holds the number of games."""


class Packed(NamedTuple):
    """Counts of what was written."""

    games: int
    unfinished: int
    names: int
    chips: int


def pack(path: str, store: Store, chips_path: str, cards_path: str) -> Packed:
    """Write everything to the new file `path`. Raises UnusableFile, StoreError, ChipsError."""
    if os.path.lexists(path):
        raise UnusableFile(
            Sentence("{file}: this file already exists; name another one", file=path)
        )
    registry, cards = chips.load(chips_path), _read_cards(cards_path)
    rows = complete(store)  # the figures of finished games are carried too
    with store.database.errors_in_rows(Sentence("the games cannot be read")):
        count = _ArchiveSize()
        if rows is None:
            container.write(path, [*_others({}, registry, cards), _end(0)])
            return Packed(0, 0, 0, len(registry))
        with log_file.transaction(rows, "DEFERRED"):  # one consistent snapshot
            names = name_rows.carry(rows)
            lines = count.lines(format.write_games(rows))
            container.write(path, _list_rows(lines, names, registry, cards, count))
    return Packed(count.games, count.unfinished, len(names), len(registry))


class _ArchiveSize:
    def __init__(self) -> None:
        self.games = self.unfinished = 0

    def lines(self, games: Iterator[tuple[dict[str, Any], bool]]) -> Iterator[dict[str, Any]]:
        for line, over in games:
            self.games += 1
            self.unfinished += not over
            yield line


def _list_rows(
    lines: Iterator[Any],
    names: dict[str, str],
    registry: Registry,
    cards: str | None,
    count: _ArchiveSize,
) -> Iterator[Any]:
    yield from _others(names, registry, cards)
    yield from lines
    yield _end(count.games)


def _others(names: dict[str, str], registry: Registry, cards: str | None) -> Iterator[Any]:
    yield {"kind": NAMES, "names": names}
    yield {"kind": CHIPS, "chips": registry.to_data()}
    if cards is not None:
        yield {"kind": CARDS, "text": cards}


def _end(games: int) -> dict[str, Any]:
    return {"kind": END, "games": games}


def _read_cards(path: str) -> str | None:
    """The text of the table's own cards; None if there are none."""
    try:
        return own_files.read(path, strict_yaml.MAX_SIZE).decode()
    except FileNotFoundError:
        return None
    except (OSError, UnicodeDecodeError) as error:
        raise UnusableFile(cannot_be_read(path, error)) from None
