"""A process that has loaded the companion and forks for each program that a test starts: loading
takes three quarters of a program's time. Started and used by `tests/starting.py`.

A fork runs `companion.__main__`, with the same streams, variables, folder, group and exit as the
command.
"""

from __future__ import annotations

import atexit
import gc
import importlib
import io
import json
import os
import pkgutil
import runpy
import select
import signal
import socket
import sys
import threading
import time
from contextlib import suppress
from typing import Any, NamedTuple, NoReturn

from tests.rigs import kept_chips
from tests.voice import recording

LONGEST = 1 << 17
"""The most bytes in a request: words, variables and folder."""


class Request(NamedTuple):
    """A program to start, and its standard input, output and error."""

    given: dict[str, Any]
    streams: list[int]


def load() -> None:
    """Import everything a command may need, except the full screen. A module that cannot be
    imported here is left to the command that needs it, which reports why."""
    for room in ("common", "engine", "tags", "companion"):
        package = importlib.import_module(room)
        for module in pkgutil.walk_packages(package.__path__, f"{room}."):
            if not module.name.startswith("companion.app") and "__main__" not in module.name:
                with suppress(ImportError):
                    importlib.import_module(module.name)


def serve(request: socket.socket) -> Request:
    """Fork for each request, and report how each fork ended; returns only in the forks."""
    running: dict[int, tuple[int, int]] = {}
    poll = select.poll()  # a fork need not close it
    poll.register(request, select.POLLIN)
    while True:
        for ready, _event in poll.poll():
            if ready == request.fileno():
                message, descriptors, _flags, _from = socket.recv_fds(request, LONGEST, 4)
                if not message:
                    os._exit(0)  # the requesting process has ended
                *streams, tell = descriptors
                child = os.fork()
                if child == 0:
                    request.detach()
                    return Request(json.loads(message), streams)
                request.send(str(child).encode())
                for stream in streams:
                    os.close(stream)
                handle = os.pidfd_open(child)
                running[handle] = child, tell
                poll.register(handle, select.POLLIN)
            else:
                poll.unregister(ready)
                child, tell = running.pop(ready)
                os.close(ready)
                _tell_end(child, tell)


def _tell_end(child: int, tell: int) -> None:
    _child, status = os.waitpid(child, 0)
    with suppress(BrokenPipeError):  # nothing waits for it
        os.write(tell, str(status).encode())
    os.close(tell)


def become(request: Request) -> None:
    """Make this fork identical to the command at its start."""
    options = request.given
    if options["group"] != -1:
        os.setpgid(0, options["group"])
    for number, stream in enumerate(request.streams):
        os.dup2(stream, number)  # none of them is below 3: those are ours
    os.closerange(3, os.sysconf("SC_OPEN_MAX"))
    os.chdir(options["folder"])
    os.environ.clear()
    os.environ.update(options["variables"])
    time.tzset()
    signal.signal(signal.SIGINT, signal.default_int_handler)
    _open_streams()
    sys.argv[1:] = options["words"]
    sys.path[0] = options["folder"]


def _open_streams() -> None:
    """Open the streams as Python does at its start, depending on their kind."""
    is_unbuffered = isinstance(getattr(sys.stdout, "buffer", None), io.RawIOBase)
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        ours = getattr(sys, name)
        is_buffered = number == 0 or not is_unbuffered
        binary = open(number, "wb" if number else "rb", -1 if is_buffered else 0, closefd=False)  # noqa: SIM115
        stream = io.TextIOWrapper(
            binary,
            ours.encoding,
            ours.errors,
            newline="\n",
            line_buffering=is_buffered and (number == 2 or binary.isatty()),
            write_through=not is_buffered,
        )
        stream.mode = "w" if number else "r"  # type: ignore[misc]
        setattr(sys, name, stream)
        setattr(sys, f"__{name}__", stream)


def end(code: object) -> None:
    """End as Python does after `sys.exit(code)`, but leave the objects to the system: freeing them
    takes three quarters of the time of a short program. Returns where Python must do it."""
    if not isinstance(code, int):
        return
    threading._shutdown()  # type: ignore[attr-defined]
    atexit._run_exitfuncs()
    try:
        for stream in (sys.stdout, sys.stderr):
            if stream is not None and not stream.closed:
                stream.flush()
    except OSError:  # reported by Python
        return
    os._exit(code & 0xFF)


def main() -> NoReturn:
    """Serve the socket given in the arguments; each fork exits like the companion."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C ends the tests, which end this process
    request = socket.socket(fileno=int(sys.argv[1]))
    load()
    gc.collect()
    gc.freeze()  # keep the garbage collector from traversing these objects in forks
    become(serve(request))
    if recording.FOLDER in os.environ:
        recording.install()
    if kept_chips.FILE in os.environ:
        kept_chips.install()
    try:
        runpy.run_module("companion", run_name="__main__", alter_sys=True)
    except SystemExit as leaving:
        end(leaving.code)
        raise
    raise SystemExit(0)


if __name__ == "__main__":
    main()
