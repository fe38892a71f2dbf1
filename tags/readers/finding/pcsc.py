"""Find readers through PC/SC, the same on every system."""

from __future__ import annotations

from collections.abc import Iterator

from tags.readers.base import ReaderGone
from tags.readers.finding.computer import Cause, Computer, Finding
from tags.readers.known import Kind

_MODELS = ("-J1", "U")
"""Suffixes of reader names that only say how they are plugged in."""


def find(
    here: Computer, kinds: list[Kind], pyscard: str, start: str, install: str, allow: str = ""
) -> Iterator[Finding]:
    """Find the plugged-in readers of ``kinds``, which speak only PC/SC, and every other slot of the
    service; ``pyscard``, ``start``, ``install`` and ``allow`` are the commands for the package, the
    service, the drivers and a user whom the service refuses."""
    from tags.readers.pcsc_reader import is_contactless

    if not here.module("smartcard"):
        for kind in kinds:
            yield Finding(f"pcsc:{_model(kind)}", "pyscard", kind.name, pyscard)
        return
    try:
        slots = here.slots()
    except ReaderGone as gone:
        cause: Cause = "refused" if gone.fault == "permission" else "no-pcscd"
        for kind in kinds:
            mend = allow if cause == "refused" else start
            yield Finding(f"pcsc:{_model(kind)}", cause, kind.name, mend)
        return
    for kind in kinds:
        model = _model(kind)
        there = [slot for slot in slots if model.upper() in slot.upper()]
        slots = [slot for slot in slots if slot not in there]
        if there:
            yield Finding(f"pcsc:{model}", "fine-pcsc", kind.name)
        else:
            yield Finding(f"pcsc:{model}", "no-driver", kind.name, install)
    for slot in slots:
        yield Finding(f"pcsc:{slot}", "fine-pcsc" if is_contactless(slot) else "contacts", slot)


def _model(kind: Kind) -> str:
    """The word that identifies a reader in PC/SC's names: the model, without the connection."""
    model = kind.name.split()[1]
    for ending in _MODELS:
        model = model.removesuffix(ending)
    return model
