"""The verbs with which another player answers at once, and the Secret Vault at the end."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.game.verbs.verb import Verb, Words
from companion.language import _, card, coins
from engine.table import UNNAMED

if TYPE_CHECKING:
    from engine.table import Table


def asked(sentence: str, before: Table) -> str:
    """The sentence about what the player who was asked does."""
    question = before.questions[-1]
    about = card(question.about) if question.about != UNNAMED else ""
    player = before.seats[question.seat].name
    return sentence.format(player=player, card=about, district=about)


def _spare(t: Table) -> str:
    if t.questions[-1].about == UNNAMED:
        return _("Let the district stand")
    if t.questions[-1].kind == "warrant":
        return asked(_("Let the {district} stand"), t)
    return _("Leave the threat unshown")


def _spare_told(before: Table) -> str:
    if before.questions[-1].about == UNNAMED:
        return asked(_("{player} lets the district stand."), before)
    if before.questions[-1].kind == "warrant":
        return asked(_("{player} lets the {card} stand."), before)
    return asked(_("{player} leaves the threat unshown."), before)


def _confiscate(t: Table) -> str:
    if t.questions[-1].about == UNNAMED:
        return _("Confiscate the district")
    return asked(_("Confiscate the {district}"), t)


def _confiscate_told(before: Table) -> str:
    if before.questions[-1].about == UNNAMED:
        return asked(_("{player} confiscates the district."), before)
    return asked(_("{player} confiscates the {card}."), before)


def _expose(t: Table, words: Words) -> str:
    sentences = {
        (): _("Show the threat"),
        ("real",): _("Show the threat: it is real"),
        ("fake",): _("Show the threat: it is empty"),
    }
    return sentences[words]


def _bribe(t: Table) -> str:
    half = t.seats[t.questions[-1].seat].gold // 2
    return _("Pay {gold} and be left alone").format(gold=coins(half))


VERBS = {
    "rescue": Verb(
        label=lambda t, a: asked(_("{player} pays 1 gold and takes the {district} into hand"), t),
        told=lambda b, a, n: asked(_("{player} pays 1 gold and takes the {district}."), b),
        key="y",
        hint=lambda: _("The owner's token takes the district back."),
    ),
    "leave": Verb(
        label=lambda t, a: asked(_("Leave the {district} under the deck"), t),
        told=lambda b, a, n: asked(_("The {district} goes under the deck."), b),
        key="n",
        chip=lambda: _("the Graveyard is not used"),
    ),
    "confiscate": Verb(
        label=lambda t, a: _confiscate(t),
        told=lambda b, a, n: _confiscate_told(b),
        key="y",
        chip=lambda: _("the Magistrate takes the district"),
    ),
    "spare": Verb(
        label=lambda t, a: _spare(t),
        told=lambda b, a, n: _spare_told(b),
        key="n",
        chip=lambda: _("the district or the threat is let go"),
    ),
    "bribe": Verb(
        label=lambda t, a: _bribe(t),
        told=lambda b, a, n: asked(_("{player} pays the Blackmailer."), b),
        key="y",
        chip=lambda: _("pay the Blackmailer"),
    ),
    "refuse": Verb(
        label=lambda t, a: _("Refuse to pay"),
        told=lambda b, a, n: asked(_("{player} refuses to pay."), b),
        key="n",
        chip=lambda: _("do not pay the Blackmailer"),
    ),
    "expose": Verb(
        label=_expose,
        told=lambda b, a, n: asked(_("{player} shows the threat."), b),
        fold=lambda t, n: _("Show the threat"),
        asks=lambda: (_("{player}. Real, or empty?"),),
        key="y",
        chip=lambda: _("the threat is shown"),
    ),
    "vault": Verb(
        label=lambda t, a: _("{player} shows the Secret Vault").format(player=a[0]),
        told=lambda b, a, n: _("{player} shows the Secret Vault.").format(player=a[0]),
        fold=lambda t, n: _("Show the Secret Vault"),
        asks=lambda: (_("Who shows the Secret Vault?"),),
        hint=lambda: _("The Secret Vault asks who shows it."),
    ),
}
