"""What happened, as a good host would tell the whole table after a move.

The chronicle lists it by round and by the character called. There kills, robberies and
destructions are marked by a word, so that they are easy to find by eye and by ear.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from companion import verbs
from companion.language import _, amount, card, coins, hand_cards, listing
from companion.wording import facts, state
from engine import scoring
from engine.rules.selection import find_no_answer, passes_at_once

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from engine.moves import Move
    from engine.table import Event, Table

    Moment = tuple[Table, Move, Table]  # views of the table before and after the move


ROUND, CALL, PASSED, EVENT = "round", "call", "passed", "told"
MURDER, ROBBERY, DESTRUCTION = "murder", "robbery", "destruction"

_KINDS = {
    "kill": MURDER,
    "murdered": MURDER,
    "unmask": MURDER,
    "rob": ROBBERY,
    "robbed": ROBBERY,
    "destroy": DESTRUCTION,
    "seize": DESTRUCTION,
}
"""The marks of hostile deeds, by what a telling is about."""

_ROUND_BEGINS = "round_begins"  # told by a heading
_OF_THE_NEXT = "murdered"  # told under the rank called next


class Narration(NamedTuple):
    """What was played, in sentences; `brief` leaves out those that repeat the typed move, `shown`
    only those that the next question says, too."""

    lines: tuple[str, ...] = ()
    brief: tuple[str, ...] = ()
    shown: tuple[str, ...] = ()

    def then(self, other: Narration) -> Narration:
        """Both, one after the other."""
        return Narration(*(mine + theirs for mine, theirs in zip(self, other, strict=True)))

    def without_first(self) -> Narration:
        """All but the first sentence, which has been said already."""
        return Narration(*(lines[1:] for lines in self))


class StorySentence(NamedTuple):
    """A sentence and its subject: the verb of the move, or the kind of an event."""

    about: str
    text: str


def list_sentences(before: Table, move: Move, after: Table) -> list[StorySentence]:
    """What the move did, in order, from views of the table before and after it."""
    first = StorySentence(move.verb, verbs.tell(before, move, after))
    marks = [StorySentence(move.verb, _which(mark)) for mark in move.words("M")]
    events = [e for e in after.events if e.kind in _EVENTS and not _tells(move, e)]
    rest = [StorySentence(e.kind, tell_event(after, e)) for e in events]
    return [first, *marks, *_tell_dropped(before, move, after), *rest]


def _tell_dropped(before: Table, move: Move, after: Table) -> Iterator[StorySentence]:
    """The recorded choices that the move has contradicted; a view has only those of its viewer."""
    if move.verb not in _CONTRADICTING or before.round != after.round:
        return
    for was, now in zip(before.seats, after.seats, strict=True):
        for character in was.chosen:
            if character not in now.chosen:
                sentence = _("Your recorded choice, the {character}, was removed.")
                yield StorySentence("dropped", sentence.format(character=card(character)))


_CONTRADICTING = ("reveal", "nobody", "unmask")


def tell_event(after: Table, event: Event) -> str:
    """An effect in a sentence, from the view after it; "" if the move's own sentence covers it."""
    return _EVENTS[event.kind](after, event) if event.kind in _EVENTS else ""


def _tells(move: Move, event: Event) -> bool:
    """Whether the move's own sentence covers the event."""
    return event.kind == "crowned" and move.verb in ("reveal", "crown")


def tell(before: Table, move: Move, after: Table) -> list[str]:
    """The sentences that tell what the move did, from views of the table before and after it."""
    return [telling.text for telling in list_sentences(before, move, after)]


def narrate(before: Table, move: Move, after: Table) -> Narration:
    """What the move did, from views of the table before and after it."""
    lines = tuple(tell(before, move, after))
    if not _repeats_move(before, move, after):
        say = verbs.VERBS[move.verb].spoken
        first = lines[0] if say is None else say(before, move.args, after)
        return Narration(lines, (first, *lines[1:]), lines)
    is_shown = _precedes_question(before, move, after)
    return Narration(lines, lines[1:], lines[1:] if is_shown else lines)


def _precedes_question(before: Table, move: Move, after: Table) -> bool:
    """Whether the next question says what the move's own sentence says: who or what is next."""
    return move.verb in ("call", "reveal", "nobody", "end") and _repeats_move(before, move, after)


def restates_question(before: Table, move: Move) -> bool:
    """Whether the move's sentence says no more than the question that it answers: that nobody can
    answer the call."""
    return move.verb == "nobody" and bool(find_no_answer(before))


def _repeats_move(before: Table, move: Move, after: Table) -> bool:
    match move.verb:
        case "reveal":  # unless it mentions the crown too
            return not any(_tells(move, event) for event in after.events)
        case "nobody":
            return not find_no_answer(before)
        case "faceup":
            return True
        case "income":
            return False  # the amount was not typed
    verb = verbs.VERBS[move.verb]
    return verb.heard == "unsaid" and not verb.private


def _which(mark: str) -> str:
    return {
        "plain": _("It was the plain one."),
        "decorated": _("It was the decorated one."),
        "under": _("It was the one with cards under it."),
    }[mark]


def winners(table: Table) -> str:
    result = scoring.standing(table)
    points = result.scores[result.winners[0]].total
    return tell_winners(table.rules.names(result.winners), points)


def tell_winners(names: Sequence[str], points: int) -> str:
    """That these players have won, with that many points each."""
    sentence = (
        _("{names} wins with {points}.")
        if len(names) == 1
        else _("{names} share the victory with {points}.")
    )
    return sentence.format(names=listing(names), points=facts.points(points))


def keep_winners_back(narration: Narration, table: Table) -> Narration:
    """The same without who has won, for people who hear the scores part by part."""
    whole = _tell_over(table)
    return Narration(
        *(
            tuple(_("The game is over.") if line == whole else line for line in lines)
            for lines in narration
        )
    )


def _tell_over(table: Table) -> str:
    return _("The game is over. {result}").format(result=winners(table))


def _seat(table: Table, event: Event, place: int = 0) -> str:
    return table.seats[event.seats[place]].name


def _address(sentence: str, table: Table, event: Event) -> str:
    return sentence.format(player=_seat(table, event), gold=coins(event.amount))


def _tell_robbed(t: Table, event: Event) -> str:
    sentence = (
        _("{thief} steals {gold} from {victim}.")
        if event.amount
        else _("{thief} steals nothing: {victim} has no gold.")
    )
    victim, thief = _seat(t, event), _seat(t, event, 1)
    return sentence.format(thief=thief, victim=victim, gold=coins(event.amount))


_EVENTS: dict[str, Callable[[Table, Event], str]] = {
    "robbed": _tell_robbed,
    "crowned": lambda t, e: _("The crown goes to {player}.").format(player=_seat(t, e)),
    "completed_first": lambda t, e: _(
        "{player} is the first to complete a city. This is the last round."
    ).format(player=_seat(t, e)),
    "last_round": lambda t, e: _("{player} completes a city. This is the last round.").format(
        player=_seat(t, e)
    ),
    "goes_on": lambda t, e: _(
        "Without the Bell Tower, no city is complete: the game goes on, to {districts}."
    ).format(districts=amount("district", e.amount)),
    "round_begins": lambda t, e: _("Round {round}.").format(round=e.amount),
    "cities_asked": lambda t, e: _("The last round is over. Now the cities are counted."),
    "game_over": lambda t, e: _tell_over(t),
    "queen_paid": lambda t, e: _address(_("{player}, the Queen, gets {gold}."), t, e),
    "throne_room": lambda t, e: _address(_("{player} gets {gold} from the Throne Room."), t, e),
    "taxed": lambda t, e: _address(_("{player} leaves {gold} for the Tax Collector."), t, e),
    "tax_paid": lambda t, e: _address(_("{player} pays {gold} to the Tax Collector."), t, e),
    "poor_house": lambda t, e: _address(_("{player} gets {gold} from the Poor House."), t, e),
    "refunded": lambda t, e: _address(_("{player} gets {gold} back from the Alchemist."), t, e),
    "park": lambda t, e: _("{player} draws {cards} from the Park.").format(
        player=_seat(t, e), cards=hand_cards(e.amount)
    ),
    "exposed": lambda t, e: (
        _("The threat is real.") if e.card == "real" else _("The threat is fake.")
    ),
    "blackmail_paid": lambda t, e: _address(_("{player} pays {gold}."), t, e),
    "spied": lambda t, e: _address(_("{player} pays {gold} to the Spy."), t, e),
    "bell_rings": lambda t, e: _("The Bell Tower rings: {districts} complete a city.").format(
        districts=amount("district", e.amount)
    ),
}


class ChronicleLine(NamedTuple):
    """A heading (ROUND, CALL; PASSED: a call that nobody answered), a sentence (EVENT), or one
    marked by its kind of deed."""

    kind: str
    text: str
    move: float = 0
    """The index of its move, or of the one that led to the heading (-1: none); between two of them
    for what was announced."""

    is_asked: bool = False  # whether the next question says the same, or everybody knew it


def is_heading(line: ChronicleLine) -> bool:
    """Whether what is told next stands under it."""
    return line.kind in (ROUND, CALL)


def name_deed(kind: str) -> str:
    """The word that marks such a line; "" for other kinds."""
    return {
        MURDER: _("Murder"),
        ROBBERY: _("Robbery"),
        DESTRUCTION: _("Destruction"),
    }.get(kind, "")


def list_chronicle(moments: Sequence[Moment], now: Table) -> list[ChronicleLine]:
    """The moves with their headings, oldest first; the last heading is that of `now`."""
    result: list[ChronicleLine] = []
    last: tuple[int, int] = (0, 0)
    for number, (before, move, after) in enumerate(moments):
        is_asked = _precedes_question(before, move, after)
        for telling in list_sentences(before, move, after):
            if telling.about == _ROUND_BEGINS:
                continue
            is_next = telling.about == _OF_THE_NEXT
            t, at = (after, number) if is_next else (before, number - 1)
            result += _headings(t, last, at)
            last = _place(t)
            if telling.about == "nobody" and result[-1].kind == CALL:
                text = f"{t.called} · {telling.text}"
                is_known = is_asked or passes_at_once(before)
                result[-1] = ChronicleLine(PASSED, text, number, is_known)
            else:
                kind = _KINDS.get(telling.about, EVENT)
                result.append(ChronicleLine(kind, telling.text, number, is_asked))
            is_asked = False
    return [*result, *_headings(now, last, len(moments) - 1)]


def _place(table: Table) -> tuple[int, int]:
    """The round and the rank called in it; 0 during the selection."""
    return table.round, table.called if table.stage in ("calling", "turn") else 0


def _headings(table: Table, last: tuple[int, int], move: int) -> Iterable[ChronicleLine]:
    """The headings since the last line."""
    place = _place(table)
    if place[0] != last[0]:
        yield ChronicleLine(ROUND, state.name_round(table), move)
    if place != last and place[1] in table.rules.by_rank:
        name = card(table.rules.by_rank[place[1]])
        yield ChronicleLine(CALL, f"{place[1]} {name}", move, is_asked=True)
