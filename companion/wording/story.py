"""What happened, as a good host would tell it to the whole table after a move."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

from companion.language import _, card, cards, coins, hand_cards, listing
from companion.wording import facts
from companion.wording.power_story import POWER_EVENTS, POWER_MOVES, use
from companion.wording.untracked import TOLD
from engine import scoring

if TYPE_CHECKING:
    from engine.moves import Move
    from engine.table import Event, Table


_ABOUT_THE_CALL = "murdered"  # said once the character has been called
CALLED = "called"


class Telling(NamedTuple):
    """A sentence and what it is about: the verb of the move, the kind of an event, or CALLED."""

    about: str
    text: str


def tellings(before: Table, move: Move, after: Table) -> list[Telling]:
    """What the move did, in order, from views of the table before and after it."""
    tell = _MOVES.get(move.verb) or POWER_MOVES.get(move.verb) or TOLD.get(move.verb)
    first = Telling(move.verb, tell(before, move.args, after) if tell else move.text)
    which = [Telling(move.verb, _which(mark)) for mark in move.words("M")]
    events = [event for event in after.events if event.kind in _EVENTS]
    own = [Telling(e.kind, _EVENTS[e.kind](after, e)) for e in events]
    calls = []
    if after.stage == "calling" and not after.questions:
        calls.append(Telling(CALLED, _call(after)))
    return [
        first,
        *which,
        *(telling for telling in own if telling.about != _ABOUT_THE_CALL),
        *calls,
        *(telling for telling in own if telling.about == _ABOUT_THE_CALL),
    ]


def told(before: Table, move: Move, after: Table) -> list[str]:
    """The sentences that tell what the move did, from views of the table before and after it."""
    return [telling.text for telling in tellings(before, move, after)]


def _which(mark: str) -> str:
    return {
        "plain": _("It was the plain one."),
        "decorated": _("It was the decorated one."),
        "under": _("It was the one with cards under it."),
    }[mark]


def _call(t: Table) -> str:
    return _("Rank {rank}: the {character}.").format(
        rank=t.called, character=card(t.rules.by_rank[t.called])
    )


def _gathered_cards(before: Table, after: Table) -> str:
    seat = before.playing.seat
    if not before.rules.counts_cards:
        return _("{player} draws cards.").format(player=before.acting.name)
    return _("{player} draws and keeps {cards}.").format(
        player=before.seats[seat].name,
        cards=hand_cards(after.seats[seat].hand - before.seats[seat].hand),
    )


def _gained(before: Table, after: Table, something: str, nothing: str) -> str:
    """What the acting player gained: the sentence for something, or that for nothing."""
    seat = before.playing.seat
    gold = after.seats[seat].gold - before.seats[seat].gold
    hand = after.seats[seat].hand - before.seats[seat].hand
    gained = [*([coins(gold)] if gold else []), *([hand_cards(hand)] if hand else [])]
    return (something if gained else nothing).format(
        player=before.acting.name, character=card(before.playing.character), gained=listing(gained)
    )


def _use(before: Table, words: tuple[str, ...], after: Table) -> str:
    if words[0] == "laboratory":
        sentence = _("{player} discards a card in the Laboratory for {gold}.")
    elif words[0] == "smithy":
        sentence = _("{player} pays for {cards} in the Smithy.")
    else:
        return use(before, words, after)
    seat = before.playing.seat
    now, then = after.seats[seat], before.seats[seat]
    return sentence.format(
        player=then.name,
        gold=coins(now.gold - then.gold),
        cards=hand_cards(now.hand - then.hand),
    )


def _named(before: Table, secret: str, announced: str, target: str | None) -> str:
    """A target that is public by name, or only that there is one."""
    player = before.acting.name
    if target is None:
        return secret.format(player=player)
    return announced.format(player=player, character=card(target))


def _kill(before: Table, after: Table) -> str:
    return _named(
        before,
        _("{player}, the Assassin, has named a character."),
        _("{player}, the Assassin, murders the {character}."),
        after.killed,
    )


def _rob(before: Table, after: Table) -> str:
    return _named(
        before,
        _("{player}, the Thief, has named a character."),
        _("{player}, the Thief, will rob the {character}."),
        after.robbed,
    )


def _destroy(before: Table, name: str, district: str, after: Table) -> str:
    seat = before.playing.seat
    price = before.seats[seat].gold - after.seats[seat].gold
    sentence = (
        _("{player} destroys {victim}'s {district} for {price}.")
        if before.acting.name != name
        else _("{player} destroys the {district} of the own city for {price}.")
    )
    return sentence.format(
        player=before.acting.name, victim=name, district=card(district), price=coins(price)
    )


def _unmask(before: Table, name: str) -> str:
    killed = card(before.questions[-1].about)
    if name == "nobody":
        return _("Nobody had the murdered {character}.").format(character=killed)
    return _("{player} was the murdered {character}.").format(player=name, character=killed)


def _asked(before: Table, sentence: str) -> str:
    question = before.questions[-1]
    return sentence.format(player=before.seats[question.seat].name, district=card(question.about))


_MOVES: dict[str, Callable[[Table, tuple[str, ...], Table], str]] = {
    "faceup": lambda b, a, n: _("Face up: {cards}.").format(cards=cards(a)),
    "choose": lambda b, a, n: _("A choice is recorded."),
    "call": lambda b, a, n: _("Everybody has chosen."),
    "reveal": lambda b, a, n: _("{player} is the {character}.").format(
        player=a[0], character=card(b.rules.by_rank[b.called])
    ),
    "nobody": lambda b, a, n: _("Nobody answers."),
    "unmask": lambda b, a, n: _unmask(b, a[0]),
    "gold": lambda b, a, n: _gained(
        b, n, _("{player} takes {gained}."), _("{player} takes nothing.")
    ),
    "cards": lambda b, a, n: _gathered_cards(b, n),
    "bonus": lambda b, a, n: _gained(
        b,
        n,
        _("{player} takes the {character}'s bonus: {gained}."),
        _("{player} takes the {character}'s bonus: nothing."),
    ),
    "income": lambda b, a, n: _gained(
        b, n, _("{player} takes the income: {gained}."), _("{player} takes the income: nothing.")
    ),
    "kill": lambda b, a, n: _kill(b, n),
    "rob": lambda b, a, n: _rob(b, n),
    "swap": lambda b, a, n: _("{player} swaps hands with {other}.").format(
        player=b.acting.name, other=a[0]
    ),
    "redraw": lambda b, a, n: _("{player} replaces {cards}.").format(
        player=b.acting.name, cards=hand_cards(int(a[0]))
    ),
    "destroy": lambda b, a, n: _destroy(b, a[0], a[1], n),
    "use": lambda b, a, n: _use(b, a, n),
    "end": lambda b, a, n: _("{player} ends the turn.").format(player=b.acting.name),
    "rescue": lambda b, a, n: _asked(b, _("{player} pays 1 gold and takes the {district}.")),
    "leave": lambda b, a, n: _asked(b, _("The {district} goes under the deck.")),
}


def winners(t: Table) -> str:
    """Who has won, and with how many points."""
    result = scoring.standing(t)
    names = listing(t.rules.names(result.winners))
    sentence = (
        _("{names} wins with {points}.")
        if len(result.winners) == 1
        else _("{names} share the victory with {points}.")
    )
    return sentence.format(names=names, points=facts.points(result.scores[result.winners[0]].total))


def _seat(t: Table, event: Event, place: int = 0) -> str:
    return t.seats[event.seats[place]].name


_EVENTS: dict[str, Callable[[Table, Event], str]] = {
    "robbed": lambda t, e: _("{victim} is robbed: {gold} for {thief}.").format(
        victim=_seat(t, e), thief=_seat(t, e, 1), gold=coins(e.amount)
    ),
    "crowned": lambda t, e: _("The crown goes to {player}.").format(player=_seat(t, e)),
    "murdered": lambda t, e: _("The {character} was murdered.").format(character=card(e.card)),
    "completed_first": lambda t, e: _(
        "{player} is the first to complete a city. This is the last round."
    ).format(player=_seat(t, e)),
    "round_begins": lambda t, e: _("Round {round} begins.").format(round=e.amount),
    "cities_asked": lambda t, e: _("The last round is over. Now the cities are counted."),
    "game_over": lambda t, e: _("The game is over. {result}").format(result=winners(t)),
    **POWER_EVENTS,
}
