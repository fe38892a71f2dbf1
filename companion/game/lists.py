"""The stack of open lists, and the text typed to filter the last one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion import verbs
from companion.game.picks import find_type_number, number_districts
from companion.language import _
from companion.language.vocabulary import search_names, simplify, spellings

if TYPE_CHECKING:
    from companion.game.asking import Offer, Row
    from engine.table import Table


class Lists:
    """Open lists over the top-level rows; letters and digits narrow the last one."""

    def __init__(self) -> None:
        self.stack: list[Offer] = []
        self.letters = ""
        self.digits = ""

    @property
    def typed(self) -> str:
        """The text typed to find a row."""
        return self.letters or self.digits

    def open(self, offer: Offer) -> None:
        """Open that list on top."""
        self.stack.append(offer)
        self.clear_typed()

    def clear(self) -> None:
        """Close all lists."""
        self.stack.clear()
        self.clear_typed()

    def clear_typed(self) -> None:
        """Clear the typed text."""
        self.letters = self.digits = ""

    def go_back(self) -> bool:
        """Undo the typed text, else close the last list; return whether there was either."""
        if self.typed:
            self.clear_typed()
        elif self.stack:
            self.stack.pop()
        else:
            return False
        return True

    def erase(self) -> bool:
        """Delete the last letter or digit; return whether there was one."""
        if not self.typed:
            return False
        self.letters, self.digits = self.letters[:-1], self.digits[:-1]
        return True

    def visible(self, offer: Offer) -> tuple[Row, ...]:
        """The rows that match the typed text."""
        if self.digits:
            return tuple(row for row in offer.rows if str(row.number).startswith(self.digits))
        if self.letters:
            return tuple(row for row in offer.rows if fits(row, self.letters))
        return offer.rows

    def type(self, letter: str) -> None:
        """Add a letter of a name."""
        self.digits = ""
        self.letters += letter

    def digit(self, offer: Offer, digit: str) -> Row | str | None:
        """Add a digit: the row that it completes, "" if more digits may follow, None for no row.

        A number is complete as soon as no longer one begins with it.
        """
        typed = self.digits + digit
        rows = {str(row.number): row for row in offer.rows if str(row.number).startswith(typed)}
        self.letters, self.digits = "", typed if rows else ""
        if [*rows] == [typed]:
            self.digits = ""
            return rows[typed]
        return "" if rows else None

    def take_whole_number(self, offer: Offer) -> Row | None:
        """Take the row numbered exactly as typed, and clear the digits."""
        number, self.digits = self.digits, ""
        return next((row for row in offer.rows if str(row.number) == number), None)


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
    return offer._replace(title=_("Which one?"), rows=rows, question="", type_digit=digit)


def is_known(table: Table, row: Row) -> bool:
    """Whether the row's number is that of a seat, a rank, an amount or a verb: somebody who listens
    need not hear it."""
    if row.card in table.rules.seat_of or row.card in table.rules.characters:
        return True
    numbers = {verbs.VERBS[move.verb].number for move in row.moves} | {verbs.VERBS["end"].number}
    return row.number in numbers or row.card == str(row.number) or bool(row.word)


def fits(row: Row, letters: str) -> bool:
    """Whether each typed word is part of one of the row's names, in any language."""
    names = [*spellings(row.label), *search_names(row.card)]
    return all(any(simplify(word) in name for name in names) for word in letters.split())
