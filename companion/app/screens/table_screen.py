"""The table screen: the public view of the table, the current question, and the actions of the
keys in `settings.keys` besides the conversation; those of the application are in the caller.

Input goes to the conversation, then everything is painted from it. Nothing to be read moves: every
part has a fixed place for each terminal size.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from textual import events, on
from textual.binding import BindingType
from textual.containers import Horizontal, Vertical
from textual.widgets import OptionList, Static

from companion import extending
from companion.app import keymap, sheet_texts
from companion.app.display import SHEET_WIDTH, lines, paint
from companion.app.face import ScreenFace
from companion.app.help import bottom_line, keys
from companion.app.keymap import bindings
from companion.app.screens.private_screen import EndScreen, PrivateScreen
from companion.app.screens.sheet import CardsScreen, CodeScreen
from companion.app.widgets.banner import Banner
from companion.app.widgets.choice_list import ChoiceList, find_usual, list_row
from companion.app.widgets.chronicle import Events
from companion.app.widgets.panel import KeyLine
from companion.app.widgets.players_panel import Players
from companion.app.widgets.status import Hints, Lesson, NoticeBar, Prompt, Status, Strip
from companion.game import CurrentQuestion, Identity, Kind, Message
from companion.game.commands import NOTHING
from companion.game.conversation import Conversation
from companion.game.modes import MODES
from companion.game.teaching import moment
from companion.language import _, begin_sentence, translate
from companion.verbs import hints
from companion.wording import story

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from textual.app import ComposeResult
    from textual.geometry import Size

    from companion.chips.entries import Entry
    from companion.game import Row
    from companion.game.session import Session
    from companion.settings.config import Config


EVENTS = 40  # moves in the list of events
JOURNAL = 400  # moves in the journal
_MARGIN = 8  # cells beside the widest sheet
SHEET_FROM = 3  # lines of an answer from which it gets its own sheet


class TableScreen(ScreenFace):
    """Choices on the left, players on the right; everything is painted in place."""

    AUTO_FOCUS = "#choices"
    BINDINGS: ClassVar[list[BindingType]] = [*bindings(), ("escape", "back")]
    HORIZONTAL_BREAKPOINTS = [  # noqa: RUF012 - Textual declares it so
        (0, "-slim"),
        (70, "-narrow"),
        (110, "-wide"),
        (160, "-huge"),
    ]
    VERTICAL_BREAKPOINTS = [  # noqa: RUF012
        (0, "-tiny"),
        (18, "-low"),
        (36, "-high"),
        (50, "-tall"),
    ]

    def __init__(self, session: Session, config: Config, size: Size) -> None:
        """`size` is the terminal's: knowing it beforehand saves painting twice."""
        wide = [name for least, name in self.HORIZONTAL_BREAKPOINTS if size.width >= least][-1]
        high = [name for least, name in self.VERTICAL_BREAKPOINTS if size.height >= least][-1]
        choosing = "-selection" if session.view.stage == "selection" else ""
        super().__init__(classes=f"{wide} {high} {choosing}")
        self.config = config
        self.talk = self._conversation(session)
        self.messages: list[Message] = []  # since the last input
        self.shown = self.talk.identity  # the question that is painted
        self._rows: Sequence[Row] = ()  # its rows
        self.sheet_title = ""  # of an answer that is shown on a sheet, however short

    def _conversation(self, session: Session) -> Conversation:
        return Conversation(
            session,
            self,
            MODES,
            plays_forced=self.config.plays_forced(people=True),
            keys_of=self.config.keys,
            list_more=extending.list_words,
        )

    def compose(self) -> ComposeResult:
        """Every part once; later only their contents change."""
        yield Status(id="status")
        yield Strip(id="strip")
        yield Banner(id="banner")
        yield Prompt(id="prompt")
        with Horizontal(id="body"):
            with Vertical(id="left"):
                yield Static(id="heading", markup=False)
                yield ChoiceList(id="choices")
                yield Events(id="events")
            yield Players(id="players")
        yield Lesson(id="lesson")
        yield Hints(id="hints")
        yield KeyLine(id="keys")
        yield NoticeBar(id="notice")

    def on_mount(self) -> None:
        """Paint at once: the first frame already shows the table."""
        self.relabel()
        self.explain_game()

    def relabel(self) -> None:
        self.messages = []
        self.talk.relabel()
        self.show_reader()
        self.show_table()

    def begin(self, session: Session) -> None:
        self.talk = self._conversation(session)
        self.query_one(Players).begin()
        self.relabel()
        self.explain_game()

    def explain_game(self) -> None:
        """Open the lesson before the first move as a page, where a strip with it would leave no
        room for the steps at the table."""
        session = self.talk.session
        lesson = session.teacher.lesson(session.view)
        if lesson and not session.referee.moves and self.classes & {"-tiny", "-low"}:
            parts = [part for sentence in lesson for part in (sentence, "")]
            self.app.show_sheet(_("Explain it to us"), lines(parts[:-1]))

    def is_text(self, letter: str) -> bool:
        """Whether that letter searches the rows now instead of being a shortcut key."""
        return self.talk.top.searches(letter.lower())

    # -- painting ---------------------------------------------------------------------------------

    def show_table(self) -> None:
        view, session = self.talk.view, self.talk.session
        self.set_class(view.stage == "selection", "-selection")
        self.query_one(Status).show(view)
        self.query_one(Strip).show(view)
        self.announce()
        self.query_one(Players).show(view)
        self.query_one(Events).show(view, story.list_chronicle(session.moments(EVENTS), view))
        lesson = session.teacher.lesson(view)
        self.set_class(bool(lesson), "-taught")
        self.query_one(Lesson).show(
            lesson,
            self.config.keys,
            of_card=moment(view).startswith("call "),
        )
        self.query_one(Hints).show(hints(session.legal()))
        self.show_asked()

    def catch_up(self) -> None:
        """Paint what was done on a phone; who is about to take a row here still takes that row."""
        with self.query_one("#choices", ChoiceList).keep_highlight():
            self.show_table()

    def announce(self) -> None:
        """Announce the call in large letters and, in the large view, the player called."""
        self.query_one(Banner).announce(self.talk.view, large=self.has_class("-large"))

    def show_asked(self) -> None:
        question, self.shown = self.talk.asked, self.talk.identity
        self.query_one(Prompt).show(question.question, self.talk.session)
        heading = paint(_heading(question), "$quiet bold")
        self.query_one("#heading", Static).update(heading, layout=False)
        view, self._rows = self.talk.view, question.visible
        rows = [list_row(row, view) for row in question.visible]
        usual_row = find_usual(view, self.talk.legal, question)
        self.query_one("#choices", ChoiceList).show(rows, usual_row)
        self.show_keys()
        self.show_notice(with_reason=self.has_reason)
        if question.private or any(message.private for message in self.messages):
            self._show_private()

    @property
    def has_reason(self) -> bool:
        """Whether there is more to tell of the last refusal than what is shown of it."""
        refused = self.talk.last_refusal
        if refused is None or refused.refusal.is_by_rule:
            return refused is not None
        shown = " ".join(line for message in self.messages for line in message.lines)
        return translate(refused.refusal.reason) not in shown

    def show_notice(self, *, with_reason: bool = False) -> None:
        """Paint what was said, and which phones have come or ask; `with_reason` is whether a key
        shows the rule behind a refusal."""
        door = self.app.phones
        self.query_one(Status).show_phones([] if door is None or door.is_full else door.tell()[1:])
        news = [Message("note", (text,)) for text in door.list_news()] if door is not None else []
        messages_now = [*self.messages, *news]
        if (reason := self._explain_highlighted()) and all(
            reason not in message.lines for message in messages_now
        ):
            messages_now, with_reason = [Message("note", (reason,))], False
        notice = self.query_one(NoticeBar)
        notice.names = [seat.name for seat in self.talk.view.seats]
        notice.show(messages_now, with_reason, self.query_one(Hints))

    def _explain_highlighted(self) -> str:
        """Why the highlighted row cannot be taken; "" if it can."""
        place = self.query_one("#choices", ChoiceList).highlighted
        row = self._rows[place] if place is not None and place < len(self._rows) else None
        return translate(row.why().refusal.reason) if row is not None and row.why else ""

    @on(OptionList.OptionHighlighted, "#choices")
    def _tell_highlighted(self) -> None:
        self.show_notice(with_reason=self.has_reason)

    show_door = show_notice
    """Show how phones join, now that they can."""

    def show_reader(self) -> None:
        state, working = self.app.reader_state
        is_lost = bool(self.app.lost_readers)
        self.set_class(is_lost, "-lost")
        self.query_one(Hints).show_reader(state, working=working, is_lost=is_lost)
        self.show_keys()

    def show_keys(self) -> None:
        keys = bottom_line(self.config.keys, self._list_wanted(), is_text=self.is_text)
        self.query_one(KeyLine).show(keys)

    def _list_wanted(self) -> list[str]:
        """The actions that this moment may need, those needed most first."""
        door = self.app.phones
        may_want = {
            "undo": True,
            "why": self.has_reason,
            "help": True,
            "leave": True,
            "phones": door is not None and not door.is_full,
            "tray": self.app.has_simulated_reader,
        }
        by_stage = {
            "selection": ("card_texts", "rules", "large"),
            "calling": ("large", "journal", "cities"),
            "over": ("scores", "journal", "cities"),
        }
        wanted = [action for action, is_wanted in may_want.items() if is_wanted]
        return [*wanted, *by_stage.get(self.talk.view.stage, ("cities", "card_texts", "scores"))]

    def _show_private(self) -> None:
        """Cover the table screen with the private screen, unless it is already open."""

        def show(left: list[Message] | None) -> None:
            self.messages = left or []
            self.show_table()

        if not isinstance(self.app.screen, PrivateScreen):
            self.app.push_screen(PrivateScreen(self.talk, self.messages, self.answer), show)

    # -- what is said -----------------------------------------------------------------------------

    def say(self, message: Message) -> None:
        """Collect what the conversation says until the next paint; a long answer opens a sheet, and
        each part of the scores takes the full screen."""
        if message.code:
            self.app.push_screen(CodeScreen(message.code))
        elif message.kind == "answer" and message.title and self.talk.session.over:
            self._tell_part(message)
        elif (
            message.kind == "answer"
            and not message.private
            and (self.sheet_title or len(message.lines) >= SHEET_FROM)
        ):
            self.app.show_sheet(message.title or self.sheet_title, lines(message.lines))
        else:
            self.messages.append(message)

    def tell(self, kind: Kind, text: str) -> None:
        """Show a message from outside the conversation: reader, voice, settings."""
        self.messages = [Message(kind, (text,))] if text else []
        self.show_notice()

    def _tell_part(self, message: Message) -> None:
        if isinstance(self.app.screen, EndScreen):
            self.app.screen.show_part(message)
        else:
            self.app.push_screen(EndScreen(self.talk, message), self._show_after_scores)

    def _show_after_scores(self, _nothing: None) -> None:
        self.call_later(self.show_table)

    def show_cards(self, cards: tuple[str, ...] = ()) -> None:
        """Open the card browser at these cards (all of them if none)."""
        self.app.push_screen(CardsScreen(self.talk.view, cards))

    # -- input ------------------------------------------------------------------------------------

    def act(self, deed: Callable[[Conversation], object], *, say_all: bool = False) -> None:
        """Pass input to the conversation and paint the result; what a move did is among the events,
        and also shown as a notice with `say_all`."""
        before = len(self.talk.session.referee.moves)
        self.answer(deed)
        if not say_all and len(self.talk.session.referee.moves) > before:
            self.messages = [message for message in self.messages if message.kind != "told"]
        self.show_table()

    def answer(self, deed: Callable[[Conversation], object]) -> list[Message]:
        """Pass input to the conversation; return what it says."""
        self.messages = []
        deed(self.talk)
        return self.messages

    def on_key(self, event: events.Key) -> None:
        """Pass a key to the conversation; Enter and space take the highlighted row."""
        listing = self.query_one("#choices", ChoiceList)
        key = event.character if event.is_printable and event.character else event.key
        if (index := listing.take_key(event.key)) is not None or key == "enter":
            is_handled = self._enter(index, space=event.key == "space")
        elif key == "escape":
            is_handled = False  # a binding: the tray comes first
        else:
            is_handled = self._press(key)
        if is_handled:
            event.stop()
            event.prevent_default()

    def _enter(self, index: int | None, *, space: bool) -> bool:
        question = self.talk.asked
        card = next((message.card for message in self.messages if message.card), "")
        if space and question.filters and question.typed:
            return self._press(" ")
        if card and not question.typed:
            self.show_cards((card,))
        elif question.typed.isdecimal() or index is None or index >= len(question.visible):
            self.act(lambda talk: talk.press("enter", begun=self.shown))
        else:
            self.take(index)
        return True

    def _press(self, key: str) -> bool:
        messages, self.messages = self.messages, []
        before = self.talk.session.view
        if not self.talk.press(key, begun=self.shown):
            self.messages = messages
            return False
        if self.talk.session.view is before:
            self.show_asked()
        else:
            self.messages = [message for message in self.messages if message.kind != "told"]
            self.show_table()
        return True

    @on(OptionList.OptionSelected, "#choices")
    def _take_selected(self, event: OptionList.OptionSelected) -> None:
        if self.query_one("#choices", ChoiceList).is_listed(event.option):
            self.take(event.option_index)

    def take(self, place: int) -> None:
        visible = self.talk.asked.visible
        if place < len(visible):
            self.act(lambda talk: talk.take(visible[place], begun=self.shown))

    def line(self, text: str, begun: Identity) -> None:
        """Answer a line that was typed while that was asked."""
        self.act(lambda talk: talk.line(text, begun=begun))

    def tap(self, entry: Entry, uid: bytes, seat: int | None = None) -> bool | None:
        """Handle a known chip on that seat's own reader or on a shared one; return what
        `Conversation.tap` does."""
        before = len(self.talk.session.referee.moves)
        self.messages = []
        is_accepted = self.talk.tap(entry, uid, seat, begun=self.shown)
        if len(self.talk.session.referee.moves) > before:
            text = " ".join(line for s in self.messages if s.kind == "told" for line in s.lines)
            back = _("{key} undoes it.").format(key=keymap.key("undo"))
            self.messages = [Message("told", (text, back))]
        elif not self.talk.top.passes:
            public = [
                message
                for message in self.messages
                if not message.private and message.kind != "list"
            ]
            self.app.voice.speak_aloud(*(line for message in public for line in message.lines))
        self.show_table()
        return is_accepted

    def action_back(self) -> None:
        """Undo typed text, the last list, or cards tapped."""
        self.act(lambda talk: talk.press("escape", begun=self.shown))
        self.query_one("#choices").focus()

    # -- actions of keys --------------------------------------------------------------------------

    def action_undo(self) -> None:
        nothing = not self.talk.session.referee.moves
        self.act(lambda talk: talk.word("undo"))
        if nothing:
            self.app.voice.speak_aloud(translate(NOTHING["undo"]))

    def action_redo(self) -> None:
        self.act(lambda talk: talk.word("redo"), say_all=True)

    def action_repeat(self) -> None:
        self.tell("told", " ".join(self.talk.session.tell_last()))
        self.app.voice.repeat()

    def action_voice(self) -> None:
        voice = self.app.voice
        voice.switch(not voice.speaks_to_table)
        if voice.speaks_to_table:
            self.tell("note", _("The voice is on."))
        elif not voice.on:
            self.tell("note", _("The voice is off."))

    def action_faster(self) -> None:
        self._change_speed(1)

    def action_slower(self) -> None:
        self._change_speed(-1)

    def _change_speed(self, steps: int) -> None:
        if not self.app.voice.on:
            self.tell("note", _("The voice is off."))
            return
        speed = self.app.voice.change_speed(steps)
        self.tell("note", _("Speed {number} percent.").format(number=speed))

    def action_why(self) -> None:
        """The rule behind the last refusal; the help if nothing was refused."""
        if self.talk.last_refusal is None or not self.has_reason:
            self.action_help()
        else:
            text = sheet_texts.refusal(self.talk.view, self.talk.last_refusal)
            self.app.show_sheet(begin_sentence(_("why")), text)

    def action_help(self) -> None:
        """The keys: first those of this moment."""
        has = [
            name
            for name, is_here in {
                "reader": self.app.has_reader,
                "phones": self.app.has_phones,
            }.items()
            if is_here
        ]
        moves = [row for row in self.talk.asked.visible if not self.is_text(row.key or " ")]
        wanted = self._list_wanted()
        text = keys(self.app.config.keys, self.talk.view.rules, has, moves, wanted)
        self.app.show_sheet(_("Keys"), text)

    def action_scores(self) -> None:
        """The scores with a line for each source of points."""
        title = _("The final scores") if self.talk.session.over else _("The scores so far")
        self.app.show_sheet(title, sheet_texts.scores(self.talk.view))

    def action_rules(self) -> None:
        """The box, the cards and every option in force."""
        self.app.show_sheet(_("The rules of this game"), sheet_texts.rules(self.talk.view))

    def action_card_texts(self) -> None:
        self.show_cards()

    def action_cities(self) -> None:
        """Every city as cards, for any number of players."""
        width = max(SHEET_WIDTH, self.size.width - _MARGIN)
        self.app.show_sheet(_("The cities"), sheet_texts.cities(self.talk.view, width), width=width)

    def action_city(self, seat: int) -> None:
        view = self.talk.view
        self.app.show_sheet(view.seats[seat].name, sheet_texts.city(view, seat))

    def action_journal(self) -> None:
        """The journal: what happened, further back than the list of events, scrolled to the end."""
        lines = story.list_chronicle(self.talk.session.moments(JOURNAL), self.talk.view)
        self.app.show_sheet(_("What happened"), sheet_texts.journal(lines), at_end=True)

    def action_say(self, word: str) -> None:
        """Say a word that an extension answers, and show the answer on a sheet."""
        self.sheet_title = begin_sentence(self.talk.list_more()[word].does)
        self.act(lambda talk: talk.word(word))
        self.sheet_title = ""

    def action_large(self) -> None:
        """Toggle the large view: the call in letters as large as the screen permits."""
        self.toggle_class("-large")
        self.announce()

    def action_look(self) -> None:
        """Read the next tapped card to one person alone."""
        self.act(lambda talk: talk.word("look"))

    def action_mine(self) -> None:
        """Read the told hand of the awaited player to one person's ear."""
        self.act(lambda talk: talk.word("mine"))

    def action_teach(self) -> None:
        teacher = self.talk.session.teacher
        teacher.switch(not teacher.on)
        sentence = (
            _("The first round is explained.")
            if teacher.on
            else _("The first round is no longer explained.")
        )
        self.show_table()
        self.tell("note", sentence)
        self.explain_game()


def _heading(question: CurrentQuestion) -> str:
    """The text typed to find a row, or how to find one."""
    if question.typed and not question.visible:
        return _("{typed}▏ no match; Esc clears it").format(typed=question.typed)
    if question.typed:
        return f"{question.typed}▏"
    if not question.offer.rows:
        return _("No moves left.")
    return _("Type a name or a number") if question.filters else _("Choose")
