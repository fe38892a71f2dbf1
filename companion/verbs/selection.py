"""The verbs of choosing and calling characters."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.language import _, amount, card, cards
from companion.verbs.verb import Verb, Words
from engine.rules.selection import find_no_answer

if TYPE_CHECKING:
    from engine.table import Table


def _unmask(name: str, table: Table) -> str:
    victim = card(table.questions[-1].about)
    if name == "nobody":
        return _("Nobody had the {character}").format(character=victim)
    return _("{player} was the {character}").format(player=name, character=victim)


def _tell_unmasked(name: str, before: Table) -> str:
    victim = card(before.questions[-1].about)
    if name == "nobody":
        return _("Nobody had the murdered {character}.").format(character=victim)
    return _("{player} was the murdered {character}.").format(player=name, character=victim)


def _tell_called(sentence: str, table: Table, words: Words) -> str:
    return sentence.format(player=words[0], character=card(table.rules.by_rank[table.called]))


def tell_call(table: Table, for_murdered: str, faceup: str, otherwise: str) -> str:
    """The sentence for what is known of the character called, with its rank."""
    sentence = {"murdered": for_murdered, "faceup": faceup}.get(find_no_answer(table), otherwise)
    character = table.rules.by_rank[table.called]
    return sentence.format(rank=table.called, character=card(character))


def _tell_revealed(words: Words, before: Table, after: Table) -> str:
    if any(event.kind == "crowned" for event in after.events):
        return _tell_called(_("{player} is the {character} and takes the crown."), before, words)
    return _tell_called(_("{player} is the {character}."), before, words)


VERBS = {
    "faceup": Verb(
        label=lambda t, a: _("Discard face up: {cards}").format(cards=cards(a)),
        told=lambda b, a, n: _("Face up: {cards}.").format(cards=cards(a)),
        fold=lambda t, n: _("Discard {characters} face up").format(
            characters=amount("character", t.rules.faceup_count)
        ),
        asks=lambda: (_("{player}. Who is face up?"),),
        key="f",
        heard="called",
        hint=lambda: _("Tap a character to discard it face up."),
    ),
    "choose": Verb(
        label=lambda t, a: _("{player} chose the {character}").format(
            player=a[0], character=card(a[1])
        ),
        told=lambda b, a, n: _("A choice was recorded."),
        fold=lambda t, n: _("Record secretly who chose which character"),
        asks=lambda: (_("Who has chosen?"), _("Which character do you choose?")),
        of_player=lambda: _("{player} chose"),
        key="p",
        heard="unsaid",
        private="always",
        number=7,
    ),
    "call": Verb(
        label=lambda t, a: _("Everybody has chosen: call the characters"),
        told=lambda b, a, n: _("Everybody has chosen."),
        key="a",
        heard="unsaid",
        hint=lambda: _("Tap the crown to call the first character."),
        chip=lambda: _("everybody has chosen"),
        number=9,
    ),
    "reveal": Verb(
        label=lambda t, a: _tell_called(_("{player} is the {character}"), t, a),
        told=lambda b, a, n: _tell_revealed(a, b, n),
        fold=lambda t, n: _("Say who answers"),
        asks=lambda: (_("Who answers?"),),
        heard="called",
        hint=lambda: _("Tap the token of whoever has this character."),
    ),
    "nobody": Verb(
        label=lambda t, a: tell_call(t, _("Carry on"), _("Carry on"), _("Nobody answers")),
        told=lambda b, a, n: tell_call(
            b,
            _("The {character} was murdered."),
            _("The {character} is face up."),
            _("Nobody is the {character}."),
        ),
        key="n",
        heard="called",
        hint=lambda: _("Tap the crown if nobody answers."),
        chip=lambda: _("nobody answers"),
        number=9,
    ),
    "unmask": Verb(
        label=lambda t, a: _unmask(a[0], t),
        told=lambda b, a, n: _tell_unmasked(a[0], b),
        fold=lambda t, n: _("Say who had the murdered character"),
        asks=lambda: (_("Who had the murdered character?"),),
        heard="called",
        hint=lambda: _("Tap the token of whoever had the murdered character."),
    ),
}
