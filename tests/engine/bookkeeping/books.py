"""The bookkeeper's own table: everybody's belongings, and the movements of coins, cards and the
crown."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from tests.engine.bookkeeping.facts import FACE_UP, answers
from tests.engine.boxes import CHARACTERS, EDITIONS, PRINTINGS, OwnCards, districts, districts_with

Carry = Callable[..., None]
"""Applies a move, given by its words, to the books."""


@dataclass
class Card:
    """A district in a city."""

    id: str
    round: int  # the round it was built in
    decorated: bool = False
    under: int = 0
    announced: bool = False

    @property
    def mark(self) -> str:
        """The mark that distinguishes it from others of its name in a move."""
        return "decorated" if self.decorated else "under" if self.under else "plain"


@dataclass
class Player:
    """One player's belongings."""

    name: str
    gold: int = 2
    hand: int = 4
    city: list[Card] = field(default_factory=list)
    revealed: list[str] = field(default_factory=list)
    noted: list[str] = field(default_factory=list)  # secretly recorded choices, oldest first
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
    counted: int = 0  # buildings that count towards the limit
    borrowed: bool = False
    used: set[str] = field(default_factory=set)  # the turn's verbs and districts so far


@dataclass
class Question:
    """A question that a player must answer before any other move."""

    kind: str
    seat: int
    about: Any = ""
    gold: int = 0


class Books:
    """The bookkeeper's state of a game, from the head of its record and the table's own cards."""

    def __init__(self, head: dict[str, Any], own: OwnCards) -> None:
        self.edition = head["edition"]
        self.printing = EDITIONS[self.edition].printing
        in_box = districts_with(own, self.printing)
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
        self.ending = False
        self.stage = "selection"
        self.picks = 2 if len(self.players) <= 3 else 1  # characters of each player
        self.secret = head["secrecy"] == "secret"
        self.last: list[str] = []  # the words of the last move
        self.clear_marks()

    def clear_marks(self) -> None:
        """Clear the last round's marks."""
        self.called = 0
        self.faceup: list[str] | None = None if self.faceup_number else []
        self.killed = self.robbed = self.bewitched = self.signed = self.real = ""
        self.unmasked = -1
        self.warrants: list[str] = []
        self.threats: list[str] = []
        self.settled_warrants: set[str] = set()
        self.settled_threats: set[str] = set()
        self.owes: list[int] = []
        self.turn: Turn | None = None
        self.questions: list[Question] = []
        for player in self.players:
            player.revealed, player.noted = [], []

    # -- who and what -----------------------------------------------------------------------------

    @property
    def me(self) -> Player:
        """The player whose turn it is."""
        return self.players[self.now.seat]

    @property
    def now(self) -> Turn:
        """The turn being played."""
        assert self.turn is not None
        return self.turn

    def player(self, name: str) -> Player:
        return self.players[self.seats[name]]

    def find_shown(self, character: str) -> int | None:
        """The seat that has shown the character this round."""
        seats = [i for i, player in enumerate(self.players) if character in player.revealed]
        return seats[0] if seats else None

    def find_acting(self, character: str) -> int | None:
        """The seat with its powers: the Witch's if bewitched, none if killed."""
        holder = self.find_shown(character)
        if character == self.killed or holder is None:
            return None
        return self.find_shown("witch") if character == self.bewitched else holder

    def find(self, player: Player, district: str, *mark: str) -> Card:
        """The first such district of the city, with that mark if they differ."""
        alike = [card for card in player.city if card.id == district]
        return next(card for card in alike if not mark or card.mark == mark[0])

    def worth(self, card: Card) -> int:
        """Its cost with the Artist's gold on it."""
        return self.cards[card.id].cost + card.decorated

    def price(self, district: str) -> int:
        """What the player whose turn it is pays for building it."""
        card = self.cards[district]
        return max(0, card.cost - (card.type == "unique" and self.me.has("factory")))

    def newest(self, district: str) -> str:
        """The printing whose text the card has: this box's, or that of the newest that has it."""
        printings = (self.printing, *reversed(PRINTINGS))
        return next(printing for printing in printings if district in districts(printing))

    def wall(self, player: Player, card: Card) -> int:
        costs_more = card.id != "great_wall" or self.answers["great_wall"] == "all"
        return int(player.has("great_wall") and costs_more)

    def is_complete(self, player: Player) -> bool:
        """Whether the city is complete; the Monument counts as two."""
        monuments = sum(card.id == "monument" for card in player.city)
        return len(player.city) + monuments >= self.size

    # -- what moves -------------------------------------------------------------------------------

    def draw(self, player: Player, number: int) -> None:
        """Draw cards, at most as many as the deck has."""
        count = min(number, self.deck) if self.tracked else 0
        self.deck -= count
        player.hand += count

    def discard(self, player: Player, number: int = 1) -> None:
        """Move cards from the hand to the bottom of the deck; light mode counts none."""
        if self.tracked:
            player.hand -= number
            self.deck += number

    def pay(self, payer: Player, taker: Player, gold: int) -> None:
        payer.gold -= gold
        taker.gold += gold

    def move_crown(self, seat: int) -> None:
        """Move the crown to that seat; if it changes hands, every Throne Room is paid."""
        if seat != self.crown:
            self.crown = seat
            for player in self.players:
                player.gold += player.has("throne_room")

    def note_completion(self, seat: int) -> None:
        if self.is_complete(self.players[seat]):
            self.ending = True
            self.first = self.first or [seat]

    def raze(self, player: Player, card: Card) -> None:
        """Remove the card and the cards under it from the city; cancels an announced Bell Tower."""
        player.city.remove(card)
        self.deck += 1 + card.under
        if card.announced:
            self.size = self.answers["city_size"]
            if self.answers["fallen_bell_tower"] == "usual" and self.ending:
                self.ending = any(map(self.is_complete, self.players))
