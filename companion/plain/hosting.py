"""The line caller without a terminal: it hosts a game for phones until it is stopped."""

from __future__ import annotations

import signal
from contextlib import contextmanager
from typing import TYPE_CHECKING

from companion import language, terminal
from companion.game.session import Session
from companion.plain import devices
from companion.plain.caller import Caller, play_game
from companion.plain.devices import LinePhones
from companion.plain.setup import open_session
from companion.terminal.inbox import Inbox
from companion.terminal.modes import at_terminal

if TYPE_CHECKING:
    from collections.abc import Iterator

    from companion.log.store import Store
    from companion.phones.serving.phones import Phones
    from companion.phones.serving.where import Where
    from companion.settings.config import Config
    from companion.setup import PlayOptions

_ENDING = ("SIGTERM", "SIGINT")


def host(options: PlayOptions, config: Config, where: Where, as_json: bool) -> int:
    """Host a game at `where`; print that for a program if `as_json`. Return the exit code."""
    language.use(config.language)
    terminal.use_utf8()
    inbox = Inbox()
    asks = at_terminal() and not as_json
    beside = LinePhones(config, where, inbox, _announce_as_json if as_json else _announce)

    def begin(store: Store) -> Session | None:
        last = None if asks or options.new or options.resume else store.find_last_own_game()
        if last is not None and not last.finished:  # a restart: nobody is there to be asked
            return Session.resume(store, last.id)
        return open_session(store, options, config, lambda: _read(inbox), beside)

    with _end_on_signals(inbox):
        inbox.start(keys=asks)
        try:
            return play_game(
                config,
                begin,
                lambda session, store: _Host(session, store, config, inbox, beside),
            )
        finally:
            if beside.phones is not None:
                beside.phones.stop()
            inbox.close()


def _read(inbox: Inbox) -> str | None:
    """The next line of the set-up. After the end of input the phones go on."""
    line = inbox.read_line()
    if line is None and not at_terminal():
        inbox.stay()
    return line


def _announce(phones: Phones, game: str | None) -> None:
    devices.tell_code(phones)
    devices.draw(phones, phones.door.code)


def _announce_as_json(phones: Phones, game: str | None) -> None:
    from companion.phones.serving.where import tell_program

    print(tell_program(phones.where, phones.door, game), flush=True)


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

    def handle_end_of_input(self) -> None:
        if not self.leaving and not at_terminal():
            self.inbox.stay()
