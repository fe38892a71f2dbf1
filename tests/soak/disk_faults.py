"""Make every write and every sync of a game fail once, with a full and with a broken disk.

A move that cannot be written is refused and repeated, as a player would; every acknowledged move
must be in the log, and the program must end normally. Linux on x86_64, using ptrace.
"""

from __future__ import annotations

import ctypes
import errno
import os
import platform
import signal
import sys
import tempfile
from collections.abc import Callable
from functools import cache, partial
from typing import TypeVar

from companion.files import locations
from companion.game.session import Session
from companion.log.store import Store, StoreError
from engine.record import Setup
from engine.referee import list_legal_moves

NAMES = ("Anna", "Ben", "Cid", "Dora")
FAILING = {1: "write", 18: "pwrite64", 74: "fsync", 75: "fdatasync", 77: "ftruncate"}
TRACEME, GETREGS, SETREGS, SYSCALL = 0, 12, 13, 24
RAX, ORIG_RAX, RDI = 10, 15, 14  # register indexes, as in `sys/user.h`
POSSIBLE = sys.platform == "linux" and platform.machine() == "x86_64"


Result = TypeVar("Result")


class Registers(ctypes.Structure):
    """The CPU registers at the start or end of a system call."""

    _fields_ = (("all", ctypes.c_ulonglong * 27),)


@cache
def _libc() -> ctypes.CDLL:
    libc = ctypes.CDLL(None, use_errno=True)
    libc.ptrace.argtypes = (ctypes.c_long, ctypes.c_long, ctypes.c_void_p, ctypes.c_void_p)
    return libc


def trace(request: int, child: int, data: object = None) -> None:
    """Make a `ptrace` request. Raises OSError."""
    if _libc().ptrace(request, child, None, data) == -1:
        raise OSError(ctypes.get_errno(), f"ptrace {request}")


def play(folder: str, moves: int, told: int) -> None:
    """Play `moves` moves, always the first legal one, acknowledging each."""
    with Store(locations.games_file(folder)) as store:
        session = retry(lambda: Session.begin(store, Setup("classic_2016", NAMES, NAMES[0])))
        for _step in range(moves):
            move = list_legal_moves(session.referee.table)[0]
            retry(partial(session.play, move))
            os.write(told, f"{move.text}\n".encode())
        session.close()


def retry(do: Callable[[], Result]) -> Result:
    """Run `do`, and retry once if it cannot be saved."""
    try:
        return do()
    except StoreError:
        return do()


def fail(folder: str, moves: int, number: int, code: int) -> tuple[str, bool]:
    """Play with call `number` failing; returns its name, empty if there are fewer, and whether
    everything acknowledged was saved."""
    count, total = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(count)
        result = 1
        try:
            trace(TRACEME, 0)
            os.kill(os.getpid(), signal.SIGSTOP)
            play(folder, moves, total)
            result = 0
        finally:
            os._exit(result)
    os.close(total)
    os.waitpid(child, 0)
    text, status = _trace(child, number, code, count)
    with os.fdopen(count) as text_iowrapper:
        moves_said = text_iowrapper.read().splitlines()
    with Store(locations.games_file(folder)) as store:
        game = store.find_last_game()
        records = store.load(game).moves if game is not None else []
    return text, status == 0 and len(moves_said) == moves and records == moves_said


def _trace(child: int, number: int, code: int, pipe: int) -> tuple[str, int]:
    count, text, entering = 0, "", True
    registers = Registers()
    while True:
        trace(SYSCALL, child)
        _child, status = os.waitpid(child, 0)
        if os.WIFEXITED(status) or os.WIFSIGNALED(status):
            return text, status
        if entering:
            trace(GETREGS, child, ctypes.byref(registers))
            call, file = registers.all[ORIG_RAX], registers.all[RDI]
            if call in FAILING and _is_of_the_log(child, file):
                count += 1
                if count == number:
                    text = FAILING[call]
                    registers.all[ORIG_RAX] = 2**64 - 1  # no system call
                    trace(SETREGS, child, ctypes.byref(registers))
                    trace(SYSCALL, child)
                    os.waitpid(child, 0)
                    trace(GETREGS, child, ctypes.byref(registers))
                    registers.all[RAX] = 2**64 - code
                    trace(SETREGS, child, ctypes.byref(registers))
                    continue
        entering = not entering


def _is_of_the_log(child: int, file: int) -> bool:
    try:
        return "games.sqlite3" in os.readlink(f"/proc/{child}/fd/{file}")
    except OSError:
        return False


def run(moves: int, *, every: int = 1) -> str:
    """Make one in `every` calls fail; returns the figures. Raises AssertionError for a loss."""
    count: dict[str, int] = {}
    for code in (errno.ENOSPC, errno.EIO):
        number = 1
        while True:
            with tempfile.TemporaryDirectory(prefix="companion-disk-") as folder:
                text, is_kept = fail(folder, moves, number, code)
            if not text:
                assert is_kept
                break
            assert is_kept, f"{text} number {number} with {errno.errorcode[code]}"
            count[text] = count.get(text, 0) + 1
            number += every
    word = ", ".join(f"{number} of {name}" for name, number in sorted(count.items()))
    return f"{sum(count.values())} disk faults in games of {moves} moves ({word}): 0 lost"
