"""What every character may do in a turn: gather, take income, use a district, end."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from engine.rules import turns
from engine.rules.base import TRACKED, Action, Power, Words
from engine.rules.characters import POWERS
from engine.rules.districts import USES
from engine.rules.income import OncePerTurn
from engine.rules.payments import Build
from engine.rules.untracked import Complete, Gain, Pay, UntrackedBuild, UntrackedIncome
from engine.table import BEWITCHED, HOSPITAL, LAST, NAMING, THREATENED, WHOLE

if TYPE_CHECKING:
    from engine.moves import Move
    from engine.ruleset import Ruleset
    from engine.table import Table

GATHERED_GOLD = 2  # every edition, Player turns
DRAWN_CARDS = 2
KEPT_CARDS = 1


def gathered_gold(t: Table) -> int:
    """How much gold the acting player would gather."""
    extra: int = t.acting.city.effects.get("gathers_gold", 0)
    return GATHERED_GOLD + extra


def gathered_cards(t: Table) -> tuple[int, int]:
    """How many cards the acting player would draw, and how many of them keep."""
    effects = t.acting.city.effects
    drawn: int = effects.get("draws", DRAWN_CARDS)
    if "keeps_all" not in effects:
        return drawn, KEPT_CARDS
    return drawn, min(drawn, t.rules.answers["library_with_observatory"])


class GatherGold(Action):
    """`gold`: two gold from the bank."""

    verb = "gold"

    def closed(self, t: Table) -> str | None:
        return "gather.done" if t.playing.gathered else None

    def apply(self, t: Table, *words: str) -> None:
        gold = gathered_gold(t)
        turn = t.own_turn()
        turn.gathered = True
        t.own_seat(turn.seat).gold += gold
        turns.after_gathering(t)


class GatherCards(Action):
    """`cards`: draw two and keep one, more with the Observatory and the Library."""

    verb = "cards"

    def closed(self, t: Table) -> str | None:
        if t.playing.gathered:
            return "gather.done"
        return None if t.deck else "gather.deck_empty"

    def apply(self, t: Table, *words: str) -> None:
        _drawn, kept = gathered_cards(t)
        turn = t.own_turn()
        turn.gathered = True
        t.draw(t.own_seat(turn.seat), kept)
        turns.after_gathering(t)


class Income(OncePerTurn):
    """`income`: one gold (or card) for each district of the character's type, once a turn.

    Who may mix both says so: `income gold N cards M`.
    """

    under = TRACKED

    def objection(self, t: Table, *words: str) -> str | None:
        mixed = t.rules.income_in[t.playing.character] == "mix"
        if mixed != bool(words) or len(words) == 1:
            return "income.form"
        if not words:
            return None
        gold, cards = int(words[1]), int(words[3])
        if gold + cards != paying_districts(t, t.playing.seat, t.playing.character):
            return "income.split"
        return "income.deck_empty" if cards > t.deck else None

    def options(self, t: Table) -> Iterable[Words]:
        if t.rules.income_in[t.playing.character] != "mix":
            return ((),)
        total = paying_districts(t, t.playing.seat, t.playing.character)
        return [("gold", str(total - cards), "cards", str(cards)) for cards in range(total + 1)]

    def apply(self, t: Table, *words: str) -> None:
        turn = t.own_turn()
        turn.income = True
        total = paying_districts(t, turn.seat, turn.character)
        kind = t.rules.income_in[turn.character]
        cards = int(words[3]) if words else total if kind == "cards" else 0
        seat = t.own_seat(turn.seat)
        seat.gold += total - cards
        t.draw(seat, cards)


def paying_districts(t: Table, index: int, character: str) -> int:
    """How many districts of that city pay the character: its type, and the School of Magic."""
    income = t.rules.characters[character].income
    if income is None:
        return 0
    paying = t.rules.types[income] | t.rules.having("income_as_any_type")
    return sum(card.id in paying for card in t.seats[index].city.cards)


class Use(Action):
    """`use D ...`: the power of a district in one's own city, once a turn each."""

    verb = "use"
    players = (1,)
    under = TRACKED

    def possible(self, rules: Ruleset, character: str) -> bool:
        return not USES.keys().isdisjoint(rules.districts)

    def objection(self, t: Table, *words: str) -> str | None:
        district = words[0]
        use = USES.get(district)
        if use is None:
            return "use.no_power"
        if district not in t.acting.city.ids:
            return "use.not_in_city"
        if district in t.playing.used:
            return "use.done"
        if len(words) - 1 not in use.takes:
            return "use.form"
        return use.objection(t, *words[1:])

    def options(self, t: Table) -> Iterable[Words]:
        used = t.playing.used
        return [
            (district, *words)
            for district, use in USES.items()  # in their order: a set's would differ by run
            if district in t.acting.city.ids and district not in used
            for words in use.options(t)
        ]

    def moves(self, t: Table) -> Sequence[Move]:
        if t.acting.city.ids.isdisjoint(USES):
            return ()
        return super().moves(t)

    def apply(self, t: Table, *words: str) -> None:
        turn = t.own_turn()
        turn.used |= {words[0]}
        USES[words[0]].apply(t, *words[1:])


class Forfeit(Action):
    """`forfeit`: the table takes the turn away, before anything is done in it (Ball Room)."""

    verb = "forfeit"
    under = TRACKED

    def possible(self, rules: Ruleset, character: str) -> bool:
        return bool(rules.having("asks_courtesy"))

    def closed(self, t: Table) -> str | None:
        turn = t.playing
        caller = turn.called_by  # a King answers before he takes the crown
        if turn.seat == caller or "asks_courtesy" not in t.seats[caller].city.effects:
            return "ball_room.not_here"
        begun = turn.gathered or turn.income or turn.used or turn.built
        return "ball_room.begun" if begun else None

    def apply(self, t: Table, *words: str) -> None:
        t.tell("forfeited", t.playing.seat)
        turns.break_off(t)


class End(Action):
    """`end`: the turn ends; the next rank is called."""

    verb = "end"

    def closed(self, t: Table) -> str | None:
        turn = t.playing
        whole = turn.part is WHOLE
        if not turn.gathered and (t.rules.answers["must_gather"] or not whole):
            return "end.not_gathered"
        owed = _OWED.get(turn.character)
        # a killed player with the Hospital has no power, and so owes none
        if owed is None or owed.used_as in turn.used or turn.part == HOSPITAL:
            return None
        return owed.must

    def apply(self, t: Table, *words: str) -> None:
        turns.finish(t)


_OWED: dict[str, Power] = {
    character: power for character, powers in POWERS.items() for power in powers if power.must
}
"""The power without which a character's turn cannot end."""


_GATHER = (GatherGold(), GatherCards())
_INCOME, _BUILD, _USE, _FORFEIT, _END = Income(), Build(), Use(), Forfeit(), End()
_UNTRACKED_INCOME, _UNTRACKED_BUILD = UntrackedIncome(), UntrackedBuild()
_MONEY = (Pay(), Gain(), Complete())

PARTS: dict[str, tuple[Action, ...]] = {
    BEWITCHED: _GATHER,
    HOSPITAL: (*_GATHER, _END),
    NAMING: (*_GATHER, *POWERS["witch"], _FORFEIT, *_MONEY, _END),
    THREATENED: (*_GATHER, _FORFEIT, *_MONEY, _END),
    LAST: (*_MONEY, _END),
}
"""The parts of a turn that leave less to do than the character's whole turn."""


def turn_actions(powers: Iterable[Action]) -> tuple[Action, ...]:
    """The actions of a turn played by a character with these powers."""
    tracked, untracked = (_BUILD, _USE, _FORFEIT), (_UNTRACKED_BUILD, *_MONEY)
    return (*_GATHER, _INCOME, _UNTRACKED_INCOME, *powers, *tracked, *untracked, _END)
