"""The words with which a line works the simulated reader: tap, hold, lift, unplug, plug."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from companion.language import _
from tags.watch import Lift, Tap

if TYPE_CHECKING:
    from companion.readers.table_reader import TableReader
    from companion.terminal.inbox import Inbox

WORDS = ("tap", "hold", "lift", "unplug", "plug")


def tell_missing() -> str:
    """That there is no simulated reader, and how to get one."""
    return _("that works only with the simulated reader; start with --reader simulated.")


def do(
    word: str, reader: TableReader | None, inbox: Inbox, find_chip: Callable[[], bytes]
) -> str | None:
    """Do what one of the words says; returns the answer, None if the tap itself is one. `find_chip`
    gives the chip to lay on. Raises ValueError with a sentence."""
    if reader is None or not reader.simulated:
        raise ValueError(tell_missing())
    if word == "lift":
        if reader.lying is None:
            raise ValueError(_("there is nothing on the reader."))
        _lift(reader, inbox, reader.lying)
        return _("Lifted.")
    if word == "plug":
        if reader.plugged:
            raise ValueError(_("the reader is already plugged in."))
        reader.plug()
        return _("Plugged in.")
    uid = find_chip() if word != "unplug" else b""
    if not reader.plugged:
        raise ValueError(_("the reader is unplugged; type plug."))
    if word == "unplug":
        reader.unplug()
        return _("Unplugged.")
    if not _lay(reader, inbox, uid):
        raise ValueError(_("the reader did not see the chip."))
    if word == "tap":
        _lift(reader, inbox, uid)
    return None


def _lay(reader: TableReader, inbox: Inbox, uid: bytes) -> bool:
    """Put a chip on the reader and wait for its tap; return whether it was read."""
    reader.start()
    if reader.lying == uid:
        reader.lift()  # the same chip must be lifted before it can be tapped again
        inbox.wait_for(Lift(uid))
    reader.hold(uid)
    is_seen = inbox.wait_for(Tap(uid))
    if not is_seen:
        reader.lift()
    return is_seen


def _lift(reader: TableReader, inbox: Inbox, uid: bytes) -> None:
    """Lift that chip off the reader and wait until this has been noticed."""
    reader.lift()
    if reader.plugged:
        inbox.wait_for(Lift(uid))
