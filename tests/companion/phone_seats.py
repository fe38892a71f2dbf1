"""A game with a phone in every seat, for tests."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from companion.game.session import Later
from companion.phones.page import Page
from companion.phones.phone_table import PhoneTable
from companion.phones.staging import Choice
from engine import record
from tests.companion.talking import FOUR, Talk

SELECTED = "faceup bishop merchant"
ANNAS_TURN = f"{SELECTED}; call; reveal Anna"


class Phones(Talk):
    """A game of four with a phone in every seat; Kurt has the crown."""

    def __init__(
        self,
        folder: Path,
        moves: str = "",
        secrecy: str = "announced",
        *,
        setup: dict[str, Any] | None = None,
        calls: bool = False,
        later: Later = lambda seconds, work: lambda: None,
    ) -> None:
        setup = setup or {"players": list(FOUR), "crown": "Kurt", "secrecy": secrecy}
        super().__init__(folder, record.read_setup(setup), moves)
        self.changes = 0
        self.has_phone: set[int] = set()
        self.phones = PhoneTable(
            self._count,
            calls=calls,
            has_phone=lambda seat: seat in self.has_phone,
            later=later,
        )
        self.phones.follow(self.conversation)

    def _count(self) -> None:
        self.changes += 1

    def page(self, seat: int | None) -> Page:
        return self.phones.page(seat, "en")

    def play(self, seat: int, *moves: str) -> None:
        """Make the moves on the phone of that seat."""
        for move in moves:
            self.phones.move(seat, move, "en")

    def choose(self, seat: int, label: str, *, as_caller: bool = False, code: str = "en") -> None:
        page = self.phones.page(seat, code)
        choices = page.caller if as_caller else page.choices
        assert choices is not None
        row = next(row for row in choices.rows if row.label.startswith(label))
        self.phones.take(seat, row.row, page.moment, code, as_caller=as_caller)

    def rows(self, seat: int) -> list[Choice]:
        choices = self.page(seat).choices
        assert choices is not None
        return list(choices.rows)

    def answer(self, seat: int) -> list[str]:
        messages = self.page(seat).reply
        return [line for message in messages for line in message.lines]
