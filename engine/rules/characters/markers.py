"""Characters who lay face-down markers: the Magistrate's warrants, the Blackmailer's threats.

Where the markers lie is public; which one counts the table holds face down, or the record keeps in
secret (`signed C`, `real C`).
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import combinations
from typing import TYPE_CHECKING, ClassVar

from engine.rules.base import Power, Words
from engine.rules.characters.marks import Naming

if TYPE_CHECKING:
    from engine.table import Table


def _in_rank_order(t: Table, characters: Iterable[str]) -> tuple[str, ...]:
    return tuple(sorted(characters, key=lambda id_: t.rules.characters[id_].rank))


class Markers(Naming):
    """So many markers on as many characters."""

    count: ClassVar[int]

    def objection(self, t: Table, *words: str) -> str | None:
        if len(set(words)) < len(words):
            return f"{self.used_as}.twice"
        return super().objection(t, *words)

    def options(self, t: Table) -> Iterable[Words]:
        return combinations(self.nameable(t), self.count)


class Warrants(Markers):
    """`warrants C C C`: one of the three is signed. His own token is as good as any other."""

    verb = "warrants"
    used_as = "magistrate"
    names_own = True
    count = 3

    def apply(self, t: Table, *words: str) -> None:
        self.spend(t)
        t.warrants = _in_rank_order(t, words)


class Threats(Markers):
    """`threats C C`: one of the two is real."""

    verb = "threats"
    used_as = "blackmailer"
    spares = True
    count = 2

    def apply(self, t: Table, *words: str) -> None:
        self.spend(t)
        t.threats = _in_rank_order(t, words)


class Signed(Power):
    """`signed C`: optional and secret, which warrant is the signed one."""

    verb = "signed"
    used_as = "signed"

    def closed(self, t: Table) -> str | None:
        return super().closed(t) or (None if t.warrants else "magistrate.no_warrants")

    def objection(self, t: Table, *words: str) -> str | None:
        return None if words[0] in t.warrants else "magistrate.no_such_warrant"

    def options(self, t: Table) -> Iterable[Words]:
        return [(character,) for character in t.warrants]

    def apply(self, t: Table, *words: str) -> None:
        self.spend(t)
        t.signed = words[0]


class Real(Power):
    """`real C`: optional and secret, which threat is the real one."""

    verb = "real"
    used_as = "real"

    def closed(self, t: Table) -> str | None:
        return super().closed(t) or (None if t.threats else "blackmailer.no_threats")

    def objection(self, t: Table, *words: str) -> str | None:
        return None if words[0] in t.threats else "blackmailer.no_such_threat"

    def options(self, t: Table) -> Iterable[Words]:
        return [(character,) for character in t.threats]

    def apply(self, t: Table, *words: str) -> None:
        self.spend(t)
        t.real, t.real_recorded = words[0], True
