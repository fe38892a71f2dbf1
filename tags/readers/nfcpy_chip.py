"""One chip selected through nfcpy, for reading and writing what is on it.

Only ``nfcpy_reader`` imports this module, and only when a chip is read or written.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import nfc.clf

from tags.type2 import ChipSilent, Exchange, UnfitError

ANSWER_TIME = 0.02
"""Seconds a chip has for its answer; the slowest one, to a write, takes 10 ms."""

_TYPE_2_MASK = 0x60


@contextmanager
def selected(frontend: Any, uid: bytes) -> Iterator[Exchange | None]:
    """The chip ``uid`` selected by its id among whatever lies there, or None; the field is off
    afterwards.

    Raises what a reader that fails raises, and from the exchange ``UnfitError`` for a chip that
    is no Type 2 tag and ``ChipSilent``.
    """
    device = frontend.device
    try:
        target = device.sense_tta(nfc.clf.RemoteTarget("106A", sel_req=bytearray(uid)))
    except nfc.clf.CommunicationError:
        target = None
    # The id is compared as well: not every driver keeps to the one it was asked for.
    if target is None or bytes(target.sdd_res or b"") != uid:
        device.mute()
        yield None
        return

    def exchange(command: bytes) -> bytes:
        if target.sel_res is None or target.sel_res[0] & _TYPE_2_MASK:
            raise UnfitError("unsupported")
        try:
            return bytes(device.send_cmd_recv_rsp(target, bytearray(command), ANSWER_TIME))
        except nfc.clf.CommunicationError as error:
            raise ChipSilent(str(error)) from None

    yield exchange
    device.mute()
