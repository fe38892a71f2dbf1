"""What is asked at each moment, on every face and by the voice, and the steps of the selection."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING

from companion.game import verbs
from companion.language import _, amount, card, listing, plural
from companion.privacy import ALWAYS_SECRET
from engine.referee import legal
from engine.rules.turn import paying_districts
from engine.table import UNNAMED
from engine.views import awaiting

if TYPE_CHECKING:
    from engine.moves import Move
    from engine.table import Table


def question(t: Table) -> str:
    """What is asked now, and of whom; or that the game is over. The important word comes first."""
    waiting = awaiting(t)
    if waiting is None:
        return _("The game is over.")
    seat, kind = waiting
    player = t.seats[seat].name
    match kind:
        case "select":
            return _selecting(t, player)
        case "call":
            return calling(t)
        case "turn":
            return _turn(t, player)
    about = t.questions[-1].about
    if kind == "warrant" and about == UNNAMED:
        return _("{player}. Confiscate the district?").format(player=player)
    return _answers()[kind].format(player=player, card=card(about) if about else "")


def _answers() -> dict[str, str]:
    """What another player, or whoever has the crown, is asked before anything else."""
    return {
        "graveyard": _("{player}. Pay 1 gold to take the {card} into your hand?"),
        "unmask": _("Who had the murdered {card}?"),
        "emperor": _("{player}. Who gets the crown?"),
        "warrant": _("{player}. Confiscate the {card}?"),
        "threat": _("{player}. Pay the Blackmailer, or refuse?"),
        "expose": _("{player}. Show the threat on the {card}?"),
        "city": _("{player}. Which districts are in your city?"),
    }


def _selecting(t: Table, player: str) -> str:
    if t.faceup is None and t.rules.faceup_count:
        owed = amount("character", t.rules.faceup_count)
        return _("{player}. Lay {characters} face up.").format(player=player, characters=owed)
    return _("Has everybody chosen?")


def calling(t: Table) -> str:
    """The call of the rank that is called now: a question, where somebody can answer it."""
    character = t.rules.by_rank[t.called]
    if t.faceup and character in t.faceup and character != t.killed:
        sentence = _("Rank {rank}. The {character} lies face up.")
    elif character == t.killed:
        sentence = _("Rank {rank}. The {character} was murdered.")
    else:
        sentence = _("Rank {rank}. Who is the {character}?")
    return sentence.format(rank=t.called, character=card(character))


def _turn(t: Table, player: str) -> str:
    if not t.playing.gathered:
        return _("{player}. Gold or cards?").format(player=player)
    offered: dict[str, Move] = {move.verb: move for move in legal(t)}
    powers = [verb for verb in offered if verb not in _EVERYBODYS and verb not in ALWAYS_SECRET]
    if powers and "end" not in offered:  # what is owed before the turn can end
        return verbs.asks(powers[0], 0, player)
    options = [_("build")] if "build" in offered else []
    if len(powers) == 1:
        options.append(verbs.does(offered[powers[0]]))
    elif powers:
        options.append(_("use a power"))
    if "income" in offered and may_pay(t):
        options.append(_("take the income"))
    if not options:
        return _("{player}. End the turn?").format(player=player)
    choice = listing([*options, _("end")], joined="or")
    return _("{player}. {choice}?").format(player=player, choice=choice[:1].upper() + choice[1:])


def may_pay(t: Table) -> bool:
    """Whether the income of the turn can be more than nothing."""
    paying = paying_districts(t, t.playing.seat, t.playing.character)
    return paying > 0 or not t.rules.counts_cards


_EVERYBODYS = {"gold", "cards", "build", "end", "pay", "gain", "complete", "income", "forfeit"}
"""Verbs of a turn that are nobody's power."""


def selection_steps(t: Table, *, short: bool = False) -> list[str]:
    """What the table does to choose characters, in order (Selection phase of the rulebook).

    `short` tells in one sentence what several players do after each other.
    """
    lines = [
        _("Shuffle the {characters}.").format(characters=amount("character", len(t.rules.cast)))
    ]
    if t.rules.faceup_count:
        lines.append(
            plural("Discard {number} face up.", "Discard {number} face up.", t.rules.faceup_count)
        )
    steps = [step.split() for step in t.rules.selection["steps"]]
    for what, same in groupby(steps, key=lambda step: step[0]):
        numbers = [int(number) for _what, number in same]
        if what == "discard":
            lines += [plural("Lay {number} face down.", "Lay {number} face down.", numbers[0])]
            continue
        names = [t.seats[(t.crown + number) % len(t.seats)].name for number in numbers]
        if short and len(names) > 1:
            sentence = _short_sentences()[what]
            lines.append(sentence.format(names=listing(names)))
        else:
            lines += [_step_sentences()[what].format(player=name) for name in names]
    return lines


def _short_sentences() -> dict[str, str]:
    return {
        "pick": _("Each keeps one and passes the rest on: {names}."),
        "pick_and_discard": _("Each keeps one, lays one face down, passes the rest on: {names}."),
    }


def _step_sentences() -> dict[str, str]:
    return {
        "pick": _("{player} keeps one and passes the rest on."),
        "pick_and_discard": _("{player} keeps one, lays one face down, and passes the rest on."),
        "pick_last": _("{player} keeps one and lays the other face down."),
        "pick_with_facedown": _(
            "{player} also takes the card laid face down, keeps one, and lays the other face down."
        ),
        "discard_from": _("{player} lays one of the rest face down, without looking."),
    }
