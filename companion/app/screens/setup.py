"""The setup: players by seat, the crown, the box and the house rules."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Any, ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.widgets import Input, OptionList, Static

from common.problems import Problems
from companion.app.display import lines, paint
from companion.app.keymap import bindings, label
from companion.app.screens.board import FirstScreen
from companion.app.widgets.choice_list import ChoiceList
from companion.app.widgets.entry import TextEntry
from companion.app.widgets.status import KeyLine
from companion.files.clean import clean_text
from companion.game import unfinished
from companion.history import people
from companion.language import _, translate
from companion.log.store import StoreError
from companion.setup.draft import CAST, MORE, UNIQUES, Draft

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from companion.chips.entries import Entry
    from companion.game.session import Session
    from companion.log.store import Store
    from companion.settings.config import Config
    from companion.setup.options import PlayOptions

BEGIN, RESUME = "begin", "resume"


class SetupScreen(FirstScreen):
    """Players on the left, options on the right, problems below."""

    AUTO_FOCUS = ""
    BINDINGS: ClassVar[list[BindingType]] = [
        ("ctrl+s,f5", "begin"),
        ("f6", "resume"),
        Binding("alt+up,shift+up", "move(-1)", priority=True),
        Binding("alt+down,shift+down", "move(1)", priority=True),
        ("delete,ctrl+d", "remove"),
        ("f7", "crown"),
        ("f8", "lot"),
        ("escape", "back"),
        ("ctrl+q", "app.leave"),
        *bindings(("language", "theme")),
    ]

    def __init__(
        self,
        store: Store,
        config: Config,
        options: PlayOptions,
        playing: Session | None,
        play: Callable[[Session], None],
        *,
        has_phones: bool = False,
    ) -> None:
        """`play` plays the game started here, with phones if there are any."""
        super().__init__()
        self.store = store
        self.config = config
        self.play = play
        self.playing = playing
        self.draft = Draft.of(options, config, playing.setup if playing else None)
        self.draft.before = playing.setup.players if playing and has_phones else ()
        self.unfinished = None if playing or options.new else unfinished.find_last(store)
        self.known = people.list_offered(store)

    def compose(self) -> ComposeResult:
        """Two columns and a line for problems."""
        yield Static(paint(_("CITADELS  a new game")), id="setup-title")
        with Horizontal(id="setup"):
            with Vertical(id="setup-players"):
                yield Static(paint(_("Players in seat order, clockwise"), "bold $gold"))
                yield TextEntry(placeholder=_("a name, then Enter"), id="name", max_length=80)
                yield ChoiceList(id="seats")
            with Vertical(id="setup-rules"):
                yield Static(paint(_("The game (Enter changes a line)"), "bold $gold"))
                yield ChoiceList(id="rules")
        yield ChoiceList(id="go")
        yield Static(id="unfinished", markup=False)
        yield Static(id="problem", markup=False)
        yield KeyLine(id="keys")

    def on_mount(self) -> None:
        """Highlight continuing the last game, if there is one."""
        self._begin()
        self.call_after_refresh(self._describe)
        self.call_after_refresh(_import_what_a_game_needs)

    def _describe(self) -> None:
        """Describe the unfinished game; replaying it takes longer than a first frame may."""
        if self.unfinished is not None:
            told = unfinished.describe(self.store, self.unfinished)
            self.query_one("#unfinished", Static).update(
                lines(paint(one, "$quiet") for one in told)
            )

    async def relabel(self) -> None:
        """Rebuild everything in the current language."""
        await self.recompose()
        self._begin()
        self._describe()

    def _begin(self) -> None:
        self.query_one(KeyLine).show(
            [
                ("Tab", _("next section"), "app.focus_next"),
                (_("Shift+↑↓"), _("move a player"), "move(1)"),
                (label("delete"), _("remove"), "remove"),
                ("F7", _("crown"), "crown"),
                ("F8", _("at random"), "lot"),
                ("F5", _("start"), "begin"),
                ("Ctrl+Q", _("quit"), "app.leave"),
                (label(self.config.keys["language"][0]), _("language"), "app.language"),
            ]
        )
        self._show()
        self.query_one("#go" if self.unfinished else "#name").focus()

    def _show(self, problem: str = "") -> None:
        seat = self.query_one("#seats", ChoiceList).highlighted
        rule = self.query_one("#rules", ChoiceList).highlighted
        draft = self.draft
        rows = [
            (str(n), "", name + (f"  ({_('crown')})" if name == draft.crown else ""))
            for n, name in enumerate(draft.players, start=1)
        ]
        marked = min(seat or 0, max(0, len(rows) - 1))
        rows += [("+", "", name) for name in self._list_offered()]
        self.query_one("#seats", ChoiceList).show(rows, marked)
        rules = [("", "", row.label) for row in draft.rows()]
        self.query_one("#rules", ChoiceList).show(rules, rule or 0)
        self.query_one("#go", ChoiceList).show(
            [("", "", label) for _id, label in self._list_next_steps()]
        )
        first = translate(draft.edition.first_crown)
        hint = (
            ""
            if draft.crown
            else _("First crown: {who}. F7: the marked player. F8: drawn at random.").format(
                who=first
            )
        )
        line = paint(problem, "bold $error") if problem else paint(hint, "$quiet")
        self.query_one("#problem", Static).update(line)

    def _list_offered(self) -> list[str]:
        """Players of earlier games who are not seated yet."""
        if len(self.draft.players) >= self.draft.edition.max_players:
            return []
        return [name for name in self.known if name not in self.draft.players]

    def _list_next_steps(self) -> list[tuple[str, str]]:
        """The ways to proceed: the unfinished game first."""
        rows = [(BEGIN, _("Start the game  (F5)"))]
        if self.unfinished is not None:
            label = _("Continue game {name}  (F6)").format(name=self.unfinished.name)
            rows.insert(0, (RESUME, label))
        return rows

    # -- players ----------------------------------------------------------------------------

    @on(Input.Submitted, "#name")
    def _add_players(self, event: Input.Submitted) -> None:
        names = [clean_text(part, limit=40) for part in event.value.split(",")]
        problem = ""
        for name in filter(None, names):
            problem = self.draft.add(name) or problem
        if not any(names) and self.draft.players:
            self.query_one("#go").focus()
        event.input.value = ""
        self._show(problem)
        self.query_one("#seats", ChoiceList).highlighted = len(self.draft.players) - 1

    def _seat(self) -> int | None:
        at = self.query_one("#seats", ChoiceList).highlighted
        return at if at is not None and at < len(self.draft.players) else None

    def action_move(self, by: int) -> None:
        """Move the highlighted player to another seat."""
        at = self._seat()
        if at is not None:
            to = self.draft.move(at, by)
            self._show()
            self.query_one("#seats", ChoiceList).highlighted = to

    def action_remove(self) -> None:
        """Remove the highlighted player."""
        at = self._seat()
        if at is not None:
            self.draft.remove(at)
            self._show()

    def action_crown(self) -> None:
        """Give the highlighted player the first crown."""
        at = self._seat()
        if at is not None:
            self.draft.crown = self.draft.players[at]
            self._show()

    def action_lot(self) -> None:
        """Draw the crown by lot."""
        if self.draft.players:
            self.draft.crown = random.choice(self.draft.players)
            self._show()

    # -- options, and starting --------------------------------------------------------------

    @on(OptionList.OptionSelected)
    def _change_selected(self, event: OptionList.OptionSelected) -> None:
        event.stop()
        at = event.option_index
        if event.option_list.id == "rules":
            self._change(self.draft.rows()[at].name)
        elif event.option_list.id == "seats" and at < len(self.draft.players):
            self.action_crown()
        elif event.option_list.id == "seats":
            self._show(self.draft.add(self._list_offered()[at - len(self.draft.players)]))
        elif self._list_next_steps()[at][0] == RESUME:
            self.action_resume()
        else:
            self.action_begin()

    def _change(self, name: str) -> None:
        """Switch a row to its other answer, or open the dialog for choosing one."""
        if name == CAST:
            from companion.app.screens.cast import CastScreen

            self.app.push_screen(CastScreen(self.draft, self._show))
        elif name == UNIQUES:
            from companion.app.screens.cast import UniquesScreen

            self.app.push_screen(UniquesScreen(self.draft, self._show))
        elif name != MORE and len(answers := self.draft.answers(name)) > 2:
            self._choose(name, answers)
        else:
            self.draft.change(name)
            self._show()

    def _choose(self, name: str, answers: Sequence[tuple[Any, str]]) -> None:
        """Choose one of several answers from a list."""
        from companion.app.screens.picker import ValuesScreen

        def use(place: int) -> None:
            self.draft.choose(name, values[place])
            self._show()

        values = [value for value, _words in answers]
        what = next(row.what for row in self.draft.rows() if row.name == name)
        now = values.index(self.draft.find_answer(name))
        self.app.push_screen(ValuesScreen(what, [words for _value, words in answers], now, use))

    def action_begin(self) -> None:
        """Start the game if the setup is valid."""
        from companion.game.session import Session

        try:
            draft = self.draft
            before = self.playing.settings if self.playing and draft.is_same_group else None
            session = Session.begin(self.store, draft.setup(), teach=draft.teach, before=before)
        except Problems as error:
            self._show("\n".join(translate(problem.text) for problem in error.problems))
        except StoreError as error:
            self._show(translate(str(error)))
        else:
            self.play(session)

    def action_resume(self) -> None:
        """Continue the unfinished game."""
        if self.unfinished is None:
            return
        from companion.game.session import Session

        try:
            session = Session.resume(self.store, self.unfinished.id)
        except StoreError as error:
            self._show(translate(str(error)))
        else:
            self.play(session)

    def action_back(self) -> None:
        """Go back to the current game."""
        if self.playing is not None:
            self.app.pop_screen()

    def take_chip(self, uid: bytes, entry: Entry | None) -> None:
        """Ignore taps before the game has started."""


def _import_what_a_game_needs() -> None:
    """Import while people read, so that neither this screen nor the table waits for it."""
    import companion.app.screens.table
    import companion.game.session
    import companion.voice.host  # noqa: F401
