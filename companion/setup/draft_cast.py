"""The cast of a draft: a printed one, or cards chosen one by one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from companion import setup
from companion.language import _, plural
from engine import cards as engine_cards
from engine import casts

if TYPE_CHECKING:
    from companion.setup import PlayOptions
    from engine.editions import Edition
    from engine.record import Setup


@dataclass
class DraftCast:
    """A printed cast by its name, or cards chosen one by one; None is the box's default."""

    printing: str | None = None
    characters: tuple[str, ...] | None = None
    districts: tuple[str, ...] | None = None

    @classmethod
    def of(cls, options: PlayOptions, last: Setup | None) -> DraftCast:
        """The cast of the options, else of the last game."""
        if options.cast or options.characters or options.districts or last is None:
            return cls(options.cast, options.characters, options.districts)
        return cls(None, last.characters, last.districts)

    def choose(self, name: str, edition: Edition, players: int) -> None:
        """Choose the cast of that name: ordinary, random (drawn at once), or a printed one."""
        self.printing = self.characters = self.districts = None
        if name == setup.RANDOM:
            cast = casts.draw(edition, players, setup.chance)
            self.characters, self.districts = cast.characters, cast.districts
        elif name != setup.ORDINARY:
            self.printing = name

    def choose_character(self, id_: str, edition: Edition, players: int) -> None:
        """Put that character in place of the one of its rank; choosing an optional ninth again
        removes it."""
        characters = engine_cards.characters()
        rank = characters[id_].rank
        choices = {characters[c].rank: c for c in self.playing(edition, players)}
        optional = rank > casts.LAST_RANK and not casts.needs_ninth(edition, players)
        if choices.get(rank) == id_ and optional:
            del choices[rank]
        else:
            choices[rank] = id_
        self.districts = (
            self.list_shuffled_in(edition, players) if self.printing else self.districts
        )
        self.printing = None
        self.characters = tuple(choices[rank] for rank in sorted(choices))

    def choose_districts(self, districts: tuple[str, ...] | None, edition: Edition, n: int) -> None:
        """Shuffle in these unique districts (None: the ordinary ones); the characters stay."""
        if self.printing is not None:
            self.characters, self.printing = self.playing(edition, n), None
        self.districts = districts

    def playing(self, edition: Edition, players: int) -> tuple[str, ...]:
        if self.characters is not None:
            return self.characters
        cast = self._find_named(edition, players)
        return cast.characters if cast else edition.ordinary_cast(players)

    def list_shuffled_in(self, edition: Edition, players: int) -> tuple[str, ...]:
        cast = self._find_named(edition, players)
        choices = self.districts or (cast.districts if cast else None) or edition.uniques
        able = casts.uniques(edition, self.playing(edition, players))
        return tuple(id_ for id_ in able if choices is None or id_ in choices)

    def cards(self, edition: Edition, players: int) -> set[str]:
        districts = engine_cards.districts(edition.printing)
        usual = {id_ for id_, card in districts.items() if card.type != "unique"}
        return {*self.playing(edition, players), *self.list_shuffled_in(edition, players), *usual}

    def name(self, edition: Edition, players: int) -> str:
        if self.characters is None:
            self._find_named(edition, players)
            titles = {cast.name: cast.title for cast in setup.list_named(edition, players)}
            return titles.get(self.printing or "", _("ordinary"))
        is_ordinary = set(self.characters) == set(edition.ordinary_cast(players))
        return _("ordinary") if is_ordinary else _("chosen")

    def uniques_name(self) -> str:
        if self.printing is not None:
            return _("those of the cast")
        if self.districts is None:
            return _("ordinary")
        return plural("{number} chosen", "{number} chosen", len(self.districts))

    def _find_named(self, edition: Edition, players: int) -> casts.Cast | None:
        """The printed cast as it is played, if one is chosen. A lot is drawn once, and again only
        for another number of players."""
        ways = setup.find_ways(self.printing or "", edition, players)
        if ways and self.printing not in ways:
            self.printing = setup.chance(list(ways))
        return ways.get(self.printing or "")
