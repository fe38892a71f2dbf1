"""A second bookkeeper: where every coin and card should be after a move, by its own arithmetic.

It knows the printed cards by heart (costs and kinds are written out here, not read from the
engine's data) and looks at the engine only for what the record does not say: the table before.
"""

from __future__ import annotations

from collections import Counter

from engine.moves import Move
from engine.table import Table

# cost and copies of every district of the Classic box, as the rulebook's list has them
NOBLE = {"manor": (3, 5), "castle": (4, 4), "palace": (5, 3)}
RELIGIOUS = {"temple": (1, 3), "church": (2, 3), "monastery": (3, 3), "cathedral": (5, 2)}
TRADE = {
    "tavern": (1, 5),
    "market": (2, 4),
    "trading_post": (2, 3),
    "docks": (3, 3),
    "harbor": (4, 3),
    "town_hall": (5, 2),
}
MILITARY = {"watchtower": (1, 3), "prison": (2, 3), "barracks": (3, 3), "fortress": (5, 2)}
UNIQUE = {
    "haunted_quarter": (2, 1),
    "keep": (3, 2),
    "laboratory": (5, 1),
    "smithy": (5, 1),
    "graveyard": (5, 1),
    "observatory": (4, 1),
    "school_of_magic": (6, 1),
    "library": (6, 1),
    "great_wall": (6, 1),
    "university": (6, 1),
    "dragon_gate": (6, 1),
    "imperial_treasury": (5, 1),
    "map_room": (5, 1),
}
KINDS = {
    "noble": NOBLE,
    "religious": RELIGIOUS,
    "trade": TRADE,
    "military": MILITARY,
    "unique": UNIQUE,
}
DISTRICTS = NOBLE | RELIGIOUS | TRADE | MILITARY | UNIQUE
COST = {district: cost for district, (cost, _) in DISTRICTS.items()}
COPIES = {district: copies for district, (_, copies) in DISTRICTS.items()}
DECK = sum(COPIES.values())
CHARACTERS = ["assassin", "thief", "magician", "king", "bishop", "merchant", "architect", "warlord"]
PAYS = {"king": NOBLE, "bishop": RELIGIOUS, "merchant": TRADE, "warlord": MILITARY}


def city(table: Table, seat: int) -> list[str]:
    """The ids of the districts in front of that seat."""
    return [card.id for card in table.seats[seat].city.cards]


def striking_price(victim: list[str], district: str) -> int:
    """What the Warlord pays for that district of that city."""
    walled = "great_wall" in victim and district != "great_wall"
    return COST[district] - 1 + (1 if walled else 0)


def expected(before: Table, move: Move) -> tuple[list[int], list[int], int]:
    """Gold of every seat, cards in every hand, and cards in the deck, after that move."""
    gold = [seat.gold for seat in before.seats]
    hands = [seat.hand for seat in before.seats]
    deck = before.deck
    names = [seat.name for seat in before.seats]
    me = before.turn.seat if before.turn else None
    mine = city(before, me) if me is not None else []

    def draw(number: int) -> None:
        nonlocal deck
        assert me is not None
        drawn = min(number, deck)
        deck -= drawn
        hands[me] += drawn

    words = move.args
    if move.verb == "reveal":
        shown = {character: i for i, s in enumerate(before.seats) for character in s.revealed}
        victim = names.index(words[0])
        called = CHARACTERS[before.called - 1]
        if called == before.robbed and shown["thief"] != victim:
            gold[shown["thief"]] += gold[victim]
            gold[victim] = 0
    elif move.verb in ("rescue", "leave"):
        if move.verb == "rescue":
            gold[names.index(words[0])] -= 1
            hands[names.index(words[0])] += 1
        else:
            deck += 1
    elif me is not None:
        assert before.turn is not None
        if move.verb == "gold":
            gold[me] += 2
        elif move.verb == "cards":
            seen = 3 if "observatory" in mine else 2
            draw(seen if "library" in mine else 1)
        elif move.verb == "income":
            paying = PAYS[before.turn.character]
            gold[me] += sum(d in paying or d == "school_of_magic" for d in mine)
        elif move.verb == "bonus":
            if before.turn.character == "merchant":
                gold[me] += 1
            else:
                draw(2)
        elif move.verb == "build":
            gold[me] -= COST[words[0]]
            hands[me] -= 1
        elif move.verb == "swap":
            other = names.index(words[0])
            hands[me], hands[other] = hands[other], hands[me]
        elif move.verb == "destroy":
            other = names.index(words[0])
            theirs = city(before, other)
            gold[me] -= striking_price(theirs, words[1])
            left = [d for d in theirs if d != words[1]]
            askable = [
                i
                for i in range(len(names))
                if i != me
                and "graveyard" in (left if i == other else city(before, i))
                and gold[i] >= 1
            ]
            deck += 0 if askable else 1
        elif words == ("laboratory",):
            gold[me] += 2
            hands[me] -= 1
            deck += 1
        elif words == ("smithy",):
            gold[me] -= 2
            draw(3)
    return gold, hands, deck


def check(before: Table, move: Move, after: Table) -> None:
    """Every coin and card is where the second bookkeeper expects it, and nothing is below zero."""
    gold, hands, deck = expected(before, move)
    assert [seat.gold for seat in after.seats] == gold, move
    assert [seat.hand for seat in after.seats] == hands, move
    assert after.deck == deck, move
    assert min(gold) >= 0
    assert min(hands) >= 0
    built = [district for seat in range(len(hands)) for district in city(after, seat)]
    in_question = sum(question.kind == "graveyard" for question in after.questions)
    assert deck + sum(hands) + len(built) + in_question == DECK, move
    for district, count in Counter(built).items():
        assert count <= COPIES[district], move
    for seat in range(len(hands)):
        assert len(set(city(after, seat))) == len(city(after, seat)), move
