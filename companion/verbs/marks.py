"""The verbs that name characters in advance: murder, robbery, spell, warrants, threats."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.language import _, card, cards
from companion.verbs.turn import act
from companion.verbs.verb import Verb

if TYPE_CHECKING:
    from engine.table import Table


def _tell_named(before: Table, secret: str, sentence: str, target: str | None) -> str:
    """The target's name if it is public, else only that there is one."""
    if target is None:
        return act(secret, before)
    return act(sentence, before, character=card(target))


VERBS = {
    "kill": Verb(
        label=lambda t, a: _("Murder the {character}").format(character=card(a[0])),
        told=lambda b, a, n: _tell_named(
            b,
            _("{player} has named a character."),
            _("{player} murders the {character}."),
            n.killed,
        ),
        fold=lambda t, n: _("Murder a character"),
        asks=lambda: (_("{player}. Who do you murder?"),),
        does=lambda a: _("murder"),
        unused=lambda t: _("You haven't murdered anybody."),
        key="m",
        private="targets",
        hint=lambda: _("Tap a character to murder that character."),
        number=7,
    ),
    "rob": Verb(
        label=lambda t, a: _("Rob the {character}").format(character=card(a[0])),
        told=lambda b, a, n: _tell_named(
            b,
            _("{player} has named a character."),
            _("{player} will rob the {character}."),
            n.robbed,
        ),
        fold=lambda t, n: _("Rob a character"),
        asks=lambda: (_("{player}. Who do you rob?"),),
        does=lambda a: _("rob"),
        unused=lambda t: _("You haven't robbed anybody."),
        key="b",
        private="targets",
        hint=lambda: _("Tap a character to rob that character."),
        number=7,
    ),
    "bewitch": Verb(
        label=lambda t, a: _("Bewitch the {character}").format(character=card(a[0])),
        told=lambda b, a, n: act(_("{player} bewitches the {character}."), b, character=card(a[0])),
        fold=lambda t, n: _("Bewitch a character"),
        asks=lambda: (_("{player}. Who do you bewitch?"),),
        does=lambda a: _("bewitch"),
        unused=lambda t: _("You haven't bewitched anybody."),
        key="w",
        hint=lambda: _("Tap a character to bewitch that character."),
        number=7,
    ),
    "warrants": Verb(
        label=lambda t, a: _("Place warrants on: {cards}").format(cards=cards(a)),
        told=lambda b, a, n: act(_("{player} places warrants on: {cards}."), b, cards=cards(a)),
        fold=lambda t, n: _("Place three warrants"),
        asks=lambda: (_("{player}. Which characters get the warrants?"),),
        does=lambda a: _("place warrants"),
        unused=lambda t: _("You haven't placed your warrants."),
        key="w",
        hint=lambda: _("Tap the three characters that get warrants."),
        number=7,
    ),
    "threats": Verb(
        label=lambda t, a: _("Place threats on: {cards}").format(cards=cards(a)),
        told=lambda b, a, n: act(_("{player} places threats on: {cards}."), b, cards=cards(a)),
        fold=lambda t, n: _("Place two threats"),
        asks=lambda: (_("{player}. Which characters get the threats?"),),
        does=lambda a: _("place threats"),
        unused=lambda t: _("You haven't placed your threats."),
        key="m",
        hint=lambda: _("Tap the two characters that get threats."),
        number=7,
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
