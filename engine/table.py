"""The table at one instant: whose turn it is, everybody's gold and city, and this round's marks.

A table is never changed once a move is complete: a move works on a fresh copy (`Table.copy`), so
undoing means going back to the previous table. Copies share what did not change; `Table.own_seat`
and `Table.own_turn` copy a part before it is written to.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from engine.cards import District
    from engine.ruleset import Ruleset


_new = object.__new__  # `Table.__new__(Table)` would look it up for each copy


class Built(NamedTuple):
    """A district in a city: `decorated` by the Artist, cards `under` a museum, and so on."""

    id: str
    decorated: bool = False
    under: int = 0
    built_in_round: int = 0
    announced: bool = False

    @property
    def mark(self) -> str:
        """The word that distinguishes it from others of its name: one of `engine.moves.MARKS`."""
        return "decorated" if self.decorated else "under" if self.under else "plain"


class City:
    """The districts in front of one player, with facts derived from them; immutable."""

    __slots__ = ("_without", "cards", "effects", "ids", "kinds", "size")

    def __init__(self, cards: tuple[Built, ...], districts: Mapping[str, District]) -> None:
        self._without: dict[Built, City] = {}
        self.cards = cards
        self.ids = frozenset([card.id for card in cards])
        # what a move can name: one card of each kind, the first of identical doubles
        self.kinds = cards
        if len(self.ids) < len(cards):
            kinds = {(card.id, card.mark): card for card in reversed(cards)}
            self.kinds = tuple(kinds.values())[::-1]
        self.effects: dict[str, Any] = {}
        self.size: int = len(cards)
        for effects in [districts[card.id].effects for card in cards]:
            if effects:  # few have any
                self.effects.update(effects)
                self.size += effects.get("counts_as", 1) - 1

    def find(self, district: str, *mark: str) -> Built | None:
        """The (first) district with that id, and with that mark if one is given, or None."""
        for card in self.kinds:
            if card.id == district and (not mark or card.mark == mark[0]):
                return card
        return None

    def list_differing(self, district: str) -> tuple[Built, ...]:
        """One district of that id for each mark; empty if all of them are alike."""
        of_that_name = tuple(card for card in self.kinds if card.id == district)
        return of_that_name if len(of_that_name) > 1 else ()

    def words(self, card: Built) -> tuple[str, ...]:
        """The words for the district in a move: its id, and its mark if others of its name
        differ."""
        return (card.id, card.mark) if self.list_differing(card.id) else (card.id,)

    def check_words(self, district: str, *mark: str) -> str | None:
        """The rule that refuses these words for a district of this city, if one does."""
        differing = self.list_differing(district)
        if not mark:
            return "district.which" if differing else None
        return None if mark[0] in {card.mark for card in differing} else "district.mark"

    def without(self, card: Built, districts: Mapping[str, District]) -> City:
        """The city without that card; cached."""
        city = self._without.get(card)
        if city is None:
            city = self._without[card] = City(self.cards_without(card), districts)
        return city

    def cards_changing(self, card: Built, **facts: Any) -> tuple[Built, ...]:
        """The city's cards with only this one changed, not others of its name."""
        cards = list(self.cards)
        cards[cards.index(card)] = card._replace(**facts)
        return tuple(cards)

    def cards_without(self, card: Built) -> tuple[Built, ...]:
        """The cards of the city without this one. Raises ValueError if it has none."""
        cards = list(self.cards)
        cards.remove(card)
        return tuple(cards)


class Seat:
    """One player's belongings: `gold` in coins, `hand` as a number of cards, never which."""

    __slots__ = ("chosen", "city", "gold", "hand", "last_rank", "name", "revealed", "vault")

    def __init__(self, name: str, gold: int, hand: int, city: City) -> None:
        self.name = name
        self.gold = gold
        self.hand = hand
        self.city = city
        self.revealed: tuple[str, ...] = ()  # characters shown this round
        self.chosen: tuple[str, ...] = ()  # secretly recorded choices of this round
        self.last_rank: int | None = None  # position files: the rank that breaks ties
        self.vault = False

    def copy(self) -> Seat:
        new = _new(Seat)
        new.name = self.name
        new.gold = self.gold
        new.hand = self.hand
        new.city = self.city
        new.revealed = self.revealed
        new.chosen = self.chosen
        new.last_rank = self.last_rank
        new.vault = self.vault
        return new


# The part of a turn being played: nearly always the whole.
WHOLE = "whole"
BEWITCHED = "bewitched"  # the bewitched player gathers, and the Witch plays the rest
RESUMED = "resumed"  # the Witch plays the rest of another's turn
HOSPITAL = "hospital"  # a killed player with the Hospital only gathers
NAMING = "naming"  # the Witch gathers and names, and does nothing else before she resumes
THREATENED = "threatened"  # before anything else, gather and answer the Blackmailer
LAST = "last"  # everything but the end of the turn is done


class Turn:
    """The turn being played: `seat` acts as `character`."""

    __slots__ = (
        "built",
        "called_by",
        "character",
        "extra",
        "gathered",
        "income",
        "part",
        "seat",
        "spent",
        "used",
    )

    def __init__(self, seat: int, character: str, called_by: int) -> None:
        self.seat = seat
        self.character = character
        self.called_by = called_by  # the seat that had the crown when the character was called
        self.gathered = False
        self.income = False  # whether the district income has been taken
        self.built: tuple[str, ...] = ()
        self.used: frozenset[str] = frozenset()  # powers used up this turn
        self.spent = 0  # gold paid for districts
        self.part = WHOLE
        self.extra = 0  # built outside the limit, by a power

    def copy(self) -> Turn:
        new = _new(Turn)
        new.seat = self.seat
        new.character = self.character
        new.called_by = self.called_by
        new.gathered = self.gathered
        new.income = self.income
        new.built = self.built
        new.used = self.used
        new.spent = self.spent
        new.part = self.part
        new.extra = self.extra
        return new


UNNAMED = ""  # a district that was built but not recorded

NO_TURN = Turn(-1, "", -1)  # so that code need not check whether a turn is being played


class Marks(NamedTuple):
    """What was done to characters and players in this round; its end clears them all."""

    killed: str | None = None
    robbed: str | None = None
    bewitched: str | None = None
    warrants: tuple[str, ...] = ()  # in rank order, as the threats
    signed: str | None = None  # the warrant that counts, where it was recorded
    threats: tuple[str, ...] = ()
    real: str | None = None  # the threat that counts, where it was recorded
    real_recorded: bool = False  # whether it was recorded, which is public
    answered_warrants: frozenset[str] = frozenset()  # by character, as the threats
    answered_threats: frozenset[str] = frozenset()
    owes_tax: frozenset[int] = frozenset()  # to the older Tax Collector, once shown
    unmasked: int | None = None  # the seat that had the killed character, once known
    theater_used: bool = False

    @property
    def settled(self) -> frozenset[str]:
        """The characters whose warrant or threat has been answered."""
        return self.answered_warrants | self.answered_threats


NO_MARKS = Marks()


class Question(NamedTuple):
    """A question that a player must answer before any other move."""

    kind: str
    seat: int
    about: str = ""  # the card in question
    amount: int = 0  # gold in question


class Event(NamedTuple):
    """Something that the last move brought about; `seats` and `amount` depend on the kind."""

    kind: str
    seats: tuple[int, ...] = ()
    card: str = ""
    amount: int = 0


class Table:
    """One instant of a game. Seats are numbered clockwise from 0."""

    __slots__ = (
        "called",
        "city_size",
        "crown",
        "deck",
        "ending",
        "events",
        "exhausted",
        "faceup",
        "first_complete",
        "marks",
        "playing",
        "questions",
        "round",
        "rules",
        "seats",
        "stage",
        "tax",
    )

    def __init__(self, rules: Ruleset, crown: int) -> None:
        empty = City((), rules.districts)
        names = rules.player_names
        self.rules = rules
        self.round = 1
        self.stage = "selection"  # selection, calling, turn or over; see `phase`
        self.crown: int = crown
        self.called = 0  # the rank being called
        self.seats: list[Seat] = [
            Seat(name, rules.start_gold, rules.start_hand, empty) for name in names
        ]
        self.deck = rules.deck_size - rules.start_hand * len(names)
        self.exhausted: frozenset[str] = frozenset()  # districts of which every copy is built
        self.city_size: int = rules.answers["city_size"]
        self.faceup: tuple[str, ...] | None = None if rules.faceup_count else ()  # None: owed
        self.marks = NO_MARKS
        self.tax = 0  # gold lying on the deluxe Tax Collector; stays from round to round
        self.playing = NO_TURN  # the turn being played, or NO_TURN
        self.questions: tuple[Question, ...] = ()  # the last is answered first
        self.first_complete: tuple[int, ...] = ()
        self.ending = False  # whether the game ends with this round, since a city was completed
        self.events: tuple[Event, ...] = ()

    def copy(self) -> Table:
        """A table for the next move to work on."""
        new = _new(Table)
        new.rules = self.rules
        new.round = self.round
        new.stage = self.stage
        new.crown = self.crown
        new.called = self.called
        new.seats = self.seats[:]
        new.deck = self.deck
        new.exhausted = self.exhausted
        new.city_size = self.city_size
        new.faceup = self.faceup
        new.marks = self.marks
        new.tax = self.tax
        new.playing = self.playing
        new.questions = self.questions
        new.first_complete = self.first_complete
        new.ending = self.ending
        new.events = ()
        return new

    @property
    def phase(self) -> str:
        """`selection`, `calling`, `turn`, `answer`, `unmask` or `over` (notation, JSON)."""
        if self.questions:
            return "unmask" if self.questions[-1].kind == "unmask" else "answer"
        return self.stage

    def own_seat(self, index: int) -> Seat:
        """The seat, copied for this table so that it may be written to."""
        seat = self.seats[index] = self.seats[index].copy()
        return seat

    def own_acting(self) -> Seat:
        """The seat of the player whose turn it is, copied in the same way."""
        return self.own_seat(self.playing.seat)

    def own_turn(self) -> Turn:
        """The turn, copied for this table so that it may be written to."""
        turn = self.playing = self.playing.copy()
        return turn

    @property
    def turn(self) -> Turn | None:
        """The turn being played, or None outside turns."""
        return None if self.playing is NO_TURN else self.playing

    @turn.setter
    def turn(self, turn: Turn | None) -> None:
        self.playing = NO_TURN if turn is None else turn

    @property
    def acting(self) -> Seat:
        return self.seats[self.playing.seat]

    def seat_named(self, name: str) -> int:
        """The seat number of that player (name as at set-up)."""
        return self.rules.seat_of[name]

    def holder(self, character: str) -> int | None:
        """The seat that has shown that character this round, or None."""
        for index, seat in enumerate(self.seats):
            if character in seat.revealed:
                return index
        return None

    def bearer(self, character: str) -> int | None:
        """The seat that has the character's powers in force: its holder, or the Witch's player;
        for a killed character nobody has, even if the Hospital's owner has shown it."""
        if character == self.marks.killed:
            return None
        holder = self.holder(character)
        if holder is not None and character == self.marks.bewitched:
            return self.holder("witch")  # but not of a character that nobody holds
        return holder

    def is_complete(self, seat: Seat) -> bool:
        """Whether the city is complete at the size in force."""
        return seat.city.size >= self.city_size

    @property
    def has_complete_city(self) -> bool:
        return any(map(self.is_complete, self.seats))

    @property
    def is_last_round(self) -> bool:
        """Whether the game ends with this round."""
        return self.ending or self.has_complete_city

    def draw(self, seat: Seat, cards: int) -> None:
        """Move this many cards, or what is left, from the deck to a hand."""
        count = min(cards, self.deck) if self.rules.tracks_cities else 0
        self.deck -= count
        seat.hand += count

    def discard(self, seat: Seat, cards: int = 1) -> None:
        """Move this many cards from a hand to the deck."""
        if self.rules.tracks_cities:
            seat.hand -= cards
            self.deck += cards

    def pass_card(self, giver: Seat, taker: Seat) -> None:
        if self.rules.tracks_cities:
            giver.hand -= 1
            taker.hand += 1

    def answer_warrants(self, *characters: str) -> None:
        answered = self.marks.answered_warrants.union(characters)
        self.marks = self.marks._replace(answered_warrants=answered)

    def answer_threats(self, *characters: str) -> None:
        answered = self.marks.answered_threats.union(characters)
        self.marks = self.marks._replace(answered_threats=answered)

    def tell(self, kind: str, *seats: int, card: str = "", amount: int = 0) -> None:
        self.events += (Event(kind, seats, card, amount),)

    def set_city(self, seat: Seat, cards: Iterable[Built]) -> None:
        """Give an owned seat a new city and keep `exhausted` up to date."""
        was, now = seat.city, City(tuple(cards), self.rules.districts)
        seat.city = now
        is_doubled = len(was.cards) > len(was.ids) or len(now.cards) > len(now.ids)
        # a double may come or go without changing the ids
        for district in was.ids | now.ids if is_doubled else was.ids ^ now.ids:
            self._recount(district)

    def _recount(self, district: str) -> None:
        cities = [seat.city for seat in self.seats if district in seat.city.ids]
        standing = sum([card.id == district for city in cities for card in city.cards])
        if standing >= self.rules.districts[district].copies:
            self.exhausted |= {district}
        elif district in self.exhausted:
            self.exhausted -= {district}
