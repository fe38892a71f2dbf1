"""The chips of this table: the mapping file, and the simulated reader's deck.

`tags.yaml` maps chips to their meanings: `registry` holds the mapping and validates it. The
simulated reader has a whole deck: every card of the game, the players' tokens, the crown and the
reference cards, with ids generated here.
"""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

import yaml

from common import own_files, strict_yaml
from common.problems import Problems
from common.sentences import Sentence
from common.strict_yaml import read
from companion.chips.entries import (
    ACTIONS,
    DIGITS,
    Entry,
    PieceCatalogue,
    list_pieces,
)
from companion.chips.registry import MOST_CHIPS, Registry
from companion.errors import REFUSED, WRONG_USAGE, UserError
from companion.files.locations import cannot_be_read, cannot_be_saved
from companion.language import vocabulary
from engine import cards, datafiles

if TYPE_CHECKING:
    from engine.ruleset import Ruleset


REFERENCES = 4  # reference cards of the accessible edition

MOST_VALUES = 3 * MOST_CHIPS
"""The most keys and values of a mapping file: more than its chips have."""

_WORDS = ("crown", "reference", "number", "chip", *(set(ACTIONS) - set(DIGITS)))


class ChipsError(UserError):
    """An unusable mapping file; `problems` are sentences with file and line."""

    code = REFUSED

    def __init__(self, problems: Sequence[str]) -> None:
        super().__init__(*problems)
        self.problems = list(self.lines)


class FileFailed(ChipsError):
    """The mapping file cannot be read or saved at all."""

    code = WRONG_USAGE


def translate_words(words: Sequence[str]) -> list[str]:
    """The words for a chip, the first translated to English unless it is a card: `couronne`,
    `fin`."""
    first = vocabulary.match_word(words[0], *_WORDS) if words else None
    return list(words) if first is None else [first, *words[1:]]


def load_catalogue() -> PieceCatalogue:
    """Every card that a chip can stand for, in any box, with the most copies that any box holds."""
    copies = {id_: max(f["copies"].values()) for id_, f in datafiles.load("districts").items()}
    return PieceCatalogue(frozenset(cards.characters()), copies, frozenset(ACTIONS))


def load(path: str, deck: str = "") -> Registry:
    """The mapping in that file, learning for that deck; empty if there is no such file. Raises
    ChipsError with every problem and its line."""
    try:
        document = read(path, most=MOST_VALUES)
    except FileNotFoundError:
        return Registry(deck=deck)
    except OSError as error:
        raise FileFailed([cannot_be_read(path, error)]) from None
    except Problems as error:
        raise ChipsError([str(problem) for problem in error.problems]) from None
    try:
        return Registry.from_data(document.data, load_catalogue()).with_deck(deck)
    except Problems as error:
        raise ChipsError(list(map(str, document.locate(error.problems).problems))) from None


def save(path: str, registry: Registry, *, makes_folder: bool = True) -> str:
    """Write the mapping atomically; `makes_folder` as in `own_files.replace`.

    Comments are not kept: the first time that any would be lost, the file is copied beside itself.
    Returns the path of that copy, "" if there is none. Raises ChipsError if it cannot be written.
    """
    text = _HEAD + yaml.safe_dump(registry.to_data(), sort_keys=False, allow_unicode=True)
    try:
        copy = _keep_comments(path)
        own_files.replace(path, text, makes_folder=makes_folder)
    except OSError as error:
        raise FileFailed([cannot_be_saved(path, error)]) from None
    return copy


_HEAD = "# Which chip is which card. Written by the companion; edit it as you like.\n"


def name_copy(path: str) -> str:
    """Where the mapping file is copied before its comments are lost."""
    return f"{path}.before"


def tell_copied(path: str) -> Sentence:
    """The sentence that it was copied."""
    return Sentence(
        "{path} is written without comments; the file as it was is {copy}.",
        path=path,
        copy=name_copy(path),
    )


def _keep_comments(path: str) -> str:
    """Copy a file with comments, unless there is a copy; returns its path, "" for none. Raises
    OSError."""
    copy = name_copy(path)
    try:
        before = own_files.read(path, strict_yaml.MAX_SIZE)
    except (FileNotFoundError, ValueError):
        return ""
    text = before.decode(strict_yaml.find_encoding(before), "replace").removeprefix(_HEAD)
    if os.path.lexists(copy) or not re.search(r"(?m)(?:^|\s)#", text):
        return ""
    own_files.replace(copy, before)
    return copy


class SimulatedDeck:
    """The deck of the simulated reader: a chip for every card of this game."""

    def __init__(self, rules: Ruleset) -> None:
        self.rules = rules
        entries = list_pieces(
            PieceCatalogue(
                rules.cast,
                {id_: card.copies for id_, card in rules.districts.items()},
                ACTIONS,
                len(rules.seats),
                REFERENCES,
            )
        )
        self.chips = {make_simulated_uid(entry): entry for entry in entries}
        self._uids = {entry: uid for uid, entry in self.chips.items()}

    def find_entry(self, entry: Entry) -> bytes | None:
        """The chip of this deck for that entry; None if there is none."""
        return self._uids.get(entry)


def make_simulated_uid(entry: Entry) -> bytes:
    """The id of the simulated chip for that entry: seven bytes with a real maker's prefix, and the
    same in every box and game."""
    return b"\x04\x51" + hashlib.sha256(str(entry).encode()).digest()[:5]
