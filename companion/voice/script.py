"""What the host says: whole spoken sentences for what happened, from public views alone.

Where the screen's sentence can be spoken it is the same one. The pauses belong to the script, and
depend on nothing but the kind of sentence, so that a call sounds the same whoever holds the card.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, NamedTuple

from companion import privacy
from companion.game.verbs import VERBS
from companion.language import _, card, plural, said
from companion.voice.utterance import Stays
from companion.wording import facts, prompts, story
from engine import scoring
from engine.table import UNNAMED
from engine.views import awaiting

if TYPE_CHECKING:
    from companion.game.verbs.verb import Heard
    from engine.moves import Move
    from engine.table import Table


class Line(NamedTuple):
    """A sentence, how long it stays worth saying, and its pause in pauses of the settings."""

    text: str
    stays: Stays = Stays.ALWAYS
    pauses: int = 1


def opening(t: Table) -> list[Line]:
    """A game that begins, or goes on: where the table stands, and who is awaited."""
    lines = []
    if t.stage == "selection" and t.faceup is None:
        lines += [Line(_("Round {round} begins.").format(round=t.round), pauses=0), _crown(t)]
    elif t.stage == "calling" and not t.questions:
        lines.append(_call(t))
    elif t.turn is not None:
        lines.append(
            Line(
                _("It is {player}'s turn, as the {character}.").format(
                    player=t.seats[t.turn.seat].name, character=card(t.turn.character)
                ),
                pauses=0,
            )
        )
    return lines + _prompt(t)


def told(before: Table, move: Move, after: Table) -> list[Line]:
    """What a move did, and what is asked now."""
    lines: list[Line] = []
    for telling in story.tellings(before, move, after):
        if telling.about in _SPOKEN:
            lines += _SPOKEN[telling.about](after)
            continue
        heard = _heard(telling.about)
        if heard != "unsaid" and not _is_known(before, telling.about):
            stays = Stays.TURN if heard == "passing" else Stays.ALWAYS
            lines.append(Line(telling.text, stays))
    return lines + (_prompt(after) if _asks_anew(before, after) else [])


def taught(lesson: Sequence[str]) -> list[Line]:
    """The lesson of a first round that is explained, until something else happens."""
    return [Line(sentence, Stays.TURN) for sentence in lesson]


def undone(told: Sequence[str], t: Table) -> list[Line]:
    """A move was taken back: its sentence again, and where the table stands now."""
    back = Line(_("Taken back: {what}").format(what=told[0] if told else ""), pauses=0)
    again = [_call(t)] if t.stage == "calling" and not t.questions else []
    return [back, *again, *_prompt(t)]


def refused(t: Table, move: Move) -> list[Line]:
    """A move was refused: why, as far as the whole table may know."""
    refusal = privacy.public_refusal(t, move)
    if refusal is None:
        return [Line(_("That cannot be done; nothing has changed."), Stays.MOMENT, 0)]
    return [Line(said(refusal.reason), Stays.MOMENT, 0)]


def makes_pointless(after: Table, move: Move) -> tuple[Stays, ...]:
    """What waits unsaid that the move has made pointless."""
    if after.turn is None or move.verb == "reveal":
        return (Stays.MOMENT, Stays.TURN)
    return (Stays.MOMENT,)


def handles_cards(before: Table, after: Table) -> bool:
    """Whether hands are busy with cards now: characters are chosen, or cards were just drawn."""
    if after.stage == "selection":
        return True
    return any(now.hand > then.hand for now, then in zip(after.seats, before.seats, strict=True))


def _is_known(before: Table, about: str) -> bool:
    """Whether the call has said already that nobody can answer."""
    if about != "nobody" or before.stage != "calling":
        return False
    character = before.rules.by_rank[before.called]
    return character == before.killed or character in (before.faceup or ())


def _call(t: Table) -> Line:
    sentence = _("Rank {rank}. The {character}.")
    return Line(sentence.format(rank=t.called, character=card(t.rules.by_rank[t.called])), pauses=2)


def _crown(t: Table) -> Line:
    return Line(_("{player} has the crown.").format(player=t.seats[t.crown].name))


def _end(t: Table) -> list[Line]:
    """The scores from the last to the first, as a host tells them, and then the winner."""
    standing = scoring.standing(t)
    lines = [Line(_("The game is over."), pauses=2)]
    for index in reversed(standing.ranking):
        sentence = _("{player} has {points}.")
        points = facts.points(standing.scores[index].total)
        lines.append(Line(sentence.format(player=t.seats[index].name, points=points)))
    lines.append(Line(story.winners(t), pauses=2))
    if standing.tie_break:
        lines.append(Line(facts.result(t)))
    return lines


_SPOKEN: dict[str, Callable[[Table], list[Line]]] = {
    story.CALLED: lambda t: [_call(t)],
    "round_begins": lambda t: [
        Line(_("Round {round} begins.").format(round=t.round), pauses=2),
        _crown(t),
    ],
    "game_over": _end,
}
_PASSING = frozenset(
    {"throne_room", "taxed", "tax_paid", "poor_house", "refunded", "park", "queen_paid"}
)
"""Small things that happen in a turn: the screen shows them, and nobody needs to hear them late."""


def _heard(about: str) -> Heard:
    """Whether what the telling is about is said, and for how long it is worth it."""
    if about in VERBS:
        return VERBS[about].heard
    return "passing" if about in _PASSING else "kept"


# -- what is asked ---------------------------------------------------------------------------


def _asks_anew(before: Table, after: Table) -> bool:
    """Whether something else is asked than before the move."""
    if after.questions or before.questions:
        return after.questions != before.questions
    if after.stage != before.stage:
        return True
    if after.turn is not None and before.turn is not None:
        return after.turn.seat != before.turn.seat
    return after.stage == "calling" or (after.faceup is None) != (before.faceup is None)


def _prompt(t: Table) -> list[Line]:
    """The question of this moment as it is asked aloud; nothing where the call has asked it."""
    waiting = awaiting(t)
    if waiting is None:
        return []
    seat, question = waiting
    asked = _ASKED.get(question)
    text = prompts.awaited(t) if asked is None else asked(t, t.seats[seat].name)
    return [Line(text, Stays.MOMENT)] if text else []


def _selection(t: Table, player: str) -> str:
    if t.faceup is None and t.rules.faceup_count:
        return plural(
            "Shuffle the characters and lay {number} face up.",
            "Shuffle the characters and lay {number} face up.",
            t.rules.faceup_count,
        )
    return _("Now everybody chooses a character in secret.")


def _who(t: Table, player: str) -> str:
    character = t.rules.by_rank[t.called]
    if t.faceup and character in t.faceup and character != t.killed:
        return _("The {character} lies face up.").format(character=card(character))
    return ""


def _gather(t: Table, player: str) -> str:
    if t.playing.gathered:
        return ""
    return _("{player} takes gold or draws cards.").format(player=player)


def _about(t: Table, player: str, sentence: str) -> str:
    return sentence.format(player=player, card=card(t.questions[-1].about))


def _warrant(t: Table, player: str) -> str:
    if t.questions[-1].about == UNNAMED:
        sentence = _("{player}, do you show the warrant and confiscate the district?")
        return sentence.format(player=player)
    return _about(t, player, _("{player}, do you show the warrant and confiscate the {card}?"))


_ASKED: dict[str, Callable[[Table, str], str]] = {
    "select": _selection,
    "call": _who,
    "turn": _gather,
    "graveyard": lambda t, player: _about(
        t, player, _("{player}, do you pay 1 gold to take the {card} into your hand?")
    ),
    "unmask": lambda t, player: _about(t, player, _("Who had the murdered {card}?")),
    "emperor": lambda t, player: _about(
        t, player, _("{player}, who gets the crown of the murdered {card}?")
    ),
    "warrant": _warrant,
    "threat": lambda t, player: _about(
        t, player, _("{player}, do you pay the Blackmailer for the {card}, or refuse?")
    ),
    "expose": lambda t, player: _about(
        t, player, _("{player}, do you show the threat on the {card}?")
    ),
}
