"""Numbers typed with digit chips, without an Enter to end them."""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple

DIGITS = tuple("0123456789")


class Digits(NamedTuple):
    """The result of a digit: a complete number, or digits still pending, or neither."""

    number: int | None = None
    waiting: str = ""


def press(waiting: str, digit: str, numbers: Collection[int]) -> Digits:
    """Append a digit to the pending ones; `numbers` are the valid choices.

    A number is complete as soon as no longer choice begins with it. The result is neither if no
    choice begins with these digits.
    """
    text = waiting + digit
    meant = [number for number in numbers if str(number).startswith(text)]
    if meant == [int(text)] and text == str(meant[0]):
        return Digits(number=meant[0])
    return Digits(waiting=text if meant else "")
