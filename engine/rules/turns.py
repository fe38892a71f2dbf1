"""How turns and rounds begin and end: all effects without a move."""

from __future__ import annotations

from collections.abc import Callable

from engine import scoring
from engine.table import (
    BEWITCHED,
    HOSPITAL,
    NAMING,
    NO_MARKS,
    NO_TURN,
    RESUMED,
    THREATENED,
    WHOLE,
    Built,
    Question,
    Seat,
    Table,
    Turn,
)

# -- a turn begins --------------------------------------------------------------------------


def begin(table: Table, index: int, character: str) -> None:
    """Show the called character and begin its player's turn."""
    seat = table.own_seat(index)
    seat.revealed += (character,)
    table.stage = "turn"
    turn = table.playing = Turn(index, character, called_by=table.crown)
    if character == table.marks.killed:
        turn.part = HOSPITAL
        return
    if character == table.marks.robbed:
        _pay_thief(table, index)
    if table.rules.characters[character].takes_crown:
        give_crown(table, index)  # even a bewitched King takes it himself
    if character == table.marks.bewitched:
        turn.part = BEWITCHED
    elif character == "witch":
        turn.part = NAMING
    elif is_threatened(table, index, character):
        turn.part = THREATENED
    else:
        _arrive(table, index, character)


def is_threatened(table: Table, index: int, character: str) -> bool:
    """Whether that player begins the turn under an unanswered threat from the Blackmailer."""
    if character not in table.marks.threats or character in table.marks.answered_threats:
        return False
    return table.bearer("blackmailer") not in (None, index)


def resume_witch(table: Table) -> None:
    """Let the Witch play the rest of the turn, as the bewitched character."""
    character, caller = table.playing.character, table.playing.called_by
    witch = table.holder("witch")
    if witch is None:
        break_off(table)  # a position may name a bewitched character without a Witch
        return
    turn = table.turn = Turn(witch, character, called_by=caller)
    turn.gathered = True
    turn.part = RESUMED
    _arrive(table, witch, character)


def _pay_thief(table: Table, victim: int) -> None:
    thief = table.bearer("thief")
    if thief is None or thief == victim:
        return  # a position may name a robbed character without a Thief
    gold = table.seats[victim].gold
    table.own_seat(victim).gold = 0
    table.own_seat(thief).gold += gold
    table.tell("robbed", victim, thief, amount=gold)


def _arrive(table: Table, index: int, character: str) -> None:
    """Apply the character's automatic effects for the player acting as it."""
    for effect in table.rules.characters[character].effects:
        if effect in _ON_ARRIVAL:
            _ON_ARRIVAL[effect](table, index)


def _pay_arriving_queen(table: Table, index: int) -> None:
    _pay_queen(table, index, table.holder(table.rules.by_rank[4]))


def _collect_debts(table: Table, index: int) -> None:
    for debtor in sorted(table.marks.owes_tax):
        _pay_tax(table, debtor, index)
    table.marks = table.marks._replace(owes_tax=frozenset())


_ON_ARRIVAL: dict[str, Callable[[Table, int], None]] = {
    "paid_beside_rank_4": _pay_arriving_queen,
    "taxes_builders": _collect_debts,
}


def _pay_queen(table: Table, index: int, beside: int | None) -> None:
    """Pay the Queen for sitting beside the player of the rank-4 character (the card, not the
    crown)."""
    if beside is None or (index - beside) % len(table.seats) not in (1, len(table.seats) - 1):
        return
    queen = table.rules.characters[table.rules.by_rank[9]]
    gold: int = queen.effects["paid_beside_rank_4"]
    table.own_seat(index).gold += gold
    table.tell("queen_paid", index, amount=gold)


# -- while it lasts -------------------------------------------------------------------------


def finish_threat(table: Table) -> None:
    """Begin a normal turn after the threat is answered, with its automatic effects."""
    turn = table.own_turn()
    turn.part = WHOLE
    _arrive(table, turn.seat, turn.character)


def give_crown(table: Table, index: int) -> None:
    """Give the crown to that seat, unless it already has it."""
    if table.crown == index:
        return
    table.tell("crowned", index, table.crown)
    table.crown = index
    for place, seat in enumerate(table.seats):
        gold = seat.city.effects.get("gold_when_crown_moves")
        if gold:
            table.own_seat(place).gold += gold
            table.tell("throne_room", place, amount=gold)


def raze(table: Table, seat: Seat, card: Built) -> None:
    """Return a district of that (owned) seat's city to the deck, with the cards under it."""
    table.set_city(seat, seat.city.cards_without(card))
    table.deck += 1 + card.under
    if card.announced:
        table.city_size = table.rules.answers["city_size"]
        if table.ending and table.rules.answers["fallen_bell_tower"] == "usual":
            table.ending = table.has_complete_city  # who was first stays first, for the +4
            if not table.ending:
                table.tell("goes_on", amount=table.city_size)


def note_completion(table: Table, index: int) -> None:
    """After a city has grown, note whether the game ends, and who completed a city first, for the
    +4."""
    if not table.is_complete(table.seats[index]):
        return
    if not table.first_complete:
        table.first_complete = (index,)
        table.tell("completed_first", index)
    elif not table.ending:
        table.tell("last_round", index)
    table.ending = True


def tax_build(table: Table, index: int) -> None:
    """Move one gold from a builder to the deluxe Tax Collector's card, unless it is its player."""
    playing = table.playing
    collects = table.rules.characters[playing.character].effects.get("taxes_builds")
    if not (collects and index == playing.seat) and table.seats[index].gold:
        table.own_seat(index).gold -= 1
        table.tax += 1
        table.tell("taxed", index, amount=1)


# -- a turn ends ----------------------------------------------------------------------------


def finish(table: Table) -> None:
    """End the turn with its automatic effects, and call the next rank."""
    turn = table.playing
    if turn.part != HOSPITAL:
        _crown_at_last(table)
        for effect, happen in _AT_END_OF_TURN.items():
            if effect in table.rules.present:
                happen(table)
    table.playing = NO_TURN
    advance(table)


def break_off(table: Table) -> None:
    """Stop the turn without the effects of its end (Witch pausing, turn skipped), but for the
    crown."""
    _crown_at_last(table)
    table.turn = None
    advance(table)


def _crown_at_last(table: Table) -> None:
    """Give the crown to a King or Patrician who hasn't got it, in a position that begins within the
    turn (ours)."""
    turn = table.playing
    if turn.character and table.rules.characters[turn.character].takes_crown:
        holder = table.holder(turn.character)  # even if the Witch plays on as the King
        give_crown(table, turn.seat if holder is None else holder)


def _tax_builder(table: Table) -> None:
    """Pay the older Tax Collector; builders owe him until he is shown."""
    turn = table.playing
    collectors = table.rules.cards_with("taxes_builders")
    if not turn.built or not collectors:
        return
    (collector,) = collectors
    taker = table.bearer(collector)
    if taker is not None:
        _pay_tax(table, turn.seat, taker)
    elif table.called < table.rules.characters[collector].rank:
        table.marks = table.marks._replace(owes_tax=table.marks.owes_tax | {turn.seat})


def _pay_tax(table: Table, debtor: int, taker: int) -> None:
    if debtor != taker and table.seats[debtor].gold:
        table.own_seat(debtor).gold -= 1
        table.own_seat(taker).gold += 1
        table.tell("tax_paid", debtor, taker, amount=1)


def _relieve_poor(table: Table) -> None:
    seat = table.acting
    relief = seat.city.effects.get("gold_when_poor")
    if relief and not seat.gold:
        table.own_acting().gold += relief
        table.tell("poor_house", table.playing.seat, amount=relief)


def _refund_builds(table: Table) -> None:
    turn = table.playing
    if not turn.spent or table.rules.answers["alchemist_refund"] == "at_once":
        return
    if table.rules.characters[turn.character].effects.get("refunds_builds"):
        table.own_seat(turn.seat).gold += turn.spent
        table.tell("refunded", turn.seat, amount=turn.spent)


def _fill_empty_hand(table: Table) -> None:
    seat = table.acting
    cards = seat.city.effects.get("cards_when_empty")
    if cards and not seat.hand and table.deck:
        count = min(cards, table.deck)
        table.draw(table.own_acting(), count)
        table.tell("park", table.playing.seat, amount=count)


# In this order: paying the tax may leave no gold; the Poor House comes before the refund (deluxe).
_AT_END_OF_TURN: dict[str, Callable[[Table], None]] = {
    "taxes_builders": _tax_builder,
    "gold_when_poor": _relieve_poor,
    "refunds_builds": _refund_builds,
    "cards_when_empty": _fill_empty_hand,
}


def advance(table: Table) -> None:
    """Call the next rank of the cast, or end the round after the last."""
    table.stage = "calling"
    table.called += 1
    if table.called > table.rules.last_rank:
        close_round(table)
    elif table.rules.by_rank[table.called] == table.marks.killed:
        table.tell("murdered", card=table.marks.killed)


# -- a round ends ---------------------------------------------------------------------------


def close_round(table: Table) -> None:
    """After the last rank, settle who had the killed character if it matters, then continue."""
    table.called = 0
    victim = table.marks.killed
    if victim is None:
        begin_round(table)
        return
    holder = table.holder(victim)
    if holder is not None:
        settle_killed(table, victim, holder)  # the Hospital's owner has shown himself
    elif unmasking_matters(table, victim):
        table.questions = (Question("unmask", table.crown, victim),)
    else:
        begin_round(table)


def unmasking_matters(table: Table, victim: str) -> bool:
    """Whether anything depends on who had the killed character; if not, nobody is asked."""
    answers, character = table.rules.answers, table.rules.characters[victim]
    if answers["killed_player_shows"] == "always" or character.takes_crown:
        return True
    if gives_crown_after_death(table, victim) or (character.rank == 4 and _queen_waits(table)):
        return True
    return answers["highest_rank"] == "chosen" and _may_break_a_tie(table)


def _queen_waits(table: Table) -> bool:
    queens = table.rules.cards_with("paid_beside_rank_4")
    return any(table.bearer(queen) is not None for queen in queens)


def gives_crown_after_death(table: Table, victim: str) -> bool:
    """Whether the player of that killed character gives the crown away at the end of the round."""
    gives = table.rules.characters[victim].effects.get("gives_crown_away")
    return bool(gives) and table.rules.answers["emperor_killed"] == "gives"


def _may_break_a_tie(table: Table) -> bool:
    """Whether the winner may depend on who had the killed character."""
    if not table.is_last_round:
        return False
    if not table.rules.tracks_cities:
        return True  # nobody knows the totals before the cities are counted
    outcomes = []
    for holder in (None, *table.rules.seats):
        if holder is None or len(table.seats[holder].revealed) < table.rules.picks:
            supposed = table.copy()
            supposed.marks = table.marks._replace(unmasked=holder)
            outcomes.append(scoring.standing(supposed).winners)
    return any(winners != outcomes[0] for winners in outcomes)


def settle_killed(table: Table, victim: str, index: int) -> None:
    """Apply the effects of who had the killed character: the heir, the Queen beside."""
    table.marks = table.marks._replace(unmasked=index)
    shown_before = table.holder(victim) is not None  # by the Hospital: the Queen did not wait
    if table.rules.characters[victim].rank == 4 and not shown_before and _queen_waits(table):
        (queen,) = table.rules.cards_with("paid_beside_rank_4")
        bearer = table.bearer(queen)
        if bearer is not None:
            _pay_queen(table, bearer, index)
    if table.rules.characters[victim].takes_crown:
        give_crown(table, index)
    if gives_crown_after_death(table, victim):
        table.questions = (Question("emperor", index, victim),)
    else:
        begin_round(table)


def end_game(table: Table) -> None:
    """End the play; only scoring is left."""
    table.stage = "over"
    table.tell("game_over")


def list_clockwise(table: Table) -> list[int]:
    """The seats clockwise from the crowned player's."""
    return [(table.crown + place) % len(table.seats) for place in table.rules.seats]


def _ask_cities(table: Table) -> None:
    """Ask everybody for their city, clockwise from the crowned player."""
    order = list_clockwise(table)
    table.questions = tuple(Question("city", index) for index in reversed(order))
    for index in order:
        table.own_seat(index).hand = 0  # a hand that scores is counted with the city
    table.tell("cities_asked")


def begin_round(table: Table) -> None:
    """End the game if a city was completed; otherwise clear this round's marks."""
    table.called = 0
    if table.is_last_round:
        (end_game if table.rules.tracks_cities else _ask_cities)(table)
        return
    table.round += 1
    table.stage = "selection"
    table.faceup = None if table.rules.faceup_count else ()
    table.marks = NO_MARKS
    for index, seat in enumerate(table.seats):
        if seat.revealed or seat.chosen or seat.last_rank:
            fresh = table.own_seat(index)
            fresh.revealed = fresh.chosen = ()
            fresh.last_rank = None
    table.tell("round_begins", amount=table.round)
