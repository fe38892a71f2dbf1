"""Writes a table as a position: what `read_position` would assume anyway is left out."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from engine.position.moment import count_within_limit, find_caller, list_outside_limit
from engine.rules.answers import list_rescuers
from engine.rules.building import price
from engine.rules.counting import COUNTING
from engine.table import RESUMED, UNNAMED

if TYPE_CHECKING:
    from engine.table import Built, Seat, Table, Turn


def write_position(t: Table) -> dict[str, Any]:
    """The position that describes this table, as data of a record file; empty at the set-up."""
    position: dict[str, Any] = {
        "round": t.round if t.round > 1 else None,
        "players": {seat.name: facts for seat in t.seats if (facts := _write_player(t, seat))},
        "first_complete": _write_first_complete(t),
        "faceup": list(t.faceup or ()),
        **{mark: getattr(t, mark) for mark in ("killed", "robbed", "bewitched")},
        "warrants": list(t.warrants),
        "signed": t.signed,
        "threats": list(t.threats),
        "real": t.real,
        "chosen": {seat.name: list(seat.chosen) for seat in t.seats if seat.chosen},
        "revealed": _write_revealed(t),
        "called": t.called if t.turn is None else None,
        "turn": None if t.turn is None else _write_turn(t, t.turn),
        "settled": _write_settled(t),
        "owes_tax": t.rules.names(sorted(t.owes_tax)),
        "tax": t.tax,
        "used": _write_used(t),
        "awaiting": _write_question(t),
        "unmasked": _write_unmasked(t),
        "over": t.stage == "over",
    }
    if position["first_complete"] == []:
        del position["first_complete"]
    return {key: value for key, value in position.items() if value}


def _write_player(t: Table, seat: Seat) -> dict[str, Any]:
    facts: dict[str, Any] = {}
    if seat.gold != t.rules.start_gold:
        facts["gold"] = seat.gold
    if seat.hand != t.rules.start_hand:
        facts["hand"] = seat.hand
    if seat.city.cards:
        facts["city"] = [_write_district(t, seat, card) for card in seat.city.cards]
    if seat.vault:
        facts["vault"] = True
    if seat.last_rank:
        facts["last_rank"] = seat.last_rank
    elif seat.last_rank is not None:
        facts["killed"] = True
    return facts


def _write_district(t: Table, seat: Seat, card: Built) -> str | dict[str, Any]:
    facts: dict[str, Any] = {"id": card.id}
    if card.decorated:
        facts["decorated"] = True
    if card.under:
        facts["under"] = card.under
    is_dated = "scores_as_any_type" in t.rules.districts[card.id].effects
    if is_dated and card.built_in_round == t.round:
        facts["built_last_round"] = True
    if card.announced:
        facts["announced"] = True
    elif t.playing.built[-1:] == (card.id,) and seat is t.acting and _is_silent(t, card):
        facts["announced"] = False
    return card.id if len(facts) == 1 else facts


def _is_silent(t: Table, card: Built) -> bool:
    """Whether the Bell Tower just built can't be announced any more."""
    rings = card.id in t.rules.cards_with("rings_at")
    return rings and all(event.kind != "may_ring" for event in t.events)


def _write_first_complete(t: Table) -> list[str]:
    complete = tuple(i for i, seat in enumerate(t.seats) if t.is_complete(seat))
    entries = complete if len(complete) == 1 else ()
    return [] if t.first_complete == entries else t.rules.names(t.first_complete)


def _write_revealed(t: Table) -> dict[str, list[str]]:
    """The characters shown, but for the one that the turn names."""
    turn = t.playing
    entries = {}
    for index, seat in enumerate(t.seats):
        is_told = index == turn.seat and turn.part != RESUMED
        characters = [c for c in seat.revealed if not (is_told and c == turn.character)]
        if characters:
            entries[seat.name] = characters
    return entries


def _write_turn(t: Table, turn: Turn) -> dict[str, Any]:
    facts: dict[str, Any] = {"player": t.seats[turn.seat].name, "character": turn.character}
    courteous = t.rules.cards_with("asks_courtesy")
    if courteous and turn.called_by != find_caller(t, turn.seat, turn.character):
        facts["called_by"] = t.seats[turn.called_by].name
    entries = {
        "gathered": turn.gathered,
        "income": turn.income,
        "built": _write_built(t, turn),
        "used": sorted(turn.used),
        "spent": turn.spent,
    }
    return facts | {key: value for key, value in entries.items() if value}


def _write_built(t: Table, turn: Turn) -> list[Any]:
    """The districts built; the one that the Wizard took is marked, unless the limit tells."""
    districts: list[Any] = [None if district == UNNAMED else district for district in turn.built]
    limit = t.rules.characters[turn.character].build_limit
    if turn.extra and count_within_limit(t.rules, turn) <= limit:
        free = list_outside_limit(t.rules, turn.character)
        place = next(i for i, district in enumerate(turn.built) if district not in free)
        names = {} if districts[place] is None else {"id": districts[place]}
        districts[place] = {**names, "taken": True}
    return districts


def _write_settled(t: Table) -> Any:
    both = {*t.warrants} & {*t.threats}
    entries = {
        "warrants": [c for c in t.warrants if c in t.answered_warrants],
        "threats": [c for c in t.threats if c in t.answered_threats],
    }
    if both:
        return {key: characters for key, characters in entries.items() if characters}
    return [*entries["warrants"], *entries["threats"]]


def _write_used(t: Table) -> list[str]:
    """The Theater; what it has done no longer matters once the characters are called."""
    is_used = t.theater_used and t.stage == "selection"
    return sorted(t.rules.cards_with("swaps_characters")) if is_used else []


def _write_question(t: Table) -> Any:
    if not t.questions or t.questions[-1].kind == "threat":
        return None  # a threat that is open after gathering is asked about without a word
    kind, seat, about, amount = t.questions[-1]
    facts: dict[str, Any] = {"question": kind}
    if kind in COUNTING:
        facts["player"] = t.seats[seat].name
    if kind == "warrant" and (about == UNNAMED or amount != price(t, about)):
        facts["gold"] = amount
    elif kind in ("graveyard", "built_last_round"):
        facts["district"] = about
    if kind == "graveyard" and seat != list_rescuers(t)[0]:
        facts["player"] = t.seats[seat].name
    if kind == "built_last_round":
        cards = t.seats[seat].city.cards[: amount + 1]
        place = sum(card.id == about for card in cards)  # among those of its name
        if place > 1:
            facts["place"] = place
    return kind if len(facts) == 1 else facts


def _write_unmasked(t: Table) -> str | None:
    if t.unmasked is None or t.killed is None or t.holder(t.killed) == t.unmasked:
        return None
    return t.seats[t.unmasked].name
