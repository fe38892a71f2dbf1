"""A bookkeeper for every box: gold, hands, deck and taxes after a move, by its own arithmetic.

Prices and effects are written out here from the cards; the engine is looked at only for what the
record does not say, the table before the move. (`ledger.py` does the same for the Classic box.)
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

from engine.moves import Move
from engine.table import Table
from tests.engine.books import Books
from tests.engine.boxes import CHARACTERS

PAYS = {
    "king": "noble",
    "emperor": "noble",
    "patrician": "noble",
    "bishop": "religious",
    "abbot": "religious",
    "cardinal": "religious",
    "merchant": "trade",
    "trader": "trade",
    "warlord": "military",
    "diplomat": "military",
    "marshal": "military",
}
OLD_PRICES = ("brettspielwelt", "millennium_3e")  # Laboratory and Smithy
TWO_OF_THREE = ("brettspielwelt", "millennium_3e", "ffg_2005")  # Library with Observatory


class Bookkeeper(Books):
    """Carries each move forward: a method for each verb that moves gold or cards."""

    def reveal(self, name: str) -> None:
        seat = self.seat(name)
        character = next(c for c in self.cast if CHARACTERS[c][0] == self.t.called)
        if character == self.t.killed:
            return
        thief = self.acts_as("thief")
        if character == self.t.robbed and thief not in (None, seat):
            assert thief is not None
            self.pay(seat, thief, self.gold[seat])
        if character in ("king", "patrician"):
            self.move_crown(seat)
        if character != self.t.bewitched and not self.threatened(seat, character):
            self.arrive(seat, character)

    def threatened(self, seat: int, character: str) -> bool:
        """Whether what the character brings has to wait for an answer to the Blackmailer."""
        unanswered = character in self.t.threats and character not in self.t.answered_threats
        return unanswered and self.acts_as("blackmailer") not in (None, seat)

    def unmask(self, name: str) -> None:
        if name != "nobody":
            self.settle(self.seat(name))

    def gather_gold(self) -> None:
        self.gold[self.me] += 2 + ("gold_mine" in self.cities[self.me])
        self.gathered()

    def gather_cards(self) -> None:
        mine = self.cities[self.me]
        kept = 1
        if "library" in mine:
            three = "observatory" in mine and self.edition not in TWO_OF_THREE
            kept = 3 if three else 2
        self.draw(self.me, kept)
        self.gathered()

    def income(self, *words: str) -> None:
        if len(words) == 1:
            self.gold[self.me] += int(words[0])
            return
        mine, type_ = self.cities[self.me], PAYS[self.character]
        total = sum(self.cards[d].type == type_ or d == "school_of_magic" for d in mine)
        cards = int(words[3]) if words else 0
        if self.character in ("patrician", "cardinal"):
            cards = total
        self.gold[self.me] += total - cards
        self.draw(self.me, cards)

    def bonus(self) -> None:
        if self.character == "merchant":
            self.gold[self.me] += 1
        else:
            self.draw(self.me, 2)

    def build_move(self, district: str, *words: str) -> None:
        if district.isdecimal():
            self.build("", int(district))
            return
        self.hands[self.me] -= 1
        price = self.price(district)
        if not words:
            self.build(district, price)
        elif words[0] == "over":
            self.raze(self.me, *words[1:])
            self.build(district, 0)
        elif words[0] == "cards":
            self.build(district, price - int(words[1]), int(words[1]))
        else:
            lender, missing = self.seat(words[1]), price - self.gold[self.me]
            self.pay(lender, self.me, missing)
            self.hands[self.me] -= missing
            self.hands[lender] += missing
            self.build(district, price)

    def swap(self, name: str) -> None:
        me, other = self.me, self.seat(name)
        self.hands[me], self.hands[other] = self.hands[other], self.hands[me]

    def take(self, name: str, *words: str) -> None:
        self.hands[self.seat(name)] -= 1
        if words:
            self.build(words[0], self.price(words[0]))
        else:
            self.hands[self.me] += 1

    def spy(self, name: str, type_: str, number: str) -> None:
        victim = self.seat(name)
        self.pay(victim, self.me, min(int(number), self.gold[victim]))
        self.draw(self.me, int(number))

    def study(self) -> None:
        self.draw(self.me, 1)

    def navigate(self, what: str) -> None:
        if what == "gold":
            self.gold[self.me] += 4
        else:
            self.draw(self.me, 4)

    def crown_move(self, name: str, payment: str) -> None:
        seat = self.seat(name)
        if payment == "gold":
            self.pay(seat, self.me, 1)
        elif payment == "card" and self.counts_cards:
            self.hands[seat] -= 1
            self.hands[self.me] += 1
        self.move_crown(seat)

    def tithe(self, *words: str) -> None:
        richest = self.gold.index(max(self.gold))
        self.pay(self.seat(words[0]) if words else richest, self.me, 1)

    def collect(self) -> None:
        self.gold[self.me] += self.tax
        self.tax = 0

    def destroy(self, name: str, district: str, *mark: str) -> None:
        seat = self.seat(name)
        self.gold[self.me] -= self.worth(seat, district, *mark) - 1 + self.wall(seat, district)
        self.raze(seat, district, *mark)
        if any(i != self.me and self.gold[i] > 0 for i in self.owners("graveyard")):
            self.deck -= 1  # its owner is asked first

    def seize(self, name: str, district: str, *mark: str) -> None:
        seat = self.seat(name)
        self.pay(self.me, seat, self.worth(seat, district, *mark) + self.wall(seat, district))

    def exchange(self, own: str, *words: str) -> None:
        mine = words[:1] if len(words) - (words[-1] in ("plain", "decorated")) == 3 else ()
        name, district, *mark = words[len(mine) :]
        seat = self.seat(name)
        taken = self.worth(seat, district, *mark) + self.wall(seat, district)
        dearer = taken - self.worth(self.me, own, *mine)
        self.pay(self.me, seat, max(0, dearer))

    def decorate(self, *words: str) -> None:
        self.gold[self.me] -= len(words)

    def use(self, district: str, *words: str) -> None:
        old = self.edition in OLD_PRICES
        if district == "laboratory":
            self.gold[self.me] += 1 if old or self.edition == "ffg_2005" else 2
            self.hands[self.me] -= 1
            self.deck += 1
        elif district == "smithy":
            self.gold[self.me] -= 3 if old else 2
            self.draw(self.me, 3)
        elif district == "museum":
            self.hands[self.me] -= 1
        elif district == "armory":
            self.raze(self.me, "armory")
            self.raze(self.seat(words[0]), *words[1:])

    def amount(self, *words: str, sign: int) -> None:
        """`N`, `to|from P N`, `P N`: gold of whose turn it is, and of whoever is named."""
        gold = sign * int(words[-1])
        if len(words) == 2:
            self.gold[self.seat(words[0])] += gold
            return
        self.gold[self.me] += gold
        if len(words) == 3:
            self.gold[self.seat(words[1])] -= gold

    def pay_move(self, *words: str) -> None:
        self.amount(*words, sign=-1)

    def gain(self, *words: str) -> None:
        self.amount(*words, sign=1)

    def rescue(self, name: str) -> None:
        self.gold[self.seat(name)] -= 1
        self.hands[self.seat(name)] += 1

    def leave(self) -> None:
        self.deck += 1

    def confiscate(self) -> None:
        question = self.t.questions[-1]
        self.gold[self.me] += question.amount
        self.stands(question.seat, question.about, 0)

    def spare(self) -> None:
        question = self.t.questions[-1]
        if question.kind == "warrant":
            self.stands(self.me, question.about, question.amount)
        else:
            self.arrive(self.me, self.character)

    def blackmailed(self, gold: int) -> None:
        taker = self.acts_as("blackmailer")
        assert taker is not None
        self.pay(self.me, taker, gold)

    def bribe(self) -> None:
        self.blackmailed(self.gold[self.me] // 2)
        self.arrive(self.me, self.character)

    def expose(self, *words: str) -> None:
        about = self.t.questions[-1].about
        if words == ("real",) or (not words and self.t.real == about):
            self.blackmailed(self.gold[self.me])
        self.arrive(self.me, self.character)

    def end(self) -> None:
        self.finish_turn()
        self.perhaps_close_round()


NAMED_OTHERWISE = {"gold": "gather_gold", "cards": "gather_cards", "build": "build_move",
                   "pay": "pay_move"}  # fmt: skip
CALLS_ON = ("nobody", "forfeit", "bewitch")  # the next rank is called, or the round ends
MOVE_NOTHING = ("faceup", "choose", "call", "kill", "rob", "warrants", "threats", "signed", "real",
                "redraw", "divine", "refuse", "vault", "complete")  # fmt: skip


def expected(before: Table, move: Move) -> Bookkeeper:
    """The books after that move."""
    books = Bookkeeper(before)
    if before.questions and before.questions[-1].kind == "city":
        return books  # a city is named after the last round: no gold, and no hand that is counted
    if move.verb in CALLS_ON:
        books.perhaps_close_round()
    elif move.verb == "crown":
        if before.questions:
            books.move_crown(books.seat(move.args[0]))
        else:
            books.crown_move(*move.args)
    elif move.verb not in MOVE_NOTHING:
        carry: Callable[..., None] = getattr(books, NAMED_OTHERWISE.get(move.verb, move.verb))
        carry(*move.args)
    return books


def check(before: Table, move: Move, after: Table) -> None:
    """Every coin and card is where the bookkeeper expects it, and none is too many."""
    books = expected(before, move)
    assert [seat.gold for seat in after.seats] == books.gold, move
    if books.counts_cards:
        assert [seat.hand for seat in after.seats] == books.hands, move
    assert (after.deck, after.tax, after.crown) == (books.deck, books.tax, books.crown), move
    assert min((*books.gold, *books.hands, books.deck, books.tax)) >= 0, move
    standing = [card for seat in after.seats for card in seat.city.cards]
    in_question = sum(q.kind in ("graveyard", "warrant") for q in after.questions)
    under = sum(card.under for card in standing)
    in_play = {d: card for d, card in books.cards.items() if d in after.rules.districts}
    whole_deck = sum(card.copies for card in in_play.values())
    accounted = after.deck + sum(books.hands) + len(standing) + under + in_question
    assert accounted == whole_deck or not books.counts_cards, move
    for district, count in Counter(card.id for card in standing).items():
        assert count <= in_play[district].copies, move
    assert "secret_vault" not in {card.id for card in standing}
