"""The full screen as a face of the conversation: shows what it says, does what it asks for, and
posts what happens at its chip reader.

The reader is opened in its own thread. Opening can take arbitrarily long in a driver; neither the
first screen nor a key waits for it.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import TYPE_CHECKING

from textual.screen import Screen

from companion.app.keymap import action
from companion.chips import ChipsError, learning
from companion.files import browser
from companion.game import Identity, Message
from companion.language import begin_sentence, translate
from companion.readers import simulating
from companion.readers.table_reader import TableReader
from companion.wording.editions_told import language_called, refuse_language

if TYPE_CHECKING:
    from companion.app.application import Application
    from companion.voice.table_voice import Voice

    Operation = Callable[["ScreenFace", str], bool | None]
    from companion.settings.config import Config
    from engine.ruleset import Ruleset
    from tags.watch import Event


class ScreenFace(Screen[None]):
    """What the conversation needs of the table screen; see `companion.game.Face`."""

    app: Application

    @property
    def voice(self) -> Voice:
        return self.app.voice

    def say(self, message: Message) -> None:
        raise NotImplementedError

    def do(self, word: str, rest: str) -> bool:
        operation = _OPERATIONS.get(word)
        return operation is not None and operation(self, rest) is not False

    def act_by_key(self, name: str) -> None:
        """Run a key's action once this answer is done."""
        self.call_later(self.run_action, action(name))

    def refuse(self, reason: str) -> None:
        self.say(Message("refused", (reason,)))


def _act(name: str) -> Operation:
    def operation(face: ScreenFace, rest: str) -> bool:
        if rest:
            return False
        face.act_by_key(name)
        return True

    return operation


def _change_language(face: ScreenFace, rest: str) -> None:
    code = language_called(rest)
    if code is not None:
        face.app.use_language(code)
    elif rest:
        face.refuse(refuse_language(rest))
    else:
        face.act_by_key("language")


def _browse(face: ScreenFace, rest: str) -> bool:
    """Open that page of ours in the browser; without one, return whether that is possible."""
    return browser.open_page(rest) if rest else browser.find() is not None


def _chip(verb: str) -> Operation:
    """The operation that puts a chip on the simulated reader, or plugs its cable."""

    def operation(face: ScreenFace, rest: str) -> None:
        reader = face.app.reader
        if reader is None or reader.deck is None:
            face.refuse(begin_sentence(simulating.tell_missing()))
            return
        reader.start()
        if verb not in ("tap", "hold"):
            getattr(reader, verb)()
            return
        try:
            uid = learning.find_deck_chip(rest, reader.deck)
        except ValueError as error:
            face.refuse(translate(str(error)))
        else:
            (reader.lay if verb == "tap" else reader.hold)(uid)

    return operation


_OPERATIONS: dict[str, Operation] = {
    "help": _act("help"),
    "quit": _act("leave"),
    "new": _act("new_game"),
    "learn": _act("learn"),
    "voice": _act("voice"),
    "language": _change_language,
    "phones": lambda face, rest: face.app.answer_phones(rest),
    "rematch": _act("app.rematch"),
    browser.BROWSE: _browse,
    **{word: _chip(word) for word in simulating.WORDS},
}


def open_reader(
    app: Application,
    config: Config,
    rules: Ruleset,
    take: Callable[[TableReader | None, str], None],
    hear: Callable[[Event, Identity | None], None],
) -> None:
    """Open the configured reader in the background. The app's thread then calls `take` with the
    reader, if one is wanted and usable, and why one is not; and `hear` with each of its events and
    the question that a phone had changed last at that moment."""

    def post(event: Event) -> None:
        app.call_later(hear, event, app.gone)

    def open_it() -> None:
        try:
            reader = TableReader.open(config, rules, on_event=post)
        except (ChipsError, ValueError, OSError) as error:
            app.call_later(take, None, str(error))
            return
        if reader is not None and not reader.simulated:
            reader.start()  # the simulated one starts with the first chip laid on it
        if not app.call_later(take, reader, "") and reader is not None:
            reader.stop()

    threading.Thread(target=open_it, name="opening the reader", daemon=True).start()
