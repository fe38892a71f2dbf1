"""A reader of chips that several programs lay on one after the other: for tests of commands that
read and write.

A program that `tests.starting` starts has it in place of its simulated reader if TESTS_CHIPS is
among its variables; run as a module it starts `companion` with it.
"""

from __future__ import annotations

import atexit
import json
import os
import runpy
from pathlib import Path

from common import own_files
from companion.readers import table_reader
from tags.links import format_uid, parse_uid
from tests.rigs.antenna import DirectReader
from tests.rigs.chips import Chip, Ntag

FILE = "TESTS_CHIPS"
"""The variable with the file that holds the chips."""


class ChipFile:
    """The file at ``path``, which need not exist: ids and memories, in hex, of changed chips."""

    def __init__(self, path: str) -> None:
        self._path = Path(path)
        text = self._path.read_text("utf-8") if self._path.exists() else "{}"
        self._memories = {parse_uid(uid): bytes.fromhex(m) for uid, m in json.loads(text).items()}

    def chip(self, uid: bytes, ndef: bytes = b"") -> Ntag:
        """The saved chip, or a new one with that message."""
        memory = self._memories.get(uid)
        return Ntag(uid, ndef) if memory is None else Ntag.with_memory(uid, memory)

    def save(self, *chips: Ntag) -> None:
        """Write the chips' memories into the file."""
        self._memories |= {chip.uid: bytes(chip.memory) for chip in chips}
        text = json.dumps({format_uid(uid): m.hex() for uid, m in self._memories.items()}, indent=1)
        own_files.replace(str(self._path), text + "\n")


class KeptReader(DirectReader):
    """A reader whose chips are those of the file, and are saved there at the program's end."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self._file = ChipFile(os.environ[FILE])
        atexit.register(self._save)

    def make_chip(self, uid: bytes, ndef: bytes) -> Chip:
        """The chip from the file."""
        return self._file.chip(uid, ndef) if len(uid) == 7 else super().make_chip(uid, ndef)

    def _save(self) -> None:
        self._file.save(*(chip for chip in self._chips.values() if isinstance(chip, Ntag)))


def install() -> None:
    """Let this process have such a reader in place of the simulated one."""
    setattr(table_reader, "SimulatedReader", KeptReader)  # noqa: B010 - mypy knows no such name


def main() -> None:
    """Be `companion` with such a reader."""
    install()
    runpy.run_module("companion", run_name="__main__", alter_sys=True)


if __name__ == "__main__":
    main()
