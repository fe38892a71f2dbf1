"""The books of one moment: what everybody has, and what happens to it without anybody's move.

Written out from the cards; `bookkeeper.py` carries a move forward on them.
"""

from __future__ import annotations

from engine.table import Built, Table
from tests.engine.boxes import CHARACTERS, EDITIONS, districts


class Books:
    """What everybody has after one move: copied from the table before it, then carried forward."""

    def __init__(self, before: Table) -> None:
        self.t = before
        self.edition = before.rules.edition.id
        self.cards = districts(EDITIONS[self.edition].printing)
        self.deluxe = self.edition == "deluxe_2016"
        self.gold = [seat.gold for seat in before.seats]
        self.hands = [seat.hand for seat in before.seats]
        self.deck = before.deck
        self.tax = before.tax
        self.crown = before.crown
        self.names = [seat.name for seat in before.seats]
        self.cities = [[card.id for card in seat.city.cards] for seat in before.seats]
        self.me = before.turn.seat if before.turn else -1
        self.character = before.turn.character if before.turn else ""
        self.cast = before.rules.cast
        self.counts_cards = before.rules.answers["cities"] == "tracked"

    # -- who and what ---------------------------------------------------------------------------

    def seat(self, name: str) -> int:
        return self.names.index(name)

    def shown(self, character: str) -> int | None:
        """Who has shown the character."""
        holders = [i for i, s in enumerate(self.t.seats) if character in s.revealed]
        return holders[0] if holders else None

    def acts_as(self, character: str) -> int | None:
        """Who has its powers: the Witch's player where it is bewitched, nobody where killed."""
        if character == self.t.killed:
            return None
        holder = self.shown(character)
        bewitched = character == self.t.bewitched and holder is not None
        return self.shown("witch") if bewitched else holder

    def owners(self, district: str) -> list[int]:
        return [i for i, city in enumerate(self.cities) if district in city]

    def standing(self, seat: int, district: str, mark: str = "") -> Built:
        """The first such district of the city; where a word says so, with the Artist's gold."""
        cards = [card for card in self.t.seats[seat].city.cards if card.id == district]
        return next(c for c in cards if not mark or c.decorated == (mark == "decorated"))

    def worth(self, seat: int, district: str, *mark: str) -> int:
        """Cost and the Artist's gold of that district of the city."""
        return self.cards[district].cost + self.standing(seat, district, *mark).decorated

    def wall(self, seat: int, district: str) -> int:
        return int("great_wall" in self.cities[seat] and district != "great_wall")

    # -- what happens by itself -----------------------------------------------------------------

    def draw(self, seat: int, number: int) -> None:
        drawn = min(number, self.deck) if self.counts_cards else 0
        self.deck -= drawn
        self.hands[seat] += drawn

    def pay(self, payer: int, taker: int, amount: int) -> None:
        self.gold[payer] -= amount
        self.gold[taker] += amount

    def move_crown(self, seat: int) -> None:
        if seat != self.crown:
            self.crown = seat
            for owner in self.owners("throne_room"):
                self.gold[owner] += 1

    def queen_beside(self, queen: int, other: int) -> None:
        if abs(queen - other) in (1, len(self.names) - 1):
            self.gold[queen] += 3

    def arrive(self, seat: int, character: str) -> None:
        """The Queen's gold and the older Tax Collector's debts."""
        if character == "queen":
            king = next(c for c in self.cast if CHARACTERS[c][0] == 4)
            beside = self.shown(king)
            if beside is not None:
                self.queen_beside(seat, beside)
        if character == "tax_collector_2004":
            for debtor in self.t.owes_tax:
                if debtor != seat and self.gold[debtor] > 0:
                    self.pay(debtor, seat, 1)

    def gathered(self) -> None:
        """A bewitched player hands over to the Witch."""
        assert self.t.turn is not None
        witch = self.shown("witch")
        if self.character == self.t.bewitched and witch != self.me and witch is not None:
            self.arrive(witch, self.character)

    def stands(self, builder: int, district: str, gold: int) -> None:
        """A district stands for good: refund, Lighthouse, the deluxe Tax Collector's card."""
        if self.character == "alchemist" and not self.deluxe:
            self.gold[self.me] += gold
        if district == "lighthouse":
            self.draw(builder, 1)
        himself = self.character == "tax_collector" and builder == self.me
        if "tax_collector" in self.cast and self.gold[builder] > 0 and not himself:
            self.gold[builder] -= 1
            self.tax += 1

    def may_be_confiscated(self, paid: int) -> bool:
        magistrate = self.shown("magistrate")
        warranted = self.character in set(self.t.warrants) - self.t.answered_warrants
        return paid > 0 and warranted and magistrate not in (None, self.me)

    def build(self, district: str, gold: int, cards: int = 0) -> None:
        self.gold[self.me] -= gold
        self.deck += cards
        self.hands[self.me] -= cards
        if not self.may_be_confiscated(gold + cards):
            self.stands(self.me, district, gold)

    def price(self, district: str) -> int:
        unique = self.cards[district].type == "unique"
        return self.cards[district].cost - (unique and "factory" in self.cities[self.me])

    def raze(self, seat: int, district: str, *mark: str) -> None:
        """Under the deck with it, and with what lay under it."""
        self.cities[seat].remove(district)
        self.deck += 1 + self.standing(seat, district, *mark).under

    def finish_turn(self) -> None:
        turn = self.t.turn
        assert turn is not None
        me, character = self.me, self.character
        if character == self.t.killed:
            return
        taker = self.acts_as("tax_collector_2004")
        if turn.built and "tax_collector_2004" in self.cast and taker not in (None, me):
            assert taker is not None
            self.pay(me, taker, min(1, self.gold[me]))
        if "poor_house" in self.cities[me] and self.gold[me] == 0:
            self.gold[me] += 1
        if character == "alchemist" and self.deluxe:
            self.gold[me] += turn.spent
        if "park" in self.cities[me] and self.hands[me] == 0:
            self.draw(me, 2)

    def perhaps_close_round(self) -> None:
        """After the last rank: who was killed and has the Hospital has shown himself."""
        last = max(CHARACTERS[c][0] for c in self.cast)
        if self.t.called == last and self.t.killed:
            holder = self.shown(self.t.killed)
            if holder is not None:
                self.settle(holder)

    def settle(self, holder: int) -> None:
        """It is known whose the killed character was."""
        killed = self.t.killed
        assert killed is not None
        if CHARACTERS[killed][0] == 4 and "queen" in self.cast and self.shown(killed) is None:
            queen = self.acts_as("queen")
            if queen is not None:
                self.queen_beside(queen, holder)
        if killed in ("king", "patrician"):
            self.move_crown(holder)
