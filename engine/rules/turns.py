"""How turns and rounds begin and end: what happens by itself, without a move of its own."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from engine import scoring
from engine.table import BEWITCHED, HOSPITAL, NAMING, RESUMED, THREATENED, WHOLE, Question, Turn

if TYPE_CHECKING:
    from engine.table import Built, Seat, Table


# -- a turn begins --------------------------------------------------------------------------


def begin(t: Table, index: int, character: str) -> None:
    """The called character is shown, and its player's turn begins."""
    seat = t.own_seat(index)
    seat.revealed += (character,)
    t.stage = "turn"
    turn = t.turn = Turn(index, character, called_by=t.crown)
    if character == t.killed:
        turn.part = HOSPITAL
        return
    if character == t.robbed:
        _pay_thief(t, index)
    if t.rules.characters[character].takes_crown:
        give_crown(t, index)  # a bewitched King too takes it himself
    if character == t.bewitched:
        turn.part = BEWITCHED
    elif character == "witch":
        turn.part = NAMING
    elif is_threatened(t, index, character):
        turn.part = THREATENED
    else:
        _arrive(t, index, character)


def is_threatened(t: Table, index: int, character: str) -> bool:
    """Whether that player's turn begins under a threat of the Blackmailer's, yet unanswered."""
    if character not in t.threats or character in t.answered_threats:
        return False
    return t.bearer("blackmailer") not in (None, index)


def resume_witch(t: Table) -> None:
    """The bewitched player has gathered: the Witch plays the rest, as that character."""
    character = t.playing.character
    witch = t.holder("witch")
    if witch is None:
        break_off(t)  # a position may name a bewitched character without saying who bewitched
        return
    turn = t.turn = Turn(witch, character)
    turn.gathered = True
    turn.part = RESUMED
    _arrive(t, witch, character)


def _pay_thief(t: Table, victim: int) -> None:
    thief = t.bearer("thief")
    if thief is None or thief == victim:
        return  # a position may name a robbed character without saying who robs
    gold = t.seats[victim].gold
    t.own_seat(victim).gold = 0
    t.own_seat(thief).gold += gold
    t.tell("robbed", victim, thief, amount=gold)


def _arrive(t: Table, index: int, character: str) -> None:
    """What the character brings by itself to whoever plays it."""
    for effect in t.rules.characters[character].effects:
        if effect in _ON_ARRIVAL:
            _ON_ARRIVAL[effect](t, index)


def _seat_queen(t: Table, index: int) -> None:
    _pay_queen(t, index, t.holder(t.rules.by_rank[4]))


def _collect_debts(t: Table, index: int) -> None:
    for debtor in sorted(t.owes_tax):
        _pay_tax(t, debtor, index)
    t.owes_tax = frozenset()


_ON_ARRIVAL: dict[str, Callable[[Table, int], None]] = {
    "paid_beside_rank_4": _seat_queen,
    "taxes_builders": _collect_debts,
}


def _pay_queen(t: Table, index: int, beside: int | None) -> None:
    """Gold for sitting beside the player of the rank-4 character (the card, not the crown)."""
    if beside is None or (index - beside) % len(t.seats) not in (1, len(t.seats) - 1):
        return
    queen = t.rules.characters[t.rules.by_rank[9]]
    gold: int = queen.effects["paid_beside_rank_4"]
    t.own_seat(index).gold += gold
    t.tell("queen_paid", index, amount=gold)


# -- while it lasts -------------------------------------------------------------------------


def after_gathering(t: Table) -> None:
    """A threatened player is asked for the answer; a bewitched one hands the turn over."""
    turn = t.playing
    if turn.part == BEWITCHED:
        resume_witch(t)
    elif turn.part == THREATENED:
        t.questions += (Question("threat", turn.seat, turn.character),)


def after_threat(t: Table) -> None:
    """The threat is answered: the turn is the player's own, with what it brings by itself."""
    turn = t.own_turn()
    turn.part = WHOLE
    _arrive(t, turn.seat, turn.character)


def give_crown(t: Table, index: int) -> None:
    """The crown goes to that seat, if it is not there already."""
    if t.crown == index:
        return
    t.tell("crowned", index, t.crown)
    t.crown = index
    for place, seat in enumerate(t.seats):
        gold = seat.city.effects.get("gold_when_crown_moves")
        if gold:
            t.own_seat(place).gold += gold
            t.tell("throne_room", place, amount=gold)


def raze(t: Table, seat: Seat, card: Built) -> None:
    """A district leaves that (owned) seat's city for the deck, with what lay under it."""
    t.set_city(seat, seat.city.without(card))
    t.deck += 1 + card.under
    if card.announced:
        t.city_size = t.rules.answers["city_size"]


def note_completion(t: Table, index: int) -> None:
    """After a city has grown: remember who completed a city first, for the +4."""
    if not t.first_complete and t.is_complete(t.seats[index]):
        t.first_complete = (index,)
        t.tell("completed_first", index)


def tax_build(t: Table, index: int) -> None:
    """The deluxe Tax Collector's card gets one gold from whoever has built, except its player."""
    playing = t.playing
    collects = t.rules.characters[playing.character].effects.get("taxes_builds")
    if not (collects and index == playing.seat) and t.seats[index].gold:
        t.own_seat(index).gold -= 1
        t.tax += 1
        t.tell("taxed", index, amount=1)


# -- a turn ends ----------------------------------------------------------------------------


def finish(t: Table) -> None:
    """The turn ends, with what comes by itself at its end; the next rank is called."""
    turn = t.playing
    if turn.part != HOSPITAL:
        for effect, happen in _AT_END_OF_TURN.items():
            if effect in t.rules.present:
                happen(t)
    t.turn = None
    advance(t)


def break_off(t: Table) -> None:
    """The turn stops without what comes at the end of one (Witch pausing, turn taken away)."""
    t.turn = None
    advance(t)


def _tax_builder(t: Table) -> None:
    """The older Tax Collector is paid by whoever built; who built before he was shown owes it."""
    turn = t.playing
    collectors = t.rules.having("taxes_builders")
    if not turn.built or not collectors:
        return
    (collector,) = collectors
    taker = t.bearer(collector)
    if taker is not None:
        _pay_tax(t, turn.seat, taker)
    elif t.called < t.rules.characters[collector].rank:
        t.owes_tax |= {turn.seat}


def _pay_tax(t: Table, debtor: int, taker: int) -> None:
    if debtor != taker and t.seats[debtor].gold:
        t.own_seat(debtor).gold -= 1
        t.own_seat(taker).gold += 1
        t.tell("tax_paid", debtor, taker, amount=1)


def _relieve_poor(t: Table) -> None:
    seat = t.acting
    relief = seat.city.effects.get("gold_when_poor")
    if relief and not seat.gold:
        t.own_seat(t.playing.seat).gold += relief
        t.tell("poor_house", t.playing.seat, amount=relief)


def _refund_builds(t: Table) -> None:
    turn = t.playing
    if not turn.spent or t.rules.answers["alchemist_refund"] == "at_once":
        return
    if t.rules.characters[turn.character].effects.get("refunds_builds"):
        t.own_seat(turn.seat).gold += turn.spent
        t.tell("refunded", turn.seat, amount=turn.spent)


def _fill_empty_hand(t: Table) -> None:
    seat = t.acting
    cards = seat.city.effects.get("cards_when_empty")
    if cards and not seat.hand and t.deck:
        drawn = min(cards, t.deck)
        t.draw(t.own_seat(t.playing.seat), drawn)
        t.tell("park", t.playing.seat, amount=drawn)


# In this order: who has paid the tax may be poor; the Poor House comes before the refund (deluxe).
_AT_END_OF_TURN: dict[str, Callable[[Table], None]] = {
    "taxes_builders": _tax_builder,
    "gold_when_poor": _relieve_poor,
    "refunds_builds": _refund_builds,
    "cards_when_empty": _fill_empty_hand,
}


def advance(t: Table) -> None:
    """Call the next rank of the cast, or end the round after the last."""
    by_rank = t.rules.by_rank
    t.stage = "calling"
    t.called += 1
    while t.called <= t.rules.last_rank and t.called not in by_rank:
        t.called += 1
    if t.called > t.rules.last_rank:
        close_round(t)
    elif by_rank[t.called] == t.killed:
        t.tell("murdered", card=t.killed)


# -- a round ends ---------------------------------------------------------------------------


def close_round(t: Table) -> None:
    """The last rank has been called: settle whose the killed was where it matters, then go on."""
    t.called = 0
    killed = t.killed
    if killed is None:
        next_round(t)
        return
    shown = t.holder(killed)
    if shown is not None:
        settle_killed(t, killed, shown)  # the Hospital's owner has shown himself
    elif _matters(t, killed):
        t.questions = (Question("unmask", t.crown, killed),)
    else:
        next_round(t)


def _matters(t: Table, killed: str) -> bool:
    """Whether anything depends on whose the killed character was: else `unmask` asks nothing."""
    answers, character = t.rules.answers, t.rules.characters[killed]
    if answers["killed_player_shows"] == "always" or character.takes_crown:
        return True
    if _gives_crown_after_death(t, killed) or (character.rank == 4 and _queen_waits(t)):
        return True
    return answers["highest_rank"] == "chosen" and _may_break_a_tie(t)


def _queen_waits(t: Table) -> bool:
    return any(
        t.rules.characters[queen].effects.get("paid_beside_rank_4") and t.bearer(queen) is not None
        for queen in t.rules.having("paid_beside_rank_4")
    )


def _gives_crown_after_death(t: Table, killed: str) -> bool:
    gives = t.rules.characters[killed].effects.get("gives_crown_away")
    return bool(gives) and t.rules.answers["emperor_killed"] == "gives"


def _may_break_a_tie(t: Table) -> bool:
    """Whether who wins depends on whose the killed character was."""
    if not _ends(t):
        return False
    if not t.rules.counts_cards:
        return True  # nobody knows the totals before the cities are counted
    outcomes = []
    for holder in (None, *t.rules.seats):
        if holder is None or len(t.seats[holder].revealed) < t.rules.picks:
            supposed = t.copy()
            supposed.unmasked = holder
            outcomes.append(scoring.standing(supposed).winners)
    return any(winners != outcomes[0] for winners in outcomes)


def settle_killed(t: Table, killed: str, index: int) -> None:
    """It is known whose the killed character was: the heir, the Queen beside him."""
    t.unmasked = index
    shown_before = t.holder(killed) is not None  # by the Hospital: the Queen did not wait
    if t.rules.characters[killed].rank == 4 and not shown_before and _queen_waits(t):
        (queen,) = t.rules.having("paid_beside_rank_4")
        bearer = t.bearer(queen)
        if bearer is not None:
            _pay_queen(t, bearer, index)
    if t.rules.characters[killed].takes_crown:
        give_crown(t, index)
    if _gives_crown_after_death(t, killed):
        t.questions = (Question("emperor", index, killed),)
    else:
        next_round(t)


def _ends(t: Table) -> bool:
    return bool(t.first_complete) or any(t.is_complete(seat) for seat in t.seats)


def end_game(t: Table) -> None:
    """Nothing more is played: what is left is to score."""
    t.stage = "over"
    t.tell("game_over")


def _ask_cities(t: Table) -> None:
    """Everybody is asked for his city, clockwise from the crowned player."""
    order = [(t.crown + place) % len(t.seats) for place in t.rules.seats]
    t.questions = tuple(Question("city", index) for index in reversed(order))
    for index in order:
        t.own_seat(index).hand = 0  # where it scores, it is counted with the city
    t.tell("cities_asked")


def next_round(t: Table) -> None:
    """The game ends if a city was completed; otherwise this round's marks are taken away."""
    t.called = 0
    if _ends(t):
        (end_game if t.rules.counts_cards else _ask_cities)(t)
        return
    t.round += 1
    t.stage = "selection"
    t.faceup = None if t.rules.faceup_count else ()
    t.killed = t.robbed = t.bewitched = t.signed = t.real = t.unmasked = None
    t.real_recorded = False
    t.warrants = t.threats = ()
    t.answered_warrants, t.answered_threats = frozenset(), frozenset()
    t.owes_tax = frozenset()
    t.theater_used = False
    for index, seat in enumerate(t.seats):
        if seat.revealed or seat.chosen or seat.last_rank:
            fresh = t.own_seat(index)
            fresh.revealed = fresh.chosen = ()
            fresh.last_rank = None
    t.tell("round_begins", amount=t.round)
