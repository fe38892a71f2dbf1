"""Characters who name another character: the Assassin and the Thief."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from engine.rules.base import Power, Words

if TYPE_CHECKING:
    from engine.table import Table


class Kill(Power):
    """`kill C`: the named character loses its turn."""

    verb = "kill"
    used_as = "assassin"

    def objection(self, t: Table, *words: str) -> str | None:
        target = t.rules.characters.get(words[0])
        if target is None:
            return "assassin.not_in_cast"
        return "assassin.self" if target.id == t.playing.character else None

    def options(self, t: Table) -> Iterable[Words]:
        return [(character,) for character in t.rules.cast]

    def apply(self, t: Table, *words: str) -> None:
        self.spend(t)
        t.killed = words[0]


class Rob(Power):
    """`rob C`: when the named character is shown, all its player's gold is the Thief's."""

    verb = "rob"
    used_as = "thief"

    def objection(self, t: Table, *words: str) -> str | None:
        target = t.rules.characters.get(words[0])
        if target is None:
            return "thief.not_in_cast"
        if target.id == t.playing.character:
            return "thief.self"
        if target.rank == 1:
            return "thief.rank_1"
        # a refusal would give a secret murder away: naming the murdered one then robs nobody
        return "thief.killed" if target.id == t.killed and not t.rules.secret else None

    def options(self, t: Table) -> Iterable[Words]:
        return [(character,) for character in t.rules.cast]

    def apply(self, t: Table, *words: str) -> None:
        self.spend(t)
        t.robbed = words[0]
