"""The word `phones` and its arguments, typed in any face: the table's control of its door."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from common.clean import read_number
from companion.language import _, plural, translate, vocabulary
from companion.log import StoreError
from companion.phones.serving import guard
from companion.phones.serving.site import say_words
from companion.phones.serving.where import tell_address
from engine.moves import fold

if TYPE_CHECKING:
    from companion.phones.serving.phones import Phones


class Reply(NamedTuple):
    """The reply: `refused` if nothing was done; `code` is drawn where a picture is wanted, `player`
    whose it is."""

    lines: tuple[str, ...]
    refused: bool = False
    code: str = ""
    player: str = ""


def answer(phones: Phones, rest: str) -> Reply:
    """Do the arguments of `phones`: none, `out` with a seat or player (by default the one who came
    last) or `all`, or `code` with a seat or player, or `taps`."""
    try:
        return _answer(phones, rest)
    except StoreError as error:
        return Reply((translate(str(error)),), True)


def _answer(phones: Phones, rest: str) -> Reply:
    word, _space, whom = map(str.strip, rest.partition(" "))
    if not word:
        return Reply(tuple(describe(phones)), code=phones.door.now.code)
    what = vocabulary.match_word(word, "out", "code")
    if what is None:
        return Reply((_("type phones, phones code 2, phones out 2 or phones out all."),), True)
    if what == "out" and vocabulary.match_word(whom, "all"):
        number = phones.door.free_all(phones.site.taps.renew)
        phones.redraw()
        out = plural("{number} phone was removed.", "{number} phones were removed.", number)
        return Reply((out, _code(phones)))
    if what == "code" and vocabulary.match_word(whom, "taps"):
        return _show_taps(phones)
    if what == "out" and not whom:
        arrivals = [news.seat for news in phones.door.now.news if news.kind != "freed"]
        if not arrivals:
            return Reply((_("no phone has joined."),), True)
        return _put_out(phones, arrivals[-1])
    if what == "code" and (player := _find_player(phones.door.now.known_names, whom)) is not None:
        return _show_code(phones, player)
    player = _find_player(phones.door.now.players, whom)
    if player is None:
        return Reply((_("which seat? Give its number or the player's name."),), True)
    return _put_out(phones, phones.door.now.players.index(player))


def _put_out(phones: Phones, seat: int) -> Reply:
    is_done = phones.door.put_out(seat)
    sentence = _("{player}'s phone was removed.") if is_done else _("{player} has no phone.")
    phones.redraw()
    return Reply((sentence.format(player=phones.door.now.players[seat]),), not is_done)


def _show_code(phones: Phones, player: str) -> Reply:
    text = _("Code for {player}'s seat alone: {code}")
    code = phones.door.now.own_codes[player]
    line = text.format(player=player, code=guard.format_code(code))
    return Reply((line,), code=code, player=player)


def _show_taps(phones: Phones) -> Reply:
    text = _("Key for chips in the middle of the table, as secret as a seat's code: {key}")
    return Reply((text.format(key=phones.site.taps.text),))


def describe(phones: Phones) -> list[str]:
    """The table's address, and who has a phone."""
    lines = describe_entrance(phones)
    taken = phones.door.now.taken
    for seat, player in enumerate(phones.door.now.players):
        if seat in taken:
            sentence = _("Seat {number}, {player}: has a phone.")
        else:
            sentence = _("Seat {number}, {player}: free.")
        lines.append(sentence.format(number=seat + 1, player=player))
    return lines


def describe_entrance(phones: Phones) -> list[str]:
    """The table's address and code, and in a public house what opens a seat."""
    lines = tell_address(phones.where, phones.door.now.code)
    if phones.site.is_public:
        text = _("A seat is opened by its own code alone: type {words}.")
        lines.append(text.format(words=f"{say_words('code')} 2"))
    return lines


def _code(phones: Phones) -> str:
    return tell_address(phones.where, phones.door.now.code)[1]


def _find_player(players: tuple[str, ...], whom: str) -> str | None:
    """A player by the number of the seat, counted from 1, or by name."""
    if (number := read_number(whom, 3)) is not None:
        return players[number - 1] if 1 <= number <= len(players) else None
    return next((name for name in players if fold(name) == fold(whom)), None)
