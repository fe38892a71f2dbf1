"""One game at the table: moves are judged, logged, and only then applied.

Every caller (full screen, plain lines, taps, speech) plays through a `Session` and shows `view`,
the public view of the table; secrets leave this module only for the log.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from itertools import takewhile
from typing import TYPE_CHECKING, NamedTuple

from common.problems import Problems
from common.sentences import Sentence
from companion import language
from companion.game.hand import FORGET, Notebook, list_positions
from companion.game.picks import whose_move
from companion.game.privacy import Known, Seal, Seals, seal
from companion.game.teaching import Teacher
from companion.log import digest
from companion.log.open_game import GameSettings, OpenGame
from companion.log.store import Store, StoreError
from companion.verbs import find_known_refusal
from companion.wording import story
from engine import record, views
from engine.explain import Refused
from engine.moves import Move
from engine.record import Record, Setup
from engine.referee import Referee, judge, list_legal_moves
from engine.table import Table

if TYPE_CHECKING:
    from companion.log.game_rows import HandRow
    from companion.wording.story import Narration


_CALLING = "calling"  # the key under which it is stored who calls
_LANGUAGE = "language"  # the key under which a chosen language is stored


class SessionError(StoreError):
    """A game that cannot be opened; the message says which, why and what to do."""


class Notice(NamedTuple):
    """What was announced to everybody: the text, to be translated, after how many moves, and as
    which announcement of the game, from 1."""

    text: str
    moves: int
    number: int


Later = Callable[[float, Callable[[], None]], Callable[[], object]]
"""Runs work in the game's thread after some seconds; returns what prevents that."""


class Listener:
    """Whoever is told what happens in a game: the voice, the phones, the club, the screen.
    `Session.attend` attaches it; here it does nothing.

    Every method is called in the game's thread, the one that plays, in the table's language, and
    gets public views. It returns at once: what takes time it leaves to a thread of its own.
    """

    def close(self) -> None:
        """The program ends."""

    def tell_begun(self, session: Session) -> None:
        """It hears of this game from now on, and of no other."""

    def tell_move(self, before: Table, move: Move, after: Table) -> None:
        """A move was played."""

    def tell_settled(self) -> None:
        """Everything that follows from one input has been played and told."""

    def tell_undo(self, lines: Sequence[str], view: Table) -> None:
        """The move that was told with these sentences was undone."""

    def tell_note_back(self) -> None:
        """A player has taken back what they had noted in this round, whatever came after it."""

    def tell_shown(self) -> None:
        """Something else is shown although nothing was played: the next part of the scores."""

    def tell_notice(self, text: str) -> None:
        """Something was said to everybody that no move has done (`Session.announce`)."""

    def tell_refusal(self, view: Table, move: Move) -> None:
        """A move was refused; the reason may be secret (`verbs.refuse_publicly`)."""

    def tell_hand(self, seat: int) -> None:
        """That seat's player has told something of their hand, or it was forgotten."""

    def tell_closed(self) -> None:
        """It hears nothing more of this game."""


class Session:
    """A game open in this caller. Close it to let another caller open it."""

    def __init__(self, open_game: OpenGame, setup: Setup) -> None:
        """Use `begin` or `resume`."""
        self.open_game = open_game
        self.setup = setup
        self.referee = Referee(setup.table())
        language.print_as(*self.referee.table.rules.edition.boxes)
        self._listeners: list[Listener] = []
        self._together = 0
        self.has_caller: Callable[[], bool] = lambda: True
        """Whether the crown calls; if not, the companion does once all have noted a character."""
        self.has_phone: Callable[[int], bool] = lambda seat: False
        """Whether that seat has a phone of its own."""
        self.calls_by_itself: Callable[[], bool] = lambda: False
        """Whether the companion calls the characters of this round, not the crown."""
        self.is_owners_note: Callable[[Move], bool] = lambda move: False
        """Whether only the player who noted that character may take the note back."""
        self.version = 0  # counts moves, undos and redos
        self.parts_left = 0
        """How many parts of the scores (`ending.parts`) are still to be told, on every screen."""
        self.notice: Notice | None = None
        """What was announced last."""
        self._views: dict[int | None, Table] = {}
        self._legal: dict[int | None, list[Move]] = {}
        self.knowledge = Known()
        self.notebook = Notebook(
            self.referee, lambda: self.open_game.log.events, lambda: self.open_game.hands
        )
        """The hands that players have told, each for that player alone."""
        self.teacher = Teacher(self.settings, lambda: self.calls_by_itself())

    @classmethod
    def begin(
        cls,
        store: Store,
        setup: Setup,
        *,
        teach: bool = False,
        calling: str = "",
        before: GameSettings | None = None,
    ) -> Session:
        """Start a new game, with or without a guided first round; `calling` says who calls, if not
        who the settings say. `before` are the settings of the game that the same group has just
        played; without them another group plays. Raises StoreError if it cannot be written to the
        log."""
        open_game = OpenGame.begin(store, setup.data())
        open_game.settings.begin(before)
        session = cls(open_game, setup)
        if teach:
            session.teacher.switch(True)
        calling = calling or (before.get(_CALLING) if before is not None else "")
        if calling:
            session.settings.put(_CALLING, calling)
        return session

    @classmethod
    def resume(cls, store: Store, name_or_id: int | str | None = None) -> Session:
        """Resume the game with that id or name, or the one played last at this table, in the
        language it was left in. Raises SessionError if there is none or its log does not fit the
        rules, GameOpenElsewhere if another caller has it open."""
        game = _find(store, name_or_id) if isinstance(name_or_id, str | None) else name_or_id
        open_game = OpenGame.hold(store, game)
        log = open_game.log
        try:
            session = cls(open_game, record.read_setup(log.setup))
            for kind, text in log.events:
                session._replay(kind, text)
        except (Problems, Refused) as error:
            store.release(game)
            raise SessionError(
                Sentence(
                    "Game {name} can't be continued here, because it was played with another "
                    "version of the companion or another cards.yaml: {error}",
                    name=log.name,
                    error="; ".join(str(error).splitlines()),
                )
            ) from None
        code = session.settings.get(_LANGUAGE)
        if code in language.list_offered():
            language.use(code)
        return session

    def attend(self, *listeners: Listener) -> None:
        """Tell them what happens here from now on. A game that is closed tells nothing more."""
        for listener in listeners:
            if listener not in self._listeners:
                self._listeners.append(listener)
            listener.tell_begun(self)

    @property
    def store(self) -> Store:
        return self.open_game.store

    @property
    def calling(self) -> str | None:
        """Who calls, a value of that setting; None if the game does not say."""
        value: str | None = self.settings.get(_CALLING)
        return value

    @property
    def settings(self) -> GameSettings:
        """What callers remember with the game."""
        return self.open_game.settings

    @property
    def name(self) -> str:
        return self.open_game.log.name

    @property
    def game(self) -> int:
        return self.open_game.log.id

    def speak(self, code: str) -> None:
        """Set the game's language, also for when it is resumed."""
        language.use(code)
        self.settings.put(_LANGUAGE, code)

    @property
    def view(self) -> Table:
        """The public view of the table; do not modify it."""
        return self.view_of(views.PUBLIC)

    def view_of(self, viewer: int | None) -> Table:
        """The table as the player in that seat sees it, or the public view (None)."""
        if viewer not in self._views:
            self._views[viewer] = self.redact_for(viewer, self.referee.table)
        return self._views[viewer]

    def list_still_known(self) -> list[str]:
        """What everybody still knows although the move that revealed it was undone."""
        return self.knowledge.tell(self.view, views.redact(self.referee.table, views.PUBLIC))

    def redact_for(self, viewer: int | None, table: Table, seals: Seals | None = None) -> Table:
        """That viewer's view of a table of this game, including what undone moves have revealed;
        `seals` are those of that table (default: of now)."""
        return self.knowledge.add_to(self._redact(table, viewer, seals), table)

    def _redact(self, table: Table, viewer: int | None, seals: Seals | None) -> Table:
        view = views.redact(table, viewer)
        if viewer is None:
            return view
        if seals is None:
            seals = self.find_seals()
        if viewer not in seals or table.round > seals[viewer].round:
            return view
        return seal(view, views.redact(table, views.PUBLIC), viewer, seals[viewer].verbs)

    def find_seals(self, moves: int | None = None) -> Seals:
        """What the seats that were freed do not see after so many `moves` (default: all)."""
        forgotten = self.notebook.list_forgotten()
        if not forgotten:
            return {}
        latest, positions = self._list_with_positions()
        seals = {}
        for seat, until in forgotten.items():
            since = [at for at, position in enumerate(positions) if position > until]
            first = since[0] if since else len(latest)
            round_ = latest[first][0].round if since else self.referee.table.round
            shown = latest[first : len(latest) if moves is None else max(first, moves)]
            verbs = {
                move.verb
                for before, move, _after in shown
                if before.round == round_ and whose_move(before, move) == seat
            }
            seals[seat] = Seal(round_, frozenset(verbs))
        return seals

    def list_unforgotten(self) -> list[tuple[Table, Move, Table]]:
        """The moves in force, without those of seats that were freed since."""
        forgotten = self.notebook.list_forgotten()
        if not forgotten:
            return self.referee.list_latest()
        latest, positions = self._list_with_positions()
        return [
            moment
            for moment, position in zip(latest, positions, strict=True)
            if position > forgotten.get(_find_maker(moment), 0)
        ]

    def list_round_notes(self) -> list[Move]:
        """Who has noted which character in this round, oldest first, without what seats noted that
        were freed since."""
        round_ = self.referee.table.round
        moments = takewhile(lambda moment: moment[0].round == round_, self.list_unforgotten()[::-1])
        return [move for _before, move, _after in moments if move.verb == "choose"][::-1]

    def _list_with_positions(self) -> tuple[list[tuple[Table, Move, Table]], list[int]]:
        latest = self.referee.list_latest()
        return latest, list_positions(self.open_game.log.events)[-len(latest) :] if latest else []

    @property
    def over(self) -> bool:
        """Whether the last round has ended."""
        return self.referee.table.stage == "over"

    def legal(self, viewer: int | None = views.PUBLIC) -> list[Move]:
        """The moves that are legal in the public view, or in that player's."""
        if viewer not in self._legal:
            self._legal[viewer] = list_legal_moves(self.view_of(viewer))
        return self._legal[viewer]

    @property
    def next_redo(self) -> Move | None:
        """The move that `redo` would play; None if there is none."""
        return self.referee.undone[-1] if self.referee.undone else None

    def play(self, text: str | Move, viewer: int | None = views.PUBLIC) -> Narration:
        """Play a move; return the sentences that tell the viewer what happened. Raises Refused if
        the rules forbid it, with the reason as known to everybody (or to the player in that seat,
        who alone hears it), and StoreError if it cannot be logged; nothing has changed in either
        case."""
        move = self.referee.read(text) if isinstance(text, str) else text
        try:
            judge(self.referee.table, move)
        except Refused:
            for listener in self._listeners if viewer is views.PUBLIC else ():
                listener.tell_refusal(self.view, move)
            raise Refused(move.text, find_known_refusal(self.view_of(viewer), move)) from None
        self.open_game.append("move", move.text)
        before, own_view = self.view, self.view_of(viewer)
        self.referee.push(move)
        self._forget_views()
        self._tell(before, move)
        return story.narrate(own_view, move, self.view_of(viewer))

    def tell_hand(self, seat: int, word: str, district: str) -> None:
        """Note what that seat's player says of their hand (`companion.game.hand`). Raises
        CannotTell if it cannot be true, StoreError if it cannot be saved."""
        self._note_hand(self.notebook.read(seat, word, district))

    def forget_seat(self, seat: int) -> None:
        """Show nothing more of what was noted, said and done in secret at that seat: somebody else
        may sit there now. Raises StoreError."""
        self._note_hand(self.notebook.forget(seat))
        self._forget_views()

    def has_told(self, seat: int) -> bool:
        """Whether anything was said of that seat's hand since it was freed."""
        said = [row.text != FORGET for row in self.open_game.hands if row.seat == seat]
        return said[-1:] == [True] or bool(self.notebook.of(seat).all)

    def _note_hand(self, row: HandRow) -> None:
        self.open_game.add_hand(row)
        self.notebook.renew(row)
        for listener in self._listeners:
            listener.tell_hand(row.seat)

    def undo(self) -> Move | None:
        """Undo the last move; None if there is none."""
        if not self.referee.moves:
            return None
        with language.speaking_to_table():
            lines = self.tell_last() if self._listeners else []
        self.open_game.append("undo")
        self.knowledge.note_before_undo(self.view, self.referee.moves)
        move = self.referee.undo()
        if not self.over:
            self.parts_left = 0
        self._forget_views()
        with language.speaking_to_table():
            for listener in self._listeners:
                listener.tell_undo(lines, self.view)
        return move

    def tell_part(self, left: int) -> None:
        """Have every page show the next part of the scores, after which so many are left."""
        self.parts_left = left
        for listener in self._listeners:
            listener.tell_shown()

    def announce(self, text: str) -> None:
        """Say it to everybody, on every face; a `Sentence` in the language of each."""
        number = self.notice.number + 1 if self.notice else 1
        self.notice = Notice(text, len(self.referee.moves), number)
        with language.speaking_to_table():
            for listener in self._listeners:
                listener.tell_notice(text)

    def list_notes(self, seat: int) -> list[int]:
        """The places of that player's notes of this round among the moves, while rank 1 has not
        been called."""
        if self.view.stage != "selection":
            return []
        name, round_ = self.view.seats[seat].name, self.view.round
        moments = enumerate(self.referee.list_latest())
        return [
            place
            for place, (before, move, _after) in moments
            if before.round == round_ and move.verb == "choose" and move.args[0] == name
        ]

    def take_notes_back(self, seat: int) -> None:
        """Take back what that player has noted in this round; what others have done since stays.
        Raises StoreError."""
        places = self.list_notes(seat)
        if not places:
            return
        later = list(enumerate(self.referee.moves))[places[0] :]
        for _move in later:
            self.open_game.append("undo")
            self.referee.undo()
        for move in (move for place, move in later if place not in places):
            self.open_game.append("move", move.text)
            self.referee.push(move)
        self._forget_views()
        with language.speaking_to_table():
            for listener in self._listeners:
                listener.tell_note_back()

    def redo(self) -> Move | None:
        """Redo the move undone last; None if there is none."""
        if not self.referee.undone:
            return None
        self.open_game.append("redo")
        before = self.view
        move = self.referee.redo()
        self._forget_views()
        if move is not None:
            self._tell(before, move)
        return move

    def tell_last(self) -> list[str]:
        """The sentences of the last move again; none before the first."""
        if not self.referee.moves:
            return []
        before = views.redact(self.referee.table_before(), views.PUBLIC)
        return story.tell(before, self.referee.moves[-1], self.view)

    def moments(
        self, most: int, viewer: int | None = views.PUBLIC
    ) -> list[tuple[Table, Move, Table]]:
        """The last `most` moves, oldest first, each between that viewer's views of it."""
        latest = self.referee.list_latest(most)
        tables = [before for before, _move, _after in latest[:1]] + [m[2] for m in latest]
        first = len(self.referee.moves) - len(latest)
        viewer_tables = [
            self._redact(table, viewer, self.find_seals(first + at) if viewer is not None else {})
            for at, table in enumerate(tables)
        ]
        return [
            (viewer_tables[at], move, viewer_tables[at + 1])
            for at, (_b, move, _a) in enumerate(latest)
        ]

    def history(self, most: int) -> list[list[str]]:
        """The sentences of the last `most` moves, oldest first."""
        return [story.tell(before, move, after) for before, move, after in self.moments(most)]

    def record(self) -> Record:
        moves = tuple(move.text for move in self.referee.moves)
        return Record(self.setup, self.referee.start, moves)

    def _replay(self, kind: str, text: str) -> None:
        if kind == "move":
            self.referee.play(text)
        elif kind == "undo":
            if self.view.rules.secret:
                self.knowledge.note_before_undo(self.view, self.referee.moves)
            self.referee.undo()
        elif kind == "redo":
            self.referee.redo()
        self._forget_views()

    def close(self) -> None:
        """Release the game; everything is already written."""
        for listener in self._listeners:
            listener.tell_closed()
        self._listeners.clear()
        self.open_game.close()

    def _tell(self, before: Table, move: Move) -> None:
        if self.over:
            moments = self.referee.list_latest()
            self.open_game.finish(digest.count(self.referee.start, moments))
        with language.speaking_to_table():
            for listener in self._listeners:
                listener.tell_move(before, move, self.view)
        self._settle()

    @contextmanager
    def together(self) -> Iterator[None]:
        """What is played inside follows from one input: the moves and their forced steps."""
        self._together += 1
        try:
            yield
        finally:
            self._together -= 1
            self._settle()

    def _settle(self) -> None:
        if not self._together:
            with language.speaking_to_table():
                for listener in self._listeners:
                    listener.tell_settled()

    def _forget_views(self) -> None:
        self.version += 1
        self._views.clear()
        self._legal.clear()


def _find_maker(moment: tuple[Table, Move, Table]) -> int:
    """Whose move that is; -1 for one of the table."""
    before, move, _after = moment
    maker = whose_move(before, move)
    return -1 if maker is None else maker


def _find(store: Store, name: str | None) -> int:
    """The game of that name, or the one played last at this table. Raises SessionError."""
    if name is not None:
        game = store.find(name)
        if game is None:
            problem = Sentence("there is no game called “{name}”", name=name)
            raise SessionError(language.end_sentence(language.begin_sentence(problem)))
        return game
    last = store.find_last_game(own=True)
    if last is not None:
        return last
    games = store.games(1)
    if games:
        raise SessionError(
            Sentence(
                "No game has been played here yet. To continue an imported one, give its name: "
                "--resume {name}",
                name=games[0].name,
            )
        )
    raise SessionError(Sentence("No game has been saved yet; start a new one."))
