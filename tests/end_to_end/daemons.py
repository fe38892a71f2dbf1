"""The reader service and chip commands as processes, driven line by line."""

from __future__ import annotations

import signal
import subprocess
import threading

from companion import chips
from companion.chips.entries import DistrictChip
from companion.files import locations
from tests import starting
from tests.rigs.simulator import EmulatedReader
from tests.starting import ROOT
from tests.waiting import PATIENCE, read_line


class Daemon:
    """The service as a process, once listening; killed at the end of the block if still running."""

    def __init__(self, *words: str) -> None:
        self.process = starting.start(
            *("daemon", *words),
            cwd=ROOT,
            stderr=subprocess.PIPE,
            text=True,
        )
        assert "is listening at" in self.line()

    def line(self) -> str:
        """The next line on standard error."""
        line: str = read_line(self.process, self.process.stderr)
        return line

    def end(self, number: int) -> int:
        self.process.send_signal(number)
        return self.process.wait(PATIENCE)

    def __enter__(self) -> Daemon:
        return self

    def __exit__(self, *_: object) -> None:
        if self.process.poll() is None:
            self.end(signal.SIGKILL)
        assert self.process.stderr is not None
        self.process.stderr.close()


def serve(emulator: EmulatedReader) -> tuple[str, str]:
    assert emulator.path is not None
    return ("--reader", emulator.path)


_LIST_TARGETS = 0x4A


def wait_for_polls(emulator: EmulatedReader, polls: int = 12) -> None:
    """Wait until the reader has been polled often enough to be sure which chips are on it."""
    semaphore, execute = threading.Semaphore(0), emulator.chip.execute

    def counting(command: int, data: bytes) -> bytes | None:
        if command == _LIST_TARGETS:
            semaphore.release()
        return execute(command, data)

    emulator.chip.execute = counting  # type: ignore[method-assign]
    assert all(semaphore.acquire(timeout=PATIENCE) for _ in range(polls))
    emulator.chip.execute = execute  # type: ignore[method-assign]


def lay(emulator: EmulatedReader, uid: bytes, message: bytes = b"") -> None:
    """Lay the chip on, alone, and not immediately after it was taken away."""
    emulator.lift()
    wait_for_polls(emulator, 25)
    emulator.hold(uid, message)


def learn(chip: bytes, card: str) -> None:
    """Add a chip to this table's mapping."""
    path = locations.chips_file(locations.data_dir())
    chips.save(path, chips.load(path).with_chip(chip, DistrictChip(card)))


class Program:
    """A command that reads and answers lines; standard output and error combined."""

    def __init__(self, *words: str) -> None:
        self.process = starting.start(
            *words,
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )

    def read_until(self, *words: str) -> str:
        """The next line that contains any of these words; earlier ones are dropped."""
        lines = [""]
        while not any(word in lines[-1] for word in words):
            lines.append(read_line(self.process, seen=lambda: lines))
            assert lines[-1], f"{words!r} is not in {lines}"
        return lines[-1].rstrip("\n")

    def read_until_all(self, *words: str) -> None:
        missing = set(words)
        while missing:
            line = self.read_until(*missing)
            missing = {word for word in missing if word not in line}

    def type(self, line: str) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()

    def __enter__(self) -> Program:
        return self

    def __exit__(self, *_: object) -> None:
        assert self.process.stdin is not None
        self.process.stdin.close()
        self.process.wait(PATIENCE)
        assert self.process.stdout is not None
        self.process.stdout.close()
