"""The word `phones` and its arguments, typed in any face: the table's control of its door."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from companion.language import _, plural, translate, vocabulary
from companion.log.log_errors import StoreError
from companion.phones.serving import announce
from engine.moves import fold

if TYPE_CHECKING:
    from companion.phones.serving.phones import Phones


class Told(NamedTuple):
    """The reply: `refused` if nothing was done; with a picture where one is wanted."""

    lines: tuple[str, ...]
    refused: bool = False
    with_code: bool = False


def answer(phones: Phones, rest: str) -> Told:
    """Do the arguments of `phones`: none or `out`, `allow`, `refuse` with a seat or player, `out
    all`."""
    try:
        return _answer(phones, rest)
    except StoreError as error:
        return Told((translate(str(error)),), True)


def _answer(phones: Phones, rest: str) -> Told:
    word, _space, whom = map(str.strip, rest.partition(" "))
    if not word:
        return Told(tuple(describe(phones)), with_code=True)
    what = vocabulary.match_word(word, "out", "allow", "refuse")
    if what is None:
        return Told((_("type phones, phones out 2, phones out all, or phones allow 2."),), True)
    if what == "out" and vocabulary.match_word(whom, "all"):
        number = phones.door.free_all()
        phones.tell_door()
        out = plural("{number} phone was removed.", "{number} phones were removed.", number)
        return Told((out, _code(phones)))
    seat = _find_seat(phones.door.players, whom)
    if seat is None:
        return Told((_("which seat? Give its number or the player's name."),), True)
    return _answer_for_seat(phones, what, seat)


def _answer_for_seat(phones: Phones, what: str, seat: int) -> Told:
    player = phones.door.players[seat]
    if what == "out":
        done = phones.door.free(seat)
        sentence = _("{player}'s phone was removed.") if done else _("{player} has no phone.")
    else:
        allowed = what == "allow"
        done = phones.door.answer(seat, allowed=allowed)
        sentence = _("Nobody is asking for {player}'s seat.")
        if done and allowed:
            sentence = _("The other phone may have {player}'s seat.")
        elif done:
            sentence = _("{player}'s phone keeps the seat.")
    phones.tell_door()
    return Told((sentence.format(player=player),), not done)


def describe(phones: Phones) -> list[str]:
    """The table's address, and who has a phone."""
    lines = announce.tell(phones.where, phones.door.code)
    taken, asks = phones.door.taken, phones.door.asks
    for seat, player in enumerate(phones.door.players):
        if seat in asks:
            sentence = _("Seat {number}, {player}: another phone is asking for it.")
        elif seat in taken:
            sentence = _("Seat {number}, {player}: has a phone.")
        else:
            sentence = _("Seat {number}, {player}: free.")
        lines.append(sentence.format(number=seat + 1, player=player))
    return lines


def _code(phones: Phones) -> str:
    return announce.tell(phones.where, phones.door.code)[1]


def _find_seat(players: tuple[str, ...], whom: str) -> int | None:
    """A seat by its number, counted from 1, or by its player's name."""
    if whom.isascii() and whom.isdecimal():
        number = int(whom[:3])
        return number - 1 if 1 <= number <= len(players) else None
    by_name = {fold(name): seat for seat, name in enumerate(players)}
    return by_name.get(fold(whom))
