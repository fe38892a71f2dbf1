"""How things stand, on demand: one fact a line, the important word first."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.language import _, card
from companion.wording.labels import coins, hand_cards
from engine import scoring
from engine.editions import switches

if TYPE_CHECKING:
    from engine.scoring import SeatScore
    from engine.table import Built, Table

TYPE_NAMES = {
    "noble": "noble",
    "religious": "religious",
    "trade": "trade",
    "military": "military",
    "unique": "unique",
}


def type_name(type_: str) -> str:
    """The district type in the language in force."""
    return _(TYPE_NAMES[type_])


def gold(t: Table) -> list[str]:
    """Everybody's gold and hand."""
    return [
        _("{player}: {gold}, {cards} in hand.").format(
            player=seat.name, gold=coins(seat.gold), cards=hand_cards(seat.hand)
        )
        for seat in t.seats
    ]


def city(t: Table, index: int) -> list[str]:
    """One player's city, a district a line."""
    seat = t.seats[index]
    size = _("{player}'s city: {size} of {complete} districts.").format(
        player=seat.name, size=seat.city.size, complete=t.city_size
    )
    return [size, *(district(t, built) for built in seat.city.cards)]


def district(t: Table, built: Built) -> str:
    """A district of a city: its name, type and cost."""
    facts = t.rules.districts[built.id]
    return _("{district}, {type}, {cost}.").format(
        district=card(built.id), type=type_name(facts.type), cost=coins(facts.cost)
    )


def who(t: Table) -> list[str]:
    """Who has shown which character this round, who has the crown, what lies face up."""
    lines = [_("Crown: {player}.").format(player=t.seats[t.crown].name)]
    for seat in t.seats:
        if seat.revealed:
            shown = ", ".join(map(card, seat.revealed))
            lines.append(_("{character}: {player}.").format(character=shown, player=seat.name))
    if t.faceup:
        lines.append(_("Face up: {cards}.").format(cards=", ".join(map(card, t.faceup))))
    if t.killed:
        lines.append(_("Murdered: {character}.").format(character=card(t.killed)))
    if t.robbed:
        lines.append(_("Robbed: {character}.").format(character=card(t.robbed)))
    return lines


def score(t: Table) -> list[str]:
    """The scores as they stand, best first, with a line per reason."""
    result = scoring.standing(t)
    lines = []
    for index in result.ranking:
        points = result.scores[index]
        lines.append(
            _("{player}: {points} points.").format(player=t.seats[index].name, points=points.total)
        )
        lines += reasons(points)
    return lines


def reasons(points: SeatScore) -> list[str]:
    """Where a player's points come from, a line each."""
    lines = [_("{points} for districts.").format(points=points.districts)]
    if points.five_types:
        lines.append(_("{points} for five types.").format(points=points.five_types))
    if points.complete:
        lines.append(_("{points} for a complete city.").format(points=points.complete))
    for id_, extra in points.unique.items():
        lines.append(_("{points} for the {district}.").format(points=extra, district=card(id_)))
    for id_, type_ in points.notes:
        lines.append(
            _("The {district} counts as {type}.").format(district=card(id_), type=type_name(type_))
        )
    return lines


def result(t: Table) -> str:
    """Who wins as things stand, and what decided a tie."""
    outcome = scoring.standing(t)
    names = ", ".join(t.rules.names(outcome.winners))
    if outcome.tie_break:
        step = switches()["tie_break"].values[outcome.tie_break]
        return _("{names} wins the tie by {step}.").format(names=names, step=_(step))
    if len(outcome.winners) > 1:
        return _("{names} share the victory.").format(names=names)
    return _("{names} wins.").format(names=names)
