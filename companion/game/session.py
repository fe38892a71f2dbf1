"""One game at the table: moves are judged, logged, and only then applied.

Every caller (full screen, plain lines, taps, speech) plays through a `Session` and shows `view`,
the public view of the table; secrets leave this module only for the log.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Protocol

from common.problems import Problems
from common.sentences import Sentence
from companion import language
from companion.game.hand import Notebook
from companion.game.privacy import Known
from companion.game.teaching import Teacher
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
    from companion.log.digest import Digest
    from companion.log.game_rows import HandRow
    from companion.wording.story import Narration


_LANGUAGE = "language"  # the key under which a chosen language is stored


class SessionError(StoreError):
    """A game that cannot be opened; the message says which, why and what to do."""


class Observer(Protocol):
    """An observer of a game; it gets public views."""

    def tell_move(self, before: Table, move: Move, after: Table) -> None:
        """A move was played."""

    def tell_settled(self) -> None:
        """Everything that follows from one input has been played and told."""

    def tell_undo(self, lines: Sequence[str], view: Table) -> None:
        """The move that was told with these sentences was undone."""

    def tell_refusal(self, view: Table, move: Move) -> None:
        """A move was refused; the reason may be secret (`verbs.refuse_publicly`)."""


class Session:
    """A game open in this caller. Close it to let another caller open it."""

    def __init__(self, open_game: OpenGame, setup: Setup) -> None:
        """Use `begin` or `resume`."""
        self.open_game = open_game
        self.setup = setup
        self.referee = Referee(setup.table())
        language.print_as(*self.referee.table.rules.edition.boxes)
        self.listeners: list[Observer] = []
        self._together = 0
        self.waits_for_ranks: Callable[[], bool] = lambda: False
        """Whether even a rank that nobody can answer waits for its call."""
        self.version = 0  # counts moves, undos and redos
        self._views: dict[int | None, Table] = {}
        self._legal: dict[int | None, list[Move]] = {}
        self.knowledge = Known()
        self.notebook = Notebook(
            self.referee, lambda: self.open_game.log.events, lambda: self.open_game.hands
        )
        """The hands that players have told, each for that player alone."""
        self.hand_listeners: list[Callable[[int], None]] = []  # called with the seat that has told
        self.teacher = Teacher(self.settings)

    @classmethod
    def begin(
        cls,
        store: Store,
        setup: Setup,
        *,
        teach: bool = False,
        before: GameSettings | None = None,
    ) -> Session:
        """Start a new game, with or without a guided first round. `before` are the settings of the
        game that the same group has just played; without them another group plays.

        Raises StoreError if it cannot be written to the log.
        """
        open_game = OpenGame.begin(store, setup.data())
        open_game.settings.begin(before)
        session = cls(open_game, setup)
        if teach:
            session.teacher.switch(True)
        return session

    @classmethod
    def resume(cls, store: Store, target: int | str | None = None) -> Session:
        """Resume the game with that id or name, or the one played last at this table, in the
        language it was left in.

        Raises SessionError if there is none or its log does not fit the rules, GameOpenElsewhere if
        another caller has it open.
        """
        game = _find(store, target) if isinstance(target, str | None) else target
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

    @property
    def store(self) -> Store:
        """The log that it is written to."""
        return self.open_game.store

    @property
    def settings(self) -> GameSettings:
        """What callers remember with the game."""
        return self.open_game.settings

    @property
    def name(self) -> str:
        """The game's display name."""
        return self.open_game.log.name

    @property
    def game(self) -> int:
        """The game's id in the log."""
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

    def redact_for(self, viewer: int | None, table: Table) -> Table:
        """That viewer's view of a table of this game, including what undone moves have revealed."""
        return self.knowledge.add_to(views.redact(table, viewer), table)

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
        """Play a move; return the sentences that tell the viewer what happened.

        Raises Refused if the rules forbid it, with the reason as known to everybody (or to the
        player in that seat, who alone hears it), and StoreError if it cannot be logged; nothing has
        changed in either case.
        """
        move = self.referee.read(text) if isinstance(text, str) else text
        try:
            judge(self.referee.table, move)
        except Refused:
            for listener in self.listeners if viewer is views.PUBLIC else ():
                listener.tell_refusal(self.view, move)
            raise Refused(move.text, find_known_refusal(self.view_of(viewer), move)) from None
        self.open_game.append("move", move.text)
        before, own_view = self.view, self.view_of(viewer)
        self.referee.push(move)
        self._forget_views()
        self._tell(before, move)
        return story.narrate(own_view, move, self.view_of(viewer))

    def tell_hand(self, seat: int, word: str, *districts: str) -> None:
        """Note what that seat's player says of their hand (`companion.game.hand`). Raises
        CannotTell if it cannot be true, StoreError if it cannot be saved."""
        self._note_hand(self.notebook.read(seat, word, districts))

    def forget_hand(self, seat: int) -> None:
        """Show nothing more of what was said at that seat: somebody else may sit there now. Raises
        StoreError."""
        if any(row.seat == seat for row in self.open_game.hands) or self.notebook.of(seat).begun:
            self._note_hand(self.notebook.forget(seat))

    def _note_hand(self, row: HandRow) -> None:
        self.open_game.add_hand(row)
        self.notebook.renew(row)
        for listener in self.hand_listeners:
            listener(row.seat)

    def undo(self) -> Move | None:
        """Undo the last move; None if there is none."""
        if not self.referee.moves:
            return None
        with language.speaking_to_table():
            lines = self.tell_last() if self.listeners else []
        self.open_game.append("undo")
        self.knowledge.note_before_undo(self.view, self.referee.moves)
        move = self.referee.undo()
        self._forget_views()
        with language.speaking_to_table():
            for listener in self.listeners:
                listener.tell_undo(lines, self.view)
        return move

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
        viewer_tables = [views.redact(table, viewer) for table in tables]
        return [
            (viewer_tables[at], move, viewer_tables[at + 1])
            for at, (_b, move, _a) in enumerate(latest)
        ]

    def history(self, most: int) -> list[list[str]]:
        """The sentences of the last `most` moves, oldest first."""
        return [story.tell(before, move, after) for before, move, after in self.moments(most)]

    def record(self) -> Record:
        """The game so far as a record."""
        moves = tuple(move.text for move in self.referee.moves)
        return Record(self.setup, self.referee.start, moves)

    def _replay(self, kind: str, text: str) -> None:
        """Replay an event of the log."""
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
        self.open_game.close()

    def _tell(self, before: Table, move: Move) -> None:
        if self.over:
            self.open_game.finish(self._digest())
        with language.speaking_to_table():
            for listener in self.listeners:
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
                for listener in self.listeners:
                    listener.tell_settled()

    def _forget_views(self) -> None:
        self.version += 1
        self._views.clear()
        self._legal.clear()

    def _digest(self) -> Digest:
        """The summary kept for statistics."""
        from companion.log import digest  # lazy: most starts end no game

        moments = self.referee.list_latest()
        return digest.count(self.referee.start, moments)


def _find(store: Store, name: str | None) -> int:
    """The game of that name, or the one played last at this table. Raises SessionError."""
    if name is not None:
        game = store.find(name)
        if game is None:
            raise SessionError(Sentence("No saved game is called {name}.", name=name))
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
