"""What extensions see of a game: what everybody at the table may know, and nothing more."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from common.sentences import Sentence, fill
from companion import extending
from companion.extending import Onlooker, Seen, Told
from companion.game import awaiting
from companion.game.session import Later, Listener, Session
from companion.language import current, load_words, recording
from companion.wording import story

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from companion.settings.config import Config
    from engine.moves import Move
    from engine.table import Table


class Onlookers(Listener):
    """All onlookers of a table. One that raises an exception is named with its reason, and sees
    nothing more."""

    def __init__(
        self,
        onlookers: Mapping[str, Onlooker],
        tell: Callable[[str], object],
        later: Later = lambda seconds, work: lambda: None,
    ) -> None:
        """The onlookers by the names of their extensions; `tell` shows a person a line, `later` is
        as in `companion.beside.Host`."""
        self._onlookers, self._tell_person, self._later = dict(onlookers), tell, later
        self._session: Session | None = None
        self._waits: list[Callable[[], object]] = []  # what ends each
        for onlooker in onlookers.values():
            onlooker.say = self._say

    @classmethod
    def open(cls, config: Config, tell: Callable[[str], object], later: Later) -> Onlookers:
        """Those that the extensions bring, as the settings say; any thread may call `tell`."""

        def listen(extension: extending.Extension) -> list[tuple[str, Onlooker]]:
            given = config.extended
            values = {one.key: given.get(one.key, one.default) for one in extension.settings}
            onlooker = extension.listen(values, config.data, tell)
            return [(extension.name, onlooker)] if onlooker is not None else []

        onlookers = dict(extending.gather(listen))
        extending.list_words()  # loads them: what is wrong with one is told with the rest
        load_words(current(), "commands")
        for problem in extending.take_problems():
            tell(problem)
        return cls(onlookers, tell, later)

    def close(self) -> None:
        self.tell_closed()
        self._ask_each(lambda onlooker: onlooker.close())

    def tell_begun(self, session: Session) -> None:
        self._session = session
        self._show()

    def tell_move(self, before: Table, move: Move, after: Table) -> None:
        if self._onlookers:
            self._show(list_told(before, move, after))

    def tell_undo(self, lines: Sequence[str], view: Table) -> None:
        self._show()

    def tell_note_back(self) -> None:
        self._show()

    def tell_closed(self) -> None:
        self._session = None
        self._end_quiet()

    def _show(self, told: tuple[Told, ...] = ()) -> None:
        """Show it to all of them, and begin each one's quiet anew."""
        self._end_quiet()
        if (session := self._session) is None:
            return
        seen = self._look(session, told)
        self._ask_each(lambda onlooker: onlooker.see(seen))
        self._waits = [
            self._later(onlooker.quiet, partial(self._show_quiet, name, session))
            for name, onlooker in self._onlookers.items()
            if onlooker.quiet
        ]

    def _end_quiet(self) -> None:
        for end in self._waits:
            end()

    def _show_quiet(self, name: str, session: Session) -> None:
        seen = self._look(session)
        self._ask(name, lambda onlooker: onlooker.see_quiet(seen))

    def _look(self, session: Session, told: tuple[Told, ...] = ()) -> Seen:
        number = len(session.open_game.log.events)
        awaited = session.view.rules.names(awaiting.find(session).seats)
        return Seen(session.name, number, session.view, told, tuple(awaited))

    def _say(self, text: str) -> None:
        def announce() -> None:
            if self._session is not None:
                self._session.announce(text)

        self._later(0.0, announce)

    def _ask_each(self, ask: Callable[[Onlooker], None]) -> None:
        for name in [*self._onlookers]:
            self._ask(name, ask)

    def _ask(self, name: str, ask: Callable[[Onlooker], None]) -> None:
        if name not in self._onlookers:
            return
        try:
            ask(self._onlookers[name])
        except Exception as error:  # the evening goes on
            del self._onlookers[name]
            self._tell_person(extending.explain(name, error))


def list_told(before: Table, move: Move, after: Table) -> tuple[Told, ...]:
    """What a move did, from the public views before and after it."""
    with recording():
        sentences = story.list_sentences(before, move, after)
    return tuple(
        Told(one.about, one.text if isinstance(one.text, Sentence) else fill(str(one.text), {}))
        for one in sentences
        if one.text
    )
