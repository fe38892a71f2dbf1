"""The list of choices: number, key and label of each; the default one is highlighted first."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from itertools import accumulate, zip_longest
from typing import TYPE_CHECKING, Self

from rich.cells import cell_len
from textual.content import Content
from textual.geometry import Offset, Region, Size
from textual.strip import Strip
from textual.widgets import OptionList
from textual.widgets.option_list import Option

from common import NamedTuple
from companion.app.display import paint, type_mark, wrap
from companion.app.terminal import put_cursor
from companion.app.widgets.panel import paint_row
from companion.language import _, amount, translate

if TYPE_CHECKING:
    from companion.game import CurrentQuestion
    from companion.game.asking import Row
    from engine.moves import Move
    from engine.table import Table


_BETWEEN = " · "  # between a label and the reason after it


class ListLine(NamedTuple):
    """A row: a key, a second one, its label, a mark before that, and why it is unavailable."""

    key: str
    other: str
    label: str
    mark: Content | None = None
    reason: str = ""
    brief: str = ""  # the reason where there is little room


class ChoiceList(OptionList):
    """Rows of keys and a label; the screen knows their meaning."""

    def __init__(self, *, id: str | None = None) -> None:
        # Textual's `compact` only adds this class, but its setter looks up all the list's styles
        # before it is even on a screen.
        super().__init__(id=id, markup=False, classes="-textual-compact")
        self._rows: list[ListLine] = []
        self._width = 0
        self._starts: list[int] = []  # the line on which each row begins
        self._text_below: Callable[[int, int], list[Content]] | None = None
        self._below: list[Content] | None = None
        self._below_for = (0, 0)  # their width, and the lines above them
        self.auto_links = False

    def show(self, rows: Sequence[ListLine | tuple[str, str, str]], index: int | None = 0) -> None:
        """Replace the rows."""
        lines = [ListLine(*row) for row in rows]
        if lines != self._rows or self._width != self.scrollable_content_region.width:
            self._rows = lines
            self._paint(index)
        else:
            self.highlighted = index if lines else None

    def refresh(
        self,
        *regions: Region,
        repaint: bool = True,
        layout: bool = False,
        recompose: bool = False,
    ) -> Self:
        """Paint those regions or all; a list that has its size from the stylesheet is not laid out
        again for other rows."""
        layout = layout and bool(self.styles.auto_dimensions)
        return super().refresh(*regions, repaint=repaint, layout=layout, recompose=recompose)

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        """The lines of all rows at that width, to which they are fitted at once: later, that would
        lay out the screen again. Rows that scroll stay as they are, or they might cease to."""
        if not self.show_vertical_scrollbar and self._fit(width):
            self.set_reactive(ChoiceList.virtual_size, Size(width, self._starts[-1]))
        return super().get_content_height(container, viewport, width)

    def watch_show_vertical_scrollbar(self) -> None:
        """Make room for the scrollbar, or take it back."""
        super().refresh(layout=True)
        self.call_after_refresh(self.on_resize)

    # -- the lines that the rows leave free --------------------------------------------------------

    def count_free(self) -> int:
        """The lines below the last row."""
        return max(0, self.scrollable_content_region.height - self.virtual_size.height)

    def put_below(self, text: Callable[[int, int], list[Content]]) -> None:
        """Show in those lines what `text` makes for their width and number."""
        self._text_below = text

    def refresh_below(self) -> None:
        """Paint the lines below the last row whose text has changed."""
        before, self._below = self._below, self._draw_below()
        for place, (old, new) in enumerate(zip_longest(before or (), self._below)):
            if old is None or new is None or not new.is_same(old):
                self.refresh_lines(self.virtual_size.height + place)

    def _draw_below(self) -> list[Content]:
        if self._text_below is None:
            return []
        width = self.scrollable_content_region.width
        self._below_for = (width, self.virtual_size.height)
        return self._text_below(width, self.count_free()) if width else []

    def render_line(self, y: int) -> Strip:
        """A line of a row, or one below the rows."""
        place = self.scroll_offset.y + y - self.virtual_size.height
        if place < 0 or self._text_below is None:
            return super().render_line(y)
        width, style = self.scrollable_content_region.width, self.visual_style
        if self._below is None or self._below_for != (width, self.virtual_size.height):
            self._below = self._draw_below()
        line = self._below[place] if place < len(self._below) else Content("")
        return paint_row(self, line, width, style).extend_cell_length(width, style.rich_style)

    # -- the highlight -----------------------------------------------------------------------------

    def move(self, rows: int) -> None:
        """Move the highlight by that many rows, stopping at the ends."""
        if self.option_count:
            at = (self.highlighted or 0) + rows
            self.highlighted = max(0, min(self.option_count - 1, at))

    @contextmanager
    def keep_highlight(self) -> Iterator[None]:
        """Highlight the same row after the block, if it is still listed."""
        place = self.highlighted
        row = self._rows[place] if place is not None and place < len(self._rows) else None
        yield
        if row in self._rows:
            self.highlighted = self._rows.index(row)

    def take_key(self, key: str) -> int | None:
        """The highlighted row if that key (Enter, space) takes it, before any later key."""
        return self.highlighted if key in ("enter", "space") and self.has_focus else None

    def is_listed(self, option: Option) -> bool:
        """Whether a clicked row is still listed: the list may have changed since the click."""
        return any(option is entries for entries in self.options)

    def on_focus(self) -> None:
        """Bring the terminal's cursor here."""
        self.call_after_refresh(self._bring_cursor)

    def watch_highlighted(self, index: int | None) -> None:
        """Move the terminal's cursor to the highlighted row."""
        super().watch_highlighted(index)
        self.call_after_refresh(self._bring_cursor)

    def _bring_cursor(self) -> None:
        """Put the terminal's cursor on the highlighted row if the list has the focus."""
        here = self.has_focus and self.screen is self.app.screen  # a covered list keeps its focus
        if here and self.highlighted is not None:
            row = self._line_of(self.highlighted) - self.scroll_offset.y
            region = self.scrollable_content_region
            put_cursor(self.app, region.offset + Offset(0, max(0, min(row, region.height - 1))))

    def _line_of(self, place: int) -> int:
        """The line on which that row begins; long labels take several."""
        return self._starts[place] if place < len(self._starts) else 0

    def on_resize(self) -> None:
        """Wrap long labels to the new width."""
        self.call_after_refresh(self._bring_cursor)
        if self._fit(self.scrollable_content_region.width):
            self._update_lines()
            self.scroll_to_highlight()
            self.refresh(layout=True)

    def _paint(self, index: int | None) -> None:
        self._width = self.scrollable_content_region.width
        self.set_options([Option(label) for label in self._label_rows()])
        self.highlighted = index if self._rows else None

    def _fit(self, width: int) -> bool:
        """Wrap long labels to that width; return whether it is another one."""
        if width == self._width or width <= 0:
            return False
        self._width = width
        for option, label in zip(self._options, self._label_rows(), strict=True):
            option._set_prompt(label)
        self._line_cache.clear()
        self._option_render_cache.clear()
        return True

    def _label_rows(self) -> list[Content]:
        labels = [_row(row, self._width or 80) for row in self._rows]
        heights = [label.plain.count("\n") + 1 for label in labels]
        self._starts = [0, *accumulate(heights)]
        return labels


def _row(row: ListLine, width: int) -> Content:
    """The keys, then the label, with a hanging indent. Unavailable rows are dim, with the reason on
    lines of its own if it is long."""
    head = Content("")
    if row.key or row.other:
        key, other = ("$quiet", "$quiet") if row.reason else ("bold $gold", "$gold")
        head = paint(f"{row.key:>2} ", key) + paint(f"{row.other:1} ", other)
    if row.mark is not None:
        head = head + row.mark
    text = paint(row.label, "$quiet") if row.reason else paint(row.label)
    room = width - head.cell_length - text.cell_length - len(_BETWEEN)
    reason = row.reason if cell_len(row.reason) <= room else row.brief or row.reason
    if reason:
        text = text + paint(_BETWEEN + reason, "$quiet italic")
    if head.cell_length + text.cell_length <= width:
        return head + text
    indent = Content(" " * (head.cell_length or 2))
    rows = wrap(text, max(10, width - indent.cell_length - 1)) or [Content("")]
    return Content("\n").join([head + rows[0], *(indent + line for line in rows[1:])])


_USUAL = ("faceup", "call", "nobody", "leave", "gold", "end")


def list_row(table: Table, row: Row) -> ListLine:
    """A row: its number and key, a district's symbol before its name, why it is not available."""
    district = table.rules.districts.get(row.card)
    head = paint(f"{type_mark(district.type)} ", f"bold ${district.type}") if district else None
    number = "" if row.number is None else str(row.number)
    label = row.label + ("…" if row.private or len(row.moves) > 1 else "")
    reason = "" if row.why is None else _tell_reason(row)
    return ListLine(number, row.key, label, head, reason, _tell_briefly(row))


def _tell_reason(row: Row) -> str:
    """Why a row is not available, in a few words."""
    if row.short:
        return _("{gold} short").format(gold=amount("gold", row.short))
    return translate(row.why().refusal.reason).partition("; ")[0].rstrip(".") if row.why else ""


def _tell_briefly(row: Row) -> str:
    """The reason where there is little room; "" if there is no shorter one."""
    if row.short:
        return _("{number} short").format(number=row.short)
    shown = ("reveal.already", "unmask.shown")
    return _("already shown") if row.why and row.why().refusal.rule in shown else ""


def find_usual(table: Table, legal: Sequence[Move], question: CurrentQuestion) -> int:
    """The index of the row that Enter takes: the first that matches the typed text; at the top
    level the most common one that leaves no income behind."""
    open_ = [place for place, row in enumerate(question.visible) if row.why is None]
    if question.typed or question.offer.title or (table.turn is None and not legal):
        return open_[0] if open_ else 0
    from companion.game import shortcuts  # the set-up's lists need no rules

    left = (
        shortcuts.find_untaken(table, legal)
        if table.turn is not None and not table.questions
        else None
    )
    gathers = any(move.verb == "gold" for move in legal)
    target = (left.verb,) if left is not None and not gathers else _USUAL
    verbs = [row.moves[0].verb if row.moves else "" for row in question.visible]
    return next((verbs.index(verb) for verb in target if verb in verbs), open_[0] if open_ else 0)
