"""What the host says: whole spoken sentences for what happened, from public views alone.

Where the screen's sentence can be spoken it is the same one. The pauses belong to the script, and
depend on nothing but the kind of sentence, so that a call sounds the same whoever holds the card.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, NamedTuple

from companion.game import forced
from companion.language import _, card, translate
from companion.verbs import VERBS
from companion.verbs import private as privacy
from companion.voice.utterance import Stays
from companion.wording import facts, prompts, story
from engine import scoring
from engine.referee import list_legal_moves
from engine.views import find_awaited

if TYPE_CHECKING:
    from companion.settings.voice import Level
    from companion.verbs.verb import Heard
    from engine.moves import Move
    from engine.table import Table


class Line(NamedTuple):
    """A sentence, how long it stays worth saying, and its pause in pauses of the settings."""

    text: str
    stays: Stays = Stays.ALWAYS
    pauses: int = 1


def opening(table: Table) -> list[Line]:
    """A game that begins or is continued: how things are at the table, and what is asked."""
    lines = []
    if table.stage == "selection" and table.faceup is None:
        lines.append(Line(_("Round {round}.").format(round=table.round), pauses=0))
    elif table.turn is not None:
        lines.append(
            Line(
                _("It's {player}'s turn, as the {character}.").format(
                    player=table.seats[table.turn.seat].name, character=card(table.turn.character)
                ),
                pauses=0,
            )
        )
    return _merge(lines + _prompt(table))


def tell(before: Table, move: Move, after: Table, level: Level = "all") -> list[Line]:
    """What a move did, and what is asked now; with the level `calls` only calls, answers to them,
    what is asked of others, rounds and the end."""
    lines: list[Line] = []
    for telling in story.tellings(before, move, after):
        if telling.about in _SPOKEN:
            lines += _SPOKEN[telling.about](after)
            continue
        if telling.about == "nobody" and not _is_murdered(before):
            continue  # everybody hears it from the next call
        if telling.about == "reveal":
            lines.append(Line(_tell_shown(before, after)))
            continue
        heard = _find_level(telling.about)
        if heard == "named":
            heard = "kept" if move.words("P") else "unsaid"
        if heard == "called" or (level == "all" and heard != "unsaid"):
            lines.append(Line(telling.text))
    if move.verb != "reveal" and _asks_anew(before, after):
        lines += _prompt(after)
    return lines if after.stage == "over" else _merge(lines)


def _tell_shown(before: Table, after: Table) -> str:
    """Who has the called character, which the question before has named."""
    player = after.acting.name
    if after.crown != before.crown:
        return _("It's {player}, who takes the crown.").format(player=player)
    return _("It's {player}.").format(player=player)


def _merge(lines: Sequence[Line]) -> list[Line]:
    """What is said after one move, in one breath; it stays as long as its longest part."""
    if not lines:
        return []
    stays = max((line.stays for line in lines), key=tuple(Stays).index)
    pauses = max(line.pauses for line in lines) if lines[0].pauses else 0
    return [Line(" ".join(line.text for line in lines), stays, pauses)]


def tell_lesson(lesson: Sequence[str]) -> list[Line]:
    """The lesson of a first round that is explained, until something else happens."""
    return [Line(sentence, Stays.TURN) for sentence in lesson]


def tell_undone(told: Sequence[str], table: Table) -> list[Line]:
    """A move was taken back: its sentence again, and how things are at the table now."""
    back = Line(_("Undone: {what}").format(what=told[0] if told else ""), pauses=0)
    return [back, *_prompt(table)]


def tell_refused(table: Table, move: Move) -> list[Line]:
    """A move was refused: why, as far as the whole table may know."""
    refusal = privacy.public_refusal(table, move)
    if refusal is None:
        return [Line(_("You can't do that; nothing has changed."), Stays.MOMENT, 0)]
    return [Line(translate(refusal.reason), Stays.MOMENT, 0)]


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


def _end(table: Table) -> list[Line]:
    """The scores from the last to the first, as a host tells them, and then the winner."""
    standing = scoring.standing(table)
    lines = [Line(_("The game is over."), pauses=2)]
    for index in reversed(standing.ranking):
        sentence = _("{player} has {points}.")
        points = facts.points(standing.scores[index].total)
        lines.append(Line(sentence.format(player=table.seats[index].name, points=points)))
    lines.append(Line(story.winners(table), pauses=2))
    if standing.tie_break:
        lines.append(Line(facts.result(table)))
    return lines


_SPOKEN: dict[str, Callable[[Table], list[Line]]] = {
    "round_begins": lambda t: [
        Line(_("Round {round}.").format(round=t.round), pauses=2),
    ],
    "game_over": _end,
}
_CALLED = frozenset({"completed_first", "robbed", "cities_asked", "crowned"})
"""What happens with a call or to the whole round."""


def _find_level(about: str) -> Heard:
    """On which level what the telling is about is said."""
    if about in VERBS:
        return VERBS[about].heard
    return "called" if about in _CALLED else "kept"


def _is_asked(table: Table) -> bool:
    """Whether the call is a question: somebody who has shown no character may have it."""
    return forced.step(table, list_legal_moves(table)) is None


def _is_murdered(table: Table) -> bool:
    """Whether the called character was murdered."""
    return table.rules.by_rank[table.called] == table.killed


# -- what is asked ---------------------------------------------------------------------------


def _asks_anew(before: Table, after: Table) -> bool:
    """Whether something else is asked than before the move."""
    if after.questions or before.questions:
        return after.questions != before.questions
    if after.stage != before.stage:
        return True
    if after.turn is not None:
        return before.turn is not None and after.turn.seat != before.turn.seat
    return after.stage == "calling" or (after.faceup is None) != (before.faceup is None)


def _prompt(table: Table) -> list[Line]:
    """The question of this moment; nothing where a card lies face up or was murdered, so that
    nobody can answer, and nothing after gathering, when the player sees what is left to do."""
    waiting = find_awaited(table)
    if waiting is None:
        return []
    if waiting[1] == "select" and (table.faceup is not None or not table.rules.faceup_count):
        return []  # people choose in silence
    if waiting[1] == "call":
        return [Line(prompts.calling(table))] if _is_asked(table) else []
    return [Line(prompts.question(table), Stays.MOMENT)]
