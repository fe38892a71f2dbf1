"""Characters who deal in cards of the hand.

The engine knows how many cards a hand holds, never which; players report what they saw or drew.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from engine.cards import DISTRICT_TYPES
from engine.rules import building, payments
from engine.rules.base import TRACKED, UNTRACKED, Power, Words
from engine.rules.untracked import list_costs, object_to_cost

if TYPE_CHECKING:
    from engine.table import Table

SCHOLAR_KEEPS = 1  # of seven; the others go back


class HandPower(Power):
    """A power over cards of the hand: there is something to record only where hands are counted."""

    under = TRACKED


class Swap(HandPower):
    """`swap P`: whole hands change places; an empty hand may be given."""

    verb = "swap"
    used_as = "magician"
    player_places = (0,)

    def objection(self, table: Table, *words: str) -> str | None:
        return "magician.self" if words[0] == table.acting.name else None

    def options(self, table: Table) -> Iterable[Words]:
        return [(name,) for name in table.rules.player_names]

    def apply(self, table: Table, *words: str) -> None:
        self.spend(table)
        magician, other = table.own_acting(), table.own_seat(table.seat_named(words[0]))
        magician.hand, other.hand = other.hand, magician.hand


class Redraw(HandPower):
    """`redraw N`: N cards go under the deck and as many are drawn."""

    verb = "redraw"
    options_are_legal = True
    used_as = "magician"

    def objection(self, table: Table, *words: str) -> str | None:
        number = int(words[0])
        if number == 0:
            return "magician.none"
        return "magician.hand" if number > table.acting.hand else None

    def options(self, table: Table) -> Iterable[Words]:
        return [(str(number),) for number in range(1, table.acting.hand + 1)]

    def apply(self, table: Table, *words: str) -> None:
        self.spend(table)  # as many cards come as go, so the counts do not change


class Take(HandPower):
    """`take P`, `take P D ...`: the Wizard takes a card from P's hand, to keep or to build at once.

    Built at once it is outside the building limit, may be a double, and is paid for as by `build`.
    """

    verb = "take"
    used_as = "wizard"
    player_places = (0,)
    options_are_legal = True

    def objection(self, table: Table, *words: str) -> str | None:
        owner = table.seats[table.seat_named(words[0])]
        if owner is table.acting:
            return "wizard.self"
        if not owner.hand:
            return "wizard.no_card"
        if len(words) == 1:
            return None
        return building.find_bar_before_gathering(table) or payments.object_to_building(
            table, *words[1:], is_taken=True
        )

    def options(self, table: Table) -> Iterable[Words]:
        others = [seat.name for seat in table.seats if seat.hand and seat is not table.acting]
        early = building.find_bar_before_gathering(table) is not None
        payable = [] if early else [*payments.list_payable(table, is_taken=True)]
        return [
            *((name,) for name in others),
            *((name, *words) for name in others for words in payable),
        ]

    def apply(self, table: Table, *words: str) -> None:
        self.spend(table)
        owner = table.own_seat(table.seat_named(words[0]))
        owner.hand -= 1
        if len(words) == 1:
            table.own_acting().hand += 1
        else:
            payments.pay_and_build(table, *words[1:], is_taken=True)


class UntrackedTake(Power):
    """`take P N`: the Wizard builds a card of P's hand at once, for N gold, in light mode."""

    verb = "take"
    used_as = "wizard"
    player_places = (0,)
    options_are_legal = True
    under = UNTRACKED

    def closed(self, table: Table) -> str | None:
        return super().closed(table) or building.find_bar_before_gathering(table)

    def objection(self, table: Table, *words: str) -> str | None:
        name, *cost = words
        if table.seats[table.seat_named(name)] is table.acting:
            return "wizard.self"
        return object_to_cost(table, *cost)

    def options(self, table: Table) -> Iterable[Words]:
        others = [seat.name for seat in table.seats if seat is not table.acting]
        costs = [str(gold) for gold in list_costs(table.rules) if gold <= table.acting.gold]
        return [(name, cost) for name in others for cost in costs]

    def apply(self, table: Table, *words: str) -> None:
        self.spend(table)
        building.construct_unnamed(table, int(words[1]), is_taken=True)


class Divine(HandPower):
    """`divine`: the Seer takes a card from every other hand and gives each one back."""

    verb = "divine"
    used_as = "seer"

    def closed(self, table: Table) -> str | None:
        others_have_cards = any(seat.hand for seat in table.seats if seat is not table.acting)
        return super().closed(table) or (None if others_have_cards else "seer.no_cards")

    def apply(self, table: Table, *words: str) -> None:
        self.spend(table)  # every hand ends with as many cards as before


class Spy(HandPower):
    """`spy P TYPE N`: N cards of the type were seen in P's hand; a gold and a card for each."""

    verb = "spy"
    used_as = "spy"
    player_places = (0,)
    options_are_legal = True

    def objection(self, table: Table, *words: str) -> str | None:
        name, type_, number = words
        target_seat = table.seats[table.seat_named(name)]
        if target_seat is table.acting:
            return "spy.self"
        return (
            "spy.hand" if int(number) > min(target_seat.hand, self._copies(table, type_)) else None
        )

    def _copies(self, table: Table, type_: str) -> int:
        return sum(table.rules.districts[id_].copies for id_ in table.rules.types[type_])

    def options(self, table: Table) -> Iterable[Words]:
        most = {type_: self._copies(table, type_) for type_ in DISTRICT_TYPES}
        return [
            (seat.name, type_, str(number))
            for seat in table.seats
            if seat is not table.acting
            for type_ in DISTRICT_TYPES
            for number in range(min(seat.hand, most[type_]) + 1)
        ]

    def apply(self, table: Table, *words: str) -> None:
        self.spend(table)
        number = int(words[2])
        victim, spy = table.own_seat(table.seat_named(words[0])), table.own_acting()
        gold = min(number, victim.gold)
        victim.gold -= gold
        spy.gold += gold
        table.draw(spy, number)
        table.tell("spied", table.seat_named(words[0]), table.playing.seat, amount=gold)


class Study(HandPower):
    """`study`: the Scholar draws seven cards, keeps one and puts the others back."""

    verb = "study"
    used_as = "scholar"

    def closed(self, table: Table) -> str | None:
        return super().closed(table) or (None if table.deck else "scholar.deck_empty")

    def apply(self, table: Table, *words: str) -> None:
        self.spend(table)
        table.draw(table.own_acting(), SCHOLAR_KEEPS)


POWERS: dict[str, tuple[Power, ...]] = {
    "spy": (Spy(),),
    "magician": (Swap(), Redraw()),
    "wizard": (Take(), UntrackedTake()),
    "seer": (Divine(),),
    "scholar": (Study(),),
}
