"""The chip reader of the caller: opened in its own thread, its events posted as messages.

Opening can take arbitrarily long in a driver; neither the first screen nor a key waits for it.
"""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

from textual import message as textual_message

if TYPE_CHECKING:
    from textual.app import App

    from companion.readers.table_reader import TableReader
    from companion.settings.config import Config
    from engine.ruleset import Ruleset
    from tags.watch import Event


class ReaderEvent(textual_message.Message):
    """A chip was put down or lifted, or the reader connected or disconnected."""

    def __init__(self, event: Event) -> None:
        super().__init__()
        self.event = event


class ChipLaid(textual_message.Message):
    """A chip passed on by the screen on top, which takes chips."""

    def __init__(self, uid: bytes) -> None:
        super().__init__()
        self.uid = uid


class ReaderOpened(textual_message.Message):
    """The configured reader: opened, disabled (None), or unusable (`problem`)."""

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


def _post(app: App[int], message: textual_message.Message) -> bool:
    """Post a message to the app from any thread; False once the app has ended."""
    return app.is_running and app.post_message(message)
