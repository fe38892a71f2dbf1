"""A table as one viewer may know it: secrets are removed before anything is computed from it.

`redact` returns a table without the secrets of other players; legal moves, the awaited answer and
the JSON are computed from it alone, so none of them can reveal more.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from common.sentences import Sentence
from engine import scoring
from engine.referee import list_legal_moves
from engine.words import card, district_type

if TYPE_CHECKING:
    from engine.table import Seat, Table

PUBLIC = None  # the viewer who knows only public facts


def redact(table: Table, viewer: int | None) -> Table:
    """The table as the player in that seat (or the public, None) may know it."""
    known = table.copy()
    known.events = table.events  # everybody at the table sees these
    marks = table.marks
    if not (_murder_is_known(table) or _played_by(table, "assassin", viewer)):
        marks = marks._replace(killed=None)
    if not (_robbery_is_known(table) or _played_by(table, "thief", viewer)):
        marks = marks._replace(robbed=None)
    if not _played_by(table, "magistrate", viewer):
        marks = marks._replace(signed=None)
    if not _played_by(table, "blackmailer", viewer):
        marks = marks._replace(real=None)  # everybody saw that it was recorded
    known.marks = marks
    for index, seat in enumerate(table.seats):
        if seat.chosen and index != viewer:
            known.own_seat(index).chosen = ()
    return known


def _murder_is_known(table: Table) -> bool:
    """A secret kill becomes public when its character is called (docs/dev/rules-coverage.md)."""
    if not table.rules.secret or table.marks.killed is None or not table.called:
        return True  # known after the calling, and a question names the killed character
    return table.called >= table.rules.characters[table.marks.killed].rank


def _robbery_is_known(table: Table) -> bool:
    """A secret robbery becomes public when its character is revealed."""
    robbed = table.marks.robbed
    return not table.rules.secret or robbed is None or table.holder(robbed) is not None


def _played_by(table: Table, character: str, viewer: int | None) -> bool:
    """Whether the viewer used the character's power: as its player, or as the Witch."""
    return viewer is not None and viewer == table.bearer(character)


def find_awaited(table: Table) -> tuple[int, str] | None:
    """The awaited (seat, question); None when the game is over."""
    if table.questions:
        return table.questions[-1].seat, table.questions[-1].kind
    if table.turn is not None:
        return table.turn.seat, "turn"
    question = {"selection": "select", "calling": "call"}.get(table.stage)
    return (table.crown, question) if question else None


def table_json(table: Table, *, viewer: int | None = PUBLIC, full: bool = False) -> dict[str, Any]:
    """The table as the JSON of `companion replay`; `full` shows everything to everybody."""
    known = table if full else redact(table, viewer)
    facts = state_json(known)
    score = facts.pop("score")
    legal = [move.text for move in list_legal_moves(known)]
    return {**facts, "legal": legal, "refused": None, "score": score}


def state_json(known: Table) -> dict[str, Any]:
    """The same without the legal moves, which take longest, of a table that `redact` has made."""
    marks = known.marks
    names = known.rules.player_names
    awaited = find_awaited(known)
    over = known.stage == "over"
    return {
        "edition": known.rules.edition.id,
        "round": known.round,
        "phase": known.phase,
        "crown": names[known.crown],
        "called": known.called or None,
        "turn": _turn_json(known),
        "awaiting": awaited and {"player": names[awaited[0]], "question": awaited[1]},
        "players": {seat.name: _seat_json(known, seat) for seat in known.seats},
        "faceup": list(known.faceup or ()),
        "killed": marks.killed,
        "robbed": marks.robbed,
        "bewitched": marks.bewitched,
        "warrants": list(marks.warrants),
        "threats": list(marks.threats),
        "tax": known.tax,
        "city_size": known.city_size,
        "first_complete": known.rules.names(known.first_complete),
        "chosen": {seat.name: list(seat.chosen) for seat in known.seats if seat.chosen},
        "signed": marks.signed,
        "real": marks.real,
        "score": score_json(known, final=True) if over else None,
    }


def _turn_json(table: Table) -> dict[str, Any] | None:
    turn = table.turn
    if turn is None:
        return None
    return {
        "player": table.seats[turn.seat].name,
        "character": turn.character,
        "gathered": turn.gathered,
        "income": turn.income,
        "built": [district or None for district in turn.built],
    }


def _seat_json(table: Table, seat: Seat) -> dict[str, Any]:
    return {
        "gold": seat.gold,
        "hand": seat.hand if table.rules.tracks_cities else None,
        "city": [card.id for card in seat.city.cards],
        "decorated": [card.id for card in seat.city.cards if card.decorated],
        "under_museum": sum(card.under for card in seat.city.cards),
        "complete": table.is_complete(seat),
        "revealed": list(seat.revealed),
    }


def score_json(table: Table, *, final: bool) -> dict[str, Any]:
    """The scores as the JSON of `companion score`."""
    result = scoring.standing(table)
    names = table.rules.player_names
    return {
        "edition": table.rules.edition.id,
        "final": final,
        "winners": [names[i] for i in result.winners],
        "tie_break": result.tie_break,
        "ranking": [names[i] for i in result.ranking],
        "players": {names[i]: _score_json(score) for i, score in enumerate(result.scores)},
    }


def _score_json(score: scoring.SeatScore) -> dict[str, Any]:
    return {
        "districts": score.districts,
        "five_types": score.five_types,
        "complete": score.complete,
        "unique": score.unique,
        "total": score.total,
        "notes": [
            Sentence("{district} counts as {type}", district=card(id_), type=district_type(type_))
            for id_, type_ in score.notes
        ],
    }
