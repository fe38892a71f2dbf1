"""The set-up: players by seat, the game, and how phones join."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from textual import events, on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.screen import ModalScreen, Screen
from textual.widgets import Input, OptionList, Static

from common.clean import clean_text
from companion.app.display import lines, paint
from companion.app.keymap import bindings, label
from companion.app.screens import setup_dialogs
from companion.app.widgets import NamesEntry
from companion.app.widgets.choice_list import ChoiceList, list_row
from companion.app.widgets.code import Code
from companion.app.widgets.doors import Doors
from companion.app.widgets.panel import KeyLine
from companion.game import Row
from companion.language import _
from companion.setup.draft import COUNT, Draft
from companion.setup.setup_talk import CardsPage, RenamePage, SetUpTalk
from companion.setup.shared import SetUp, tell_how_on_screen

if TYPE_CHECKING:
    from collections.abc import Callable

    from companion.app.application import Application
    from companion.chips.entries import Entry
    from companion.game import Message
    from companion.settings.config import Config

QR_ROOM = (110, 34)
"""Columns and lines from which the code is drawn beside the game; below, a key shows it."""


class SetupScreen(Screen[None]):
    """Players on the left, the game in the middle, phones on the right, problems below."""

    app: Application

    AUTO_FOCUS = ""
    BINDINGS: ClassVar[list[BindingType]] = [
        ("ctrl+s,f5", "begin"),
        ("f6", "resume"),
        Binding("alt+up,shift+up", "move(-1)", priority=True),
        Binding("alt+down,shift+down", "move(1)", priority=True),
        ("delete,ctrl+d", "remove"),
        ("f2", "rename"),
        ("f7", "crown"),
        ("f8", "lot"),
        ("f1", "help"),
        ("escape", "back"),
        ("up", "app.focus('doors')"),  # from the names; lists keep both keys for themselves
        ("down", "app.focus('name')"),
        ("ctrl+q", "app.leave"),
        *bindings(("language", "theme", "phones", "put_out")),
    ]

    def __init__(self, set_up: SetUp, config: Config) -> None:
        super().__init__()
        self.set_up, self.config = set_up, config
        self.talk = SetUpTalk(set_up, self._hear)
        self._problem = self._note = ""
        self._rows: dict[str, tuple[Row, ...]] = {}  # those painted, by list
        self._acting = False
        set_up.listeners.append(self._follow)

    @property
    def draft(self) -> Draft:
        return self.set_up.draft

    def compose(self) -> ComposeResult:
        """Two columns, the code for phones, and a line for problems."""
        yield Static(id="setup-title")
        yield Doors(id="doors")
        with Horizontal(id="setup"):
            with Vertical(id="setup-players"):
                yield Static(paint(_("Players in seat order, clockwise"), "bold $gold"))
                yield NamesEntry(
                    placeholder=_("a name, then Enter"),
                    id="name",
                    max_length=200,
                    select_on_focus=False,
                )
                yield ChoiceList(id="seats")
            with Vertical(id="setup-rules"):
                yield Static(paint(_("The game (Enter changes a line)"), "bold $gold"))
                yield ChoiceList(id="rules")
            yield Code(id="setup-phones", markup=False)
        yield ChoiceList(id="go")
        yield Static(id="unfinished", markup=False)
        yield Static(id="problem", markup=False)
        yield KeyLine(id="keys")

    def on_mount(self) -> None:
        """Highlight continuing the last game, if there is one."""
        self._begin()
        self.call_after_refresh(self._describe)

    def _describe(self) -> None:
        """Describe the unfinished game; replaying it takes longer than a first frame may."""
        facts = self.set_up.describe() if self.set_up.unfinished is not None else []
        self.query_one("#unfinished", Static).update(lines(paint(one, "$quiet") for one in facts))

    async def relabel(self) -> None:
        await self.recompose()
        self._begin()
        self._describe()

    def _begin(self) -> None:
        self.show_setup()
        self.query_one("#doors" if self.set_up.unfinished is not None else "#name").focus()

    def _hear(self, message: Message) -> None:
        text = "\n".join(message.lines)
        self._problem = f"{self._problem}\n{text}".strip() if message.kind == "refused" else ""
        self._note = text if message.kind == "note" else ""

    def _follow(self) -> None:
        """Draw what another face has changed; who is marked stays so."""
        if not self.is_mounted or self.set_up.is_done or self._acting:
            return
        before, seats = self._rows["seats"], self.query_one("#seats", ChoiceList)
        place = seats.highlighted
        with self.query_one("#go", ChoiceList).keep_highlight():
            self.show_setup()
        if place is not None:
            now = [row.label for row in self._rows["seats"]]
            label, renamed = before[place].label, place if len(now) == len(before) else None
            seats.highlighted = now.index(label) if label in now else renamed

    # -- painting ---------------------------------------------------------------------------------

    def show_setup(self) -> None:
        seats = self.query_one("#seats", ChoiceList)
        seat = seats.highlighted if seats.option_count else 0
        rule = self.query_one("#rules", ChoiceList).highlighted
        count = len(self.draft.players)
        players = self.talk.seats.offer().rows
        rules = self.talk.overview.offer().rows[: len(self.draft.rows())]
        self._rows, self.shown = {"seats": players, "rules": rules}, self.talk.identity
        rows = [list_row(row) for row in players]
        rows = [row if at < count else row._replace(key="+") for at, row in enumerate(rows)]
        seats.show(rows, None if seat is None else min(seat, max(0, count - 1)))
        lines = [list_row(row)._replace(key="") for row in rules]
        self.query_one("#rules", ChoiceList).show(lines, rule or 0)
        self.query_one(Doors).show(self._list_doors())
        counts = self.draft.door == COUNT
        start = _("Count the points") if counts else _("Start the game")
        self.query_one("#go", ChoiceList).show([("", "", f"{start}  (F5)")])
        needs_crown = self.draft.needs_crown and not self.draft.crown
        hint = self._note or (self.draft.tell_first_crown() if needs_crown else "")
        text = paint(self._problem, "bold $error") if self._problem else paint(hint, "$quiet")
        self.query_one("#problem", Static).update(text)
        self.query_one(KeyLine).show(self._list_keys())
        self.show_door()

    def _list_keys(self) -> list[tuple[str, str, str]]:
        keys = self.config.keys
        phones = [(label(keys["phones"][0]), _("phones"), "app.phones")]
        return [
            ("Tab", _("next section"), "app.focus_next"),
            *(phones if self.app.has_phones else ()),
            ("F5", _("start"), "begin"),
            ("F1", _("help"), "help"),
            ("Ctrl+Q", _("quit"), "app.leave"),
            *([("F7", _("crown"), "crown")] if self.draft.needs_crown else ()),
            (label(keys["language"][0]), _("language"), "app.language"),
        ]

    def show_door(self) -> None:
        """Paint where phones join, and how many have."""
        door = self.app.phones
        title = _("CITADELS  a new game")
        panel = self.query_one("#setup-phones", Static)
        columns, height = QR_ROOM
        panel.display = (
            door is not None and self.size.width >= columns and self.size.height >= height
        )
        if door is not None:
            title = "   ".join((title, *door.tell()))
            if panel.display:
                panel.update(door.draw())
        self.query_one("#setup-title", Static).update(paint(title))

    def on_resize(self) -> None:
        """Show the code if there is room for it now."""
        self.call_after_refresh(self.show_door)

    def _list_doors(self) -> tuple[Row, ...]:
        """The ways to begin: the unfinished game first."""
        doors = self.talk.list_doors()
        if self.set_up.unfinished is None:
            return doors
        label = _("Continue game {name}  (F6)").format(name=self.set_up.unfinished.name)
        return (Row(label, do=self.action_resume), *doors)

    def is_text(self, letter: str) -> bool:
        """Whether a letter is text: at the doors it begins a name."""
        return isinstance(self.focused, Doors)

    # -- what people do ---------------------------------------------------------------------------

    def act(self, deed: Callable[[], object]) -> None:
        """Pass what somebody does to the conversation, and paint the result: often a list."""
        self._problem = self._note = ""
        self._acting = True
        deed()
        self._acting = False
        if self.set_up.is_done:
            return
        self.show_setup()
        self.show_page()

    def show_page(self) -> None:
        """Open a dialog for the list that is open in the conversation."""
        if not self.talk.can_go_back or self.app.screen is not self:
            return
        page: Callable[[SetUpTalk], ModalScreen[Any]] = setup_dialogs.RowsPage
        top = self.talk.top
        if isinstance(top, CardsPage | RenamePage):
            page = setup_dialogs.CardsPage if isinstance(top, CardsPage) else setup_dialogs.NamePage
        self._problem = self._note = ""  # painted until the dialog has been answered
        self.app.push_screen(page(self.talk), self._close_page)

    def _close_page(self, _result: object) -> None:
        self.show_setup()
        self.show_page()

    @on(Input.Submitted, "#name")
    def _add_players(self, event: Input.Submitted) -> None:
        text = clean_text(event.value, limit=1000)
        if not text and self.draft.players:
            self.query_one("#go").focus()
        if text:
            self.act(lambda: self.talk.add(text))
        if text and self._problem:
            event.input.select_all()  # to be corrected, or typed over
        else:
            event.input.value = ""
        self.query_one("#seats", ChoiceList).highlighted = len(self.draft.players) - 1

    @on(Doors.Taken)
    def _take_door(self, event: Doors.Taken) -> None:
        door = event.row
        if door.is_in is None:
            self.action_resume()
        else:
            self.act(lambda: self.talk.take(door))
            self.query_one("#name").focus()

    @on(Doors.Typed)
    def _begin_name(self, event: Doors.Typed) -> None:
        name = self.query_one("#name", NamesEntry)
        name.focus()
        name.insert_text_at_cursor(event.letter)

    @on(OptionList.OptionSelected)
    def _take_selected(self, event: OptionList.OptionSelected) -> None:
        event.stop()
        at, name = event.option_index, event.option_list.id
        if name == "go":
            self.action_begin()
        elif name in self._rows and at < len(self._rows[name]):
            row, begun = self._rows[name][at], self.shown
            self.act(lambda: self.talk.take(row, begun=begun))

    def _seat(self) -> int | None:
        at = self.query_one("#seats", ChoiceList).highlighted
        return at if at is not None and at < len(self.draft.players) else None

    def _change(self, change: Callable[[int], object]) -> None:
        if (at := self._seat()) is not None:
            self.act(lambda: self.talk.edit(lambda: change(at)))

    def action_move(self, by: int) -> None:
        places: list[int] = []
        self._change(lambda at: places.append(self.draft.move(at, by)))
        for to in places:
            self.query_one("#seats", ChoiceList).highlighted = to

    def action_remove(self) -> None:
        self._change(self.draft.remove)

    def action_rename(self) -> None:
        if (at := self._seat()) is not None:
            self.act(lambda: self.talk.open(RenamePage(self.talk, self.draft.players[at])))

    def action_crown(self) -> None:
        if not self.draft.needs_crown:
            return
        self._change(lambda at: self.draft.give_crown(self.draft.players[at]))

    def action_lot(self) -> None:
        if self.draft.players and self.draft.needs_crown:
            self.act(lambda: self.talk.edit(self.draft.draw_crown))

    def action_begin(self) -> None:
        """Start the game if the setup is valid; otherwise names are what is usually missing."""
        self.act(self.talk.begin)
        if self._problem:
            self.query_one("#name").focus()

    def action_resume(self) -> None:
        if self.set_up.unfinished is not None:
            self.act(self.talk.resume)

    def action_back(self) -> None:
        self.act(self.talk.go_back)

    def action_help(self) -> None:
        self.app.show_sheet(_("Setting up a game"), lines(tell_how_on_screen()))

    def on_key(self, event: events.Key) -> None:
        """`h` and `?` ask for help where no name is typed."""
        if event.key in ("h", "question_mark") and not isinstance(self.focused, Input):
            event.stop()
            self.action_help()

    def take_chip(self, uid: bytes, entry: Entry | None) -> bool:
        """Ignore taps before the game has started."""
        return True
