"""The verbs of choosing and calling characters, and those that name characters in advance: murder,
robbery, spell, warrants, threats.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.language import _, amount, begin_sentence, card, cards, end_sentence
from companion.verbs.turn import act
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
        return end_sentence(_unmask(name, before))
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
    return end_sentence(_tell_called(_("{player} is the {character}"), before, words))


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
        number=0,
        hint=lambda: _("Tap a character to discard it face up."),
    ),
    "choose": Verb(
        label=lambda t, a: _("{player} chose the {character}").format(
            player=a[0], character=card(a[1])
        ),
        told=lambda b, a, n: _("{player} has chosen a character.").format(player=a[0]),
        fold=lambda t, n: _("Record secretly who chose which character"),
        asks=lambda: (_("Who has chosen?"), _("Which card did you take?")),
        key="p",
        heard="unsaid",
        private="always",
    ),
    "call": Verb(
        label=lambda t, a: _("Everybody has chosen: call the characters"),
        told=lambda b, a, n: _("Everybody has chosen."),
        key="a",
        heard="unsaid",
        hint=lambda: _("Tap the crown to call the first character."),
        does=lambda a: _("everybody has chosen"),
        number=9,
    ),
    "reveal": Verb(
        label=lambda t, a: _tell_called(_("{player} is the {character}"), t, a),
        told=lambda b, a, n: _tell_revealed(a, b, n),
        fold=lambda t, n: _("Say who answers"),
        asks=lambda: (_("Who answers?"),),
        heard="called",
        number=0,
        hint=lambda: _("Tap the token of whoever has this character."),
    ),
    "nobody": Verb(
        label=lambda t, a: tell_call(
            t, _("Carry on"), _("Carry on"), begin_sentence(_("nobody answers"))
        ),
        told=lambda b, a, n: tell_call(
            b,
            _("The {character} was murdered."),
            _("The {character} is face up."),
            _("Nobody is the {character}."),
        ),
        key="n",
        heard="called",
        hint=lambda: _("Tap the crown if nobody answers."),
        does=lambda a: _("nobody answers"),
        number=9,
    ),
    "unmask": Verb(
        label=lambda t, a: _unmask(a[0], t),
        told=lambda b, a, n: _tell_unmasked(a[0], b),
        fold=lambda t, n: _("Say who had the murdered character"),
        asks=lambda: (_("Who had the murdered character?"),),
        instead=("nobody",),
        heard="called",
        number=0,
        hint=lambda: _("Tap the token of whoever had the murdered character."),
    ),
}


def _tell_named(before: Table, secret: str, sentence: str, character: str | None) -> str:
    """The character's name if it is public, else only that there is one."""
    if character is None:
        return act(secret, before)
    return act(sentence, before, character=card(character))


NAMING = {
    "kill": Verb(
        label=lambda t, a: _("Murder the {character}").format(character=card(a[0])),
        told=lambda b, a, n: _tell_named(
            b,
            _("{player} has named a character."),
            _("{player} murders the {character}."),
            n.marks.killed,
        ),
        fold=lambda t, n: _("Murder a character"),
        asks=lambda: (_("{player}. Who do you murder?"),),
        does=lambda a: _("murder"),
        is_lost=True,
        key="m",
        private="targets",
        hint=lambda: _("Tap a character to murder that character."),
    ),
    "rob": Verb(
        label=lambda t, a: _("Rob the {character}").format(character=card(a[0])),
        told=lambda b, a, n: _tell_named(
            b,
            _("{player} has named a character."),
            _("{player} will rob the {character}."),
            n.marks.robbed,
        ),
        fold=lambda t, n: _("Rob a character"),
        asks=lambda: (_("{player}. Who do you rob?"),),
        does=lambda a: _("rob"),
        is_lost=True,
        key="b",
        private="targets",
        hint=lambda: _("Tap a character to rob that character."),
    ),
    "bewitch": Verb(
        label=lambda t, a: _("Bewitch the {character}").format(character=card(a[0])),
        told=lambda b, a, n: act(_("{player} bewitches the {character}."), b, character=card(a[0])),
        fold=lambda t, n: _("Bewitch a character"),
        asks=lambda: (_("{player}. Who do you bewitch?"),),
        does=lambda a: _("bewitch"),
        is_lost=True,
        key="w",
        hint=lambda: _("Tap a character to bewitch that character."),
    ),
    "warrants": Verb(
        label=lambda t, a: _("Place warrants on: {cards}").format(cards=cards(a)),
        told=lambda b, a, n: act(_("{player} places warrants on: {cards}."), b, cards=cards(a)),
        fold=lambda t, n: _("Place three warrants"),
        asks=lambda: (_("{player}. Which characters get the warrants?"),),
        does=lambda a: _("place warrants"),
        is_lost=True,
        key="w",
        hint=lambda: _("Tap the three characters that get warrants."),
    ),
    "threats": Verb(
        label=lambda t, a: _("Place threats on: {cards}").format(cards=cards(a)),
        told=lambda b, a, n: act(_("{player} places threats on: {cards}."), b, cards=cards(a)),
        fold=lambda t, n: _("Place two threats"),
        asks=lambda: (_("{player}. Which characters get the threats?"),),
        does=lambda a: _("place threats"),
        is_lost=True,
        key="m",
        hint=lambda: _("Tap the two characters that get threats."),
    ),
    "signed": Verb(
        label=lambda t, a: _("Record secretly: the signed warrant is on the {character}").format(
            character=card(a[0])
        ),
        told=lambda b, a, n: _("A secret was recorded."),
        fold=lambda t, n: _("Record secretly which warrant is signed"),
        asks=lambda: (_("{player}. Which warrant is signed?"),),
        key="n",
        heard="unsaid",
        private="always",
        number=84,
    ),
    "real": Verb(
        label=lambda t, a: _("Record secretly: the real threat is on the {character}").format(
            character=card(a[0])
        ),
        told=lambda b, a, n: _("A secret was recorded."),
        fold=lambda t, n: _("Record secretly which threat is real"),
        asks=lambda: (_("{player}. Which threat is real?"),),
        key="n",
        heard="unsaid",
        private="always",
        number=84,
    ),
}
