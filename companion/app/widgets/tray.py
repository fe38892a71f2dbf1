"""The tray: the simulated deck's chips, to put on the emulated reader.

Taps here go through the emulated reader and its real driver, like those of a real one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from textual import on
from textual.containers import Vertical
from textual.widgets import Input, OptionList, Static

from companion.app.display import lines, paint
from companion.app.widgets import TextEntry
from companion.app.widgets.choice_list import ChoiceList
from companion.chips.entries import entry_label, sort_entries
from companion.language import _
from engine.moves import fold, split
from tags.links import format_uid

if TYPE_CHECKING:
    from textual.app import ComposeResult
    from textual.binding import BindingType

    from companion.readers.table_reader import TableReader
    from engine.ruleset import Ruleset


class Tray(Vertical):
    """Search, rows, and the chip on the reader."""

    BINDINGS: ClassVar[list[BindingType]] = [
        ("down", "move(1)"),
        ("up", "move(-1)"),
        ("pagedown", "move(8)"),
        ("pageup", "move(-8)"),
        ("f5", "hold"),
        ("f6", "lift"),
        ("f7", "cable"),
    ]

    def __init__(self, reader: TableReader, rules: Ruleset) -> None:
        super().__init__()
        self.reader = reader
        self.players = rules.player_names
        chips = reader.deck.chips if reader.deck is not None else {}
        uids = {entry: uid for uid, entry in chips.items()}
        entries = sort_entries(uids)
        self.rows = [
            (entry_label(e, self.players), uids[e], fold(f"{entry_label(e, self.players)} {e}"))
            for e in entries
        ]
        self.fitting: list[bytes] = []
        self.lies = ""

    def compose(self) -> ComposeResult:
        """The search field keeps the focus; the rows follow it."""
        yield Static(paint(_("Tray: chips for the simulated reader"), "$quiet bold"))
        yield TextEntry(placeholder=_("type a card, Enter taps it"), id="tray-search")
        yield ChoiceList(id="tray-rows")
        yield Static(id="lying", markup=False)
        yield Static(
            lines(
                [
                    paint(_("Enter taps · F5 holds · F6 lifts"), "$quiet"),
                    paint(_("F7 unplugs or plugs in the cable · Esc closes"), "$quiet"),
                ]
            ),
            id="tray-keys",
        )

    def open(self) -> None:
        """Show the deck, with the search field focused."""
        self._filter("")
        self._tell()
        search = self.query_one(Input)
        search.value = ""
        search.focus()

    def _filter(self, text: str) -> None:
        targets = fold(text).split()
        matches = [row for row in self.rows if all(word in row[2] for word in targets)]
        matches.sort(key=lambda row: not all(row[2].startswith(w) for w in targets[:1]))
        self.fitting = [uid for _label, uid, _words in matches]
        self.query_one(ChoiceList).show([("", "", label) for label, _uid, _words in matches])

    @on(Input.Changed)
    def _filter_typed(self, event: Input.Changed) -> None:
        event.stop()
        self._filter(event.value)

    @on(Input.Submitted)
    def _lay_marked(self, event: Input.Submitted) -> None:
        event.stop()
        self._lay(self._find_marked(), hold=False)

    @on(OptionList.OptionSelected)
    def _lay_selected(self, event: OptionList.OptionSelected) -> None:
        event.stop()
        self._lay(self.fitting[event.option_index], hold=False)
        self.query_one(Input).focus()

    def _find_marked(self) -> bytes | None:
        """The highlighted row, or the chip whose id was typed."""
        at = self.query_one(ChoiceList).highlighted
        if at is not None and at < len(self.fitting):
            return self.fitting[at]
        words = split(self.query_one(Input).value) or []
        return self.reader.deck.find(words) if words and self.reader.deck else None

    def _lay(self, uid: bytes | None, *, hold: bool) -> None:
        if uid is None:
            self._tell(_("No such chip. An id works too: chip 04:a1:b2:c3"))
            return
        (self.reader.hold if hold else self.reader.lay)(uid)
        self.lies = self._label(uid) if hold else ""
        self._tell("" if hold else _("Tapped: {chip}").format(chip=self._label(uid)))
        self.query_one(Input).select_all()

    def _label(self, uid: bytes) -> str:
        return next((label for label, chip, _w in self.rows if chip == uid), format_uid(uid))

    def _tell(self, text: str = "") -> None:
        if not self.reader.plugged:
            text = text or _("The cable is unplugged.")
        elif self.lies:
            text = text or _("On the reader: {chip}").format(chip=self.lies)
        self.query_one("#lying", Static).update(paint(text or _("Nothing is on the reader.")))

    def action_move(self, rows: int) -> None:
        """Move the highlight while the search field has focus."""
        self.query_one(ChoiceList).move(rows)

    def action_hold(self) -> None:
        """Put the highlighted chip down and leave it there."""
        self._lay(self._find_marked(), hold=True)

    def action_lift(self) -> None:
        """Remove the chip."""
        self.reader.lift()
        self.lies = ""
        self._tell()

    def action_cable(self) -> None:
        """Pull the cable, or plug it in again."""
        if self.reader.plugged:
            self.reader.unplug()
        else:
            self.reader.plug()
        self._tell()
