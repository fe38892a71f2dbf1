"""Selection: characters discarded face up, choices recorded in secret, the call that ends it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import combinations
from typing import TYPE_CHECKING

from engine.rules import choices
from engine.rules.base import TRACKED, Action, Words

if TYPE_CHECKING:
    from engine.moves import Move
    from engine.ruleset import Ruleset
    from engine.table import Table


class FaceUp(Action):
    """`faceup C...`: the characters discarded face up, before anybody chooses."""

    verb = "faceup"
    exact = True

    def closed(self, t: Table) -> str | None:
        if t.rules.faceup_count == 0:
            return "faceup.count"
        return "faceup.done" if t.faceup is not None else None

    def objection(self, t: Table, *words: str) -> str | None:
        if len(set(words)) < len(words):
            return "faceup.twice"
        characters = t.rules.characters
        if any(word not in characters for word in words):
            return "faceup.not_in_cast"
        if any(characters[word].rank == 4 for word in words):
            return "faceup.rank_4"
        return "faceup.count" if len(words) != t.rules.faceup_count else None

    def options(self, t: Table) -> Iterable[Words]:
        characters = t.rules.characters
        able = [character for character in t.rules.cast if characters[character].rank != 4]
        return combinations(able, t.rules.faceup_count)

    def apply(self, t: Table, *words: str) -> None:
        t.faceup = words


class Choose(Action):
    """`choose P C`: optional and secret, which character a player took; a later one replaces it."""

    verb = "choose"
    exact = True
    players = (0,)

    def closed(self, t: Table) -> str | None:
        return "choose.faceup_owed" if t.faceup is None else None

    def objection(self, t: Table, *words: str) -> str | None:
        _name, character = words
        if character not in t.rules.characters:
            return "choose.not_in_cast"
        return "choose.face_up" if t.faceup and character in t.faceup else None

    def options(self, t: Table) -> Iterable[Words]:
        dealt = [c for c in t.rules.cast if c not in (t.faceup or ())]
        return [(name, character) for name in t.rules.player_names for character in dealt]

    def moves(self, t: Table) -> Sequence[Move]:
        """The list changes only with what lies face up, so it is kept."""
        kept = t.rules.choices
        faceup = t.faceup or ()
        if faceup not in kept:
            kept[faceup] = tuple(super().moves(t))
        return kept[faceup]

    def apply(self, t: Table, *words: str) -> None:
        name, character = words
        choices.note(t, t.seat_named(name), character)


class Call(Action):
    """`call`: everybody has chosen; rank 1 is called."""

    verb = "call"

    def closed(self, t: Table) -> str | None:
        return "call.faceup_owed" if t.faceup is None else None

    def apply(self, t: Table, *words: str) -> None:
        t.stage = "calling"
        t.called = min(t.rules.by_rank)


class UseTheater(Action):
    """`use theater P`: after the choosing, its owner swaps character cards with another, unseen."""

    verb = "use"
    players = (1,)
    under = TRACKED

    def possible(self, rules: Ruleset, moment: str) -> bool:
        return bool(rules.having("swaps_characters"))

    def closed(self, t: Table) -> str | None:
        if t.faceup is None:
            return "choose.faceup_owed"
        return "theater.done" if t.theater_used else None

    def objection(self, t: Table, *words: str) -> str | None:
        if words[0] not in t.rules.having("swaps_characters"):
            return "use.not_now"
        if len(words) != 2:
            return "use.form"
        owner = self._owner(t)
        if owner is None:
            return "theater.nobody"
        return "theater.self" if t.seats[owner].name == words[1] else None

    def options(self, t: Table) -> Iterable[Words]:
        if self._owner(t) is None:
            return ()
        return [
            (theater, name)
            for theater in t.rules.having("swaps_characters")
            for name in t.rules.player_names
        ]

    def apply(self, t: Table, *words: str) -> None:
        owner = self._owner(t)
        if owner is None:
            raise LookupError("nobody has the Theater")
        t.theater_used = True
        mine, theirs = t.own_seat(owner), t.own_seat(t.seat_named(words[1]))
        if t.rules.picks == 1:
            mine.chosen, theirs.chosen = theirs.chosen, mine.chosen
        else:
            mine.chosen = theirs.chosen = ()  # which of the cards went, nobody has recorded

    def _owner(self, t: Table) -> int | None:
        for index, seat in enumerate(t.seats):
            if "swaps_characters" in seat.city.effects:
                return index
        return None


SELECTION: tuple[Action, ...] = (FaceUp(), Choose(), UseTheater(), Call())
