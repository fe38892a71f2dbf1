"""Learning chips: from what a person types to what a chip stands for.

Used at the table for one unknown chip, and by `companion tags learn` for a whole deck in a row.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from companion import chips
from companion.typed import card_names
from engine.moves import fold, split
from tags.registry import DistrictChip, PlayerChip, parse_entry

if TYPE_CHECKING:
    from tags.registry import Entry, Registry

KINDS = ("district", "character", "player", "crown", "action", "reference")


def read_entry(text: str, registry: Registry, players: Sequence[str] = ()) -> Entry:
    """What the typed words say a chip is: `tavern 2`, `king`, `Ben`, `crown`, `action end`.

    A district without a copy number is the first copy that no chip stands for yet. Raises
    ValueError with one sentence for words that name nothing, or several things.
    """
    words = split(text) or []
    if not words:
        raise ValueError("say what the chip is: a card and its copy, a player, crown, reference 1")
    if words[0] in KINDS:
        return parse_entry(" ".join(words), chips.known_cards())
    for seat, name in enumerate(players):
        if fold(name) == fold(" ".join(words)):
            return PlayerChip(seat + 1)
    number = words.pop() if words[-1].isdecimal() and len(words) > 1 else None
    card = _card_named(" ".join(words))
    if card in chips.known_cards().characters:
        return parse_entry(f"character {card}", chips.known_cards())
    copy = number or str(next_copy(registry, card))
    return parse_entry(f"district {card} {copy}", chips.known_cards())


def next_copy(registry: Registry, district: str) -> int:
    """The first copy of that district that no chip stands for yet (the last one if all are)."""
    copies = chips.known_cards().districts[district]
    taken = {
        entry.copy
        for _uid, entry in registry
        if isinstance(entry, DistrictChip) and entry.card == district
    }
    return next((copy for copy in range(1, copies + 1) if copy not in taken), copies)


def _card_named(typed: str) -> str:
    wanted = fold(typed)
    names = {id_: card_names(id_) for id_ in sorted(chips.known_cards().cards)}
    found = [id_ for id_, known in names.items() if wanted in known] or [
        id_ for id_, known in names.items() if any(name.startswith(wanted) for name in known)
    ]
    if len(found) == 1:
        return found[0]
    if found:
        raise ValueError(f"{typed!r} may be {', '.join(found[:6])}; say more of the name")
    from engine.problems import nearest

    raise ValueError(f"{typed!r} is no card{nearest(typed, names)}")
