"""Start `companion WORDS` for tests: as a fork of a process that has it loaded, which is
`tests/tools/warm.py`, or as an ordinary process if a fork would differ.

`tests/companion/test_starting.py` compares the two; programs that tests start otherwise (in tmux,
through a shell) are ordinary processes.
"""

from __future__ import annotations

import atexit
import json
import os
import socket
import subprocess
import sys
import threading
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tests.waiting import PATIENCE

ROOT = Path(__file__).parents[1]
AT_START = ("PYTHON", "LANG", "LC_", "LD_", "TEXTUAL", "MALLOC_")
"""Prefixes of variables that are read when Python, or a library, is loaded."""


def _read_at_start(variables: Mapping[str, str]) -> dict[str, str]:
    return {name: value for name, value in variables.items() if name.startswith(AT_START)}


_VARIABLES = {**os.environ}  # the first test to start a program may have changed them


class Warm:
    """The process that forks, and the connection to it."""

    def __init__(self) -> None:
        self.asker = os.getpid()
        self.variables = _read_at_start(_VARIABLES)
        self.guard = threading.Lock()
        self.connection, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self.connection.settimeout(PATIENCE)
        with theirs:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "tests.tools.warm", str(theirs.fileno())],
                cwd=ROOT,
                env=_VARIABLES,
                stdin=subprocess.DEVNULL,
                pass_fds=(theirs.fileno(),),
            )

    def fork(self, options: dict[str, Any], streams: list[int]) -> tuple[int, int]:
        """Fork a program; returns its process id, and the file descriptor that reports its end."""
        count, tell = os.pipe()
        try:
            with self.guard:
                socket.send_fds(self.connection, [json.dumps(options).encode()], [*streams, tell])
                child = int(self.connection.recv(100))
        except BaseException:
            os.close(count)
            raise
        finally:
            os.close(tell)
        return child, count

    def end(self) -> None:
        """Let it end, if this process started it: forks of this process have a copy of this
        object."""
        if self.asker == os.getpid():
            self.connection.close()
            self.process.terminate()
            self.process.wait()


USES_WARM = hasattr(os, "pidfd_open") and os.environ.get("TESTS_WARM") != "no"
"""Whether programs are started as forks; with TESTS_WARM=no each is a process of its own."""

_warm: Warm | None = None


def _find_warm(variables: Mapping[str, str]) -> Warm | None:
    """The process that can start a program with these variables, if any."""
    global _warm
    if not USES_WARM:
        return None
    if _warm is None or _warm.asker != os.getpid():
        _warm = Warm()
        atexit.register(_warm.end)
    return _warm if _read_at_start(variables) == _warm.variables else None


class Started(subprocess.Popen[Any]):
    """A fork, like a child process except that its end is reported by its parent, the warm
    process."""

    _told: int

    def _execute_child(
        self, args: Any, executable: Any, preexec_fn: Any, close_fds: Any, pass_fds: Any,
        cwd: Any, env: Any, startupinfo: Any, creationflags: Any, shell: Any,
        p2cread: int, p2cwrite: int, c2pread: int, c2pwrite: int, errread: int, errwrite: int,
        restore_signals: Any, gid: Any, gids: Any, uid: Any, umask: int,
        start_new_session: bool, process_group: int,
    ) -> None:  # fmt: skip
        assert _warm is not None
        sys.audit("subprocess.Popen", sys.executable, args, cwd, env)
        options = {
            "words": args[3:],
            "variables": dict(env),
            "folder": str(cwd or os.getcwd()),
            "group": process_group,
        }
        theirs = (p2cread, c2pwrite, errwrite)
        streams = [number if options == -1 else options for number, options in enumerate(theirs)]
        try:
            self.pid, self._told = _warm.fork(options, streams)
            self._child_created = True
        finally:
            ours = (p2cread, p2cwrite, c2pread, c2pwrite, errread, errwrite)
            self._close_pipe_fds(*ours)  # type: ignore[attr-defined]

    def _try_wait(self, wait_flags: int) -> tuple[int, int]:
        os.set_blocking(self._told, not wait_flags & os.WNOHANG)
        try:
            status = os.read(self._told, 100)
        except BlockingIOError:
            return 0, 0
        os.close(self._told)
        assert status, "the process that starts programs has ended"
        return self.pid, int(status)

    def _internal_poll(self, _deadstate: int | None = None) -> int | None:
        guard: threading.Lock = self._waitpid_lock  # type: ignore[attr-defined]
        if self.returncode is None and guard.acquire(blocking=False):
            try:
                if self.returncode is None:
                    pid, status = self._try_wait(os.WNOHANG)
                    if pid:
                        self._handle_exitstatus(status)  # type: ignore[attr-defined]
            finally:
                guard.release()
        return self.returncode


def start(*words: str, env: Mapping[str, str] | None = None, **how: Any) -> subprocess.Popen[Any]:
    """Start `companion WORDS` with exactly these variables (default: the test's); `how` are
    arguments of `subprocess.Popen` for streams, folder and group."""
    variables = os.environ if env is None else env
    module = "tests.voice.recording" if "TESTS_VOICE" in variables else "companion"
    module = "tests.rigs.kept_chips" if "TESTS_CHIPS" in variables else module
    command = [sys.executable, "-m", module, *words]
    kind = Started if _find_warm(variables) else subprocess.Popen
    return kind(command, env=variables, **how)


def run(*words: str, timeout: float, **how: Any) -> subprocess.CompletedProcess[Any]:
    """Run `companion WORDS` to its end, like `start`; `input` is its standard input."""
    answer = how.pop("input", None)
    pipe = subprocess.PIPE
    with start(*words, stdin=pipe, stdout=pipe, stderr=pipe, **how) as process:
        try:
            result, aside = process.communicate(answer, timeout)
        except BaseException:
            process.kill()
            raise
    return subprocess.CompletedProcess(process.args, process.returncode, result, aside)
