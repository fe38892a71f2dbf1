"""Numbers made of single digits: number chips, where no Enter says that the number is whole."""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple

DIGITS = tuple("0123456789")


class Digits(NamedTuple):
    """What a digit made of those before it: a number, or digits that still wait, or neither."""

    number: int | None = None
    waiting: str = ""


def press(waiting: str, digit: str, numbers: Collection[int]) -> Digits:
    """A digit after those that wait, where these numbers can be meant.

    A number that no longer one begins with is whole at once. Neither a number nor waiting: none of
    the numbers begins so.
    """
    text = waiting + digit
    meant = [number for number in numbers if str(number).startswith(text)]
    if meant == [int(text)] and text == str(meant[0]):
        return Digits(number=meant[0])
    return Digits(waiting=text if meant else "")
