"""The state of the game on request: one fact a line, the important word first."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from companion.language import (
    _,
    amount,
    card,
    cards,
    coins,
    current,
    district_type,
    end_sentence,
    hand_cards,
    listing,
    number_entry,
    plural,
)
from engine import scoring
from engine.cards import CardText, text_of
from engine.views import find_awaited

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from engine.explain import Refusal
    from engine.scoring import SeatScore
    from engine.table import Built, Table
    from engine.words import Amount, Name


def purses(table: Table, seats: Sequence[int]) -> list[str]:
    owners = [table.seats[seat] for seat in seats]
    return [end_sentence(number_entry(owner.name, str(coins(owner.gold)))) for owner in owners]


def gold(table: Table) -> list[str]:
    if not table.rules.tracks_cities:
        return purses(table, table.rules.seats)
    return [
        _("{player}: {gold}, {cards} in hand.").format(
            player=seat.name, gold=coins(seat.gold), cards=hand_cards(seat.hand)
        )
        for seat in table.seats
    ]


def status(table: Table) -> list[str]:
    """Everybody's gold, hand and city size, a player a line."""
    if not table.rules.tracks_cities:
        return gold(table)
    return [
        _("{player}: {gold}, {cards} in hand, {districts} built.").format(
            player=seat.name,
            gold=coins(seat.gold),
            cards=hand_cards(seat.hand),
            districts=amount("district", seat.city.size),
        )
        for seat in table.seats
    ]


def city(table: Table, index: int) -> list[str]:
    """One player's city, a district a line."""
    seat = table.seats[index]
    if not (table.rules.tracks_cities or seat.city.cards):
        return [_("{player}'s city is counted after the last round.").format(player=seat.name)]
    size = _("{player}'s city: {size} of {complete} districts.").format(
        player=seat.name, size=seat.city.size, complete=table.city_size
    )
    return [size, *(district(table, building) for building in seat.city.cards)]


class DistrictFacts(NamedTuple):
    """A district for drawing: its card, words and numbers."""

    card: str
    name: Name
    type: str  # id of the type
    type_name: Name
    cost: int
    decorated: bool
    under: int


def describe_district(
    table: Table, id_: str, *, decorated: bool = False, under: int = 0
) -> DistrictFacts:
    printed = table.rules.districts[id_]
    type_name = district_type(printed.type)
    return DistrictFacts(id_, card(id_), printed.type, type_name, printed.cost, decorated, under)


def describe_city(table: Table, seat: int) -> tuple[DistrictFacts, ...]:
    return tuple(
        describe_district(table, building.id, decorated=building.decorated, under=building.under)
        for building in table.seats[seat].city.cards
    )


def find_asked_seat(table: Table) -> int:
    """The default seat of a question: the awaited player's, else the crown's."""
    waiting = find_awaited(table)
    return table.crown if waiting is None else waiting[0]


def district(table: Table, building: Built) -> str:
    """A district of a city: its name, type and cost."""
    facts = table.rules.districts[building.id]
    return _("{district}, {type}, {cost}.").format(
        district=card(building.id), type=district_type(facts.type), cost=coins(facts.cost)
    )


def has_crown(table: Table) -> bool:
    """Whether the table knows who has the crown: one that only counts the points asks for it only
    where a district scores it."""
    return not table.rules.only_scores or bool(table.rules.cards_with("points_with_crown"))


def tell_crown(table: Table) -> list[str]:
    """Who has the crown; nothing if the table does not know."""
    if not has_crown(table):
        return []
    return [end_sentence(_("Crown: {player}").format(player=table.seats[table.crown].name))]


def tell_who(table: Table) -> list[str]:
    """Who has revealed which character this round, who has the crown, which cards lie face up."""
    lines = tell_crown(table)
    for seat in table.seats:
        if seat.revealed:
            characters = cards(seat.revealed)
            lines.append(end_sentence(number_entry(str(characters), seat.name)))
    if table.faceup:
        lines.append(_("Face up: {cards}.").format(cards=cards(table.faceup)))
    if table.marks.killed:
        lines.append(_("Murdered: {character}.").format(character=card(table.marks.killed)))
    if table.marks.robbed:
        has_met = any(table.marks.robbed in seat.revealed for seat in table.seats)
        sentence = _("Robbed: {character}.") if has_met else _("To be robbed: {character}.")
        lines.append(sentence.format(character=card(table.marks.robbed)))
    if table.first_complete:
        names = listing(table.rules.names(table.first_complete))
        lines.append(_("First to complete a city: {player}.").format(player=names))
    return lines


def printed_sentence(refusal: Refusal) -> list[str]:
    """The rulebook's own sentence, where it is in the table's language."""
    quote = refusal.printed
    if quote is None or quote.language != current():
        return []
    sentence = _("The rulebook says, under {section}: “{sentence}”")
    return [sentence.format(section=quote.section, sentence=quote.says)]


def card_text(table: Table, card_id: str) -> list[str]:
    """A card: its name and kind, its text sentence by sentence, and its source."""
    text = _find_text(table, card_id)
    lines = [*card_rules(table, card_id), _("Source: {place}.").format(place=text.source)]
    if text.ruling:
        lines.append(_("Ruling: {ruling}").format(ruling=text.ruling))
    return lines


def card_rules(table: Table, card_id: str) -> list[str]:
    """A card: its name and kind, and its text sentence by sentence."""
    lines = sentences(_find_text(table, card_id).text)
    return [_heading(table, card_id), *_copies(table, card_id), *lines]


def _find_text(table: Table, card_id: str) -> CardText:
    return text_of(card_id, table.rules.edition.id, current(), secret=table.rules.secret)


def _heading(table: Table, card_id: str) -> str:
    character = table.rules.characters.get(card_id)
    if character is not None:
        if character.income is None:
            return _("{character}: rank {rank}.").format(
                character=card(card_id), rank=character.rank
            )
        return _("{character}: rank {rank}, income from {type} districts.").format(
            character=card(card_id), rank=character.rank, type=district_type(character.income)
        )
    facts = table.rules.districts.get(card_id)
    if facts is None:
        return _("{card}: not in this game.").format(card=card(card_id))
    return _("{district}: {type} district, {cost}.").format(
        district=card(card_id), type=district_type(facts.type), cost=coins(facts.cost)
    )


def _copies(table: Table, card_id: str) -> list[str]:
    """The number of copies of a unique district in the box, if more than one."""
    facts = table.rules.districts.get(card_id)
    if facts is None or facts.type != "unique" or facts.copies == 1:
        return []
    return [_("The box has {copies}.").format(copies=amount("copy", facts.copies))]


def sentences(text: str) -> list[str]:
    """A card's text, a sentence each."""
    return re.split(r"(?<=[.!?]) +(?=[^\W\da-zа-я])", text)


def points(number: int) -> Amount:
    return amount("point", number)


def games(number: int) -> str:
    return plural("{number} game", "{number} games", number)


def score(table: Table) -> list[str]:
    """The scores so far, best first, with a line for each source of points if districts are not the
    only one."""
    if not table.rules.tracks_cities and table.stage != "over":
        return [_("There are no scores until the cities are counted, after the last round.")]
    result = scoring.standing(table)
    lines = []
    for index in result.ranking:
        seat_score = result.scores[index]
        lines.append(
            end_sentence(number_entry(table.seats[index].name, str(points(seat_score.total))))
        )
        sources = reasons(seat_score)
        lines += sources if len(sources) > 1 else []
    return lines


def list_sources() -> list[tuple[str, Callable[[SeatScore], int]]]:
    """Where points come from: the heading of each part, and a player's points in it."""
    return [
        (_("Districts"), lambda score: score.districts),
        (_("Five types"), lambda score: score.five_types),
        (_("Complete cities"), lambda score: score.complete),
        (_("Unique districts"), lambda score: sum(score.unique.values())),
    ]


def reasons(seat_score: SeatScore) -> list[str]:
    """The sources of a player's points, a line each."""
    lines = [_("{points} for districts.").format(points=points(seat_score.districts))]
    if seat_score.five_types:
        lines.append(_("{points} for five types.").format(points=points(seat_score.five_types)))
    if seat_score.complete:
        lines.append(_("{points} for a complete city.").format(points=points(seat_score.complete)))
    for id_, extra in seat_score.unique.items():
        lines.append(
            _("{points} for the {district}.").format(points=points(extra), district=card(id_))
        )
    for id_, type_ in seat_score.notes:
        lines.append(
            _("The {district} counts as {type}.").format(
                district=card(id_), type=district_type(type_)
            )
        )
    return lines


def _tie_breaks() -> dict[str, str]:
    return {
        "highest_rank": _(
            "The highest character rank of the last round decides the tie for {names}."
        ),
        "district_points": _("District points decide the tie for {names}."),
        "gold": _("Gold decides the tie for {names}."),
    }


def tell_ties(table: Table) -> list[str]:
    """What decided between players with equal points, best first; below the winner only what was
    not asked of the leaders alone."""
    standing, marks = scoring.standing(table), table.marks
    asks_of_victim = table.rules.answers["highest_rank"] == "chosen" and marks.killed is not None
    is_rank_known = not asks_of_victim or marks.unmasked is not None
    return [
        _tie_breaks()[tie.step].format(names=listing(table.rules.names(tie.ahead)))
        for tie in standing.ties
        if tie.ahead == standing.winners
        or not (table.rules.only_scores or (tie.step == "highest_rank" and not is_rank_known))
    ]


def tell_result(table: Table) -> list[str]:
    """Who wins, and what decides each tie: for a winner alone, that says who it is."""
    standing, ties = scoring.standing(table), tell_ties(table)
    is_told = standing.tie_break and len(standing.winners) == 1
    return ties if is_told else [tell_winners(table), *ties]


def tell_winners(table: Table) -> str:
    return name_winners(table.rules.names(scoring.standing(table).winners))


def name_winners(names: Sequence[str]) -> str:
    sentence = _("{names} share the victory.") if len(names) > 1 else _("{names} wins.")
    return sentence.format(names=listing(names))


def tell_scores(table: Table, *, final: bool) -> list[str]:
    """The scores under what they are, and, once final, who has won."""
    if final:
        return [_("Final scores."), *score(table), *tell_result(table)]
    return [_("Scores so far; the game is not over."), *score(table)]
