"""Save the memory of emulated chips in a file, for the next start.

The file holds only changed chips: ids and memories, in hex.
"""

from __future__ import annotations

import json
from pathlib import Path

from common import own_files
from tags.simulator.ntag import MODELS, PAGE, Ntag
from tags.uids import format_uid, parse_uid

_LARGEST = 4_000_000
"""Largest file in bytes: about 2,000 of the largest chips."""


class ChipFile:
    """The file at ``path``; it need not exist."""

    def __init__(self, path: str) -> None:
        """Read it. Raises ``ValueError`` with one sentence for an invalid file."""
        self._path = Path(path)
        self._memories = self._read()

    def chip(self, uid: bytes, ndef: bytes) -> Ntag:
        """The saved chip, or a new one with that message."""
        kept = self._memories.get(uid)
        return Ntag(uid, ndef) if kept is None else Ntag.with_memory(uid, kept)

    def keep(self, chip: Ntag) -> None:
        """Write the chip's memory into the file.  Raises ``OSError``."""
        memory = bytes(chip.memory)
        before = self._memories.get(chip.uid) or bytes(Ntag(chip.uid).memory)
        if memory == before:
            return
        self._memories = {**self._read(), chip.uid: memory}
        text = json.dumps({format_uid(uid): m.hex() for uid, m in self._memories.items()}, indent=1)
        own_files.replace(str(self._path), text + "\n")

    def _read(self) -> dict[bytes, bytes]:
        wrong = f"{self._path}: This is not a file of simulated chips; fix it or move it elsewhere."
        try:
            with self._path.open("rb") as file:
                text = file.read(_LARGEST + 1)
        except FileNotFoundError:
            return {}
        except OSError as error:
            raise ValueError(f"{self._path}: cannot be read: {error.strerror}") from None
        try:
            kept = {parse_uid(uid): bytes.fromhex(held) for uid, held in json.loads(text).items()}
        except (ValueError, TypeError, AttributeError, RecursionError):
            raise ValueError(wrong) from None
        sizes = {model.pages * PAGE for model in MODELS}
        if len(text) > _LARGEST or any(
            len(uid) != 7 or len(memory) not in sizes for uid, memory in kept.items()
        ):
            raise ValueError(wrong)
        return kept
