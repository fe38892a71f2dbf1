"""What a line is called behind which several moves of one verb lie."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from companion.language import _, amount, card, district_type, hand_cards
from companion.wording import labels, untracked
from engine.cards import DISTRICT_TYPES

if TYPE_CHECKING:
    from engine.moves import Move
    from engine.table import Table


def behind(t: Table, moves: Sequence[Move]) -> str:
    """The line of all moves of a verb."""
    verb, number = moves[0].verb, len(moves)
    choices = amount("choice", number)
    if verb == "faceup":
        owed = amount("character", t.rules.faceup_count)
        return _("Discard {characters} face up, {choices}").format(characters=owed, choices=choices)
    sentence = _sentences().get(verb)
    if sentence is None:
        first = labels.label(t, moves[0])
        return _("{move}, or another of {choices}").format(move=first, choices=choices)
    return sentence.format(choices=choices, cards=hand_cards(number))


def _sentences() -> dict[str, str]:
    return {
        "kill": _("Murder a character, {choices}"),
        "rob": _("Rob a character, {choices}"),
        "bewitch": _("Bewitch a character, {choices}"),
        "warrants": _("Lay three warrants, {choices}"),
        "threats": _("Lay two threats, {choices}"),
        "swap": _("Swap hands with another player, {choices}"),
        "redraw": _("Replace 1 to {cards} of the hand"),
        "take": _("Take a card from another hand, {choices}"),
        "spy": _("Spy on a hand, {choices}"),
        "crown": _("Give the crown to another player, {choices}"),
        "tithe": _("Say which of the richest gives the Abbot a gold, {choices}"),
        "income": _("Take the income in gold and cards, {choices}"),
        "build": _("Build a district, {choices}"),
        "destroy": _("Destroy a district, {choices}"),
        "exchange": _("Exchange a district of yours for another, {choices}"),
        "seize": _("Seize a district, {choices}"),
        "decorate": _("Decorate one or two districts, {choices}"),
        "use": _("Use a district of your city, {choices}"),
        "vault": _("Show the Secret Vault, {choices}"),
        "choose": _("Record in secret who chose which character, {choices}"),
        "signed": _("Record in secret which warrant is signed, {choices}"),
        "real": _("Record in secret which threat is real, {choices}"),
        **untracked.fold_sentences(),
    }


def word_label(t: Table, verb: str, place: int, word: str) -> str:
    """The line of those moves of a verb that have that word at that place (from 0)."""
    if word in t.rules.seat_of and verb in _OF_PLAYERS:
        return {
            "destroy": _("In {player}'s city"),
            "seize": _("From {player}'s city"),
            "exchange": _("For one of {player}'s city"),
            "use": _("In {player}'s city"),
            "spy": _("In {player}'s hand"),
            "take": _("From {player}'s hand"),
            "choose": _("{player} chose"),
            "pay": _("{player} pays"),
            "gain": _("{player} gains"),
            "city": _("{player}'s city"),
        }.get(verb, "{player}").format(player=word)
    if verb == "pay" and word == "to":
        return _("Pay another player")
    if verb == "gain" and word == "from":
        return _("Gain from another player")
    if verb == "spy" and word in DISTRICT_TYPES:
        return _("Cards of the type {type}").format(type=district_type(word))
    if word in t.rules.characters or word in t.rules.districts:
        if verb == "exchange" and place == 0:
            return _("Your {card}").format(card=card(word))
        return card(word)
    return _single_words().get(word, word)


def _single_words() -> dict[str, str]:
    """What a word of a move stands for where moves differ in it."""
    return {
        "over": _("In place of a district"),
        "from": _("With another player's gold"),
        "cards": _("Paid with cards of the hand"),
        "gold": _("Gold"),
        "card": _("A card"),
        "nothing": _("Nothing"),
        "nobody": _("Nobody"),
        "plain": _("The plain one"),
        "decorated": _("The decorated one"),
        "under": _("The one with cards under it"),
        "real": _("It is real"),
        "fake": _("It is empty"),
    }


_OF_PLAYERS = (
    "pay",
    "gain",
    "city",
    "destroy",
    "seize",
    "exchange",
    "use",
    "spy",
    "take",
    "choose",
    "crown",
    "swap",
)
