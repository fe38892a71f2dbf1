"""The main screen: the table as everybody may know it, and what can be done now."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual import on
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.widgets import OptionList, Static

from companion.app.choices import Choice, usual
from companion.app.display import joined, shown
from companion.app.game import Game
from companion.app.help import bottom_line
from companion.app.notices import Notice
from companion.app.reading import keep_taps
from companion.app.screens.actions import TableActions
from companion.app.widgets.banner import Banner
from companion.app.widgets.choice_list import ChoiceList
from companion.app.widgets.events import Events
from companion.app.widgets.hints import Hints
from companion.app.widgets.keys import Keys
from companion.app.widgets.lesson import Lesson
from companion.app.widgets.notice import NoticeBar
from companion.app.widgets.players import Players
from companion.app.widgets.prompt import Prompt
from companion.app.widgets.status import Status
from companion.game.verbs import hints
from companion.language import _
from companion.privacy import is_private
from companion.wording import facts

if TYPE_CHECKING:
    from textual import events
    from textual.geometry import Size

    from companion.app.offer import Offer
    from companion.reference import Reading
    from companion.session import Session
    from engine.moves import Move
    from tags.registry import Entry


class TableScreen(TableActions):
    """Moves at the left, players at the right; what happens is painted in place."""

    AUTO_FOCUS = "#choices"
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

    def __init__(self, session: Session, size: Size) -> None:
        """`size` is that of the terminal: knowing it beforehand saves painting twice."""
        game = Game(session)
        wide = [name for least, name in self.HORIZONTAL_BREAKPOINTS if size.width >= least][-1]
        high = [name for least, name in self.VERTICAL_BREAKPOINTS if size.height >= least][-1]
        choosing = "-selection" if game.view.phase == "selection" else ""
        super().__init__(classes=f"{wide} {high} {choosing}")
        self.game = game
        self.found: list[Choice] = []
        self.offer: Offer | None = None
        self.digits = ""  # number chips tapped so far
        self.reading: Reading | None = None  # the reference card being listened to

    def compose(self) -> ComposeResult:
        """Every part once; later only their content changes."""
        yield Status(id="status")
        yield Prompt(id="prompt")
        yield Banner(id="banner")
        with Horizontal(id="body"):
            with Vertical(id="left"):
                yield Static(id="heading", markup=False)
                yield ChoiceList(id="choices")
                yield Events(id="events")
            yield Players(id="players")
        yield Lesson(id="lesson")
        yield NoticeBar(id="notice")
        yield Hints(id="hints")
        yield Keys(id="keys")

    def on_mount(self) -> None:
        """Paint at once: the first frame is already the table."""
        self.relabel()

    def relabel(self) -> None:
        """Paint everything, in the language in force."""
        for tray in self.query("Tray"):
            self.app.close_tray()
            tray.remove()
        self.query_one(Keys).show(bottom_line(self.app.config.keys))
        self.show_reader()
        self.show_table()

    def begin(self, session: Session) -> None:
        """Play another game from now on."""
        self.game = Game(session)
        self.relabel()

    @property
    def narrowing(self) -> bool:
        """Whether letters narrow an open list, so that they are text and no commands."""
        return self.offer is not None

    # -- painting ---------------------------------------------------------------------------

    def show_table(self) -> None:
        """Paint the table as it stands, with the choices of this moment."""
        self.offer, self.digits = None, ""
        view = self.game.view
        self.set_class(view.phase == "selection", "-selection")
        self.query_one(Status).show(view)
        self.query_one(Prompt).show(view)
        self.query_one(Banner).show(view, large=self.has_class("-large"))
        self.query_one(Players).show(view)
        self.query_one(Events).show(view, self.game.events())
        self.query_one(Lesson).show(self.game.session.teacher, self.app.config.keys)
        self.query_one(Hints).show(hints(self.game.session.legal()))
        self.show_notice()
        self._show_choices()
        keep_taps(self.app)

    def show_notice(self, notice: Notice | None = None) -> None:
        """Show what there is to tell (or that notice)."""
        if notice is not None:
            self.game.notice = notice
        self.query_one(NoticeBar).show(self.game.notice)

    def show_reader(self) -> None:
        """Show how the reader is doing."""
        state, working = self.app.reader_state
        self.query_one(Hints).reader(state, working=working)

    def _show_choices(self) -> None:
        self.found = self.game.choices(self.app.config.keys)
        rows = [(c.number, c.mnemonic, c.label) for c in self.found]
        title = _("You can") if rows else _("Nothing more can be played.")
        self.query_one("#heading", Static).update(shown(title, "$quiet bold"))
        self.query_one("#choices", ChoiceList).show(rows, usual(self.game.view, self.found))

    def show_offer(self, new: Offer) -> None:
        """Put a list in the place of the choices until a row is taken or Esc."""
        self.offer, self.digits = new, ""
        title: list[Content | str] = [shown(new.title, "bold $gold")]
        if new.typed:
            title.append(shown(f"  {new.typed}▏", "bold"))
        self.query_one("#heading", Static).update(joined(title))
        rows = [
            (str(number) if number < 10 else " ", "", row.label)
            for number, row in enumerate(new.visible(), start=1)
        ]
        self.query_one("#choices", ChoiceList).show(rows)

    # -- keys -------------------------------------------------------------------------------

    def on_key(self, event: events.Key) -> None:
        """A number or letter of the list; in an opened list, typing narrows it."""
        key = event.character or ""
        marked = self.query_one("#choices", ChoiceList).take_key(event.key)
        if marked is not None:
            self.take(marked)
            handled = True
        elif self.offer is not None:
            handled = self._offer_key(event.key, key)
        else:
            place = next(
                (i for i, c in enumerate(self.found) if key and key in (c.number, c.mnemonic)), None
            )
            handled = place is not None
            if place is not None:
                self.take(place)
        if handled:
            event.stop()
            event.prevent_default()

    def _offer_key(self, name: str, key: str) -> bool:
        current = self.offer
        if current is None:
            return False
        if key.isdecimal() and key != "0":
            if int(key) <= len(current.visible()):
                self.take(int(key) - 1)
            return True
        if name == "backspace" and not current.typed:
            self.action_back()
            return True
        if name == "backspace":
            current.typed = current.typed[:-1]
        elif key.isalpha() or (key == " " and current.typed):
            current.typed += key
            if not current.visible():
                current.typed = current.typed[:-1]
        else:
            return False
        self.show_offer(current)
        return True

    @on(OptionList.OptionSelected, "#choices")
    def _selected(self, event: OptionList.OptionSelected) -> None:
        if self.query_one("#choices", ChoiceList).shows(event.option):
            self.take(event.option_index)

    def take(self, place: int) -> None:
        """Take the row at that place of the list."""
        if self.offer is not None:
            rows = self.offer.visible()
            if place < len(rows):
                self._take_row(rows[place].label, rows[place].moves)
        elif place < len(self.found):
            choice = self.found[place]
            if choice.opens:
                self.open_moves(choice.label.rstrip("…"), choice.moves)
            else:
                self.play(choice.moves[0])

    def _take_row(self, label: str, moves: tuple[Move, ...]) -> None:
        """Play the row's move; where there are several behind it, ask for the next pick."""
        if len(moves) == 1:
            self.play(moves[0])
        else:
            self._offer_moves(label, moves, self.offer)

    def open_moves(self, title: str, moves: tuple[Move, ...]) -> None:
        """Offer several moves: in the list, or on the private screen where they are secret."""
        if any(is_private(self.game.view, move.verb) for move in moves):
            from companion.app.screens.private import PrivateScreen

            self.app.push_screen(PrivateScreen(self.game, moves), lambda _done: self.played())
            return
        self._offer_moves(title, moves)

    def _offer_moves(
        self, title: str, moves: tuple[Move, ...], before: Offer | None = None
    ) -> None:
        from companion.app import offer  # the first list needs none of it

        self.show_offer(offer.of_moves(self.game.view, title, moves, before))

    def play(self, move: Move | str) -> None:
        """Play a move and show what came of it."""
        self.game.play(move)
        self.played()

    def played(self) -> None:
        """Show the table after something happened; the scores when that was the end."""
        self.reading = None
        self.show_table()
        if self.game.session.over and self.game.session.referee.moves and not self.game.refused:
            self.action_scores()

    # -- chips ------------------------------------------------------------------------------

    def tapped(self, entry: Entry, seat: int | None = None) -> None:
        """A known chip was tapped, at the own reader of that seat or at one of all."""
        from companion.chips import CALLER_ACTIONS
        from tags.registry import ActionChip

        before = len(self.game.session.referee.moves)
        if isinstance(entry, ActionChip) and entry.name in CALLER_ACTIONS:
            self.run_word(entry.name)  # what is open stays open for it
            return
        outcome = self.game.tap(entry, self.offer.moves if self.offer is not None else (), seat)
        if outcome is None or len(self.game.session.referee.moves) != before:
            self.played()
            return
        self.show_table()
        self.app.voice.aloud(*filter(None, [self.game.notice.text]))
        if outcome.moves:
            self.open_moves(_("Which one?"), outcome.moves)
        elif outcome.cards:
            self._read_aloud(entry, outcome.cards)
            self.app.show_cards(outcome.cards)

    def _read_aloud(self, entry: Entry, cards: tuple[str, ...]) -> None:
        """Read a tapped card; of a reference card an entry, the next one at every tap."""
        from companion.reference import Reading
        from tags.registry import ReferenceChip

        if not isinstance(entry, ReferenceChip):
            self.app.voice.read(facts.card_text(self.game.view, cards[0]))
            return
        last, begun = self.reading, Reading(entry.number, cards)
        again = last is not None and last._replace(place=1) == begun
        self.reading = last.moved(1) if last is not None and again else begun
        self.app.voice.read(self.reading.told(self.game.view))

    def run_word(self, word: str) -> None:
        """An action chip or a typed word that is no move."""
        from companion.app import words

        words.run(self, word)

    def take_marked(self) -> None:
        """Take the marked row."""
        marked = self.query_one("#choices", ChoiceList).highlighted
        if marked is not None:
            self.take(marked)

    # -- actions ----------------------------------------------------------------------------

    def action_back(self) -> None:
        """Close what is open: the tray; else the last pick, the list, the cards tapped so far."""
        if self.has_class("-tray"):
            self.app.close_tray()
            return
        if self.offer is not None and self.offer.before is not None:
            self.show_offer(self.offer.before)
            return
        self.game.pending = ()
        self.game.notice = Notice("note", "")
        self.show_table()
        self.query_one("#choices").focus()
