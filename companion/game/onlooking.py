"""What extensions see of a game: what everybody at the table may know, and nothing more."""

from __future__ import annotations

from typing import TYPE_CHECKING

from common.sentences import Sentence, fill
from companion import extending
from companion.extending import Onlooker, Seen, Told
from companion.game.session import Listener, Session
from companion.language import current, load_words, recording
from companion.wording import story

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from companion.settings.config import Config
    from engine.moves import Move
    from engine.table import Table


class Onlookers(Listener):
    """All onlookers of a table. One that raises an exception is named with its reason, and sees
    nothing more."""

    def __init__(self, onlookers: Mapping[str, Onlooker], tell: Callable[[str], object]) -> None:
        """The onlookers by the names of their extensions; `tell` shows a person a line."""
        self._onlookers, self._tell_person = dict(onlookers), tell
        self._session: Session | None = None

    @classmethod
    def open(cls, config: Config, tell: Callable[[str], object]) -> Onlookers:
        """Those that the extensions bring, as the settings say; any thread may call `tell`."""

        def listen(extension: extending.Extension) -> list[tuple[str, Onlooker]]:
            values = {one.key: one.default for one in extension.settings}
            values |= {key: config.extended[key] for key in values if key in config.extended}
            onlooker = extension.listen(values, config.data, tell)
            return [(extension.name, onlooker)] if onlooker is not None else []

        onlookers = dict(extending.gather(listen))
        extending.list_words()  # loads them: what is wrong with one is told with the rest
        load_words(current(), "commands")
        for problem in extending.take_problems():
            tell(problem)
        return cls(onlookers, tell)

    def close(self) -> None:
        self._ask_each(lambda onlooker: onlooker.close())

    def tell_begun(self, session: Session) -> None:
        self._session = session
        self._show(session, session.view)

    def tell_move(self, before: Table, move: Move, after: Table) -> None:
        if self._onlookers and self._session is not None:
            self._show(self._session, after, list_told(before, move, after))

    def tell_undo(self, lines: Sequence[str], view: Table) -> None:
        if self._session is not None:
            self._show(self._session, view)

    def _show(self, session: Session, view: Table, told: tuple[Told, ...] = ()) -> None:
        seen = Seen(session.name, len(session.open_game.log.events), view, told)
        self._ask_each(lambda onlooker: onlooker.see(seen))

    def _ask_each(self, ask: Callable[[Onlooker], None]) -> None:
        for name, onlooker in [*self._onlookers.items()]:
            try:
                ask(onlooker)
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
