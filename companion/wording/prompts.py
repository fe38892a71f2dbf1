"""The question at each moment, for every face and the voice, and the steps of the selection."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING

from companion import verbs
from companion.language import _, amount, card, listing, plural
from companion.verbs import ALWAYS_SECRET
from companion.verbs.selection import tell_call
from engine.referee import list_legal_moves
from engine.rules.turn import paying_districts
from engine.table import UNNAMED
from engine.views import find_awaited

if TYPE_CHECKING:
    from engine.moves import Move
    from engine.table import Table


def question(table: Table) -> str:
    """The current question and whom it asks, the important word first; or that the game is over."""
    waiting = find_awaited(table)
    if waiting is None:
        return _("The game is over.")
    seat, kind = waiting
    player = table.seats[seat].name
    match kind:
        case "select":
            return _ask_selection(table, player)
        case "call":
            return ask_call(table)
        case "turn":
            return _turn(table, player)
    about = table.questions[-1].about
    if kind == "warrant" and about == UNNAMED:
        return _("{player}. Confiscate the district?").format(player=player)
    districts = amount("district", table.seats[seat].city.size)
    name = card(about) if about else ""
    return _answers()[kind].format(player=player, card=name, districts=districts)


def _answers() -> dict[str, str]:
    """The questions to another player, or to the crowned one, that take precedence."""
    return {
        "graveyard": _("{player}. Pay 1 gold to take the {card} into your hand?"),
        "unmask": _("Who had the murdered {card}?"),
        "emperor": _("{player}. Who gets the crown?"),
        "warrant": _("{player}. Confiscate the {card}?"),
        "threat": _("{player}. Pay the Blackmailer, or refuse?"),
        "expose": _("{player}. Reveal the threat on the {card}?"),
        "city": _("{player}. Which districts are in your city?"),
        "completion": _("{player}. Your city was complete first, but has {districts}. Right?"),
        "built_last_round": _("{player}. Was your {card} built in the last round?"),
    }


def _ask_selection(table: Table, player: str) -> str:
    if table.faceup is None and table.rules.faceup_count:
        count = amount("character", table.rules.faceup_count)
        return _("{player}. Discard {characters} face up.").format(player=player, characters=count)
    return _("Has everybody chosen?")


def ask_call(table: Table) -> str:
    """The call of the current rank: who has the character, or whether to carry on if nobody can."""
    return tell_call(
        table,
        _("Rank {rank}. The {character} was murdered. Carry on?"),
        _("Rank {rank}. The {character} is face up. Carry on?"),
        _("Rank {rank}. Who is the {character}?"),
    )


def _turn(table: Table, player: str) -> str:
    if not table.playing.gathered:
        return _("{player}. Gold or cards?").format(player=player)
    moves: dict[str, Move] = {move.verb: move for move in list_legal_moves(table)}
    powers = [verb for verb in moves if verb not in _EVERYBODYS and verb not in ALWAYS_SECRET]
    if powers and "end" not in moves:  # must be done before the turn can end
        return verbs.ask(powers[0], 0, player)
    options = [_("build")] if "build" in moves else []
    if len(powers) == 1:
        options.append(verbs.describe_power(moves[powers[0]]))
    elif powers:
        options.append(_("use a power"))
    if "income" in moves and may_pay(table):
        options.append(_("take the income"))
    if not options:
        return _("{player}. End the turn?").format(player=player)
    choice = listing([*options, _("end")], conjunction="or")
    return _("{player}. {choice}?").format(player=player, choice=choice[:1].upper() + choice[1:])


def may_pay(table: Table) -> bool:
    """Whether the income of the turn can be more than zero."""
    paying = paying_districts(table, table.playing.seat, table.playing.character)
    return paying > 0 or not table.rules.counts_cards


_EVERYBODYS = {"gold", "cards", "build", "end", "pay", "gain", "complete", "income", "forfeit"}
"""Verbs of a turn that are not a character's power."""


def selection_steps(table: Table, *, short: bool = False) -> list[str]:
    """The steps by which the table chooses characters, in order (Selection phase of the rulebook).

    `short` sums up in one sentence what several players do in turn.
    """
    lines = [
        _("Shuffle the {characters}.").format(characters=amount("character", len(table.rules.cast)))
    ]
    if table.rules.faceup_count:
        lines.append(
            plural(
                "Discard {number} face up.", "Discard {number} face up.", table.rules.faceup_count
            )
        )
    steps = [step.split() for step in table.rules.selection["steps"]]
    for what, same in groupby(steps, key=lambda step: step[0]):
        numbers = [int(number) for _what, number in same]
        if what == "discard":
            lines += [plural("Lay {number} face down.", "Lay {number} face down.", numbers[0])]
            continue
        names = [table.seats[(table.crown + number) % len(table.seats)].name for number in numbers]
        if short and len(names) > 1:
            sentence = _short_sentences()[what]
            lines.append(sentence.format(names=listing(names)))
        else:
            lines += [_step_sentences()[what].format(player=name) for name in names]
    return lines


def _short_sentences() -> dict[str, str]:
    return {
        "pick": _("Each keeps one and passes the rest on: {names}."),
        "pick_and_discard": _(
            "Each keeps one, lays one face down and passes the rest on: {names}."
        ),
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
