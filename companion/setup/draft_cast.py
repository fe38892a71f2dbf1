"""The characters and unique districts of an unfinished setup."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from companion import setup
from companion.language import _, plural, translate
from engine import cards, casts

if TYPE_CHECKING:
    from companion.setup.options import PlayOptions
    from engine.editions import Edition
    from engine.record import Setup


@dataclass
class DraftCast:
    """A printed cast by its id, or cards chosen one by one; None is the box's default."""

    printed: str | None = None
    characters: tuple[str, ...] | None = None
    districts: tuple[str, ...] | None = None

    @classmethod
    def of(cls, options: PlayOptions, last: Setup | None) -> DraftCast:
        """The cast of the options, else of the last game."""
        if options.cast or options.characters or options.districts or last is None:
            return cls(options.cast, options.characters, options.districts)
        return cls(None, last.characters, last.districts)

    def has_choice(self, edition: Edition, players: int) -> bool:
        """Whether there is a choice besides the ordinary characters."""
        return casts.has_choice(edition, players)

    def has_uniques_to_choose(self, edition: Edition) -> bool:
        """Whether the box has more unique districts than a game uses."""
        return edition.uniques_played is not None

    def choose(self, name: str, edition: Edition, players: int) -> None:
        """Choose the cast of that name: ordinary, random (drawn at once), or a printed one."""
        self.printed = self.characters = self.districts = None
        if name == setup.RANDOM:
            drawn = casts.draw(edition, players, setup.chance)
            self.characters, self.districts = drawn.characters, drawn.districts
        elif name != setup.ORDINARY:
            self.printed = name

    def choose_character(self, id_: str, edition: Edition, players: int) -> None:
        """Put that character in place of the one of its rank; choosing an optional ninth again
        removes it."""
        known = cards.characters()
        rank = known[id_].rank
        chosen = {known[c].rank: c for c in self.playing(edition, players)}
        optional = rank > casts.LAST_RANK and not casts.needs_ninth(edition, players)
        if chosen.get(rank) == id_ and optional:
            del chosen[rank]
        else:
            chosen[rank] = id_
        self.districts = self.list_shuffled_in(edition, players) if self.printed else self.districts
        self.printed = None
        self.characters = tuple(chosen[rank] for rank in sorted(chosen))

    def choose_districts(self, districts: tuple[str, ...] | None, edition: Edition, n: int) -> None:
        """Shuffle in these unique districts (None: the ordinary ones); the characters stay."""
        if self.printed is not None:
            self.characters, self.printed = self.playing(edition, n), None
        self.districts = districts

    def playing(self, edition: Edition, players: int) -> tuple[str, ...]:
        """The current characters."""
        if self.characters is not None:
            return self.characters
        named = self._find_named(edition, players)
        return named.characters if named else edition.ordinary_cast(players)

    def list_shuffled_in(self, edition: Edition, players: int) -> tuple[str, ...]:
        """The current unique districts."""
        named = self._find_named(edition, players)
        chosen = self.districts or (named.districts if named else None) or edition.uniques
        able = casts.uniques(edition, self.playing(edition, players))
        return tuple(id_ for id_ in able if chosen is None or id_ in chosen)

    def cards(self, edition: Edition, players: int) -> set[str]:
        """Every card of the game."""
        printed = cards.districts(edition.printing)
        usual = {id_ for id_, card in printed.items() if card.type != "unique"}
        return {*self.playing(edition, players), *self.list_shuffled_in(edition, players), *usual}

    def name(self, edition: Edition, players: int) -> str:
        """A short name for the cast."""
        if self.characters is None:
            printed = casts.list_printed(edition).get(self.printed or "")
            return translate(printed.title) if printed else _("ordinary")
        return _("ordinary") if self._is_ordinary(edition, players) else _("chosen")

    def uniques_name(self) -> str:
        """A short name for the unique districts."""
        if self.printed is not None:
            return _("those of the cast")
        if self.districts is None:
            return _("ordinary")
        return plural("{number} chosen", "{number} chosen", len(self.districts))

    def _is_ordinary(self, edition: Edition, players: int) -> bool:
        return set(self.characters or ()) == set(edition.ordinary_cast(players))

    def _find_named(self, edition: Edition, players: int) -> casts.Cast | None:
        printed = casts.list_printed(edition).get(self.printed or "")
        return casts.fit(edition, printed, players) if printed else None
