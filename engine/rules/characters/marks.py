"""Characters who name another character: the Assassin, the Thief and the Witch."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import combinations
from typing import TYPE_CHECKING, ClassVar

from engine.rules import turns
from engine.rules.base import Power, Words

if TYPE_CHECKING:
    from engine.table import Table


class Naming(Power):
    """A power that names characters of the game, as a rule others than one's own."""

    exact = True
    names_own: ClassVar[bool] = False
    spares: ClassVar[bool] = False  # rank 1, the killed and the bewitched

    def objection(self, t: Table, *words: str) -> str | None:
        return next((rule for name in words if (rule := self.spared(t, name))), None)

    def spared(self, t: Table, name: str) -> str | None:
        """The rule that keeps that character from being named, if one does."""
        character = t.rules.characters.get(name)
        if character is None:
            return f"{self.used_as}.not_in_cast"
        if name == t.playing.character and not self.names_own:
            return f"{self.used_as}.self"
        if not self.spares:
            return None
        if character.rank == 1:
            return f"{self.used_as}.rank_1"
        if name == t.bewitched:
            return f"{self.used_as}.bewitched"
        # a refusal would give a secret murder away: naming the murdered one is then without effect
        return f"{self.used_as}.killed" if name == t.killed and not t.rules.secret else None

    def options(self, t: Table) -> Iterable[Words]:
        return combinations(self.nameable(t), 1)

    def nameable(self, t: Table) -> list[str]:
        """The characters that may be named, in the order of their ranks."""
        return [name for name in t.rules.cast if self.spared(t, name) is None]


class Kill(Naming):
    """`kill C`: the named character loses its turn."""

    verb = "kill"
    used_as = "assassin"

    def apply(self, t: Table, *words: str) -> None:
        self.spend(t)
        t.killed = words[0]


class Rob(Naming):
    """`rob C`: when the named character is shown, all its player's gold is the Thief's."""

    verb = "rob"
    used_as = "thief"
    spares = True

    def apply(self, t: Table, *words: str) -> None:
        self.spend(t)
        t.robbed = words[0]


class Bewitch(Naming):
    """`bewitch C`: the Witch pauses, and plays the rest of that character's turn herself."""

    verb = "bewitch"
    used_as = "witch"
    must = "witch.must_name"

    def closed(self, t: Table) -> str | None:
        return super().closed(t) or (None if t.playing.gathered else "witch.gather_first")

    def apply(self, t: Table, *words: str) -> None:
        t.bewitched = words[0]
        t.tell("bewitched", t.playing.seat, card=words[0])
        turns.break_off(t)
