"""The line caller without a terminal: it hosts a game for phones until it is stopped."""

from __future__ import annotations

import signal
from contextlib import contextmanager
from typing import TYPE_CHECKING

from common.sentences import Sentence
from companion import language, setup
from companion.game.session import Session, SessionError
from companion.plain import phone_words
from companion.plain.caller import Caller, play_game
from companion.plain.setup import open_session
from companion.terminal import lines
from companion.terminal.inbox import Inbox
from companion.terminal.modes import at_terminal

if TYPE_CHECKING:
    from collections.abc import Iterator

    from companion.log.store import Store
    from companion.phones.serving.phones import Phones
    from companion.phones.serving.where import Where
    from companion.settings.config import Config
    from companion.setup.options import PlayOptions

_ENDING = ("SIGTERM", "SIGINT")


def host(options: PlayOptions, config: Config, where: Where, as_json: bool) -> int:
    """Host a game at `where`; print that for a program if `as_json`. Return the exit code."""
    language.use(config.language)
    lines.prepare()
    inbox = Inbox()
    asks = at_terminal() and not as_json

    def begin(store: Store) -> Session | None:
        if asks:
            return open_session(store, options, config, inbox.read_line)
        return _open_unasked(store, options, config)

    with _end_on_signals(inbox):
        inbox.start(keys=asks)
        try:
            return play_game(
                config,
                begin,
                lambda session, store: _Host(session, store, config, inbox, where, as_json),
            )
        finally:
            inbox.close()


def _open_unasked(store: Store, options: PlayOptions, config: Config) -> Session:
    """The game given by the options, or else the unfinished one. Raises SessionError if there is
    neither."""
    game_setup = setup.from_options(options, config)
    if game_setup is not None:
        return Session.begin(store, game_setup, teach=options.teach)
    if options.resume:
        return Session.resume(store, options.game)
    last = None if options.new else store.find_last_own_game()
    if last is None or last.finished:
        raise SessionError(
            Sentence("There is no unfinished game to host; begin one with --players.")
        )
    return Session.resume(store, last.id)


@contextmanager
def _end_on_signals(inbox: Inbox) -> Iterator[None]:
    """Let a signal end the input within the block, unless a terminal must be restored first."""
    if at_terminal():
        yield
        return
    before = {
        name: signal.signal(getattr(signal, name), lambda *_: inbox.end()) for name in _ENDING
    }
    try:
        yield
    finally:
        for name, handler in before.items():
            signal.signal(getattr(signal, name), handler)


class _Host(Caller):
    """Continues after the end of input, for the phones."""

    def __init__(
        self,
        session: Session,
        store: Store,
        config: Config,
        inbox: Inbox,
        where: Where,
        as_json: bool,
    ) -> None:
        super().__init__(session, store, config, inbox, where)
        self._as_json = as_json

    def announce_phones(self, phones: Phones) -> None:
        if not self._as_json:
            super().announce_phones(phones)
            phone_words.draw(phones, phones.door.code)
            return
        from companion.phones.serving import announce

        line = announce.tell_program(phones.where, phones.door, self.session.name)
        print(line, flush=True)

    def handle_end_of_input(self) -> None:
        if not self.leaving and not at_terminal():
            self.inbox.stay()
