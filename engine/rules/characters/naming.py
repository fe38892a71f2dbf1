"""Characters who name another character (the Assassin, the Thief, the Witch) or lay markers."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING, ClassVar

from engine.rules import turns
from engine.rules.base import Power, Words

if TYPE_CHECKING:
    from collections.abc import Iterable

    from engine.table import Table


class Naming(Power):
    """A power that names characters of the game, usually other than one's own."""

    options_are_legal = True
    names_own: ClassVar[bool] = False
    spares: ClassVar[bool] = False  # rank 1, killed and bewitched characters

    def objection(self, table: Table, *words: str) -> str | None:
        return next((rule for word in words if (rule := self.find_protection(table, word))), None)

    def find_protection(self, table: Table, character: str) -> str | None:
        """The rule that protects that character from being named, if any."""
        facts = table.rules.characters.get(character)
        if facts is None:
            return f"{self.used_as}.not_in_cast"
        if character == table.playing.character and not self.names_own:
            return f"{self.used_as}.self"
        if not self.spares:
            return None
        if facts.rank == 1:
            return f"{self.used_as}.rank_1"
        if character == table.marks.bewitched:
            return f"{self.used_as}.bewitched"
        # a refusal would reveal a secret murder, so naming the victim is allowed and has no effect
        is_known = character == table.marks.killed and not table.rules.secret
        return f"{self.used_as}.killed" if is_known else None

    def options(self, table: Table) -> Iterable[Words]:
        return combinations(self.list_nameable(table), 1)

    def list_nameable(self, table: Table) -> list[str]:
        """The characters that may be named, in the order of their ranks."""
        return [one for one in table.rules.cast if self.find_protection(table, one) is None]


class Kill(Naming):
    """`kill C`: the named character loses its turn."""

    verb = "kill"
    used_as = "assassin"

    def apply(self, table: Table, *words: str) -> None:
        self.spend(table)
        table.marks = table.marks._replace(killed=words[0])


class Rob(Naming):
    """`rob C`: when the named character is shown, the Thief takes all its player's gold."""

    verb = "rob"
    used_as = "thief"
    spares = True

    def apply(self, table: Table, *words: str) -> None:
        self.spend(table)
        table.marks = table.marks._replace(robbed=words[0])


class Bewitch(Naming):
    """`bewitch C`: the Witch pauses, and plays the rest of that character's turn herself."""

    verb = "bewitch"
    used_as = "witch"
    obligation = "witch.must_name"

    def closed(self, table: Table) -> str | None:
        return super().closed(table) or (None if table.playing.gathered else "witch.gather_first")

    def apply(self, table: Table, *words: str) -> None:
        table.marks = table.marks._replace(bewitched=words[0])
        turns.break_off(table)


# -- characters who lay face-down markers ---------------------------------------------------------


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
        table.marks = table.marks._replace(warrants=_sort_by_rank(table, words))


class Threats(Markers):
    """`threats C C`: one of the two is real. His own token may carry one too."""

    verb = "threats"
    used_as = "blackmailer"
    names_own = True
    spares = True
    count = 2

    def apply(self, table: Table, *words: str) -> None:
        self.spend(table)
        table.marks = table.marks._replace(threats=_sort_by_rank(table, words))


class Signed(Power):
    """`signed C`: optional and secret, which warrant is the signed one."""

    verb = "signed"
    used_as = "signed"

    def closed(self, table: Table) -> str | None:
        return super().closed(table) or (None if table.marks.warrants else "magistrate.no_warrants")

    def objection(self, table: Table, *words: str) -> str | None:
        return None if words[0] in table.marks.warrants else "magistrate.no_such_warrant"

    def options(self, table: Table) -> Iterable[Words]:
        return [(character,) for character in table.marks.warrants]

    def apply(self, table: Table, *words: str) -> None:
        self.spend(table)
        table.marks = table.marks._replace(signed=words[0])


class Real(Power):
    """`real C`: optional and secret, which threat is the real one."""

    verb = "real"
    used_as = "real"

    def closed(self, table: Table) -> str | None:
        return super().closed(table) or (None if table.marks.threats else "blackmailer.no_threats")

    def objection(self, table: Table, *words: str) -> str | None:
        return None if words[0] in table.marks.threats else "blackmailer.no_such_threat"

    def options(self, table: Table) -> Iterable[Words]:
        return [(character,) for character in table.marks.threats]

    def apply(self, table: Table, *words: str) -> None:
        self.spend(table)
        table.marks = table.marks._replace(real=words[0], real_recorded=True)


POWERS: dict[str, tuple[Power, ...]] = {
    "assassin": (Kill(),),
    "witch": (Bewitch(),),
    "magistrate": (Warrants(), Signed()),
    "thief": (Rob(),),
    "blackmailer": (Threats(), Real()),
}
