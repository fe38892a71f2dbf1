"""The chips of this table: the mapping file, and the simulated reader's deck.

`tags.yaml` maps chips to their meanings: `registry` holds the mapping and validates it. The
simulated reader has a whole deck: every card of the game, the players' tokens, the crown and the
reference cards, with ids generated here.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from common import own_files, strict_yaml
from common.problems import Problems
from common.strict_yaml import read
from companion.chips.entries import (
    ACTIONS,
    DIGITS,
    KINDS,
    ActionChip,
    CharacterChip,
    CrownChip,
    DistrictChip,
    Entry,
    PieceCatalogue,
    PlayerChip,
    list_pieces,
    parse_entry,
)
from companion.chips.registry import MOST_CHIPS, Registry
from companion.errors import UserError
from companion.files.locations import cannot_be_read, cannot_be_saved
from companion.language import vocabulary
from engine import cards, datafiles
from engine.moves import fold
from tags.links import parse_uid

if TYPE_CHECKING:
    from engine.ruleset import Ruleset


_CHIP = re.compile(
    r"""(\s+["']?)([0-9A-Fa-f:]+)(["']?\s*:\s+)([^#"'\n]*[^#"'\s])(\s*(?:\s\#.*)?)"""
)

REFERENCES = 4  # reference cards of the accessible edition

MOST_VALUES = 3 * MOST_CHIPS
"""The most keys and values of a mapping file: more than its chips have."""

_WORDS = ("crown", "reference", "number", "chip", *(set(ACTIONS) - set(DIGITS)))


def edit_mapping_text(
    text: str,
    decks: Mapping[str, Mapping[bytes, str]],
    means: Callable[[str], str | None],
) -> str | None:
    """The text with exactly these chips of each deck; None for any other layout.

    `means` translates an entry as somebody wrote it.
    """
    for deck, chips in decks.items():
        name = _edit_section(text, deck, chips, means)
        if name is None:
            return None
        text = name
    return text


def _edit_section(
    text: str, deck: str, chips: Mapping[bytes, str], means: Callable[[str], str | None]
) -> str | None:
    lines = text.splitlines()
    head = rf"""\s+["']?{re.escape(deck)}["']?""" if deck else "chips"
    heads = [n for n, line in enumerate(lines) if re.fullmatch(rf"{head}:\s*(#.*)?", line)]
    if len(heads) != 1:
        return None
    depth = _count_indent(lines[heads[0]])
    head_lines = lines[: heads[0] + 1]
    missing, end, indent = dict(chips), len(head_lines), " " * (depth + 2)
    for place, line in enumerate(lines[heads[0] + 1 :], start=heads[0] + 1):
        if line.strip() and _count_indent(line) <= depth and not line.lstrip().startswith("#"):
            head_lines += lines[place:]
            break
        chip = _CHIP.fullmatch(line)
        if chip is None:
            head_lines.append(line)
            continue
        try:
            uid = parse_uid(chip[2])
        except ValueError:
            return None
        if uid in missing:
            entry = missing.pop(uid)
            same = means(chip[4]) == entry
            head_lines.append(line if same else f"{chip[1]}{chip[2]}{chip[3]}{entry}{chip[5]}")
            end, indent = len(head_lines), re.sub(r"\S.*", "", line)
    new = [f"{indent}{uid.hex().upper()}: {entry}" for uid, entry in missing.items()]
    return "\n".join([*head_lines[:end], *new, *head_lines[end:]]) + "\n"


def _count_indent(line: str) -> int:
    return len(line) - len(line.lstrip())


class ChipsError(UserError):
    """An unusable mapping file; `problems` are sentences with file and line."""

    def __init__(self, problems: Sequence[str]) -> None:
        super().__init__(*problems)
        self.problems = list(self.lines)


class FileFailed(ChipsError):
    """The mapping file cannot be read or saved at all."""


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
    """The mapping in that file, learning for that deck; empty if there is no such file.

    Raises ChipsError with every problem and its line.
    """
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


def save(path: str, registry: Registry, *, makes_folder: bool = True) -> None:
    """Write the mapping atomically; people's comments between the chips are kept. `makes_folder` as
    in `own_files.replace`.

    Raises ChipsError if it cannot be written.
    """
    text = _change_text(path, registry) or _text(registry)
    try:
        own_files.replace(path, text, makes_folder=makes_folder)
    except OSError as error:
        raise FileFailed([cannot_be_saved(path, error)]) from None


def _text(registry: Registry) -> str:
    import yaml

    head = "# Which chip is which card. Written by the companion; edit it as you like.\n"
    return head + yaml.safe_dump(registry.to_data(), sort_keys=False, allow_unicode=True)


def _change_text(path: str, registry: Registry) -> str | None:
    """The current file's text with these chips; None if the file must be written from scratch."""
    try:
        before = own_files.read(path, strict_yaml.MAX_SIZE).decode()
        text = edit_mapping_text(before, registry.list_decks(), _parse_meaning)
        document = (
            strict_yaml.parse(text, name=path, most=MOST_VALUES) if text is not None else None
        )
        data = None if document is None else document.data
        current = Registry.from_data(data, load_catalogue())
    except (OSError, ValueError, Problems):
        return None
    return text if current == registry else None


def _parse_meaning(text: str) -> str | None:
    try:
        return str(parse_entry(text, load_catalogue()))
    except ValueError:
        return None


class SimulatedDeck:
    """The deck of the simulated reader: a chip for every card of this game."""

    def __init__(self, rules: Ruleset) -> None:
        self._rules = rules
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

    def find(self, words: Sequence[str]) -> bytes | None:
        """The chip that `tap WORDS` lays on the reader; None if there is none."""
        entry = self._entry(translate_words(words)) if words else None
        return entry if isinstance(entry, bytes) else self.find_entry(entry)

    def find_entry(self, entry: Entry | None) -> bytes | None:
        """The chip of this deck for that entry; None if there is none."""
        return self._uids.get(entry) if entry is not None else None

    def _entry(self, words: Sequence[str]) -> Entry | bytes | None:
        if len(words) == 2 and words[0] == "chip":
            try:
                return parse_uid(words[1])
            except ValueError:
                return None
        if len(words) > 1 and words[0] in KINDS:
            try:
                return parse_entry(" ".join(words), load_catalogue())
            except ValueError:
                return None
        if words[0] == "number":
            return ActionChip(words[-1]) if words[-1] in DIGITS else None
        number = int(words[1][:4]) if len(words) == 2 and words[1].isdecimal() else None
        if words[0] in self._rules.districts and (len(words) == 1 or number):
            return DistrictChip(words[0], number or 1)
        if len(words) != 1:
            return None
        return self._find_single(words[0])

    def _find_single(self, word: str) -> Entry | None:
        for seat, name in enumerate(self._rules.player_names):
            if fold(name) == fold(word):
                return PlayerChip(seat + 1)
        if word == "crown":
            return CrownChip()
        if word in self._rules.characters:
            return CharacterChip(word)
        return ActionChip(word) if word in ACTIONS else None


def make_simulated_uid(entry: Entry) -> bytes:
    """The id of the simulated chip for that entry: seven bytes with a real maker's prefix, and the
    same in every box and game."""
    import hashlib

    return b"\x04\x51" + hashlib.sha256(str(entry).encode()).digest()[:5]
