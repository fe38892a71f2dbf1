"""Phones beside the full screen: where they join, and what is answered about them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.content import Content

from companion.app.screens.sheet import PhonesSheet
from companion.app.widgets.code import draw_code
from companion.language import _
from companion.phones.serving import guard
from companion.phones.serving.where import link_with_code

if TYPE_CHECKING:
    from collections.abc import Callable

    from companion.beside import Beside
    from companion.game import Kind
    from companion.phones.serving.phones import Phones
    from companion.phones.serving.where import Where


class PhonesBeside:
    """What an app shows of its phones, which connect to `where`."""

    def __init__(
        self,
        beside: Beside,
        where: Where,
        tell: Callable[[Kind, str], None],
        open_screen: Callable[[PhonesSheet], object],
    ) -> None:
        """`tell` shows a message beside the table."""
        self._beside, self._where = beside, where
        self._tell, self._open_screen = tell, open_screen

    @property
    def _phones(self) -> Phones | None:
        return self._beside.phones

    @property
    def is_full(self) -> bool:
        """Whether every seat has a phone."""
        door = self._phones.door if self._phones is not None else None
        return door is not None and len(door.taken) == len(door.players)

    def tell(self) -> list[str]:
        """The address, the code, and how many phones have joined, in short."""
        assert self._phones is not None
        door = self._phones.door
        told = [self._where.url, _("Code: {code}").format(code=guard.format_code(door.code))]
        if door.players:
            count = _("{phones} of {players} phones")
            told.append(count.format(phones=len(door.taken), players=len(door.players)))
        return told

    def draw(self) -> Content:
        """The same with the QR code."""
        assert self._phones is not None
        return self._draw(tuple(self.tell()), self._phones.door.code)

    def list_news(self) -> list[str]:
        """Whose phone came last, or which seat was freed."""
        return self._phones.site.list_news() if self._phones is not None else []

    def answer(self, rest: str) -> None:
        """Run `phones` and its subcommands."""
        if self._phones is None:
            self._tell("note", _("Access for phones is being set up; try again in a moment."))
            return
        from companion.phones.serving import typed_phones

        report = typed_phones.answer(self._phones, rest)
        if report.refused:
            self._tell("refused", report.lines[0])
        elif report.code:
            title = _("{player}'s phone").format(player=report.player) if report.player else None
            shown = self._draw(report.lines, report.code)
            sheet = PhonesSheet(
                title or _("Phones"),
                shown,
                self._list_players(),
                lambda player: self.answer(f"code {player}"),
            )
            self._open_screen(sheet)
        else:
            self._tell("note", " ".join(report.lines))

    def _list_players(self) -> tuple[str, ...]:
        return self._phones.door.known_names if self._phones is not None else ()

    def _draw(self, seats: tuple[str, ...], code: str) -> Content:
        assert self._phones is not None
        return draw_code(link_with_code(self._where.url, code), "", *seats)
