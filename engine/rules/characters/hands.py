"""Characters who deal in cards of the hand: Magician, Wizard, Seer, Spy, Scholar.

The engine knows how many cards a hand holds, never which; what was seen or drawn the table says.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from engine.cards import DISTRICT_TYPES
from engine.rules import building
from engine.rules.base import TRACKED, Power, Words

if TYPE_CHECKING:
    from engine.table import Table

SCHOLAR_KEEPS = 1  # of seven; the others go back


class HandPower(Power):
    """A power over cards of the hand: only where hands are counted is there anything to record."""

    under = TRACKED


class Swap(HandPower):
    """`swap P`: whole hands change places; an empty hand may be given."""

    verb = "swap"
    used_as = "magician"
    players = (0,)

    def objection(self, t: Table, *words: str) -> str | None:
        return "magician.self" if words[0] == t.acting.name else None

    def options(self, t: Table) -> Iterable[Words]:
        return [(name,) for name in t.rules.player_names]

    def apply(self, t: Table, *words: str) -> None:
        self.spend(t)
        mine, theirs = t.own_seat(t.playing.seat), t.own_seat(t.seat_named(words[0]))
        mine.hand, theirs.hand = theirs.hand, mine.hand


class Redraw(HandPower):
    """`redraw N`: N cards go under the deck and as many are drawn."""

    verb = "redraw"
    used_as = "magician"

    def objection(self, t: Table, *words: str) -> str | None:
        number = int(words[0])
        if number == 0:
            return "magician.none"
        return "magician.hand" if number > t.acting.hand else None

    def options(self, t: Table) -> Iterable[Words]:
        return [(str(number),) for number in range(1, t.acting.hand + 1)]

    def apply(self, t: Table, *words: str) -> None:
        self.spend(t)  # as many cards come as go: only the engine's counts are known, and they stay


class Take(HandPower):
    """`take P`, `take P D`: the Wizard takes a card from P's hand, to keep or to build at once.

    Built at once it is outside the building limit, and may be a double.
    """

    verb = "take"
    used_as = "wizard"
    players = (0,)
    exact = True

    def objection(self, t: Table, *words: str) -> str | None:
        owner = t.seats[t.seat_named(words[0])]
        if owner is t.acting:
            return "wizard.self"
        if not owner.hand:
            return "wizard.no_card"
        return self._build_objection(t, words[1]) if len(words) > 1 else None

    def _build_objection(self, t: Table, district: str) -> str | None:
        if district not in t.rules.districts:
            return "build.not_in_game"
        rule = building.timing(t) or building.bar(t.rules, self._situation(t), district)
        too_dear = building.price(t, district) > t.acting.gold
        return rule or ("build.gold" if too_dear else None)

    def _situation(self, t: Table) -> building.Situation:
        """What decides about the card taken: neither doubles nor the limit bar it."""
        return building.situation(t, t.acting.city)._replace(doubles=True, only=None)

    def options(self, t: Table) -> Iterable[Words]:
        others = [seat.name for seat in t.seats if seat.hand and seat is not t.acting]
        builds = [] if building.timing(t) else building.payable(t, self._situation(t))
        return [
            *((name,) for name in others),
            *((name, district) for name in others for district in builds),
        ]

    def apply(self, t: Table, *words: str) -> None:
        self.spend(t)
        owner = t.own_seat(t.seat_named(words[0]))
        owner.hand -= 1
        if len(words) == 1:
            t.own_seat(t.playing.seat).hand += 1
            return
        building.construct(
            t, words[1], gold=building.price(t, words[1]), from_hand=False, counts=False
        )


class Divine(HandPower):
    """`divine`: the Seer takes a card from every other hand and gives each one back."""

    verb = "divine"
    used_as = "seer"

    def closed(self, t: Table) -> str | None:
        others = any(seat.hand for seat in t.seats if seat is not t.acting)
        return super().closed(t) or (None if others else "seer.no_cards")

    def apply(self, t: Table, *words: str) -> None:
        self.spend(t)  # every hand ends with as many cards as before


class Spy(HandPower):
    """`spy P TYPE N`: N cards of the type were seen in P's hand; a gold and a card for each."""

    verb = "spy"
    used_as = "spy"
    players = (0,)
    exact = True

    def objection(self, t: Table, *words: str) -> str | None:
        name, type_, number = words
        seen = t.seats[t.seat_named(name)]
        if seen is t.acting:
            return "spy.self"
        return "spy.hand" if int(number) > min(seen.hand, self._copies(t, type_)) else None

    def _copies(self, t: Table, type_: str) -> int:
        return sum(t.rules.districts[id_].copies for id_ in t.rules.types[type_])

    def options(self, t: Table) -> Iterable[Words]:
        most = {type_: self._copies(t, type_) for type_ in DISTRICT_TYPES}
        return [
            (seat.name, type_, str(number))
            for seat in t.seats
            if seat is not t.acting
            for type_ in DISTRICT_TYPES
            for number in range(min(seat.hand, most[type_]) + 1)
        ]

    def apply(self, t: Table, *words: str) -> None:
        self.spend(t)
        number = int(words[2])
        victim, spy = t.own_seat(t.seat_named(words[0])), t.own_seat(t.playing.seat)
        gold = min(number, victim.gold)
        victim.gold -= gold
        spy.gold += gold
        t.draw(spy, number)
        t.tell("spied", t.seat_named(words[0]), t.playing.seat, amount=gold)


class Study(HandPower):
    """`study`: the Scholar draws seven cards, keeps one and puts the others back."""

    verb = "study"
    used_as = "scholar"

    def closed(self, t: Table) -> str | None:
        return super().closed(t) or (None if t.deck else "gather.deck_empty")

    def apply(self, t: Table, *words: str) -> None:
        self.spend(t)
        t.draw(t.own_seat(t.playing.seat), SCHOLAR_KEEPS)
