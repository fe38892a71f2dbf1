"""The rules in force at one table: edition, house options, players, cast and deck, looked up once.

Everything here is fixed for a whole game. What a rule needs at every decision (who has which rank,
what a district costs, how many copies there are, which districts so much gold can buy) is worked
out at set-up, so that the rules themselves only look things up.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any
from typing import cast as cast_type

from engine import cards, datafiles
from engine.editions import Edition, editions
from engine.moves import Move, Vocabulary

START_GOLD = 2  # every edition, Set-up
START_HAND = 4  # every edition, Set-up


class Ruleset:
    """What a table plays. Built from checked set-up data: see `engine.record`."""

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

        `secret` keeps the targets of the Assassin and the Thief from the table (rules.md,
        Secrecy at the table).
        """
        self.edition = edition
        self.player_names = tuple(players)
        self.seat_of = {name: index for index, name in enumerate(players)}
        self.secret = secret
        self.options = dict(options or {})
        self.answers: dict[str, Any] = edition.answers(len(self.player_names)) | self.options
        self.start_gold = START_GOLD
        self.start_hand = START_HAND
        self._cast(tuple(cast) if cast is not None else edition.cast)
        self._deck(uniques)
        self.vocabulary = Vocabulary(players, cards.characters(), cards.district_ids())

    def _cast(self, cast: tuple[str, ...]) -> None:
        known = cards.characters()
        self.cast = tuple(sorted(cast, key=lambda id_: known[id_].rank))
        self.characters = {id_: known[id_] for id_ in self.cast}
        self.by_rank = {known[id_].rank: id_ for id_ in self.cast}
        self.last_rank = max(self.by_rank)
        self.selection = _selections()[len(self.cast)][len(self.player_names)]
        self.faceup_count: int = self.selection["faceup"]
        self.picks: int = self.selection["picks"]

    def _deck(self, uniques: Iterable[str] | None) -> None:
        printed = cards.districts(self.edition.printing)
        chosen = None if uniques is None else frozenset(uniques)
        self.districts = {
            id_: card
            for id_, card in printed.items()
            if card.type != "unique" or chosen is None or id_ in chosen
        }
        self.uniques = tuple(id_ for id_, d in self.districts.items() if d.type == "unique")
        self.deck_size = sum(card.copies for card in self.districts.values())
        self.types: dict[str, frozenset[str]] = {
            type_: frozenset(id_ for id_, d in self.districts.items() if d.type == type_)
            for type_ in cards.DISTRICT_TYPES
        }
        dearest = max(card.cost for card in self.districts.values())
        self._dearer = [
            frozenset(id_ for id_, d in self.districts.items() if d.cost > gold)
            for gold in range(dearest)
        ]
        self.builds: dict[tuple[object, ...], tuple[Move, ...]] = {}  # kept by engine.rules.turn

    def dearer_than(self, gold: int) -> frozenset[str]:
        """The districts that cost more than so much gold."""
        return self._dearer[gold] if gold < len(self._dearer) else frozenset()

    @property
    def seats(self) -> range:
        """The numbers of the seats."""
        return range(len(self.player_names))

    def names(self, seats: Iterable[int]) -> list[str]:
        """The names of the players in these seats."""
        return [self.player_names[seat] for seat in seats]


def casts_possible(edition: Edition, players: int) -> frozenset[int]:
    """The sizes of cast that a table of so many players may use in this edition."""
    return frozenset(size for size, tables in _selections().items() if players in tables)


def _selections() -> Mapping[int, Mapping[int, dict[str, Any]]]:
    """How characters are chosen, by the size of the cast and the number of players."""
    return cast_type("Mapping[int, Mapping[int, dict[str, Any]]]", datafiles.load("selection"))


def ordinary(edition_id: str, players: Sequence[str], **settings: Any) -> Ruleset:
    """The rules of an edition's ordinary game, for tests, benchmarks and examples."""
    return Ruleset(editions()[edition_id], players, **settings)
