"""The open question of a position: what it asks follows from the table, as far as it can."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from common.sentences import Sentence
from engine.rules import turns
from engine.rules.answers import ANSWERS, list_rescuers
from engine.rules.building import find_magistrate, price
from engine.rules.characters.strikers import Destroy
from engine.rules.counting import (
    COUNTING,
    list_dating_questions,
    list_number_questions,
    list_tie_questions,
)
from engine.rules.turn_moves import finish_gathering
from engine.table import THREATENED, UNNAMED, Question

if TYPE_CHECKING:
    from common.problems import Path
    from engine.position.position_reader import PositionReader

PATH: Path = ("position", "awaiting")
KEYS = ("question", "player")
_MORE_KEYS = {
    "warrant": ("district", "gold"),
    "graveyard": ("district",),
    "built_last_round": ("district", "place"),
    "number": ("district",),
    "gold": ("tie",),
}

_WHEN = {
    "warrant": Sentence("“warrant” is asked when the last of “built” was paid for under a warrant"),
    "graveyard": Sentence(
        "“graveyard” is asked when the Warlord has struck and the Graveyard's owner can pay"
    ),
    "threat": Sentence("“threat” is asked when a threatened player has gathered"),
    "expose": Sentence("“expose” is asked when a threatened player has gathered and not paid"),
    "unmask": Sentence("“unmask” is asked where it matters who had the killed character"),
    "emperor": Sentence("“emperor” is asked when “unmasked” says who had the killed Emperor"),
}
_COUNTED = Sentence("this is asked at a table that tracks no cities, after its last round")


def read_kind(reader: PositionReader) -> None:
    """Read which question is open."""
    data = reader.facts.get("awaiting")
    if data is None:
        return
    if isinstance(data, str):
        data = reader.facts["awaiting"] = {"question": data}
    kind = data.get("question") if isinstance(data, dict) else None
    reader.question = (
        reader.check.check_known(
            kind,
            (*PATH, "question"),
            (*ANSWERS, *COUNTING),
            "{data} is not a question that a player answers",
        )
        or ""
    )


def read_question(reader: PositionReader) -> None:
    """Ask the open question: the one that is named, or that of a threat, which needs no name."""
    table, kind = reader.table, reader.question
    turn = table.turn
    if turn is not None and turn.part == THREATENED and turn.gathered:
        finish_gathering(table)
    if not kind:
        return
    keys = (*KEYS, *_MORE_KEYS.get(kind, ()))
    facts = reader.check.read_mapping(reader.facts.get("awaiting"), PATH, keys)
    player = reader.read_seat(facts["player"], (*PATH, "player")) if "player" in facts else None
    before = len(reader.check.problems)
    ask = _ASK.get(kind, _ask_city)
    questions = ask(reader, facts, player)
    if questions is None:
        if len(reader.check.problems) == before:
            reader.check.note((*PATH, "question"), _WHEN.get(kind, _COUNTED))
        return
    table.questions = questions
    seat = questions[-1].seat
    if player not in (None, seat):
        name = table.seats[seat].name
        reader.check.say(
            (*PATH, "player"), "“{question}” is asked of {player}", question=kind, player=name
        )
    if reader.rules.tracks_cities and kind in ("warrant", "graveyard"):
        table.deck -= 1  # the card is in no hand and in no city


_Asked = tuple[Question, ...] | None
_Facts = dict[str, object]


def _ask_warrant(reader: PositionReader, facts: _Facts, player: int | None) -> _Asked:
    table, turn = reader.table, reader.table.turn
    if turn is None or not turn.built:
        return None
    magistrate, district = find_magistrate(table), turn.built[-1]
    if magistrate is None or facts.get("district", district) not in (district, None):
        return None
    gold = facts.get("gold", None if district == UNNAMED else price(table, district))
    amount = reader.check.read_number(gold, (*PATH, "gold"))
    turn.spent = max(turn.spent, amount)  # which only the Alchemist's file needs to say
    return (Question("warrant", magistrate, district, amount),)


def _ask_graveyard(reader: PositionReader, facts: _Facts, player: int | None) -> _Asked:
    table, turn = reader.table, reader.table.turn
    if turn is None or Destroy.used_as not in turn.used:
        return None
    rescuers = list_rescuers(table)
    if not rescuers:
        return None
    district, seat = _read_district(reader, facts), player if player in rescuers else rescuers[0]
    return None if district is None else (Question("graveyard", seat, district),)


def _read_district(reader: PositionReader, facts: _Facts) -> str | None:
    return reader.check.check_known(
        facts.get("district"),
        (*PATH, "district"),
        reader.rules.districts,
        "{data} is not a district of this game",
    )


def _ask_threat(reader: PositionReader, facts: _Facts, player: int | None) -> _Asked:
    return reader.table.questions or None


def _ask_expose(reader: PositionReader, facts: _Facts, player: int | None) -> _Asked:
    table = reader.table
    blackmailer = table.bearer("blackmailer")
    if not table.questions or blackmailer is None:
        return None
    return (Question("expose", blackmailer, table.questions[-1].about),)


def _ask_unmask(reader: PositionReader, facts: _Facts, player: int | None) -> _Asked:
    table = reader.table
    killed = table.marks.killed
    if (
        killed is None
        or table.marks.unmasked is not None
        or not turns.unmasking_matters(table, killed)
    ):
        return None
    return (Question("unmask", table.crown, killed),)


def _ask_emperor(reader: PositionReader, facts: _Facts, player: int | None) -> _Asked:
    table = reader.table
    killed, unmasked = table.marks.killed, table.marks.unmasked
    if killed is None or unmasked is None or not turns.gives_crown_after_death(table, killed):
        return None
    return (Question("emperor", unmasked, killed),)


def _ask_city(reader: PositionReader, facts: _Facts, player: int | None) -> _Asked:
    """Ask a player of a table without cities, and then everybody after him, for the city."""
    table, kind = reader.table, reader.question
    if reader.rules.tracks_cities or not table.is_last_round:
        return None
    order = turns.list_clockwise(table)
    rest = order[order.index(table.crown if player is None else player) :]
    waiting = tuple(Question("city", index) for index in reversed(rest))
    if kind == "city":
        return waiting
    seat = rest[0]
    if kind == "completion":
        return (*waiting, Question("completion", seat))
    numbers = list_number_questions(table, seat)
    if kind in ("number", "gold"):
        about = _read_district(reader, facts) if kind == "number" else ""
        place = next(
            (
                i
                for i, question in enumerate(numbers)
                if (question.kind, question.about) == (kind, about)
            ),
            None,
        )
        return None if place is None else (*waiting[:-1], *numbers[: place + 1])
    district = _read_district(reader, facts)
    questions = list_dating_questions(table, seat)
    places = [i for i, question in enumerate(questions) if question.about == district]
    number = reader.check.read_number(facts.get("place", 1), (*PATH, "place"), least=1)
    if number > len(places):
        return None
    return (*waiting[:-1], *numbers, *reversed(questions[places[number - 1] :]))


def _ask_first(reader: PositionReader, facts: _Facts, player: int | None) -> _Asked:
    table = reader.table
    if not reader.rules.only_scores or table.first_complete:
        return None
    return (Question("first", table.crown),)


def _ask_tied(reader: PositionReader, facts: _Facts, player: int | None) -> _Asked:
    """Ask a player who is tied, and then those after him, for what breaks the tie."""
    step = "highest_rank" if reader.question == "rank" else "gold"
    tie_break = reader.rules.answers["tie_break"]
    if not reader.rules.only_scores or step not in tie_break:
        return None
    questions = list_tie_questions(reader.table, tie_break.index(step))
    seats = [question.seat for question in questions]
    return questions[: seats.index(player) + 1] if player in seats else questions or None


def _ask_gold(reader: PositionReader, facts: _Facts, player: int | None) -> _Asked:
    return (_ask_tied if facts.get("tie") else _ask_city)(reader, facts, player)


_ASK: dict[str, Callable[[PositionReader, _Facts, int | None], _Asked]] = {
    "warrant": _ask_warrant,
    "graveyard": _ask_graveyard,
    "threat": _ask_threat,
    "expose": _ask_expose,
    "unmask": _ask_unmask,
    "emperor": _ask_emperor,
    "first": _ask_first,
    "rank": _ask_tied,
    "gold": _ask_gold,
}
