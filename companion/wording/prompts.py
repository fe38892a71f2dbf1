"""Who is awaited and for what: one sentence, always about one well-defined thing."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING

from companion.language import _, card, plural
from engine.referee import legal
from engine.table import UNNAMED
from engine.views import awaiting

if TYPE_CHECKING:
    from engine.table import Table

_EVERYBODYS = {
    "gold",
    "cards",
    "build",
    "end",
    "pay",
    "gain",
    "complete",
}  # moves of a turn that are no power and no income


def awaited(t: Table) -> str:
    """`Waiting for Ben: ...`, or that the game is over."""
    waiting = awaiting(t)
    if waiting is None:
        return _("The game is over.")
    seat, question = waiting
    return _("Waiting for {player}: {question}").format(
        player=t.seats[seat].name, question=_question(t, question)
    )


def _question(t: Table, question: str) -> str:
    if question == "select":
        if t.faceup is None:
            return plural(
                "discard {number} character face up.",
                "discard {number} characters face up.",
                t.rules.faceup_count,
            )
        return _("say when everybody has chosen.")
    if question == "call":
        return _called(t)
    if question == "turn":
        return _turn(t)
    about = t.questions[-1].about
    asked = {
        "graveyard": _("pay 1 gold to take the {card} into hand?"),
        "unmask": _("who had the murdered {card}?"),
        "emperor": _("who gets the crown of the murdered {card}?"),
        "warrant": _("the Magistrate: confiscate the {card}?"),
        "threat": _("the {card}: pay the Blackmailer, or refuse?"),
        "city": _("which districts stand in the city? Name or tap them, then say: counted."),
        "expose": _("the Blackmailer: show the threat on the {card}?"),
    }
    if question == "warrant" and about == UNNAMED:
        return _("the Magistrate: confiscate the district?")
    return asked[question].format(card=card(about) if about else "")


def _called(t: Table) -> str:
    character = t.rules.by_rank[t.called]
    if t.faceup and character in t.faceup:
        sentence = _("the {character}, rank {rank}, lies face up; nobody answers.")
    elif character == t.killed:
        sentence = _("the {character}, rank {rank}, was murdered; nobody answers.")
    else:
        sentence = _("who is the {character}, rank {rank}?")
    return sentence.format(character=card(character), rank=t.called)


def _turn(t: Table) -> str:
    """What is left to do in the turn, whole sentences so that they can be translated."""
    turn = t.playing
    verbs = {move.verb for move in legal(t)}
    powers = not verbs <= _EVERYBODYS
    if not turn.gathered:
        sentence = _("the {character} gathers gold or cards.")
    elif "build" in verbs and powers:
        sentence = _("the {character} builds, uses powers, or ends the turn.")
    elif "build" in verbs:
        sentence = _("the {character} builds, or ends the turn.")
    elif powers:
        sentence = _("the {character} uses powers, or ends the turn.")
    else:
        sentence = _("the {character} ends the turn.")
    return sentence.format(character=card(turn.character))


def selection_steps(t: Table, *, short: bool = False) -> list[str]:
    """What the table does to choose characters, in order (Selection phase of the rulebook).

    `short` tells in one sentence what several players do after each other.
    """
    lines = [_("Shuffle the {number} characters.").format(number=len(t.rules.cast))]
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
            lines.append(sentence.format(players=", ".join(names)))
        else:
            lines += [_step_sentences()[what].format(player=name) for name in names]
    return lines


def _short_sentences() -> dict[str, str]:
    return {
        "pick": _("Each keeps one and passes the rest on: {players}."),
        "pick_and_discard": _("Each keeps one, lays one face down, passes the rest on: {players}."),
        "pick_with_facedown": _("Each takes the card laid face down too, keeps one: {players}."),
    }


def _step_sentences() -> dict[str, str]:
    return {
        "pick": _("{player} keeps one and passes the rest on."),
        "pick_and_discard": _("{player} keeps one, lays one face down, and passes the rest on."),
        "pick_with_facedown": _("{player} also takes the card laid face down, and keeps one."),
    }
