"""Characters who lay face-down markers: the Magistrate's warrants, the Blackmailer's threats.

Where the markers are is public; which one counts is face down at the table, or recorded in secret
(`signed C`, `real C`).
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import combinations
from typing import TYPE_CHECKING, ClassVar

from engine.rules.base import Power, Words
from engine.rules.characters.marks import Naming

if TYPE_CHECKING:
    from engine.table import Table


def _sort_by_rank(table: Table, characters: Iterable[str]) -> tuple[str, ...]:
    return tuple(sorted(characters, key=lambda id_: table.rules.characters[id_].rank))


class Markers(Naming):
    """Markers on as many different characters."""

    count: ClassVar[int]

    def objection(self, table: Table, *words: str) -> str | None:
        if len(set(words)) < len(words):
            return f"{self.used_as}.twice"
        return super().objection(table, *words)

    def options(self, table: Table) -> Iterable[Words]:
        return combinations(self.list_nameable(table), self.count)


class Warrants(Markers):
    """`warrants C C C`: one of the three is signed. His own token may carry one too."""

    verb = "warrants"
    used_as = "magistrate"
    names_own = True
    count = 3

    def apply(self, table: Table, *words: str) -> None:
        self.spend(table)
        table.warrants = _sort_by_rank(table, words)


class Threats(Markers):
    """`threats C C`: one of the two is real. His own token may carry one too."""

    verb = "threats"
    used_as = "blackmailer"
    names_own = True
    spares = True
    count = 2

    def apply(self, table: Table, *words: str) -> None:
        self.spend(table)
        table.threats = _sort_by_rank(table, words)


class Signed(Power):
    """`signed C`: optional and secret, which warrant is the signed one."""

    verb = "signed"
    used_as = "signed"

    def closed(self, table: Table) -> str | None:
        return super().closed(table) or (None if table.warrants else "magistrate.no_warrants")

    def objection(self, table: Table, *words: str) -> str | None:
        return None if words[0] in table.warrants else "magistrate.no_such_warrant"

    def options(self, table: Table) -> Iterable[Words]:
        return [(character,) for character in table.warrants]

    def apply(self, table: Table, *words: str) -> None:
        self.spend(table)
        table.signed = words[0]


class Real(Power):
    """`real C`: optional and secret, which threat is the real one."""

    verb = "real"
    used_as = "real"

    def closed(self, table: Table) -> str | None:
        return super().closed(table) or (None if table.threats else "blackmailer.no_threats")

    def objection(self, table: Table, *words: str) -> str | None:
        return None if words[0] in table.threats else "blackmailer.no_such_threat"

    def options(self, table: Table) -> Iterable[Words]:
        return [(character,) for character in table.threats]

    def apply(self, table: Table, *words: str) -> None:
        self.spend(table)
        table.real, table.real_recorded = words[0], True
