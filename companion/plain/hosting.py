"""The line caller without a terminal: it hosts a game for phones until it is stopped."""

from __future__ import annotations

import signal
from contextlib import contextmanager
from typing import TYPE_CHECKING

from common.sentences import Sentence
from companion import language, terminal
from companion.beside import Beside
from companion.game.session import Session
from companion.log.store import StoreError
from companion.plain import line_phones
from companion.plain.caller import play_game
from companion.plain.caller_state import LineHost
from companion.plain.setup import open_session
from companion.terminal.inbox import Inbox
from companion.terminal.raw_mode import at_terminal, has_input

if TYPE_CHECKING:
    from collections.abc import Iterator

    from companion.log.store import Store
    from companion.phones.serving.phones import Phones
    from companion.phones.serving.where import Where
    from companion.settings.config import Config
    from companion.setup import PlayOptions

_ENDING = ("SIGTERM", "SIGINT")
_NOBODY_NAMED = Sentence(
    "In a public house the players are named where the game is started: give them with --players"
)


def host(options: PlayOptions, config: Config, where: Where, as_json: bool) -> int:
    """Host a game at `where`; print that for a program if `as_json`. Return the exit code."""
    language.use(config.language)
    terminal.use_utf8()
    inbox = Inbox()
    asks = at_terminal() and not as_json
    announce = _announce_as_json if as_json else _announce
    beside = Beside(LineHost(inbox), config, where, announce, is_hosted=True)
    answered: list[str | None] = []

    def is_without_players() -> bool:
        return beside.phones is None or len(beside.phones.door.now.players) < 2

    def read() -> str | None:
        if as_json and answered and beside.phones is not None:
            announce(beside.phones)  # who is named so far
        line = inbox.read_line()
        answered[:] = [line]
        if line is None and inbox.has_ended and not at_terminal():
            if config.house == "public" and not inbox.is_stopped and is_without_players():
                raise StoreError(_NOBODY_NAMED)
            inbox.stay()  # the phones go on
        return line

    def begin(store: Store) -> Session | None:
        last = None if asks or options.new or options.resume else store.find_last_own_game()
        if last is not None and not last.finished:  # a restart: nobody is there to be asked
            return Session.resume(store, last.id)
        if config.house == "public" and not (options.players or options.resume or has_input()):
            raise StoreError(_NOBODY_NAMED)
        return open_session(store, options, config, read, beside, inbox)

    with _end_on_signals(inbox):
        inbox.start(keys=asks)
        try:
            return play_game(config, begin, inbox, beside)
        finally:
            inbox.close()


def _announce(phones: Phones) -> None:
    line_phones.draw(phones, phones.door.now.code)
    line_phones.tell_code(phones)


def _announce_as_json(phones: Phones) -> None:
    from companion.phones.serving.where import tell_program

    game = None if phones.table.lobby is not None else phones.table.session.name
    print(tell_program(phones.where, phones.door, phones.site.taps.text, game), flush=True)


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
