"""Phones beside the full screen: where they join, and what is answered about them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.content import Content

from companion.app.screens.sheet import PhonesSheet
from companion.app.widgets.code import draw_code
from companion.language import _
from companion.phones.serving import guard, typed_phones
from companion.phones.serving.where import link_with_code

if TYPE_CHECKING:
    from collections.abc import Callable

    from companion.game import Kind
    from companion.phones.serving.phones import Phones


class PhonesBeside:
    """What an app shows of its phones."""

    def __init__(
        self,
        phones: Phones,
        tell: Callable[[Kind, str], None],
        open_screen: Callable[[PhonesSheet], object],
    ) -> None:
        """`tell` shows a message beside the table."""
        self._phones, self._tell, self._open_screen = phones, tell, open_screen

    @property
    def is_full(self) -> bool:
        """Whether every seat has a phone."""
        door = self._phones.door
        return len(door.now.taken) == len(door.now.players)

    def tell(self) -> list[str]:
        """The address, the code, and how many phones have joined, in short."""
        door = self._phones.door
        told = [
            self._phones.where.url,
            _("Code: {code}").format(code=guard.format_code(door.now.code)),
        ]
        if door.now.players:
            count = _("{phones} of {players} phones")
            told.append(count.format(phones=len(door.now.taken), players=len(door.now.players)))
        return told

    def draw(self) -> Content:
        """The same with the QR code."""
        return self._draw(tuple(self.tell()), self._phones.door.now.code)

    def list_news(self) -> list[str]:
        """Whose phone came last, or which seat was freed."""
        return self._phones.site.list_news()

    def answer(self, rest: str) -> None:
        report = typed_phones.answer(self._phones, rest)
        if report.refused:
            self._tell("refused", report.lines[0])
        elif report.code:
            title = _("{player}'s phone").format(player=report.player) if report.player else None
            shown = self._draw(report.lines, report.code)
            sheet = PhonesSheet(
                title or _("Phones"),
                shown,
                self._phones.door.now.known_names,
                lambda player: self.answer(f"code {player}"),
            )
            self._open_screen(sheet)
        else:
            self._tell("note", " ".join(report.lines))

    def _draw(self, seats: tuple[str, ...], code: str) -> Content:
        return draw_code(link_with_code(self._phones.where.url, code), "", *seats)
