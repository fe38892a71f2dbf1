"""The rules in force at one table: edition, house options, players, cast and deck, looked up once.

Everything here is fixed for a whole game. What rules need at every decision (ranks, costs, copies,
the districts affordable with some gold) is computed at set-up, so that rules only look things up.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from engine import cards, datafiles
from engine.editions import EARLIER, RULINGS, Edition
from engine.moves import Move, Vocabulary

START_GOLD = 2  # every edition, Set-up
START_HAND = 4  # every edition, Set-up

_NO_CARDS: frozenset[str] = frozenset()


class Ruleset:
    """The rules a table plays by. Built from checked set-up data: see `engine.record`."""

    def __init__(
        self,
        edition: Edition,
        players: Sequence[str],
        *,
        cast: Iterable[str] | None = None,
        uniques: Iterable[str] | None = None,
        options: Mapping[str, Any] | None = None,
        secret: bool = False,
    ) -> None:
        """Rules for `players` in seat order; `uniques` are the unique districts shuffled in.

        `secret` keeps the targets of the Assassin and the Thief from the table until they
        take effect (docs/dev/rules-coverage.md, Secrecy at the table).
        """
        self.edition = edition
        self.player_names = tuple(players)
        self.seat_of = {name: index for index, name in enumerate(players)}
        self.secret = secret
        self.options = dict(options or {})
        earlier = edition.earlier if self.options.get(RULINGS) == EARLIER else {}
        answers = edition.answers(len(self.player_names))
        self.answers: dict[str, Any] = answers | earlier | self.options
        self.tracks_cities = self.answers["cities"] == "tracked"
        self.only_scores = self.answers["cities"] == "counted"
        self.start_gold = 0 if self.only_scores else START_GOLD
        self.start_hand = 0 if self.only_scores else START_HAND
        ordinary_cast = edition.ordinary_cast(len(self.player_names))
        self._set_cast(tuple(cast) if cast is not None else ordinary_cast)
        self.ranks_shown = self._find_ranks_shown(cast is not None)
        self._set_deck(tuple(uniques) if uniques is not None else self._ordinary_uniques())
        self.vocabulary = Vocabulary(players, cards.characters(), cards.district_ids())

    def _set_cast(self, cast: tuple[str, ...]) -> None:
        characters = cards.characters()
        self.cast = tuple(sorted(cast, key=lambda id_: characters[id_].rank))
        printing = self.edition.printing
        self.characters = {
            id_: cards.adapt_to_printing(characters[id_], printing) for id_ in self.cast
        }
        self.by_rank = {characters[id_].rank: id_ for id_ in self.cast}
        self.last_rank = max(self.by_rank)
        self.selection = _selections()[len(self.cast)][len(self.player_names)]
        self.faceup_count: int = self.selection["faceup"]
        self.picks: int = self.selection["picks"]

        self.income_in = {
            id_: character.effects.get("income_in", "gold")
            for id_, character in self.characters.items()
        }

    def _find_ranks_shown(self, is_cast_told: bool) -> tuple[int, ...]:
        """The ranks that a last character can have had; where only the points are counted, all of
        its box: nobody has said who played."""
        if is_cast_told or not self.only_scores:
            return tuple(sorted(self.by_rank))
        largest = max(list_cast_sizes(self.edition, len(self.player_names)))
        box = {c.rank for c in cards.characters().values() if self.edition.printing in c.printings}
        return tuple(sorted(rank for rank in box if rank <= largest))

    def _ordinary_uniques(self) -> tuple[str, ...]:
        """The edition's unique districts, except those removed because of the cast; where only the
        points are counted, all of its box: nobody has said which were shuffled in."""
        districts = cards.districts(self.edition.printing)
        every = tuple(id_ for id_, d in districts.items() if d.type == "unique")
        if self.only_scores:
            return every
        out = find_taken_out(self.edition, self.cast)
        return tuple(id_ for id_ in self.edition.uniques or every if id_ not in out)

    def _set_deck(self, uniques: Sequence[str]) -> None:
        districts = cards.districts(self.edition.printing)
        self.districts = {
            id_: card for id_, card in districts.items() if card.type != "unique" or id_ in uniques
        }
        self.uniques = tuple(id_ for id_, d in self.districts.items() if d.type == "unique")
        self.deck_size = sum(card.copies for card in self.districts.values())
        self.types: dict[str, frozenset[str]] = {
            type_: frozenset(id_ for id_, d in self.districts.items() if d.type == type_)
            for type_ in cards.DISTRICT_TYPES
        }
        self._affordable: dict[tuple[int, int], tuple[str, ...]] = {}
        # caches of engine.rules, filled once per game or per city
        self.menus: dict[str, Any] = {}
        self.choices: dict[tuple[str, ...], tuple[Move, ...]] = {}
        self.barred: dict[tuple[Any, ...], frozenset[str]] = {}
        self.payments: dict[str, Any] = {}
        self.builds: dict[tuple[int, int], list[tuple[str, Move]]] = {}
        self._find_effects()

    def _find_effects(self) -> None:
        """Index the cards by the effects that rules look up at every decision."""
        by_effect: dict[str, set[str]] = {}
        effects = {id_: card.effects for id_, card in self.districts.items()}
        effects |= {id_: card.effects for id_, card in self.characters.items()}
        for id_, its_own in effects.items():
            for effect in its_own:
                by_effect.setdefault(effect, set()).add(id_)
        self._by_effect = {effect: frozenset(ids) for effect, ids in by_effect.items()}
        self.present = frozenset(by_effect)  # every effect that some card of this game has
        free = self.cards_with("outside_limit")
        self.outside_limit = {
            id_: free | self.types.get(character.effects.get("unlimited", ""), _NO_CARDS)
            for id_, character in self.characters.items()
        }
        """The districts that do not use up the building limit of a character's turn."""

        self.doubling = self.answers["doubles"] == "allowed" or bool(
            self.cards_with("doubles") or self.cards_with("builds_doubles")
        )

    def cards_with(self, effect: str) -> frozenset[str]:
        """The characters and districts of this game that have the effect."""
        return self._by_effect.get(effect, _NO_CARDS)

    def price(self, district: str, unique_discount: int = 0) -> int:
        """What building the district costs, in gold, with a discount on unique districts: never
        less than 0."""
        card = self.districts[district]
        return max(0, card.cost - unique_discount) if card.type == "unique" else card.cost

    def list_prices(self, districts: Iterable[str], unique_discount: int = 0) -> list[int]:
        """What building each of the districts costs, in gold, with that discount."""
        return [self.price(district, unique_discount) for district in districts]

    def list_affordable(self, gold: int, unique_discount: int = 0) -> tuple[str, ...]:
        districts = self._affordable.get((gold, unique_discount))
        if districts is None:
            districts = self._affordable[gold, unique_discount] = tuple(
                id_ for id_ in self.districts if self.price(id_, unique_discount) <= gold
            )
        return districts

    @property
    def seats(self) -> range:
        return range(len(self.player_names))

    def names(self, seats: Iterable[int]) -> list[str]:
        return [self.player_names[seat] for seat in seats]


def find_taken_out(edition: Edition, cast: Iterable[str]) -> frozenset[str]:
    """The unique districts that the edition takes out of the deck because of that cast."""
    return frozenset(id_ for character in cast for id_ in edition.taken_out.get(character, ()))


def list_cast_sizes(edition: Edition, players: int) -> frozenset[int]:
    """The sizes of cast that this many players may use in that box."""
    sizes = (size for size, tables in _selections().items() if players in tables)
    return frozenset(size for size in sizes if size == 8 or players not in edition.eight_with)


@datafiles.keep
def _selections() -> Mapping[int, Mapping[int, dict[str, Any]]]:
    """How characters are chosen, by the size of the cast and the number of players."""
    return {
        int(size): {int(players): how for players, how in tables.items()}
        for size, tables in datafiles.load("selection").items()
    }
