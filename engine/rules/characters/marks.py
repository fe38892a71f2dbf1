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
    """A power that names characters of the game, usually other than one's own."""

    exact = True
    names_own: ClassVar[bool] = False
    spares: ClassVar[bool] = False  # rank 1, killed and bewitched characters

    def objection(self, table: Table, *words: str) -> str | None:
        return next((rule for name in words if (rule := self.find_protection(table, name))), None)

    def find_protection(self, table: Table, name: str) -> str | None:
        """The rule that protects that character from being named, if any."""
        character = table.rules.characters.get(name)
        if character is None:
            return f"{self.used_as}.not_in_cast"
        if name == table.playing.character and not self.names_own:
            return f"{self.used_as}.self"
        if not self.spares:
            return None
        if character.rank == 1:
            return f"{self.used_as}.rank_1"
        if name == table.bewitched:
            return f"{self.used_as}.bewitched"
        # a refusal would reveal a secret murder, so naming the victim is allowed and has no effect
        return f"{self.used_as}.killed" if name == table.killed and not table.rules.secret else None

    def options(self, table: Table) -> Iterable[Words]:
        return combinations(self.list_nameable(table), 1)

    def list_nameable(self, table: Table) -> list[str]:
        """The characters that may be named, in the order of their ranks."""
        return [name for name in table.rules.cast if self.find_protection(table, name) is None]


class Kill(Naming):
    """`kill C`: the named character loses its turn."""

    verb = "kill"
    used_as = "assassin"

    def apply(self, table: Table, *words: str) -> None:
        self.spend(table)
        table.killed = words[0]


class Rob(Naming):
    """`rob C`: when the named character is shown, the Thief takes all its player's gold."""

    verb = "rob"
    used_as = "thief"
    spares = True

    def apply(self, table: Table, *words: str) -> None:
        self.spend(table)
        table.robbed = words[0]


class Bewitch(Naming):
    """`bewitch C`: the Witch pauses, and plays the rest of that character's turn herself."""

    verb = "bewitch"
    used_as = "witch"
    must = "witch.must_name"

    def closed(self, table: Table) -> str | None:
        return super().closed(table) or (None if table.playing.gathered else "witch.gather_first")

    def apply(self, table: Table, *words: str) -> None:
        table.bewitched = words[0]
        turns.break_off(table)
