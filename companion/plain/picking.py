"""Numbers in the line caller: typed whole, or tapped digit by digit; a choice's, or an entry's."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.intent import menu
from companion.intent.digits import pressed
from companion.language import _

if TYPE_CHECKING:
    from companion.plain.caller import Caller


def offers(caller: Caller, number: int) -> bool:
    """Whether that number picks something now."""
    return number in _numbers(caller)


def pick(caller: Caller, number: str) -> None:
    """Take the numbered choice; list the choices first where none were listed."""
    place = int(number) if len(number) < 6 else -1
    numbers = _numbers(caller)
    if not numbers:
        caller.command("moves")
    elif place not in numbers:
        sentence = (
            _("there is no choice {number}; choose {first}.")
            if len(numbers) == 1
            else _("there is no choice {number}; choose {first} to {last}.")
        )
        caller.refuse(sentence.format(number=number, first=min(numbers), last=max(numbers)))
    elif caller.reading is not None:
        caller.read(caller.reading._replace(place=place))
    else:
        caller.take(menu.numbered(caller.choices)[place].moves)


def pick_digit(caller: Caller, digit: str) -> None:
    """A number chip: part of a number, which is picked once its digits are whole."""
    numbers = _numbers(caller)
    if digit == "0" and not caller.digits and 0 not in numbers:
        caller.command("repeat")
        return
    before = caller.digits
    number, caller.digits = pressed(before, digit, numbers)
    if caller.digits:
        sentence = _("{number}: another digit, or the chip enter.")
        caller.say(sentence.format(number=caller.digits))
    else:
        pick(caller, before + digit if number is None else str(number))


def enter(caller: Caller) -> None:
    """The chip that says that the digits are a whole number."""
    number, caller.digits = caller.digits, ""
    caller.reading = caller.reading if number else None
    if number:
        pick(caller, number)


def _numbers(caller: Caller) -> list[int]:
    """The numbers that mean something now."""
    if caller.reading is not None:
        return list(range(1, len(caller.reading.cards) + 1))
    return list(menu.numbered(caller.choices))
