"""The verbs of another player's immediate answers, and the Secret Vault at the end."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.language import _, card, coins
from companion.verbs.verb import Verb, Words
from engine.table import UNNAMED

if TYPE_CHECKING:
    from engine.table import Table


def say_of_asked(sentence: str, before: Table) -> str:
    """The sentence about what the player asked does."""
    question = before.questions[-1]
    about = card(question.about) if question.about != UNNAMED else ""
    player = before.seats[question.seat].name
    return sentence.format(player=player, card=about, district=about)


def _label_spare(table: Table) -> str:
    if table.questions[-1].about == UNNAMED:
        return _("Don't confiscate the district")
    if table.questions[-1].kind == "warrant":
        return say_of_asked(_("Don't confiscate the {district}"), table)
    return _("Don't reveal the threat")


def _tell_spared(before: Table) -> str:
    if before.questions[-1].about == UNNAMED:
        return say_of_asked(_("{player} doesn't confiscate the district."), before)
    if before.questions[-1].kind == "warrant":
        return say_of_asked(_("{player} doesn't confiscate the {card}."), before)
    return say_of_asked(_("{player} doesn't reveal the threat."), before)


def _confiscate(table: Table) -> str:
    if table.questions[-1].about == UNNAMED:
        return _("Confiscate the district")
    return say_of_asked(_("Confiscate the {district}"), table)


def _confiscate_told(before: Table) -> str:
    if before.questions[-1].about == UNNAMED:
        return say_of_asked(_("{player} confiscates the district."), before)
    return say_of_asked(_("{player} confiscates the {card}."), before)


def _expose(table: Table, words: Words) -> str:
    sentences = {
        (): _("Reveal the threat"),
        ("real",): _("Reveal the threat: it's real"),
        ("fake",): _("Reveal the threat: it's fake"),
    }
    return sentences[words]


def _bribe(table: Table) -> str:
    half = table.seats[table.questions[-1].seat].gold // 2
    return _("Pay {gold} to remove the threat").format(gold=coins(half))


VERBS = {
    "rescue": Verb(
        label=lambda t, a: say_of_asked(
            _("{player} pays 1 gold to take the {district} into hand"), t
        ),
        told=lambda b, a, n: say_of_asked(
            _("{player} pays 1 gold to take the {district} into hand."), b
        ),
        key="y",
        hint=lambda: _("Tap the owner's token to take the district back."),
        number=4,
    ),
    "leave": Verb(
        label=lambda t, a: say_of_asked(_("Leave the {district} under the deck"), t),
        told=lambda b, a, n: say_of_asked(_("The {district} goes under the deck."), b),
        key="n",
        chip=lambda: _("don't use the Graveyard"),
        number=5,
    ),
    "confiscate": Verb(
        label=lambda t, a: _confiscate(t),
        told=lambda b, a, n: _confiscate_told(b),
        key="y",
        chip=lambda: _("confiscate the district"),
        number=4,
    ),
    "spare": Verb(
        label=lambda t, a: _label_spare(t),
        told=lambda b, a, n: _tell_spared(b),
        key="n",
        chip=lambda: _("don't confiscate, don't reveal the threat"),
        number=5,
    ),
    "bribe": Verb(
        label=lambda t, a: _bribe(t),
        told=lambda b, a, n: say_of_asked(_("{player} pays the Blackmailer."), b),
        key="y",
        chip=lambda: _("pay the Blackmailer"),
        number=4,
    ),
    "refuse": Verb(
        label=lambda t, a: _("Refuse to pay"),
        told=lambda b, a, n: say_of_asked(_("{player} refuses to pay."), b),
        key="n",
        chip=lambda: _("don't pay the Blackmailer"),
        number=5,
    ),
    "expose": Verb(
        label=_expose,
        told=lambda b, a, n: say_of_asked(_("{player} reveals the threat."), b),
        fold=lambda t, n: _("Reveal the threat"),
        asks=lambda: (_("{player}. Real or fake?"),),
        key="y",
        chip=lambda: _("reveal the threat"),
        number=4,
    ),
    "vault": Verb(
        label=lambda t, a: _("{player} shows the Secret Vault").format(player=a[0]),
        told=lambda b, a, n: _("{player} shows the Secret Vault.").format(player=a[0]),
        fold=lambda t, n: _("Show the Secret Vault"),
        asks=lambda: (_("Who shows the Secret Vault?"),),
        hint=lambda: _("Tap the Secret Vault, then say who shows it."),
        number=85,
    ),
}
