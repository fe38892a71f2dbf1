"""The deeds of a timeline in words: a noun for each, and its sentence."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.history import timeline
from companion.language import _, card, coins
from companion.wording import chronicle

if TYPE_CHECKING:
    from collections.abc import Sequence

    from companion.history.timeline import Mark


def word(kind: str) -> str:
    """The noun for a deed, from the chronicle where it has one."""
    marked = {
        timeline.KILL: chronicle.MURDER,
        timeline.ROB: chronicle.ROBBERY,
        timeline.DESTROY: chronicle.DESTRUCTION,
    }
    return chronicle.word(marked[kind]) if kind in marked else _("Takeover")


def tell(mark: Mark, names: Sequence[str]) -> str:
    """The deed in a sentence, or two if a murdered player is known; `names` by seat."""
    actor = "" if mark.actor is None else names[mark.actor]
    victim = "" if mark.victim is None else names[mark.victim]
    match mark.kind:
        case timeline.KILL:
            return _tell_murder(mark, actor, victim)
        case timeline.ROB:
            return _tell_robbery(mark, actor, victim)
        case timeline.TAKE:
            sentence = _("{player} takes {victim}'s {district}.")
        case _ if mark.actor == mark.victim:
            sentence = _("{player} destroys the {district} in their own city.")
        case _:
            sentence = _("{player} destroys {victim}'s {district}.")
    return sentence.format(player=actor, victim=victim, district=card(mark.card))


def _tell_murder(mark: Mark, actor: str, victim: str) -> str:
    told = _("{player} murders the {character}.") if actor else _("The {character} was murdered.")
    told = told.format(player=actor, character=card(mark.card))
    if not victim:
        return told
    who = _("{player} was the murdered {character}.")
    return f"{told} {who.format(player=victim, character=card(mark.card))}"


def _tell_robbery(mark: Mark, actor: str, victim: str) -> str:
    sentence = (
        _("{thief} steals {gold} from {victim}.")
        if mark.amount
        else _("{thief} steals nothing: {victim} has no gold.")
    )
    return sentence.format(thief=actor, victim=victim, gold=coins(mark.amount))
