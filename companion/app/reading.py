"""The chip reader beside the caller: opened in a thread of its own, its events posted as messages.

Opening can take as long as a driver likes; neither the first screen nor a key ever waits for it.
"""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

from textual.message import Message

if TYPE_CHECKING:
    from textual.app import App

    from companion.game.talk import Talk
    from companion.readers.table_reader import TableReader
    from companion.settings.config import Config
    from engine.ruleset import Ruleset
    from tags.watch import Event


class ReaderEvent(Message):
    """A chip came or went, or the reader did."""

    def __init__(self, event: Event) -> None:
        super().__init__()
        self.event = event


class ChipLaid(Message):
    """A chip that the screen on top does not want, although it takes chips."""

    def __init__(self, uid: bytes) -> None:
        super().__init__()
        self.uid = uid


class ReaderOpened(Message):
    """The reader that the settings ask for: there, not wanted (None), or unusable (`problem`)."""

    def __init__(self, reader: TableReader | None, problem: str = "") -> None:
        super().__init__()
        self.reader = reader
        self.problem = problem


def open_reader(app: App[int], config: Config, rules: Ruleset) -> None:
    """Open the reader in the background; the app gets `ReaderOpened`, then its events."""
    thread = threading.Thread(
        target=_open, args=(app, config, rules), name="opening the reader", daemon=True
    )
    thread.start()


def keep_taps(reader: TableReader | None, talk: Talk, *, alone: bool = False) -> None:
    """Keep taps from other programs while somebody chooses in private, and no longer; `alone` is
    whether that begins now."""
    if reader is not None:
        reader.hold_private(alone or talk.taps_are_secret)


def _open(app: App[int], config: Config, rules: Ruleset) -> None:
    from companion.chips import ChipsError
    from companion.readers.table_reader import TableReader

    try:
        reader = TableReader.open(config, rules, on_event=lambda event: _tell(app, event))
    except (ChipsError, ValueError, OSError) as error:
        _post(app, ReaderOpened(None, str(error)))
        return
    if reader is not None and not reader.simulated:
        reader.start()  # the simulated one starts with the first chip laid on it
    if not _post(app, ReaderOpened(reader)) and reader is not None:
        reader.stop()


def _tell(app: App[int], event: Event) -> None:
    _post(app, ReaderEvent(event))


def _post(app: App[int], message: Message) -> bool:
    """Hand a message to the app from any thread; False once the app is gone."""
    return app.is_running and app.post_message(message)
