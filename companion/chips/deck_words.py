"""The chip of the simulated deck that typed words name, in the table's language."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion import chips
from companion.chips import learning
from companion.intent import typed
from companion.language import _, listing
from engine.moves import split
from tags.registry import CharacterChip, DistrictChip, PlayerChip, parse_uid

if TYPE_CHECKING:
    from companion.chips import SimulatedDeck
    from engine.ruleset import Ruleset
    from tags.registry import Entry


def chip_named(text: str, deck: SimulatedDeck | None, rules: Ruleset) -> bytes:
    """The chip that the words name. Raises ValueError with a sentence."""
    words = chips.in_english(split(text) or [])
    if not words or deck is None:
        raise ValueError(_("say which chip: a card, a player, crown, or reference 1."))
    if words[0] == "chip":
        return parse_uid(" ".join(words[1:]))
    found = deck.find(words)
    if found is not None:
        return found
    number = words[-1] if len(words) > 1 and words[-1].isdecimal() else None
    name = " ".join(words[:-1] if number else words)
    entries = _entries_named(name, rules)
    if len(entries) > 1:
        names = listing((learning.in_words(entry) for entry in entries), joined="or")
        raise ValueError(_("{name} can be {cards}; say more of the name.").format(
            name=name, cards=names
        ))  # fmt: skip
    if entries and number and isinstance(entries[0], DistrictChip):
        entries = [DistrictChip(entries[0].card, int(number[:4]))]
    uid = deck.find_entry(entries[0]) if entries else None
    if uid is None:
        raise ValueError(_("the simulated deck has no chip {name}.").format(name=text))
    return uid


def _entries_named(name: str, rules: Ruleset) -> list[Entry]:
    """What the words name: cards of this game, or players."""
    known = {id_: typed.card_names(id_) for id_ in (*rules.cast, *rules.districts)}
    players = typed.named(name, typed.player_names(rules.player_names))
    seats: list[Entry] = [PlayerChip(rules.seat_of[player] + 1) for player in players]
    cards: list[Entry] = [
        CharacterChip(id_) if id_ in rules.characters else DistrictChip(id_)
        for id_ in typed.named(name, known)
    ]
    return [*seats, *cards]
