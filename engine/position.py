"""Positions: a table set up at any instant, and everything that makes one impossible.

`read_position` writes a record's `position` onto the table of its set-up; problems are collected,
not raised, so that all of them are told at once.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from engine.moves import fold
from engine.problems import Checker, Path, nearest, shown
from engine.rules.characters import POWERS
from engine.rules.districts import USES
from engine.table import Built, Turn

if TYPE_CHECKING:
    from engine.table import Seat, Table

KEYS = (
    "round",
    "players",
    "first_complete",
    "faceup",
    "killed",
    "robbed",
    "bewitched",
    "warrants",
    "signed",
    "threats",
    "real",
    "chosen",
    "revealed",
    "called",
    "turn",
    "settled",
    "owes_tax",
    "tax",
)
PLAYER_KEYS = ("gold", "hand", "city", "vault", "last_rank", "killed")
DISTRICT_KEYS = ("id", "decorated", "under", "built_last_round", "announced")
# The marks of a round, and whose power leaves them.
MAKERS = {
    "killed": ("assassin",),
    "robbed": ("thief",),
    "bewitched": ("witch",),
    "warrants": ("magistrate",),
    "signed": ("magistrate",),
    "threats": ("blackmailer",),
    "real": ("blackmailer",),
    "settled": ("magistrate", "blackmailer"),
    "owes_tax": ("tax_collector_2004",),
    "tax": ("tax_collector",),
}
LASTING_MARKS = ("tax",)  # stay from round to round
TURN_KEYS = ("player", "character", "gathered", "income", "built", "used", "spent")


def read_position(check: Checker, data: object, table: Table) -> None:
    """Set the table up as `data` describes; every problem is noted in `check`."""
    _Reader(check, table).read(data)


class _Reader:
    def __init__(self, check: Checker, table: Table) -> None:
        self.check = check
        self.t = table
        self.rules = table.rules

    def read(self, data: object) -> None:
        facts = self.check.mapping(data, ("position",), KEYS)
        self.facts = facts
        if "round" in facts:
            self.t.round = self.check.number(facts["round"], ("position", "round"), least=1)
        self._players(facts.get("players"))
        self._count_cards()
        self._faceup(facts.get("faceup"))
        self._revealed(facts.get("revealed"))
        self._chosen(facts.get("chosen"))
        self._marks(facts)
        self._called(facts.get("called"))
        self._turn(facts.get("turn"))
        self._makers(facts)
        self._round_so_far()
        self._choices_can_be_kept()
        self._first_complete(facts.get("first_complete"))

    # -- players and cities -----------------------------------------------------------------

    def _seat(self, name: object, path: Path) -> int | None:
        for index, known in enumerate(self.rules.player_names):
            if fold(known) == fold(str(name)):
                return index
        names = self.rules.player_names
        self.check.say(path, f"{shown(name)} is no player of this game{nearest(str(name), names)}")
        return None

    def _by_player(self, data: object, path: Path) -> list[tuple[int, object, Path]]:
        """The entries of a mapping from players: (seat, value, place)."""
        if data is None:
            return []
        if not isinstance(data, dict):
            self.check.say(path, f"{path[-1]} must map players to what they have")
            return []
        found: dict[int, tuple[int, object, Path]] = {}
        for name, value in data.items():
            place = (*path, name)
            seat = self._seat(name, place)
            if seat in found:
                self.check.say(place, f"{self.rules.player_names[seat]} is named twice")
            elif seat is not None:
                found[seat] = (seat, value, place)
        return list(found.values())

    def _players(self, data: object) -> None:
        for index, value, path in self._by_player(data, ("position", "players")):
            facts = self.check.mapping(value, path, PLAYER_KEYS)
            seat = self.t.own_seat(index)
            if "gold" in facts:
                seat.gold = self.check.number(facts["gold"], (*path, "gold"))
            if "hand" in facts:
                seat.hand = self.check.number(facts["hand"], (*path, "hand"))
            if "vault" in facts:
                seat.vault = self.check.truth(facts["vault"], (*path, "vault"))
                if seat.vault and "secret_vault" not in self.rules.districts:
                    self.check.say((*path, "vault"), "the 'secret_vault' is not in this game")
            self._last_rank(seat, facts, path)
            self._city(seat, facts.get("city"), (*path, "city"))

    def _last_rank(self, seat: Seat, facts: dict[str, object], path: Path) -> None:
        if "last_rank" in facts:
            most = self.rules.last_rank
            place = (*path, "last_rank")
            seat.last_rank = self.check.number(facts["last_rank"], place, least=1, most=most)
        killed = "killed" in facts and self.check.truth(facts["killed"], (*path, "killed"))
        if killed and self.rules.answers["highest_rank"] == "revealed":
            seat.last_rank = 0  # the character was never shown

    def _city(self, seat: Seat, data: object, path: Path) -> None:
        built = [
            self._built(item, (*path, place))
            for place, item in enumerate(self.check.items(data, path))
        ]
        cards = [card for card in built if card is not None]
        for district, copies in Counter(card.id for card in cards).items():
            if copies > 1:
                self.check.say(path, f"{seat.name}'s city has {copies} times {district!r}")
        self.t.set_city(seat, cards)

    def _built(self, item: object, path: Path) -> Built | None:
        facts = (
            self.check.mapping(item, path, DISTRICT_KEYS) if isinstance(item, dict) else {"id": item}
        )
        id_ = self.check.known(facts.get("id"), path, self.rules.districts, "district of this game")
        if id_ is None:
            return None
        flags = {
            key: key in facts and self.check.truth(facts[key], (*path, key))
            for key in ("decorated", "built_last_round", "announced")
        }
        under = self.check.number(facts.get("under", 0), (*path, "under"))
        possible = {
            "decorated": "artist" in self.rules.cast,
            "under": id_ == "museum",
            "announced": id_ == "bell_tower",
        }
        for key, can_be in possible.items():
            if facts.get(key) and not can_be:
                self.check.say((*path, key), f"{id_!r} cannot be {key!r} in this game")
        return Built(
            id_,
            decorated=flags["decorated"],
            under=under,
            built_in_round=self.t.round if flags["built_last_round"] else 0,
            announced=flags["announced"],
        )

    def _count_cards(self) -> None:
        """No more copies than the box holds, no more cards in hands than the deck has left."""
        path: Path = ("position", "players")
        cities = [card for seat in self.t.seats for card in seat.city.cards]
        for district, count in Counter(card.id for card in cities).items():
            copies = self.rules.districts[district].copies
            if count > copies:
                self.check.say(
                    path, f"{count} times {district!r} stand in cities, but the game has {copies}"
                )
        hands = sum(seat.hand for seat in self.t.seats)
        self.t.deck = self.rules.deck_size - len(cities) - sum(c.under for c in cities) - hands
        if self.t.deck < 0:
            self.check.say(
                path, f"{hands} cards in hands are {-self.t.deck} more than the deck has left"
            )

    def _first_complete(self, data: object) -> None:
        path: Path = ("position", "first_complete")
        seats = [
            self._seat(name, (*path, place))
            for place, name in enumerate(self.check.items(data, path))
        ]
        first = tuple(seat for seat in seats if seat is not None)
        if len(set(first)) < len(first):
            self.check.say(path, "a player is named twice")
        complete = [i for i in self.rules.seats if self.t.is_complete(self.t.seats[i])]
        if data is None and len(complete) == 1:
            first = tuple(complete)  # the only complete city was the first
        self.t.first_complete = first

    # -- this round's characters ------------------------------------------------------------

    def _character(self, data: object, path: Path) -> str | None:
        return self.check.known(data, path, self.rules.cast, "character of this game")

    def _characters(self, data: object, path: Path) -> tuple[str, ...]:
        items = enumerate(self.check.items(data, path))
        read = [self._character(item, (*path, place)) for place, item in items]
        return tuple(character for character in read if character is not None)

    def _faceup(self, data: object) -> None:
        if data is None:
            return
        path: Path = ("position", "faceup")
        faceup = self._characters(data, path)
        if len(set(faceup)) < len(faceup):
            self.check.say(path, "a character lies face up twice")
        if len(faceup) > self.rules.faceup_count:
            self.check.say(
                path,
                f"{len(faceup)} characters lie face up, but {self.rules.faceup_count} are "
                "discarded at this table",
            )
        selecting = self.facts.get("called") is None and self.facts.get("turn") is None
        if selecting and 0 < len(faceup) < self.rules.faceup_count:
            self.check.say(
                path,
                f"{len(faceup)} characters lie face up, but {self.rules.faceup_count} are "
                "discarded before anybody chooses",
            )
        if selecting and not faceup and self.rules.faceup_count:
            return  # still owed
        for character in faceup:
            if self.rules.characters[character].rank == 4:
                self.check.say(path, f"{character!r} has rank 4 and is never discarded face up")
        self.t.faceup = faceup

    def _revealed(self, data: object) -> None:
        for index, value, path in self._by_player(data, ("position", "revealed")):
            self.t.own_seat(index).revealed = self._characters(value, path)
        self._held_once("revealed")

    def _chosen(self, data: object) -> None:
        for index, value, path in self._by_player(data, ("position", "chosen")):
            self.t.own_seat(index).chosen = self._characters(value, path)
        self._held_once("chosen")

    def _held_once(self, what: str) -> None:
        """Each character in one hand, no hand with more than the table deals, none face up."""
        path: Path = ("position", what)
        held: list[str] = []
        for seat in self.t.seats:
            mine = getattr(seat, what)
            if len(mine) > self.rules.picks:
                self.check.say(path, f"{seat.name} has more than {self.rules.picks} {what}")
            held += mine
        for character, times in Counter(held).items():
            if times > 1:
                self.check.say(path, f"{character!r} is {what} {times} times")
            if character in (self.t.faceup or ()):
                self.check.say(path, f"{character!r} lies face up and cannot be {what}")

    def _marks(self, facts: dict[str, object]) -> None:
        if facts.get("killed") is not None:
            self.t.killed = self._character(facts["killed"], ("position", "killed"))
        if facts.get("robbed") is not None:
            self.t.robbed = self._character(facts["robbed"], ("position", "robbed"))
        known = self.rules.characters
        if self.t.killed == "assassin":
            self.check.say(("position", "killed"), "the Assassin cannot have killed himself")
        if self.t.killed and any(self.t.killed in seat.revealed for seat in self.t.seats):
            self.check.say(
                ("position", "killed"), f"{self.t.killed!r} was killed and cannot be revealed"
            )
        if self.t.robbed and (known[self.t.robbed].rank == 1 or self.t.robbed == "thief"):
            self.check.say(("position", "robbed"), f"{self.t.robbed!r} cannot be robbed")
        if self.t.robbed and self.t.robbed == self.t.killed and not self.rules.secret:
            self.check.say(
                ("position", "robbed"), f"{self.t.robbed!r} was killed and cannot be robbed"
            )

    def _makers(self, facts: dict[str, object]) -> None:
        """A mark has somebody who can have left it, and the moment for it has come."""
        ranks = self.rules.characters
        for mark, makers in MAKERS.items():
            if not facts.get(mark):
                continue
            path: Path = ("position", mark)
            here = [maker for maker in makers if maker in self.rules.cast]
            turn = self.t.turn
            begun = self.t.called if turn is not None else self.t.called - 1
            if not here:
                named = " or ".join(map(repr, makers))
                self.check.say(path, f"nobody can have done this: {named} is not in this game")
            elif all(maker in (self.t.faceup or ()) for maker in here):
                self.check.say(path, f"nobody can have done this: {here[0]!r} lies face up")
            elif mark not in LASTING_MARKS and all(ranks[m].rank > begun for m in here):
                self.check.say(path, f"{here[0]!r} has not had a turn this round")
            elif turn is not None and turn.character in here:
                turn.used |= {turn.character}

    # -- the moment -------------------------------------------------------------------------

    def _called(self, data: object) -> None:
        if data is None:
            return
        path: Path = ("position", "called")
        rank = self.check.number(data, path, least=1, most=self.rules.last_rank)
        self._call(rank)

    def _call(self, rank: int) -> None:
        self.t.called = rank
        self.t.stage = "calling"
        if self.t.faceup is None:
            self.t.faceup = ()

    def _turn(self, data: object) -> None:
        if data is None:
            return
        path: Path = ("position", "turn")
        facts = self.check.mapping(data, path, TURN_KEYS)
        index = self._seat(facts.get("player"), (*path, "player"))
        character = self._character(facts.get("character"), (*path, "character"))
        if index is None or character is None:
            return
        self._turn_is_possible(index, character, path)
        turn = Turn(index, character)
        for flag in ("gathered", "income"):
            if flag in facts:
                setattr(turn, flag, self.check.truth(facts[flag], (*path, flag)))
        if turn.income and self.rules.characters[character].income is None:
            self.check.say((*path, "income"), f"{character!r} has no income from districts")
        turn.built = self._built_this_turn(facts.get("built"), turn, (*path, "built"))
        turn.used = self._used(facts.get("used"), character, (*path, "used"))
        if "spent" in facts:
            turn.spent = self.check.number(facts["spent"], (*path, "spent"))
        self.t.turn = turn
        self.t.stage = "turn"

    def _turn_is_possible(self, index: int, character: str, path: Path) -> None:
        rank = self.rules.characters[character].rank
        if self.t.called and self.t.called != rank:
            self.check.say(
                path, f"rank {self.t.called} is called, but {character!r} has rank {rank}"
            )
        self._call(rank)
        if character == self.t.killed:
            self.check.say(path, f"{character!r} was killed and has no turn")
        if character in (self.t.faceup or ()):
            self.check.say(path, f"{character!r} lies face up and has no turn")
        holder = self.t.holder(character)
        if holder is not None and holder != index:
            name = self.rules.player_names[holder]
            self.check.say(path, f"{character!r} was revealed by {name}")
        elif holder is None:
            seat = self.t.own_seat(index)
            seat.revealed += (character,)
            if len(seat.revealed) > self.rules.picks:
                self.check.say(path, f"{seat.name} has already shown {seat.revealed[0]!r}")

    def _built_this_turn(self, data: object, turn: Turn, path: Path) -> tuple[str, ...]:
        read = [
            self.check.known(item, (*path, place), self.rules.districts, "district of this game")
            for place, item in enumerate(self.check.items(data, path))
        ]
        built = tuple(district for district in read if district is not None)
        limit = self.rules.characters[turn.character].build_limit
        if len(built) > limit:
            self.check.say(path, f"{len(built)} are built, but the limit is {limit}")
        if built and not turn.gathered and not self.rules.answers["build_before_gathering"]:
            self.check.say(path, "nothing can be built before gathering")
        return built

    def _used(self, data: object, character: str, path: Path) -> frozenset[str]:
        """Powers by district id, by verb, or by the character whose power it is."""
        names = {power.verb: power.used_as for power in POWERS[character]}
        names |= {power.used_as: power.used_as for power in POWERS[character]}
        names |= {district: district for district in USES}
        read = [
            self.check.known(item, (*path, place), names, f"power of the {character}")
            for place, item in enumerate(self.check.items(data, path))
        ]
        return frozenset(names[item] for item in read if item is not None)

    def _round_so_far(self) -> None:
        """Nobody has shown a rank that has not been called."""
        if not self.t.called:
            return
        for seat in self.t.seats:
            for character in seat.revealed:
                rank = self.rules.characters[character].rank
                later = rank > self.t.called
                open_call = rank == self.t.called and self.t.turn is None
                if later or open_call:
                    self.check.say(
                        ("position", "revealed"),
                        f"{character!r} is revealed, but rank {rank} has not been answered yet",
                    )

    def _choices_can_be_kept(self) -> None:
        """Who has recorded a choice can still show it, or has shown it already."""
        for index, seat in enumerate(self.t.seats):
            for character in seat.chosen:
                holder = self.t.holder(character)
                if holder is not None and holder != index:
                    self.check.say(
                        ("position", "chosen"),
                        f"{character!r} was revealed by {self.rules.player_names[holder]}",
                    )
            if seat.chosen and len({*seat.chosen, *seat.revealed}) > self.rules.picks:
                self.check.say(
                    ("position", "chosen"),
                    f"{seat.name} has chosen and revealed more than {self.rules.picks}",
                )
