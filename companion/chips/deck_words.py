"""Finds the chip of the simulated deck for typed words, in the table's language."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion import chips
from companion.chips.entries import CharacterChip, DistrictChip, PlayerChip
from companion.language import _, listing
from companion.language.names import names_of_cards, player_names
from companion.language.vocabulary import match_names
from engine.moves import split
from tags.uids import parse_uid

if TYPE_CHECKING:
    from companion.chips import SimulatedDeck
    from companion.chips.entries import Entry
    from engine.ruleset import Ruleset


def chip_named(text: str, deck: SimulatedDeck | None, rules: Ruleset) -> bytes:
    """The chip for the typed words. Raises ValueError with a sentence."""
    words = chips.translate_words(split(text) or [])
    if not words or deck is None:
        raise ValueError(_("say which chip: a card, a player, crown, or reference 1."))
    if words[0] == "chip":
        return parse_uid(" ".join(words[1:]))
    match = deck.find(words)
    if match is not None:
        return match
    number = words[-1] if len(words) > 1 and words[-1].isdecimal() else None
    name = " ".join(words[:-1] if number else words)
    entries = _entries_named(name, rules)
    if len(entries) > 1:
        names = listing((entry.describe() for entry in entries), conjunction="or")
        raise ValueError(_("{name} could be {cards}; type more of the name.").format(
            name=name, cards=names
        ))  # fmt: skip
    if entries and number and isinstance(entries[0], DistrictChip):
        entries = [DistrictChip(entries[0].card, int(number[:4]))]
    uid = deck.find_entry(entries[0]) if entries else None
    if uid is None:
        raise ValueError(_("the simulated deck has no chip {name}.").format(name=text))
    return uid


def _entries_named(name: str, rules: Ruleset) -> list[Entry]:
    """The entries with that name: cards of this game, or players."""
    fields = names_of_cards((*rules.cast, *rules.districts))
    players = match_names(name, player_names(rules.player_names))
    seats: list[Entry] = [PlayerChip(rules.seat_of[player] + 1) for player in players]
    cards: list[Entry] = [
        CharacterChip(id_) if id_ in rules.characters else DistrictChip(id_)
        for id_ in match_names(name, fields)
    ]
    return [*seats, *cards]
