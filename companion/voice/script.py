"""What the host says: spoken sentences for each event, from public views alone.

The screen's sentence is used if it can be spoken. The pauses belong to the script, and depend only
on the kind of sentence, so that a call sounds the same whoever holds the card.
"""

from __future__ import annotations

import re
from enum import Enum
from functools import cache
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

from common.clean import clean_text
from companion import verbs
from companion.game import playing
from companion.language import _, card, end_sentence, translate
from companion.verbs import VERBS
from companion.wording import facts, state, story
from engine import scoring, words
from engine.referee import list_legal_moves
from engine.rules import owners_of
from engine.rules.selection import find_no_answer
from engine.views import find_awaited

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from companion.settings.config import Level
    from companion.verbs.verb import Heard
    from engine.moves import Move
    from engine.table import Table


PAUSE = 0.3
"""Seconds between two sentences; before a round and the end it is twice as long."""

LONGEST = 1200
"""The most characters spoken of one utterance; a card's text has up to 700."""


class Audience(Enum):
    """Who may hear it."""

    TABLE = "table"
    EAR = "ear"  # one person; a secret goes nowhere else


class Relevance(Enum):
    """What makes a queued utterance pointless."""

    MOMENT = "moment"  # the next move: it asks or answers something over by then
    TURN = "turn"  # the next call: gold, cards and other details of a turn
    ALWAYS = "always"  # only undo and the user's request


class Utterance(NamedTuple):
    """Text in a language; `pause` is the silence before it in seconds, `urgent` text goes first and
    interrupts what is being said."""

    text: str
    language: str
    audience: Audience = Audience.TABLE
    stays: Relevance = Relevance.ALWAYS
    pause: float = 0.0
    urgent: bool = False


class Manner(NamedTuple):
    """How to speak: percent of the normal speed, and of full volume."""

    speed: int = 100
    volume: int = 100


def make_speakable(text: str) -> str:
    """Text fit for a voice: no brackets, quotes or symbols that it would read out, and no control
    sequences (`[[` switches espeak-ng and `say` to phonemes and commands)."""
    text = clean_text(text, limit=LONGEST)
    text = re.sub(r"\s*\(\s*([^()]*?)\s*\)\s*([.!?])", r", \1\2", text)
    text = re.sub(r"\s*\(\s*([^()]*?)\s*\)", r", \1,", text)
    text = re.sub(r"[\[\](){}<>|\\^~`*_#“”„«»\"]+", " ", text)
    text = re.sub(r"\s*…", ".", text)
    text = re.sub(r"\s*[–—→]\s*", ", ", text)
    text = re.sub(r"\s+([,.;:!?])", r"\1", text)
    return re.sub(r"\s+", " ", text).strip()


def agree_numbers(text: str, code: str) -> str:
    """The text with numbers in words if digits would be read in the wrong gender: `2 карты` as `две
    карты`."""
    table = words.language(code).get("spoken")
    return _numbers(code).sub(lambda match: table[match.group()], text) if table else text


@cache
def _numbers(code: str) -> re.Pattern[str]:
    pattern = "|".join(map(re.escape, words.language(code)["spoken"]))
    return re.compile(rf"\b(?:{pattern})\b")


class ScriptLine(NamedTuple):
    """A sentence, how long it stays relevant, and its pause as a multiple of PAUSE; `asked`
    is the question to a player with which it ends, if any."""

    text: str
    stays: Relevance = Relevance.ALWAYS
    pauses: int = 1
    asked: str = ""


def opening(table: Table) -> list[ScriptLine]:
    """A game that starts or resumes: the state of the table, and the question."""
    lines = []
    if table.stage == "selection" and table.faceup is None:
        lines.append(ScriptLine(_("Round {round}.").format(round=table.round), pauses=0))
    elif table.turn is not None:
        lines.append(
            ScriptLine(
                _("It's {player}'s turn, as the {character}.").format(
                    player=table.seats[table.turn.seat].name, character=card(table.turn.character)
                ),
                pauses=0,
            )
        )
    return _merge(lines + _prompt(table))


def tell(before: Table, move: Move, after: Table, level: Level = "all") -> list[ScriptLine]:
    """What a move did, and the next question; at level `calls` only calls, answers to them,
    questions to others, rounds and the end."""
    lines: list[ScriptLine] = []
    if level == "all" and move.verb == "end" and _names_late(before) and _is_unheard(before):
        sentence = _("It was {player}.")
        lines.append(ScriptLine(sentence.format(player=before.acting.name)))
    for telling in story.list_sentences(before, move, after):
        if telling.about in _SPOKEN:
            lines += _SPOKEN[telling.about](after)
            continue
        if telling.about == "nobody" and find_no_answer(before) != "murdered":
            continue  # everybody hears it from the next call on
        if telling.about == "reveal":
            if level != "all" or not _names_late(after):
                lines.append(ScriptLine(_tell_shown(before, after)))
            continue
        loudness = _find_level(telling.about)
        if loudness == "named":
            loudness = "kept" if move.words("P") else "unsaid"
        if loudness == "called" or (level == "all" and loudness != "unsaid"):
            speech = VERBS[telling.about].spoken if telling.about in VERBS else None
            lines.append(
                ScriptLine(telling.text if speech is None else speech(before, move.args, after))
            )
    if move.verb != "reveal" and _asks_anew(before, after):
        lines += _prompt(after)
    return lines if after.stage == "over" else _merge(lines)


def _names_late(table: Table) -> bool:
    """Whether the player in turn is named with what they do first, or as the turn ends: from the
    second round on, unless taking the crown, a robbery or a bewitching names them at once."""
    turn = table.turn
    return (
        table.round > 1
        and turn is not None
        and not table.rules.characters[turn.character].takes_crown
        and turn.character not in (table.marks.robbed, table.marks.bewitched)
    )


def _is_unheard(table: Table) -> bool:
    """Whether nothing in this turn has told whose it is."""
    turn = table.playing
    return not turn.built and not (turn.character in turn.used and turn.character not in _SILENT)


def _tell_shown(before: Table, after: Table) -> str:
    """Who has the called character, which the question before it named."""
    player = after.acting.name
    if after.crown != before.crown:
        return _("It's {player}, who takes the crown.").format(player=player)
    return _("It's {player}.").format(player=player) if before.round == 1 else end_sentence(player)


def join(sequences: Sequence[Sequence[ScriptLine]]) -> list[ScriptLine]:
    """What several moves in a row have told, in one breath unless one of them needs its pauses; a
    question to a player that a later move has answered is left out."""
    sequences = [*map(_drop_question, sequences[:-1]), *sequences[-1:]]
    lines = [line for lines in sequences for line in lines]
    return _merge(lines) if all(len(one) < 2 for one in sequences) else lines


def _merge(lines: Sequence[ScriptLine]) -> list[ScriptLine]:
    """Joins everything said after one move; it stays as long as its longest part."""
    if not lines:
        return []
    stays = max((line.stays for line in lines), key=tuple(Relevance).index)
    pauses = max(line.pauses for line in lines) if lines[0].pauses else 0
    return [ScriptLine(" ".join(line.text for line in lines), stays, pauses, lines[-1].asked)]


def _drop_question(lines: Sequence[ScriptLine]) -> list[ScriptLine]:
    """The lines without the question at the end of the last one."""
    if not lines or not lines[-1].asked:
        return [*lines]
    text = lines[-1].text.removesuffix(lines[-1].asked).rstrip()
    return [*lines[:-1], *([lines[-1]._replace(text=text, asked="")] if text else [])]


def tell_lesson(lesson: Sequence[str]) -> list[ScriptLine]:
    """The lesson of a guided first round, until something else happens."""
    return [ScriptLine(sentence, Relevance.TURN) for sentence in lesson]


def tell_undone(lines: Sequence[str], table: Table) -> list[ScriptLine]:
    """An undone move: its sentence again, and the state of the table."""
    back = ScriptLine(_("Undone: {what}").format(what=lines[0] if lines else ""), pauses=0)
    return [back, *_prompt(table)]


def tell_refused(table: Table, move: Move) -> list[ScriptLine]:
    """A refused move: why, as far as is public."""
    refusal = verbs.refuse_publicly(table, move)
    if refusal is None:
        return [ScriptLine(_("You can't choose that; nothing has changed."), Relevance.MOMENT, 0)]
    return [ScriptLine(translate(refusal.reason), Relevance.MOMENT, 0)]


def list_obsolete(after: Table, move: Move) -> tuple[Relevance, ...]:
    """The kinds of queued utterances that the move makes pointless."""
    if after.turn is None or move.verb == "reveal":
        return (Relevance.MOMENT, Relevance.TURN)
    return (Relevance.MOMENT,)


def _end(table: Table) -> list[ScriptLine]:
    """The scores from last to first, as a host announces them, then the winner."""
    standing = scoring.standing(table)
    lines = [ScriptLine(_("The game is over."), pauses=2)]
    for index in reversed(standing.ranking):
        sentence = _("{player} has {points}.")
        points = facts.points(standing.scores[index].total)
        lines.append(ScriptLine(sentence.format(player=table.seats[index].name, points=points)))
    lines.append(ScriptLine(story.winners(table), pauses=2))
    return [*lines, *map(ScriptLine, facts.tell_ties(table))]


_SPOKEN: dict[str, Callable[[Table], list[ScriptLine]]] = {
    "round_begins": lambda t: [
        ScriptLine(_("Round {round}.").format(round=t.round), pauses=2),
    ],
    "game_over": _end,
}
_SILENT = frozenset(chain.from_iterable(owners_of(v) for v in VERBS if VERBS[v].heard == "unsaid"))
"""The characters with a power that is used without being spoken of."""
_CALLED = frozenset(
    {"completed_first", "last_round", "goes_on", "robbed", "cities_asked", "crowned"}
)
"""Events of a call or of the whole round."""


def _find_level(about: str) -> Heard:
    """The level at which this event is spoken."""
    if about in VERBS:
        return VERBS[about].heard
    return "called" if about in _CALLED else "kept"


def _is_asked(table: Table) -> bool:
    """Whether the call is a question: a player who has shown no character may have it, or must."""
    step = playing.find_forced_move(table, list_legal_moves(table))
    return step is None or step.verb == "reveal"


# -- what is asked ---------------------------------------------------------------------------


def _asks_anew(before: Table, after: Table) -> bool:
    """Whether the question differs from the one before the move."""
    if after.questions or before.questions:
        return after.questions != before.questions
    if after.stage != before.stage:
        return True
    if after.turn is not None:
        return before.turn is not None and after.turn.seat != before.turn.seat
    return after.stage == "calling" or (after.faceup is None) != (before.faceup is None)


def _prompt(table: Table) -> list[ScriptLine]:
    """The current question; none if a card lies face up or was murdered, so that nobody can answer,
    and none after gathering, when the player sees what is left to do."""
    waiting = find_awaited(table)
    if waiting is None:
        return []
    if waiting[1] == "select" and not state.lays_face_up(table):
        return []  # people choose in silence
    if waiting[1] == "call":
        return [ScriptLine(_ask_call(table))] if _is_asked(table) else []
    if waiting[1] == "select" and table.round > 1:
        sentence = _("{player}, {number} face up.")
        player = table.seats[waiting[0]].name
        return [ScriptLine(sentence.format(player=player, number=table.rules.faceup_count))]
    question = state.question(table)
    return [ScriptLine(question, Relevance.MOMENT, asked=question)]


def _ask_call(table: Table) -> str:
    """The call: with its rank in the first round, later the character alone (who asks is always
    told the rank: `wording.state.tell_called`)."""
    if table.round == 1:
        return state.ask_call(table)
    return _("The {character}?").format(character=card(table.rules.by_rank[table.called]))
