"""The word `phones` and its arguments, typed in any face: the table's control of its door."""

from __future__ import annotations

from typing import TYPE_CHECKING

from common import NamedTuple
from companion.language import _, listing, plural, translate, vocabulary
from companion.log import StoreError
from companion.phones.serving import guard
from companion.phones.serving.site import say_words
from companion.phones.serving.where import tell_address
from engine.moves import fold

if TYPE_CHECKING:
    from companion.phones.serving.phones import Phones


class Reply(NamedTuple):
    """The reply: `refused` if nothing was done; `code` is drawn where a picture is wanted."""

    lines: tuple[str, ...]
    refused: bool = False
    code: str = ""


def answer(phones: Phones, rest: str) -> Reply:
    """Do the arguments of `phones`: none, `out` with a seat or player (by default the one who came
    last) or `all`, `code` with a seat or player, `allow` or `refuse` with the number of who asks,
    or a seat or player."""
    try:
        return _answer(phones, rest)
    except StoreError as error:
        return Reply((translate(str(error)),), True)


def _answer(phones: Phones, rest: str) -> Reply:
    word, _space, whom = map(str.strip, rest.partition(" "))
    if not word:
        return Reply(tuple(describe(phones)), code=phones.door.code)
    what = vocabulary.match_word(word, "out", "allow", "refuse", "code")
    if what is None:
        return Reply((_("type phones, phones out 2, phones out all, or phones allow 47."),), True)
    if what == "out" and vocabulary.match_word(whom, "all"):
        number = phones.door.free_all()
        phones.tell_door()
        out = plural("{number} phone was removed.", "{number} phones were removed.", number)
        return Reply((out, _code(phones)))
    if what in ("allow", "refuse"):
        return _answer_ask(phones, whom, allowed=what == "allow")
    if what == "out" and not whom:
        arrivals = phones.door.arrivals
        if not arrivals:
            return Reply((_("no phone has joined."),), True)
        return _put_out(phones, arrivals[-1].seat)
    seat = _find_seat(phones.door.players, whom)
    if seat is None:
        return Reply((_("which seat? Give its number or the player's name."),), True)
    return _put_out(phones, seat) if what == "out" else _show_code(phones, seat)


def _put_out(phones: Phones, seat: int) -> Reply:
    is_done = phones.door.put_out(seat)
    sentence = _("{player}'s phone was removed.") if is_done else _("{player} has no phone.")
    phones.tell_door()
    return Reply((sentence.format(player=phones.door.players[seat]),), not is_done)


def _show_code(phones: Phones, seat: int) -> Reply:
    text = _("Code for {player}'s seat alone: {code}")
    code = phones.door.codes[seat]
    player = phones.door.players[seat]
    return Reply((text.format(player=player, code=guard.format_code(code)),), code=code)


def _answer_ask(phones: Phones, whom: str, *, allowed: bool) -> Reply:
    door = phones.door
    seat = _find_seat(door.players, whom)
    asks = [ask for ask in door.asks.unanswered if whom == str(ask.number)]
    asks = asks or [ask for ask in door.asks.unanswered if ask.seat == seat]
    if not asks:
        return Reply((_("nobody is asking for that seat, or with that number."),), True)
    if len(asks) > 1:
        which = _("several phones are asking: {numbers}. Give the number of the right one.")
        numbers = listing([str(ask.number) for ask in asks])
        return Reply((which.format(numbers=numbers),), True)
    door.asks.answer(asks[0].number, allowed=allowed)
    phones.tell_door()
    sentence = _("The phone with the number {number} may have {player}'s seat.")
    if not allowed:
        sentence = _("The phone with the number {number} does not get {player}'s seat.")
    player = door.players[asks[0].seat]
    return Reply((sentence.format(number=asks[0].number, player=player),))


def describe(phones: Phones) -> list[str]:
    """The table's address, who has a phone, and who asks for a seat."""
    lines = describe_entrance(phones)
    names = phones.door.taken
    for seat, player in enumerate(phones.door.players):
        if seat in names:
            sentence = _("Seat {number}, {player}: has a phone.")
        else:
            sentence = _("Seat {number}, {player}: free.")
        lines.append(sentence.format(number=seat + 1, player=player))
    lines += [ask.describe(phones.door.players) for ask in phones.door.asks.unanswered]
    return lines


def describe_entrance(phones: Phones) -> list[str]:
    """The table's address and code, and in a public house what opens a seat."""
    lines = tell_address(phones.where, phones.door.code)
    if phones.site.is_public:
        text = _("A seat is opened by its own code (type {words}) or by the table's yes.")
        lines.append(text.format(words=f"{say_words('code')} 2"))
    return lines


def _code(phones: Phones) -> str:
    return tell_address(phones.where, phones.door.code)[1]


def _find_seat(players: tuple[str, ...], whom: str) -> int | None:
    """A seat by its number, counted from 1, or by its player's name."""
    if whom.isascii() and whom.isdecimal():
        number = int(whom[:3])
        return number - 1 if 1 <= number <= len(players) else None
    by_name = {fold(name): seat for seat, name in enumerate(players)}
    return by_name.get(fold(whom))
