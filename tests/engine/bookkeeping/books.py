"""The bookkeeper's own table: what everybody has, and how coins, cards and the crown move."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from tests.engine.bookkeeping.facts import FACE_UP, answers
from tests.engine.boxes import CHARACTERS, EDITIONS, districts

Carry = Callable[..., None]
"""What a move, given as the books and its words, does in them."""


@dataclass
class Card:
    """A district in a city."""

    id: str
    round: int  # in which it was built
    decorated: bool = False
    under: int = 0
    announced: bool = False

    @property
    def mark(self) -> str:
        """How a move tells it from another of its name."""
        return "decorated" if self.decorated else "under" if self.under else "plain"


@dataclass
class Player:
    """What lies in front of one player."""

    name: str
    gold: int = 2
    hand: int = 4
    city: list[Card] = field(default_factory=list)
    revealed: list[str] = field(default_factory=list)
    vault: bool = False

    def has(self, district: str) -> bool:
        return any(card.id == district for card in self.city)


@dataclass
class Turn:
    """A turn being played; `part` is whole, bewitched, resumed, hospital or last."""

    seat: int
    character: str
    part: str = "whole"
    gathered: bool = False
    income: bool = False
    built: list[str | None] = field(default_factory=list)
    spent: int = 0
    given_crown: bool = False
    counted: int = 0  # buildings that use the limit
    borrowed: bool = False


@dataclass
class Question:
    """What a player must answer before anything else."""

    kind: str
    seat: int
    about: Any = ""
    gold: int = 0


class Books:
    """Everything the bookkeeper knows of a game, from the head of its record."""

    def __init__(self, head: dict[str, Any]) -> None:
        self.edition = head["edition"]
        self.printing = EDITIONS[self.edition].printing
        in_box = districts(self.printing)
        self.cards = {
            id_: card
            for id_, card in in_box.items()
            if card.type != "unique" or id_ in head["districts"]
        }
        self.cast = {CHARACTERS[id_][0]: id_ for id_ in head["characters"]}
        self.answers = answers(head)
        self.tracked = self.answers["cities"] == "tracked"
        self.players = [Player(name) for name in head["players"]]
        self.seats = {name: seat for seat, name in enumerate(head["players"])}
        self.crown = self.seats[head["crown"]]
        self.deck_size = sum(card.copies for card in self.cards.values())
        self.deck = self.deck_size - 4 * len(self.players)
        self.faceup_number = FACE_UP.get((len(self.cast), len(self.players)), 0)
        self.round = 1
        self.tax = 0
        self.size: int = self.answers["city_size"]
        self.first: list[int] = []
        self.stage = "selection"
        self.secret = head["secrecy"] == "secret"
        self.last: list[str] = []  # the words of the last move
        self.clear_marks()

    def clear_marks(self) -> None:
        """A round begins: nothing of the last one lies on the table."""
        self.called = 0
        self.faceup: list[str] | None = None if self.faceup_number else []
        self.killed = self.robbed = self.bewitched = self.real = ""
        self.unmasked = -1
        self.warrants: list[str] = []
        self.threats: list[str] = []
        self.settled_warrants: set[str] = set()
        self.settled_threats: set[str] = set()
        self.owes: list[int] = []
        self.turn: Turn | None = None
        self.questions: list[Question] = []
        for player in self.players:
            player.revealed = []

    # -- who and what -----------------------------------------------------------------------------

    @property
    def me(self) -> Player:
        """Whose turn it is."""
        return self.players[self.now.seat]

    @property
    def now(self) -> Turn:
        """The turn being played."""
        assert self.turn is not None
        return self.turn

    def player(self, name: str) -> Player:
        return self.players[self.seats[name]]

    def shown(self, character: str) -> int | None:
        """Who has shown the character this round."""
        seats = [i for i, player in enumerate(self.players) if character in player.revealed]
        return seats[0] if seats else None

    def acts_as(self, character: str) -> int | None:
        """Who has its powers: the Witch where it is bewitched, nobody where it was killed."""
        holder = self.shown(character)
        if character == self.killed or holder is None:
            return None
        return self.shown("witch") if character == self.bewitched else holder

    def find(self, player: Player, district: str, *mark: str) -> Card:
        """The first such district of the city; where they differ, the mark says which is meant."""
        alike = [card for card in player.city if card.id == district]
        return next(card for card in alike if not mark or card.mark == mark[0])

    def worth(self, card: Card) -> int:
        """Its cost with the Artist's gold on it."""
        return self.cards[card.id].cost + card.decorated

    def wall(self, player: Player, card: Card) -> int:
        return int(player.has("great_wall") and card.id != "great_wall")

    def is_complete(self, player: Player) -> bool:
        """The Monument counts as two."""
        return len(player.city) + player.has("monument") >= self.size

    # -- what moves -------------------------------------------------------------------------------

    def draw(self, player: Player, number: int) -> None:
        """As many cards as the deck still has."""
        drawn = min(number, self.deck) if self.tracked else 0
        self.deck -= drawn
        player.hand += drawn

    def discard(self, player: Player, number: int = 1) -> None:
        """From the hand to the bottom of the deck."""
        player.hand -= number
        self.deck += number

    def pay(self, payer: Player, taker: Player, gold: int) -> None:
        payer.gold -= gold
        taker.gold += gold

    def move_crown(self, seat: int) -> None:
        """To that seat; every Throne Room is paid when it changes hands."""
        if seat != self.crown:
            self.crown = seat
            for player in self.players:
                player.gold += player.has("throne_room")

    def note_completion(self, seat: int) -> None:
        if not self.first and self.is_complete(self.players[seat]):
            self.first = [seat]

    def raze(self, player: Player, card: Card) -> None:
        """The card leaves the city with what lay under it; an announced Bell Tower falls silent."""
        player.city.remove(card)
        self.deck += 1 + card.under
        if card.announced:
            self.size = self.answers["city_size"]
