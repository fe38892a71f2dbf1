"""The list of choices: number, key and label of each; the default one is highlighted first."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, ClassVar, NamedTuple

from textual.binding import BindingType
from textual.content import Content
from textual.geometry import Offset
from textual.visual import RenderOptions, Visual
from textual.widgets import OptionList
from textual.widgets.option_list import Option

from companion.app.display import fit, paint, type_mark, wrap
from companion.game import picks, shortcuts

if TYPE_CHECKING:
    from textual.css.styles import RulesMap
    from textual.strip import Strip
    from textual.style import Style

    from companion.app.terminal import SafeApp
    from companion.game import CurrentQuestion, Row
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


class ChoiceList(OptionList):
    """Rows of keys and a label; the screen knows their meaning."""

    app: SafeApp

    BINDINGS: ClassVar[list[BindingType]] = [("space", "select")]

    def __init__(self, *, id: str | None = None) -> None:
        # Textual's `compact` only adds this class, but its setter looks up all the list's styles
        # before it is even on a screen.
        super().__init__(id=id, markup=False, classes="-textual-compact")
        self._rows: list[ListLine] = []
        self.auto_links = False

    def show(self, rows: Sequence[ListLine | tuple[str, str, str]], index: int | None = 0) -> None:
        lines = [ListLine(*row) for row in rows]
        if lines != self._rows:
            self._rows = lines
            self.set_options([Option(_Wrapped(row)) for row in lines])
        self.highlighted = index if lines else None

    # -- the highlight -----------------------------------------------------------------------------

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
        return any(option is listed for listed in self.options)

    def on_focus(self) -> None:
        self.call_after_refresh(self._bring_cursor)

    def watch_highlighted(self, index: int | None) -> None:
        super().watch_highlighted(index)
        self.call_after_refresh(self._bring_cursor)

    def _bring_cursor(self) -> None:
        """Put the terminal's cursor on the highlighted row if the list has the focus."""
        here = self.has_focus and self.screen is self.app.screen  # a covered list keeps its focus
        if here and self.highlighted is not None:
            row = self._line_of(self.highlighted) - self.scroll_offset.y
            region = self.scrollable_content_region
            self.app.put_cursor(region.offset + Offset(0, max(0, min(row, region.height - 1))))

    def _line_of(self, place: int) -> int:
        """The line on which that row begins; long labels take several."""
        width = self.scrollable_content_region.width
        return sum(_count_lines(row, width) for row in self._rows[:place])

    def on_resize(self) -> None:
        """Keep the highlighted row in sight."""
        self.call_after_refresh(self._bring_cursor)
        self.scroll_to_highlight()


class _Wrapped(Visual):
    """A row at whatever width the list has."""

    def __init__(self, row: ListLine) -> None:
        self.row = row

    def get_optimal_width(self, rules: RulesMap, container_width: int) -> int:
        return container_width

    def get_height(self, rules: RulesMap, width: int) -> int:
        return _count_lines(self.row, width)

    def render_strips(
        self, width: int, height: int | None, style: Style, options: RenderOptions
    ) -> list[Strip]:
        return _row(self.row, width).render_strips(width, height, style, options)


def _count_lines(row: ListLine, width: int) -> int:
    return _row(row, width).plain.count("\n") + 1


def _row(row: ListLine, width: int) -> Content:
    """The keys, then the label, with a hanging indent. An unavailable row is dim and one line, with
    the reason if that fits."""
    head = Content("")
    key, other, style = ("$quiet",) * 3 if row.reason else ("bold $gold", "$gold", "")
    if row.key or row.other:
        head = paint(f"{row.key:>2} ", key) + paint(f"{row.other:1} ", other)
    if row.mark is not None:
        head = head + row.mark
    text = paint(row.label, style)
    if row.reason:
        reason = paint(_BETWEEN + row.reason, "$quiet italic")
        room = width - head.cell_length
        fits = text.cell_length + reason.cell_length <= room
        text = text + reason if fits else paint(fit(row.label, room).rstrip(), style)
    if head.cell_length + text.cell_length <= width:
        return head + text
    indent = Content(" " * (head.cell_length or 2))
    rows = wrap(text, max(10, width - indent.cell_length - 1)) or [Content("")]
    return Content("\n").join([head + rows[0], *(indent + line for line in rows[1:])])


_USUAL = ("faceup", "call", "leave", "gold", "end")


def list_row(row: Row, table: Table | None = None) -> ListLine:
    """A row: its number and key, a district's symbol before its name, why it is not available."""
    district = table.rules.districts.get(row.card) if table is not None else None
    head = paint(f"{type_mark(district.type)} ", f"bold ${district.type}") if district else None
    number = "" if row.number is None else str(row.number)
    label = row.label + ("…" if row.private or len(row.moves) > 1 else "")
    return ListLine(number, row.key, label, head, picks.tell_briefly(row))


def find_usual(table: Table, legal: Sequence[Move], question: CurrentQuestion) -> int | None:
    """The index of the row that Enter takes: the first that matches the typed text; at the top
    level the most common one that leaves no income behind; at a call none, since Enter alone must
    not say that nobody answers."""
    if not question.typed and any(move.verb == "nobody" for move in legal):
        return None
    open_ = [place for place, row in enumerate(question.visible) if row.why is None]
    if question.typed or question.offer.title or (table.turn is None and not legal):
        return open_[0] if open_ else 0
    left = (
        shortcuts.find_untaken(table, legal)
        if table.turn is not None and not table.questions
        else None
    )
    gathers = any(move.verb == "gold" for move in legal)
    wanted = (left.verb,) if left is not None and not gathers else _USUAL
    verbs = [row.moves[0].verb if row.moves else "" for row in question.visible]
    return next((verbs.index(verb) for verb in wanted if verb in verbs), open_[0] if open_ else 0)
