"""What one viewer may know of a table: secrets are taken out before anything is computed from it.

`redact` gives a table without what the viewer may not know; legal moves, the awaited answer and
the JSON of a table are computed from that table alone, so none of them can tell more.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from engine import scoring
from engine.referee import legal
from engine.sentences import Sentence
from engine.words import card, district_type

if TYPE_CHECKING:
    from engine.table import Seat, Table

PUBLIC = None  # the viewer who knows only what the whole table knows


def redact(t: Table, viewer: int | None) -> Table:
    """The table as the player in that seat (or the public, None) may know it."""
    known = t.copy()
    known.events = t.events  # they tell what the whole table sees happen
    if not (_murder_is_known(t) or _played_by(t, "assassin", viewer)):
        known.killed = None
    if not (_robbery_is_known(t) or _played_by(t, "thief", viewer)):
        known.robbed = None
    if not _played_by(t, "magistrate", viewer):
        known.signed = None
    if not _played_by(t, "blackmailer", viewer):
        known.real = None  # that it was recorded has been seen: `real_recorded` stays
    for index, seat in enumerate(t.seats):
        if seat.chosen and index != viewer:
            known.own_seat(index).chosen = ()
    return known


def _murder_is_known(t: Table) -> bool:
    """A secret kill becomes public when its character is called (docs/rules-coverage.md)."""
    if not t.rules.secret or t.killed is None or not t.called:
        return True  # after the calling all is known, and a question names the killed character
    return t.called >= t.rules.characters[t.killed].rank


def _robbery_is_known(t: Table) -> bool:
    """A secret robbery becomes public when its character is revealed."""
    return not t.rules.secret or t.robbed is None or t.holder(t.robbed) is not None


def _played_by(t: Table, character: str, viewer: int | None) -> bool:
    """Whether the viewer has used the character's power: its player, or the Witch in his place."""
    return viewer is not None and viewer == t.bearer(character)


def awaiting(t: Table) -> tuple[int, str] | None:
    """Who must do something next, and what: (seat, question); None when the game is over."""
    if t.questions:
        return t.questions[-1].seat, t.questions[-1].kind
    if t.turn is not None:
        return t.turn.seat, "turn"
    question = {"selection": "select", "calling": "call"}.get(t.stage)
    return (t.crown, question) if question else None


def table_json(t: Table, *, viewer: int | None = PUBLIC, full: bool = False) -> dict[str, Any]:
    """The table as the JSON of `companion replay`; `full` shows everything to everybody."""
    known = t if full else redact(t, viewer)
    names = known.rules.player_names
    awaited = awaiting(known)
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
        "killed": known.killed,
        "robbed": known.robbed,
        "bewitched": known.bewitched,
        "warrants": list(known.warrants),
        "threats": list(known.threats),
        "tax": known.tax,
        "city_size": known.city_size,
        "first_complete": known.rules.names(known.first_complete),
        "legal": [move.text for move in legal(known)],
        "refused": None,
        "score": score_json(known, final=True) if over else None,
    }


def _turn_json(t: Table) -> dict[str, Any] | None:
    turn = t.turn
    if turn is None:
        return None
    return {
        "player": t.seats[turn.seat].name,
        "character": turn.character,
        "gathered": turn.gathered,
        "income": turn.income,
        "built": [district or None for district in turn.built],
    }


def _seat_json(t: Table, seat: Seat) -> dict[str, Any]:
    return {
        "gold": seat.gold,
        "hand": seat.hand if t.rules.counts_cards else None,
        "city": [card.id for card in seat.city.cards],
        "decorated": [card.id for card in seat.city.cards if card.decorated],
        "under_museum": sum(card.under for card in seat.city.cards),
        "complete": t.is_complete(seat),
        "revealed": list(seat.revealed),
    }


def score_json(t: Table, *, final: bool) -> dict[str, Any]:
    """The scores as the JSON of `companion score`."""
    result = scoring.standing(t)
    names = t.rules.player_names
    return {
        "edition": t.rules.edition.id,
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
