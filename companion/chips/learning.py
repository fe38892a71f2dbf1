"""Learning chips: parses what a person types for a chip.

Used at the table for an unknown chip, and by `companion tags learn` for a whole deck.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING

from common.nearest import find_nearest
from companion import chips, language
from companion.chips.entries import (
    DistrictChip,
    PlayerChip,
    parse_entry,
)
from companion.language import _
from companion.language.names import names_of_cards
from companion.language.vocabulary import match_names
from engine.moves import fold, split

if TYPE_CHECKING:
    from companion.chips.entries import Entry
    from companion.chips.registry import Registry


def read_entry(
    text: str, registry: Registry, players: Sequence[str] = (), here: Collection[str] = ()
) -> Entry:
    """Parse what a chip stands for: `tavern 2`, `king`, `Ben`, `crown`, `end`, `number 3`.

    A district without a copy number is its first copy without a chip. Of several cards with the
    same name, those of this game (`here`) are meant. Raises ValueError with one sentence for words
    that match nothing, or several entries.
    """
    words = chips.translate_words(split(text) or [])
    if not words:
        raise ValueError(_("say what it is: a card and its copy, a player, crown, or reference 1."))
    if words[0] in chips.KINDS:
        return parse_entry(" ".join(words), chips.list_known_cards())
    for seat, name in enumerate(players):
        if fold(name) == fold(" ".join(words)):
            return PlayerChip(seat + 1)
    if words[0] == "number" or (len(words) == 1 and words[0] in chips.ACTIONS):
        return parse_entry(f"action {words[-1]}", chips.list_known_cards())
    number = words.pop() if words[-1].isdecimal() and len(words) > 1 else None
    card = _card_named(" ".join(words), here)
    if card in chips.list_known_cards().characters:
        return parse_entry(f"character {card}", chips.list_known_cards())
    copy = number or str(find_next_copy(registry, card))
    return parse_entry(f"district {card} {copy}", chips.list_known_cards())


def find_next_copy(registry: Registry, district: str) -> int:
    """The first copy of that district without a chip (the last copy if all have one)."""
    copies = chips.list_known_cards().districts[district]
    taken = {
        entry.copy
        for _uid, entry in registry
        if isinstance(entry, DistrictChip) and entry.card == district
    }
    return next((copy for copy in range(1, copies + 1) if copy not in taken), copies)


def _card_named(typed: str, here: Collection[str]) -> str:
    names = names_of_cards(sorted(chips.list_known_cards().cards))
    found = match_names(typed, names)
    found = [id_ for id_ in found if id_ in here] or found
    if len(found) == 1:
        return found[0]
    if found:
        raise ValueError(
            _("{name} could be {cards}; type more of the name.").format(
                name=typed, cards=language.cards(found[:6])
            )
        )
    if (near := find_nearest(typed, names)) is None:
        raise ValueError(_("there is no card called “{name}”.").format(name=typed))
    sentence = _("there is no card called “{name}”; did you mean “{near}”?")
    raise ValueError(sentence.format(name=typed, near=near))
