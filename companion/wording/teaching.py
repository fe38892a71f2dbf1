"""The first round explained: what is chosen, what is called, what the called character does.

Every lesson is made from what the whole table knows: the box, the seats and the rank being called.
It never looks at who was murdered or robbed, so that it cannot tell.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from companion.language import _, card, current
from companion.wording import facts
from engine import cards

if TYPE_CHECKING:
    from engine.table import Table

TAUGHT_ROUND = 1


def moment(t: Table) -> str:
    """What is taught now: `selection`, `call C` or `turn C` of a character, or nothing."""
    if t.round != TAUGHT_ROUND:
        return ""
    if t.phase == "turn":
        return f"turn {t.playing.character}"
    if t.phase == "calling":
        return f"call {t.rules.by_rank[t.called]}"
    return "selection" if t.phase == "selection" else ""


def lesson(t: Table) -> list[str]:
    """The lesson of this moment, a sentence each; none where nothing is taught."""
    taught, _space, character = moment(t).partition(" ")
    return {"": _nothing, "selection": _selection, "call": _call, "turn": _turn}[taught](
        t, character
    )


def _nothing(t: Table, character: str) -> list[str]:
    return []


def _selection(t: Table, character: str) -> list[str]:
    player = t.seats[t.crown].name
    lines = [_("Do now what the steps say; nobody shows a character before it is called.")]
    if t.rules.picks == 1:
        lines.insert(0, _("In each round everybody secretly takes a character with a power."))
    else:
        lines.insert(0, _("In each round everybody secretly takes two characters with powers."))
    return [
        *lines,
        _("{player} has the crown, chooses first, and then calls rank after rank.").format(
            player=player
        ),
        _("When everybody has chosen, say so; each character is explained when it is called."),
    ]


def _call(t: Table, character: str) -> list[str]:
    """What the crowned player says, and what the card does."""
    text = cards.text_of(character, t.rules.edition.id, current()).text
    lines = [
        _("{player}, who has the crown, says: “Rank {rank}, the {character}!”").format(
            player=t.seats[t.crown].name, rank=t.called, character=card(character)
        )
    ]
    if t.called == min(t.rules.by_rank):
        lines.append(_("Whoever has the card turns it up; if nobody does, the next is called."))
    return [*lines, *facts.sentences(text)]


def _turn(t: Table, character: str) -> list[str]:
    """What is usually done in the turn."""
    lines = [_("{player} is the {character}.").format(
        player=t.acting.name, character=card(character)
    )]  # fmt: skip
    if sum(len(seat.revealed) for seat in t.seats) == 1:
        lines.append(_("A turn: take gold or cards, then build a district by paying its cost."))
    usual = _USUAL.get(character)
    return [*lines, *([usual()] if usual else [])]


_USUAL: dict[str, Callable[[], str]] = {
    "assassin": lambda: _("Usually the victim is named first, so that nobody forgets it."),
    "witch": lambda: _("Usually: gather, then bewitch a character whose turn is worth having."),
    "magistrate": lambda: _("Usually the three warrants are laid first, the signed one unseen."),
    "thief": lambda: _("Usually: rob a character that somebody with much gold may have."),
    "tax_collector_2004": lambda: _(
        "Usually: just gather and build; the taxes come by themselves."
    ),
    "spy": lambda: _("Usually: look at a full hand for the type that it probably holds."),
    "blackmailer": lambda: _("Usually the two threats are laid first, the real one unseen."),
    "magician": lambda: _("Usually: swap with the fullest hand, or replace what is too dear."),
    "wizard": lambda: _("Usually: look at a full hand, and build at once what you can pay."),
    "seer": lambda: _("Usually: take the cards, give back the worst, and build two districts."),
    "king": lambda: _("Usually: take the crown, the income of noble districts, gather and build."),
    "emperor": lambda: _("Usually: give the crown to whoever can use it least."),
    "patrician": lambda: _("Usually: take the crown, cards for noble districts, gather and build."),
    "bishop": lambda: _("Usually: the income of religious districts, gather, and build in safety."),
    "abbot": lambda: _(
        "Usually: the income of religious districts, the richest's gold, and build."
    ),
    "cardinal": lambda: _("Usually: build something dear, with gold of somebody who is rich."),
    "merchant": lambda: _("Usually: the extra gold, the income of trade districts, and build."),
    "alchemist": lambda: _("Usually: build the dearest district; the gold for it comes back."),
    "trader": lambda: _("Usually: the income of trade districts, then build several of them."),
    "architect": lambda: _("Usually: two cards more, gold, and build as many as three districts."),
    "navigator": lambda: _("Usually: four gold or cards more; nothing is built."),
    "scholar": lambda: _("Usually: seven cards, keep the best, and build two districts."),
    "warlord": lambda: _(
        "Usually: the income of military districts, build, then destroy a cheap one."
    ),
    "diplomat": lambda: _("Usually: build, then give a cheap district for a dear one."),
    "marshal": lambda: _("Usually: keep gold for a cheap district of somebody else's."),
    "queen": lambda: _("Usually: gather and build; the gold beside rank 4 comes by itself."),
    "artist": lambda: _("Usually: build, then put gold on one or two of your districts."),
    "tax_collector": lambda: _("Usually: take the gold that lies on the card, gather and build."),
}
"""What most people do with a character; every character of every box has its line."""
