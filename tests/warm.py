"""A process that has loaded the companion and forks for each program that a test starts: loading it
anew takes three quarters of what such a program costs. `tests/starting.py` starts it and asks it.

What a fork runs is `companion.__main__`, with the streams, variables, folder, session and end that
the command would have.
"""

from __future__ import annotations

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
from contextlib import suppress
from typing import Any, NamedTuple, NoReturn

LONGEST = 1 << 17
"""Bytes that a request may have: words, variables and folder."""


class Request(NamedTuple):
    """A program to be started, and its standard input, output and error."""

    given: dict[str, Any]
    streams: list[int]


def load() -> None:
    """Import whatever a command may need, except the full screen."""
    for room in ("common", "engine", "tags", "companion"):
        package = importlib.import_module(room)
        for module in pkgutil.walk_packages(package.__path__, f"{room}."):
            if not module.name.startswith("companion.app") and "__main__" not in module.name:
                importlib.import_module(module.name)


def serve(asked: socket.socket) -> Request:
    """Fork for each request, and tell how each fork ended; returns in the forks alone."""
    running: dict[int, tuple[int, int]] = {}
    poll = select.poll()  # a fork has nothing of it to close
    poll.register(asked, select.POLLIN)
    while True:
        for ready, _event in poll.poll():
            if ready == asked.fileno():
                message, descriptors, _flags, _from = socket.recv_fds(asked, LONGEST, 4)
                if not message:
                    os._exit(0)  # whoever asked has ended
                *streams, tell = descriptors
                child = os.fork()
                if child == 0:
                    asked.detach()
                    return Request(json.loads(message), streams)
                asked.send(str(child).encode())
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
    with suppress(BrokenPipeError):  # nobody waits for it
        os.write(tell, str(status).encode())
    os.close(tell)


def become(request: Request) -> None:
    """Make this fork what the command would be when it begins."""
    given = request.given
    if given["session"]:
        os.setsid()
    if given["group"] != -1:
        os.setpgid(0, given["group"])
    for number, stream in enumerate(request.streams):
        os.dup2(stream, number)  # none of them is below 3: those are our own
    os.closerange(3, os.sysconf("SC_OPEN_MAX"))
    os.chdir(given["folder"])
    os.environ.clear()
    os.environ.update(given["variables"])
    signal.signal(signal.SIGINT, signal.default_int_handler)
    _open_streams()
    sys.argv[1:] = given["words"]
    sys.path[0] = given["folder"]


def _open_streams() -> None:
    """Streams as Python opens them when it begins: it has asked what these are."""
    unbuffered = isinstance(getattr(sys.stdout, "buffer", None), io.RawIOBase)
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        ours = getattr(sys, name)
        buffered = number == 0 or not unbuffered
        binary = open(number, "wb" if number else "rb", -1 if buffered else 0, closefd=False)  # noqa: SIM115
        stream = io.TextIOWrapper(
            binary,
            ours.encoding,
            ours.errors,
            newline="\n",
            line_buffering=buffered and (number == 2 or binary.isatty()),
            write_through=not buffered,
        )
        stream.mode = "w" if number else "r"  # type: ignore[misc]
        setattr(sys, name, stream)
        setattr(sys, f"__{name}__", stream)


def main() -> NoReturn:
    """Serve the socket that the words name; each fork ends as the companion does."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C ends the tests, which end this
    asked = socket.socket(fileno=int(sys.argv[1]))
    load()
    gc.collect()
    gc.freeze()  # not gone through again in each fork
    become(serve(asked))
    runpy.run_module("companion", run_name="__main__", alter_sys=True)
    raise SystemExit(0)


if __name__ == "__main__":
    main()
