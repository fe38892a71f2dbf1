"""Learning chips: from what a person types to what a chip stands for.

Used at the table for one unknown chip, and by `companion tags learn` for a whole deck in a row.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING

from companion import chips, language, vocabulary
from companion.intent.digits import DIGITS
from companion.intent.typed import card_names, named
from companion.language import _
from engine.moves import fold, split
from engine.problems import nearest
from tags.registry import (
    ActionChip,
    CharacterChip,
    CrownChip,
    DistrictChip,
    PlayerChip,
    ReferenceChip,
    parse_entry,
)

if TYPE_CHECKING:
    from tags.registry import Entry, Registry


def read_entry(
    text: str, registry: Registry, players: Sequence[str] = (), here: Collection[str] = ()
) -> Entry:
    """What the typed words say a chip is: `tavern 2`, `king`, `Ben`, `crown`, `end`, `number 3`.

    A district without a copy number is the first copy that no chip stands for yet. Of several
    cards so called, those of this game (`here`) are meant. Raises ValueError with one sentence
    for words that name nothing, or several things.
    """
    words = chips.in_english(split(text) or [])
    if not words:
        raise ValueError(_("say what it is: a card and its copy, a player, crown, reference 1."))
    if words[0] in chips.KINDS:
        return parse_entry(" ".join(words), chips.known_cards())
    for seat, name in enumerate(players):
        if fold(name) == fold(" ".join(words)):
            return PlayerChip(seat + 1)
    if words[0] == "number" or (len(words) == 1 and words[0] in chips.ACTIONS):
        return parse_entry(f"action {words[-1]}", chips.known_cards())
    number = words.pop() if words[-1].isdecimal() and len(words) > 1 else None
    card = _card_named(" ".join(words), here)
    if card in chips.known_cards().characters:
        return parse_entry(f"character {card}", chips.known_cards())
    copy = number or str(next_copy(registry, card))
    return parse_entry(f"district {card} {copy}", chips.known_cards())


def in_words(entry: Entry, players: Sequence[str] = ()) -> str:
    """What a chip stands for, in the table's language."""
    match entry:
        case DistrictChip(card=card, copy=copy):
            return _("{district}, copy {number}").format(district=language.card(card), number=copy)
        case CharacterChip(card=card):
            return language.card(card)
        case PlayerChip(seat=seat) if seat <= len(players):
            return _("{player}'s token").format(player=players[seat - 1])
        case PlayerChip(seat=seat):
            return _("the token of seat {seat}").format(seat=seat)
        case CrownChip():
            return _("the crown")
        case ReferenceChip(number=number):
            return _("reference card {number}").format(number=number)
        case ActionChip(name=name) if name in DIGITS:
            return _("number {number}").format(number=name)
        case ActionChip(name=name):
            return _("action {name}").format(name=vocabulary.named(name))


def next_copy(registry: Registry, district: str) -> int:
    """The first copy of that district that no chip stands for yet (the last one if all are)."""
    copies = chips.known_cards().districts[district]
    taken = {
        entry.copy
        for _uid, entry in registry
        if isinstance(entry, DistrictChip) and entry.card == district
    }
    return next((copy for copy in range(1, copies + 1) if copy not in taken), copies)


def _card_named(typed: str, here: Collection[str]) -> str:
    names = {id_: card_names(id_) for id_ in sorted(chips.known_cards().cards)}
    found = named(typed, names)
    found = [id_ for id_ in found if id_ in here] or found
    if len(found) == 1:
        return found[0]
    if found:
        raise ValueError(
            _("{name} can be {cards}; say more of the name.").format(
                name=typed, cards=language.cards(found[:6])
            )
        )
    if (near := nearest(typed, names)) is None:
        raise ValueError(_("“{name}” is no card.").format(name=typed))
    sentence = _("“{name}” is no card; did you mean “{near}”?")
    raise ValueError(sentence.format(name=typed, near=near))
