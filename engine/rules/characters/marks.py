"""Characters who name another character: the Assassin, the Thief and the Witch."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, ClassVar

from engine.rules import turns
from engine.rules.base import Power, Words

if TYPE_CHECKING:
    from engine.table import Table


def victim_objection(t: Table, target: str, power: str) -> str | None:
    """Who cannot be named by the Thief and the Blackmailer: rank 1, the killed, the bewitched."""
    if t.rules.characters[target].rank == 1:
        return f"{power}.rank_1"
    if target == t.bewitched:
        return f"{power}.bewitched"
    # a refusal would give a secret murder away: naming the murdered one is then without effect
    return f"{power}.killed" if target == t.killed and not t.rules.secret else None


class Naming(Power):
    """A power that names characters of the game, as a rule others than one's own."""

    names_own: ClassVar[bool] = False

    def objection(self, t: Table, *words: str) -> str | None:
        for target in words:
            if target not in t.rules.characters:
                return f"{self.used_as}.not_in_cast"
            if target == t.playing.character and not self.names_own:
                return f"{self.used_as}.self"
        return None

    def options(self, t: Table) -> Iterable[Words]:
        return [(character,) for character in t.rules.cast]


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

    def objection(self, t: Table, *words: str) -> str | None:
        return super().objection(t, *words) or victim_objection(t, words[0], self.used_as)

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
