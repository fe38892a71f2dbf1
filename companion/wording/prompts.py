"""Who is awaited and for what: one sentence, always about one well-defined thing."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING

from companion.language import _, amount, card, listing, plural
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
    sentence, words = _question(t, question)
    return sentence.format(player=t.seats[seat].name, **words)


def _question(t: Table, question: str) -> tuple[str, dict[str, object]]:
    """The sentence for what is asked, and the words in it but for the player."""
    if question == "select":
        if t.faceup is None:
            owed: dict[str, object] = {"characters": amount("character", t.rules.faceup_count)}
            return _("Waiting for {player}: discard {characters} face up."), owed
        return _("Waiting for {player}: say when everybody has chosen."), {}
    if question == "call":
        return _called(t), {"character": card(t.rules.by_rank[t.called]), "rank": t.called}
    if question == "turn":
        return _turn(t), {"character": card(t.playing.character)}
    about = t.questions[-1].about
    asked = {
        "graveyard": _("Waiting for {player}: pay 1 gold to take the {card} into hand?"),
        "unmask": _("Waiting for {player}: who had the murdered {card}?"),
        "emperor": _("Waiting for {player}: who gets the crown of the murdered {card}?"),
        "warrant": _("Waiting for {player}: confiscate the {card} with the warrant?"),
        "threat": _("Waiting for {player}: pay the Blackmailer who threatens the {card}?"),
        "city": _(
            "Waiting for {player}: which districts stand in the city? "
            "Name or tap them, then say: counted."
        ),
        "expose": _("Waiting for {player}: show the Blackmailer's threat on the {card}?"),
    }
    if question == "warrant" and about == UNNAMED:
        return _("Waiting for {player}: confiscate the district with the warrant?"), {}
    return asked[question], {"card": card(about) if about else ""}


def _called(t: Table) -> str:
    character = t.rules.by_rank[t.called]
    if t.faceup and character in t.faceup:
        return _(
            "Waiting for {player}: the {character}, rank {rank}, lies face up; nobody answers."
        )
    if character == t.killed:
        return _(
            "Waiting for {player}: the {character}, rank {rank}, was murdered; nobody answers."
        )
    return _("Waiting for {player}: who is the {character}, rank {rank}?")


def _turn(t: Table) -> str:
    """What is left to do in the turn."""
    verbs = {move.verb for move in legal(t)}
    powers = not verbs <= _EVERYBODYS
    if not t.playing.gathered:
        return _("Waiting for {player}: the {character} gathers gold or cards.")
    if "end" not in verbs:
        return next(sentence for verb, sentence in _owed_sentences().items() if verb in verbs)
    if "build" in verbs and powers:
        return _("Waiting for {player}: the {character} builds, uses powers, or ends the turn.")
    if "build" in verbs:
        return _("Waiting for {player}: the {character} builds, or ends the turn.")
    if powers:
        return _("Waiting for {player}: the {character} uses powers, or ends the turn.")
    return _("Waiting for {player}: the {character} ends the turn.")


def _owed_sentences() -> dict[str, str]:
    """What must still be done before the turn can end, by its verb."""
    return {
        "bewitch": _("Waiting for {player}: the {character} names whom to bewitch."),
        "crown": _(
            "Waiting for {player}: the {character} must give the crown away before the turn ends."
        ),
    }


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
