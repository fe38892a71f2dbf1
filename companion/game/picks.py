"""What rows and taps are made of: the number of a thing, whose move it is, and sets of taps.

The number of everything that can be picked depends on the kind of thing, never on a list. A player
has the number of the seat, a character its rank, a district type its place among the five, an
amount itself. A district has two digits: its type, then its place among its kind, by cost; beyond
nine of a type, as the unique districts of most boxes, it has a further number. Within one player's
city a district is numbered by its place there.

A tapped card stands for the moves that name it; the next tap narrows them. Three exceptions:
secrets are never tapped in the open, sets (discards, warrants, threats) are played once complete
and not listed before, and some moves begin with one of the player's own cards.

A table that keeps no cities has meanings of its own for a district.

Why a row or a key cannot be taken now is said here, too.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from common.sentences import Sentence
from companion import verbs
from companion.language import _, cards, translate
from companion.verbs import ALWAYS_SECRET
from companion.wording.state import describe_mark, may_pay
from engine import explain
from engine.cards import DISTRICT_TYPES, District
from engine.explain import Refusal, Refused
from engine.moves import GRAMMAR, Move, kinds_of, make
from engine.referee import judge
from engine.rules import find_menu
from engine.rules.counting import COUNTING
from engine.views import find_awaited

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from companion.game import Offer, Row
    from engine.ruleset import Ruleset
    from engine.table import Seat, Table


def find_district_move(table: Table, district: str) -> Move | None:
    """The move for a district: its price in a turn, part of the asked player's city after the last
    round; None if cities are kept, or the card is not in the game."""
    if table.rules.tracks_cities or district not in table.rules.districts:
        return None
    player = find_counted_player(table)
    if player is not None:
        return make("city", player, district, player_places=(0,))
    return make("build", str(table.rules.price(district)))


def find_counted_player(table: Table) -> str | None:
    """The player whose city is being counted after the last round; None at any other moment."""
    question = table.questions[-1] if table.questions else None
    return (
        table.seats[question.seat].name
        if question is not None and question.kind == "city"
        else None
    )


def select_listed(table: Table, legal: Sequence[Move]) -> list[Move]:
    """The moves that a list offers: only the city that is asked for, though a line may name
    another."""
    player = find_counted_player(table)
    if player is None:
        return list(legal)
    return [move for move in legal if move.verb != "city" or move.args[0] == player]


def shorten_build(table: Table, move: Move) -> Move:
    """The build, also that of the Wizard's card, as its price, if only prices are recorded."""
    if move.verb == "build" and len(move.args) == 1:
        return find_district_move(table, move.args[0]) or move
    if move.verb == "take" and len(move.args) == 2 and not table.rules.tracks_cities:
        name, district = move.args
        if district in table.rules.districts:
            return make("take", name, str(table.rules.price(district)), player_places=(0,))
    return move


_PER_TYPE = 9
_FURTHER = (*range(63, 70), *range(71, 80))
"""Numbers of districts beyond the ninth of their type: none that a verb has (`verbs.VERBS`,
`shortcuts.NUMBERS`). Enough for the 25 unique districts of the largest box."""


@lru_cache(maxsize=8)
def number_districts(rules: Ruleset) -> Mapping[str, int]:
    """The two-digit number of each district of the game.

    If a table has so many extra cards that the numbers run out, the rest are found by name only.
    """
    numbers: dict[str, int] = {}
    further = iter(_FURTHER)
    for digit, type_ in enumerate(DISTRICT_TYPES, start=1):
        ids = sorted(rules.types[type_], key=lambda id_: _order(rules.districts[id_]))
        numbers |= {id_: digit * 10 + place for place, id_ in enumerate(ids[:_PER_TYPE], start=1)}
        numbers |= dict(zip(ids[_PER_TYPE:], further, strict=False))
    return numbers


def _order(district: District) -> tuple[int, str]:
    """Sort by cost; unique districts, which people look up by name, by id."""
    return (0 if district.type == "unique" else district.cost, district.id)


def find_type_number(type_: str) -> int:
    return DISTRICT_TYPES.index(type_) + 1


def find_in_city(seat: Seat, district: str) -> int | None:
    """The place of the first card of that name in a city, from 1; None if there is none."""
    ids = [card.id for card in seat.city.cards]
    return ids.index(district) + 1 if district in ids else None


OWN_VERBS = ("choose", "reveal", "unmask", "vault", "complete", "city")
"""Verbs whose first player shows, says or records something of their own."""


def whose_move(table: Table, move: Move) -> int | None:
    """The seat that makes the move: the player who shows something of their own or uses a district
    before any turn, else the player who is awaited."""
    players = move.words("P")
    if move.verb in OWN_VERBS and players:
        return table.rules.seat_of.get(players[0])
    if move.verb == "use" and table.stage == "selection":
        cities = enumerate(seat.city.cards for seat in table.seats)
        owners = (seat for seat, cards in cities if move.args[0] in {card.id for card in cards})
        return next(owners, None)
    waiting = find_awaited(table)
    return waiting[0] if waiting is not None else None


def is_offered_alone(table: Table, move: Move, seat: int) -> bool:
    """Whether to offer a player's move to that player alone: not what the crowned player does for
    the whole table, nor showing a character that is not the chosen one."""
    if table.stage not in ("selection", "calling") or asks_of_city(table):
        return True
    chosen = table.seats[seat].chosen
    if move.verb == "reveal" and chosen:
        return table.rules.by_rank[table.called] in chosen
    return move.verb in (*OWN_VERBS, "use")


def asks_of_city(table: Table) -> bool:
    """Whether a player is asked about the own city, to count it."""
    return bool(table.questions) and table.questions[-1].kind in COUNTING.keys() - {"first"}


def list_own(table: Table, legal: Sequence[Move], seat: int) -> list[Move]:
    return [move for move in legal if whose_move(table, move) == seat]


SETS = ("faceup", "warrants", "threats")
"""Moves that need several characters in any order."""

_OWN_CARD_FIRST = ("build", "exchange", "use")  # not begun by tapping another player's card
_ON_PURPOSE = ("vault",)  # not by a player token alone, which also shows that player's belongings
_SEAT = "@"  # marks a player among the words tapped; no card id begins with it


def seat_word(index: int) -> str:
    return f"{_SEAT}{index}"


def fitting(table: Table, legal: Sequence[Move], words: Sequence[str]) -> list[Move]:
    """The public moves that these taps may mean."""
    first_words = {move.args[:1] for move in legal}
    beyond_doubt = len(first_words) == 1  # an open list of moves that all begin with one card
    return [
        move
        for move in legal
        if move.verb not in ALWAYS_SECRET
        and all(_names(table, move, word) for word in words)
        and (beyond_doubt or move.verb not in _OWN_CARD_FIRST or move.args[0] in words)
    ]


def is_sure(moves: Sequence[Move], words: Sequence[str]) -> bool:
    """Whether the one fitting move may be played at once: a player token alone asks first before it
    costs a district or shows a card."""
    return not all(word.startswith(_SEAT) for word in words) or not any(
        move.words("D") or move.verb in _ON_PURPOSE for move in moves
    )


def tell_pending(legal: Iterable[Move], pending: Sequence[str]) -> str:
    sentences = {
        "warrants": _("Warrants so far: {cards}."),
        "threats": _("Threats so far: {cards}."),
        "decorate": _("So far: {cards}."),
    }
    verb = next((move.verb for move in legal if move.verb in (*SETS, "decorate")), "")
    sentence = sentences.get(verb, _("Face up so far: {cards}."))
    return sentence.format(cards=cards(pending))


def _names(table: Table, move: Move, word: str) -> bool:
    if word.startswith(_SEAT):
        return table.seats[int(word[1:])].name in move.words("P")
    return word in (*move.words("C"), *move.words("D"))


# -- open lists ------------------------------------------------------------------------------------


def select_type(table: Table, offer: Offer, digit: int) -> Offer | None:
    """The rows of the districts in a hand that are of the type with that digit; None if there are
    none, or if the digit is a place in such a list."""
    numbers, districts = number_districts(table.rules), table.rules.districts
    rows = tuple(
        row
        for row in offer.rows
        if row.card in districts
        and row.number == numbers.get(row.card)
        and find_type_number(districts[row.card].type) == digit
    )
    if not rows or offer.type_digit:
        return None
    title = _("Which one?")
    return offer._replace(title=title, rows=rows, question="", type_digit=digit)


def is_known(table: Table, row: Row) -> bool:
    """Whether the row's number is that of a seat, a rank, an amount or a verb: somebody who listens
    need not hear it."""
    if row.card in table.rules.seat_of or row.card in table.rules.characters:
        return True
    numbers = {verbs.VERBS[move.verb].number for move in row.moves} | {verbs.VERBS["end"].number}
    return row.number in numbers or row.card == str(row.number) or bool(row.word)


def explain_name(table: Table, like: Move, place: int, name: str) -> Refused:
    """Why no move like this one names the player."""
    args, kinds = [*like.args], kinds_of(like)
    args[place] = name
    if "D" in kinds[place:]:
        cities = table.seats[table.rules.seat_of[name]].city.cards
        if not cities:
            return _refuse(like.text, Sentence("{player} has no district.", player=name))
        args[kinds.index("D", place)] = cities[0].id
    places = tuple(at for at, kind in enumerate(kinds) if kind == "P")
    return explain_move(table, make(like.verb, *args, player_places=places))


def explain_verb(table: Table, verb: str) -> Refused | None:
    """Why a verb without words is not offered now; None if it takes words."""
    if "" not in GRAMMAR[verb]:
        return None
    if verb == "income" and table.turn is not None and not may_pay(table):
        return _refuse(verb, Sentence("No district in this city pays an income now."))
    return explain_move(table, make(verb))


def explain_move(table: Table, move: Move) -> Refused:
    try:
        judge(table, move)
    except Refused as error:
        return error
    return _refuse(move.text, Sentence("You can't choose that now."))


def _refuse(text: str, reason: Sentence) -> Refused:
    """A refusal without a rule of the game behind it."""
    return Refused(text, Refusal("", reason, Sentence("Notation, Moves")))


_BRIEFLY: dict[str, Callable[[str], str]] = {
    "build.duplicate": lambda card_id: _("have it"),
    "build.copies": lambda card_id: _("none left"),
    "reveal.already": lambda card_id: _("already shown"),
    "unmask.shown": lambda card_id: _("already shown"),
    **dict.fromkeys(("witch.self", "assassin.self", "thief.self"), lambda card_id: _("your own")),
    **dict.fromkeys(("thief.rank_1", "blackmailer.rank_1"), lambda card_id: _("rank 1")),
    **dict.fromkeys(
        ("thief.killed", "blackmailer.killed"), lambda card_id: describe_mark("murdered", card_id)
    ),
    **dict.fromkeys(
        ("thief.bewitched", "blackmailer.bewitched"),
        lambda card_id: describe_mark("bewitched", card_id),
    ),
}
"""What is told of a row that a rule forbids, for the row's card."""

_LONGEST_BRIEF = 24
"""Letters of the longest reason that is told beside a row as it is."""


def tell_briefly(row: Row) -> str:
    """Why a row cannot be taken, in two or three words; "" if it can."""
    if row.why is None:
        return ""
    if row.short:
        return _("{number} short").format(number=row.short)
    refusal = row.why().refusal
    brief = _BRIEFLY.get(refusal.rule)
    if brief is not None:
        return brief(row.card)
    reason = translate(refusal.reason).rstrip(".")
    return reason if len(reason) <= _LONGEST_BRIEF else _("not now")


def explain_number(table: Table, number: int) -> Refused | None:
    """Why the verb with that number cannot be used now; None if no verb or no single rule says."""
    reasons = []
    for verb, action in find_menu(table).by_verb.items():
        if verbs.VERBS[verb].number == number and (rule := action.closed(table)):
            reasons.append(explain.refuse(table, make(verb), rule))
    is_one = len({reason.rule for reason in reasons}) == 1
    return Refused(str(number), reasons[0]) if is_one else None
