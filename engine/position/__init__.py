"""Positions: a table set up at any point of a game, and the checks that one is possible.

`read_position` writes a record's `position` onto the table of its set-up; problems are collected,
not raised, so that all of them are reported at once. Cities are read first, then the round's marks,
then the moment within the round: each part may use what earlier parts have read.

`describe_position` leaves out what reading would assume anyway.
"""

from __future__ import annotations

from typing import Any

from common.problems import Checker
from engine.position.cities import (
    can_go_on,
    find_least_left,
    read_cities,
    read_first_complete,
)
from engine.position.marks import (
    check_debts,
    check_killed,
    check_makers,
    read_marks,
    read_theater,
    read_unmasked,
)
from engine.position.moment import (
    check_round_so_far,
    count_within_limit,
    end_game,
    find_caller,
    list_outside_limit,
    read_moment,
    read_stage,
)
from engine.position.open_question import read_question
from engine.position.position_reader import PositionReader
from engine.rules.answers import list_rescuers
from engine.rules.building import price
from engine.rules.counting import COUNTING
from engine.table import RESUMED, UNNAMED, Built, Seat, Table, Turn

KEYS = (
    "round",
    "players",
    "first_complete",
    "last_round",
    "faceup",
    "killed",
    "robbed",
    "bewitched",
    "warrants",
    "signed",
    "threats",
    "real",
    "chosen",
    "revealed",
    "called",
    "turn",
    "settled",
    "owes_tax",
    "tax",
    "used",
    "awaiting",
    "unmasked",
    "over",
)


def read_position(check: Checker, data: object, table: Table) -> None:
    """Set the table up as `data` describes; every problem is noted in `check`."""
    reader = PositionReader(check, table, check.read_mapping(data, ("position",), KEYS))
    if "round" in reader.facts:
        table.round = check.read_number(reader.facts["round"], ("position", "round"), least=1)
    read_stage(reader)
    read_cities(reader)
    read_marks(reader)
    read_theater(reader)
    read_moment(reader)
    check_killed(reader)
    check_makers(reader)
    check_debts(reader)
    check_round_so_far(reader)
    read_first_complete(reader)
    read_unmasked(reader)
    read_question(reader)
    end_game(reader)


def describe_position(table: Table) -> dict[str, Any]:
    """The position that describes this table, as data of a record file; empty at the set-up."""
    position: dict[str, Any] = {
        "round": table.round if table.round > 1 else None,
        "players": {
            seat.name: facts for seat in table.seats if (facts := _write_player(table, seat))
        },
        "first_complete": _write_first_complete(table),
        "last_round": _write_last_round(table),
        "faceup": list(table.faceup or ()),
        **{mark: getattr(table.marks, mark) for mark in ("killed", "robbed", "bewitched")},
        "warrants": list(table.marks.warrants),
        "signed": table.marks.signed,
        "threats": list(table.marks.threats),
        "real": table.marks.real,
        "chosen": {seat.name: list(seat.chosen) for seat in table.seats if seat.chosen},
        "revealed": _write_revealed(table),
        "called": table.called if table.turn is None else None,
        "turn": None if table.turn is None else _write_turn(table, table.turn),
        "settled": _write_settled(table),
        "owes_tax": table.rules.names(sorted(table.marks.owes_tax)),
        "tax": table.tax,
        "used": _write_used(table),
        "awaiting": _write_question(table),
        "unmasked": _write_unmasked(table),
        "over": table.stage == "over",
    }
    for key, nothing in (("first_complete", []), ("last_round", None)):
        if position[key] == nothing:
            del position[key]
    return {key: value for key, value in position.items() if value or key == "last_round"}


def _write_player(table: Table, seat: Seat) -> dict[str, Any]:
    facts: dict[str, Any] = {}
    if seat.gold != table.rules.start_gold:
        facts["gold"] = seat.gold
    if seat.hand != table.rules.start_hand:
        facts["hand"] = seat.hand
    if seat.city.cards:
        facts["city"] = [_write_district(table, seat, card) for card in seat.city.cards]
    if seat.vault:
        facts["vault"] = True
    if seat.last_rank:
        facts["last_rank"] = seat.last_rank
    elif seat.last_rank is not None:
        facts["killed"] = True
    return facts


def _write_district(table: Table, seat: Seat, card: Built) -> str | dict[str, Any]:
    facts: dict[str, Any] = {"id": card.id}
    if card.decorated:
        facts["decorated"] = True
    if card.under:
        facts["under"] = card.under
    is_dated = "scores_as_any_type" in table.rules.districts[card.id].effects
    if is_dated and card.built_in_round == table.round:
        facts["built_last_round"] = True
    if card.announced:
        facts["announced"] = True
    elif (
        table.playing.built[-1:] == (card.id,) and seat is table.acting and _is_silent(table, card)
    ):
        facts["announced"] = False
    return card.id if len(facts) == 1 else facts


def _is_silent(table: Table, card: Built) -> bool:
    """Whether the Bell Tower just built can't be announced any more."""
    rings = card.id in table.rules.cards_with("rings_at")
    return rings and all(event.kind != "may_ring" for event in table.events)


def _write_first_complete(table: Table) -> list[str]:
    complete = tuple(i for i, seat in enumerate(table.seats) if table.is_complete(seat))
    assumed = complete if len(complete) == 1 else ()
    return [] if table.first_complete == assumed else table.rules.names(table.first_complete)


def _write_last_round(table: Table) -> bool | None:
    """Whether this is the last round, where those who completed a city first don't show it."""
    if not table.first_complete or not can_go_on(table.rules):
        return None
    least = find_least_left(table.rules)
    is_clear = all(table.seats[index].city.size >= least for index in table.first_complete)
    return None if is_clear and table.is_last_round else table.is_last_round


def _write_revealed(table: Table) -> dict[str, list[str]]:
    """The characters shown, but for the one that the turn names."""
    turn = table.playing
    revealed = {}
    for index, seat in enumerate(table.seats):
        is_told = index == turn.seat and turn.part != RESUMED
        characters = [c for c in seat.revealed if not (is_told and c == turn.character)]
        if characters:
            revealed[seat.name] = characters
    return revealed


def _write_turn(table: Table, turn: Turn) -> dict[str, Any]:
    facts: dict[str, Any] = {"player": table.seats[turn.seat].name, "character": turn.character}
    asks_courtesy = table.rules.cards_with("asks_courtesy")
    if asks_courtesy and turn.called_by != find_caller(table, turn.seat, turn.character):
        facts["called_by"] = table.seats[turn.called_by].name
    optional = {
        "gathered": turn.gathered,
        "income": turn.income,
        "built": _write_built(table, turn),
        "used": sorted(turn.used),
        "spent": turn.spent,
    }
    return facts | {key: value for key, value in optional.items() if value}


def _write_built(table: Table, turn: Turn) -> list[Any]:
    """The districts built; the one that the Wizard took is marked, unless the limit tells."""
    districts: list[Any] = [None if district == UNNAMED else district for district in turn.built]
    limit = table.rules.characters[turn.character].build_limit
    if turn.extra and count_within_limit(table.rules, turn) <= limit:
        outside_limit = list_outside_limit(table.rules, turn.character)
        place = next(i for i, district in enumerate(turn.built) if district not in outside_limit)
        id_facts = {} if districts[place] is None else {"id": districts[place]}
        districts[place] = {**id_facts, "taken": True}
    return districts


def _write_settled(table: Table) -> Any:
    marks = table.marks
    answered = {
        "warrants": [c for c in marks.warrants if c in marks.answered_warrants],
        "threats": [c for c in marks.threats if c in marks.answered_threats],
    }
    if {*marks.warrants} & {*marks.threats}:
        return {key: characters for key, characters in answered.items() if characters}
    return [*answered["warrants"], *answered["threats"]]


def _write_used(table: Table) -> list[str]:
    """The Theater; what it has done no longer matters once the characters are called."""
    is_used = table.marks.theater_used and table.stage == "selection"
    return sorted(table.rules.cards_with("swaps_characters")) if is_used else []


def _write_question(table: Table) -> Any:
    if not table.questions or table.questions[-1].kind == "threat":
        return None  # a threat that is open after gathering is asked about without a word
    kind, seat, about, amount = table.questions[-1]
    facts: dict[str, Any] = {"question": kind}
    if kind in COUNTING:
        facts["player"] = table.seats[seat].name
    if kind == "warrant" and (about == UNNAMED or amount != price(table, about)):
        facts["gold"] = amount
    elif kind in ("graveyard", "built_last_round", "number"):
        facts["district"] = about
    elif kind == "gold" and amount:
        facts["tie"] = True
    if kind == "graveyard" and seat != list_rescuers(table)[0]:
        facts["player"] = table.seats[seat].name
    if kind == "built_last_round":
        cards = table.seats[seat].city.cards[: amount + 1]
        place = sum(card.id == about for card in cards)  # among those of its name
        if place > 1:
            facts["place"] = place
    return kind if len(facts) == 1 else facts


def _write_unmasked(table: Table) -> str | None:
    killed, unmasked = table.marks.killed, table.marks.unmasked
    if unmasked is None or killed is None or table.holder(killed) == unmasked:
        return None
    return table.seats[unmasked].name
