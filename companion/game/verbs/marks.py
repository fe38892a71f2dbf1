"""The verbs that name characters in advance: murder, robbery, spell, warrants, threats."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.game.verbs.turn import act
from companion.game.verbs.verb import Verb
from companion.language import _, card, cards

if TYPE_CHECKING:
    from engine.table import Table


def _named(before: Table, secret: str, announced: str, target: str | None) -> str:
    """A target that is public by name, or only that there is one."""
    if target is None:
        return act(secret, before)
    return act(announced, before, character=card(target))


VERBS = {
    "kill": Verb(
        label=lambda t, a: _("Murder the {character}").format(character=card(a[0])),
        told=lambda b, a, n: _named(
            b,
            _("{player} has named a character."),
            _("{player} murders the {character}."),
            n.killed,
        ),
        fold=lambda t, n: _("Murder a character"),
        asks=lambda: (_("{player}. Murder which character?"),),
        does=lambda a: _("murder"),
        key="m",
        private="targets",
        hint=lambda: _("A character card is murdered."),
    ),
    "rob": Verb(
        label=lambda t, a: _("Rob the {character}").format(character=card(a[0])),
        told=lambda b, a, n: _named(
            b,
            _("{player} has named a character."),
            _("{player} will rob the {character}."),
            n.robbed,
        ),
        fold=lambda t, n: _("Rob a character"),
        asks=lambda: (_("{player}. Rob which character?"),),
        does=lambda a: _("rob"),
        key="b",
        private="targets",
        hint=lambda: _("A character card is robbed."),
    ),
    "bewitch": Verb(
        label=lambda t, a: _("Bewitch the {character}").format(character=card(a[0])),
        told=lambda b, a, n: act(_("{player} bewitches the {character}."), b, character=card(a[0])),
        fold=lambda t, n: _("Bewitch a character"),
        asks=lambda: (_("{player}. Bewitch which character?"),),
        does=lambda a: _("bewitch"),
        key="w",
        hint=lambda: _("A character card is bewitched."),
    ),
    "warrants": Verb(
        label=lambda t, a: _("Lay warrants on: {cards}").format(cards=cards(a)),
        told=lambda b, a, n: act(_("{player} lays warrants on: {cards}."), b, cards=cards(a)),
        fold=lambda t, n: _("Lay three warrants"),
        asks=lambda: (_("{player}. Warrants on which characters?"),),
        does=lambda a: _("lay warrants"),
        key="w",
        hint=lambda: _("Three character cards get the warrants."),
    ),
    "threats": Verb(
        label=lambda t, a: _("Lay threats on: {cards}").format(cards=cards(a)),
        told=lambda b, a, n: act(_("{player} lays threats on: {cards}."), b, cards=cards(a)),
        fold=lambda t, n: _("Lay two threats"),
        asks=lambda: (_("{player}. Threats on which characters?"),),
        does=lambda a: _("lay threats"),
        key="m",
        hint=lambda: _("Two character cards get the threats."),
    ),
    "signed": Verb(
        label=lambda t, a: _("Record in secret: the signed warrant is the {character}'s").format(
            character=card(a[0])
        ),
        told=lambda b, a, n: _("A secret is recorded."),
        fold=lambda t, n: _("Record in secret which warrant is signed"),
        asks=lambda: (_("{player}. Which warrant is signed?"),),
        key="n",
        heard="unsaid",
        private="always",
    ),
    "real": Verb(
        label=lambda t, a: _("Record in secret: the real threat is the {character}'s").format(
            character=card(a[0])
        ),
        told=lambda b, a, n: _("A secret is recorded."),
        fold=lambda t, n: _("Record in secret which threat is real"),
        asks=lambda: (_("{player}. Which threat is real?"),),
        key="n",
        heard="unsaid",
        private="always",
    ),
}
