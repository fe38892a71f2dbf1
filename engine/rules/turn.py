"""What every character may do in a turn: gather, take income, build, use a district, end."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from engine.rules import turns
from engine.rules.base import Action, Menu, Words
from engine.rules.districts import USES
from engine.table import Built

if TYPE_CHECKING:
    from engine.moves import Move
    from engine.table import Table

GATHERED_GOLD = 2  # every edition, Player turns
DRAWN_CARDS = 2
KEPT_CARDS = 1


class GatherGold(Action):
    """`gold`: two gold from the bank."""

    verb = "gold"

    def closed(self, t: Table) -> str | None:
        return "gather.done" if t.playing.gathered else None

    def apply(self, t: Table, *words: str) -> None:
        turn = t.own_turn()
        turn.gathered = True
        t.own_seat(turn.seat).gold += GATHERED_GOLD


class GatherCards(Action):
    """`cards`: draw two and keep one, more with the Observatory and the Library."""

    verb = "cards"

    def closed(self, t: Table) -> str | None:
        if t.playing.gathered:
            return "gather.done"
        return None if t.deck else "gather.deck_empty"

    def apply(self, t: Table, *words: str) -> None:
        turn = t.own_turn()
        turn.gathered = True
        seat = t.own_seat(turn.seat)
        effects = seat.city.effects
        drawn = effects.get("draws", DRAWN_CARDS)
        kept = effects.get("keeps", KEPT_CARDS)
        t.draw(seat, drawn if kept == "all" else kept)


class Income(Action):
    """`income`: one gold for each district of the character's type, once a turn."""

    verb = "income"

    def closed(self, t: Table) -> str | None:
        turn = t.playing
        if t.rules.characters[turn.character].income is None:
            return "income.none"
        return "income.done" if turn.income else None

    def objection(self, t: Table, *words: str) -> str | None:
        return "income.form" if words else None

    def apply(self, t: Table, *words: str) -> None:
        turn = t.own_turn()
        turn.income = True
        seat = t.own_seat(turn.seat)
        gold = paying_districts(t, turn.seat, turn.character)
        seat.gold += gold
        t.tell("income", turn.seat, amount=gold)


def paying_districts(t: Table, index: int, character: str) -> int:
    """How many districts of that city pay the character: its type, and the School of Magic."""
    income = t.rules.characters[character].income
    if income is None:
        return 0
    paying = t.rules.types[income]
    districts = t.rules.districts
    return sum(
        card.id in paying or "income_as_any_type" in districts[card.id].effects
        for card in t.seats[index].city.cards
    )


class Build(Action):
    """`build D`: pay for a district of the hand and put it into the city."""

    verb = "build"

    def closed(self, t: Table) -> str | None:
        turn = t.playing
        if not turn.gathered and not t.rules.answers["build_before_gathering"]:
            return "build.not_gathered"
        if len(turn.built) >= t.rules.characters[turn.character].build_limit:
            return "build.limit"
        return None if t.seats[turn.seat].hand else "build.no_card"

    def objection(self, t: Table, *words: str) -> str | None:
        district = words[0]
        if district not in t.rules.districts:
            return "build.not_in_game"
        if len(words) > 1:
            return "build.form"
        return next((rule for rule, barred in self._bars(t) if district in barred), None)

    def moves(self, t: Table) -> Sequence[Move]:
        if self.closed(t) is not None:
            return ()
        seat = t.acting
        # what is barred depends on these three alone, and they seldom change within a turn
        key = (seat.city.ids, t.exhausted, seat.gold)
        builds = t.rules.builds.get(key)
        if builds is None:
            barred = frozenset().union(*(ids for _, ids in self._bars(t)))
            builds = tuple(self.made[(d,)] for d in t.rules.districts if d not in barred)
            t.rules.builds[key] = builds
        return builds

    def _bars(self, t: Table) -> Iterable[tuple[str, frozenset[str]]]:
        """The districts that cannot be built now, by the rule that bars them."""
        seat = t.acting
        yield "build.duplicate", seat.city.ids
        yield "build.copies", t.exhausted
        yield "build.gold", t.rules.dearer_than(seat.gold)

    def apply(self, t: Table, *words: str) -> None:
        district = words[0]
        turn = t.own_turn()
        seat = t.own_seat(turn.seat)
        cost = t.rules.districts[district].cost
        seat.gold -= cost
        seat.hand -= 1
        turn.spent += cost
        turn.built += (district,)
        t.set_city(seat, (*seat.city.cards, Built(district, built_in_round=t.round)))
        turns.note_completion(t, turn.seat)


class Use(Action):
    """`use D ...`: the power of a district in one's own city, once a turn each."""

    verb = "use"

    def objection(self, t: Table, *words: str) -> str | None:
        district = words[0]
        use = USES.get(district)
        if use is None:
            return "use.no_power"
        if district not in t.acting.city.ids:
            return "use.not_in_city"
        if district in t.playing.used:
            return "use.done"
        if len(words) - 1 != use.takes:
            return "use.form"
        return use.objection(t, *words[1:])

    def options(self, t: Table) -> Iterable[Words]:
        return [
            (district, *words)
            for district in USES  # in its order: a set's would differ from run to run
            if district in t.acting.city.ids
            for words in USES[district].options(t)
        ]

    def moves(self, t: Table) -> Sequence[Move]:
        city = t.acting.city.ids
        if city.isdisjoint(USES):
            return ()
        return super().moves(t)

    def apply(self, t: Table, *words: str) -> None:
        turn = t.own_turn()
        turn.used |= {words[0]}
        USES[words[0]].apply(t, *words[1:])


class End(Action):
    """`end`: the turn ends; the next rank is called."""

    verb = "end"

    def closed(self, t: Table) -> str | None:
        return None if t.playing.gathered else "end.not_gathered"

    def apply(self, t: Table, *words: str) -> None:
        turns.finish(t)


_FIRST = (GatherGold(), GatherCards(), Income())
_LAST = (Build(), Use(), End())


def turn_menu(powers: Iterable[Action]) -> Menu:
    """The menu of a turn played by a character with these powers."""
    return Menu((*_FIRST, *powers, *_LAST))
