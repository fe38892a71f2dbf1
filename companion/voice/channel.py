"""One output of the voice: its queue of utterances, and the child process that speaks each.

The channel's own thread starts the children and never blocks; other threads only enqueue, remove
and kill.

A child is fed its text, waited for with a timeout and killed at once. It runs in its own process
group, so that a shell's pipeline is killed whole and the caller's Ctrl-C does not reach it. On
Linux the kernel kills it with the caller, however that ends.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import NamedTuple

from common.clean import clean_text
from common.sentences import locate
from companion.files import reason
from companion.voice.script import Audience, Manner, Relevance, Utterance


class Command(NamedTuple):
    """What to run: its words, the text for its standard input, and the beginning of a line on its
    standard error that means failure whatever the exit code."""

    words: tuple[str, ...]
    text: str = ""
    complaint: str = ""


class Backend(NamedTuple):
    """A program on this machine that speaks. Two with the same `output` are heard by the same
    people."""

    name: str
    output: str
    command: Callable[[Utterance, Manner], Command]
    """The program with its options, and the words as its standard input."""

    silence: tuple[str, ...] = ()
    """A command that stops what a service still says after the child is killed, if any."""


class Failed(Exception):
    """Nothing was spoken; the message says why, on one line."""


class Child:
    """One run of a command. `kill` may be called from any thread at any moment."""

    def __init__(self, command: Command) -> None:
        """Start it. Raises Failed if it cannot be started."""
        self.command = command
        self._complaints = tempfile.TemporaryFile()  # noqa: SIM115 - closed by `wait`
        self.killed = False
        try:
            self._process = subprocess.Popen(
                [*_build_death_prefix(), *command.words],
                stdin=subprocess.PIPE,
                stdout=subprocess.DEVNULL,
                stderr=self._complaints,
                start_new_session=True,
                creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
            )
        except OSError as error:
            self._complaints.close()
            raise Failed(locate(command.words[0], reason(error))) from None

    def wait(self, limit: float) -> None:
        """Send the text and wait until it is spoken, up to `limit` seconds.

        Also returns when it was killed. Raises Failed if it took longer (then it is killed) or did
        not speak.
        """
        name = self.command.words[0]
        try:
            self._process.communicate(self.command.text.encode(), timeout=limit)
        except subprocess.TimeoutExpired:
            self.kill()
            self._process.communicate()
            raise Failed(f"{name} did not finish within {limit:.0f} seconds") from None
        finally:
            complaint = self._find_complaint()
        if self.killed:
            return
        code = self._process.returncode
        if code or (complaint and self.command.complaint):
            raise Failed(
                f"{name}: {clean_text(complaint) if complaint else f'it ended with code {code}'}"
            )

    def kill(self) -> None:
        """Kill it now, with everything that it started."""
        self.killed = True
        if self._process.poll() is not None:
            return
        with contextlib.suppress(OSError):
            if sys.platform == "win32":
                self._process.kill()
            else:
                os.killpg(self._process.pid, signal.SIGKILL)

    def _find_complaint(self) -> str:
        """The last line on its standard error; the first ones are often from its libraries."""
        with self._complaints as file:
            file.seek(0)
            lines = file.read(8000).decode(errors="replace").split("\n")
        complaints = [line for line in lines if line.startswith(self.command.complaint) and line]
        return complaints[-1] if complaints else ""


def _build_death_prefix() -> tuple[str, ...]:
    """A command prefix that makes the kernel kill the command when we end; empty if unsupported."""
    setpriv = shutil.which("setpriv") if sys.platform == "linux" else None
    return (setpriv, "--pdeathsig", "KILL", "--") if setpriv else ()


# -- the queue of one output -----------------------------------------------------------------------


PATIENCE = 2
"""Failures in a row after which the next backend is tried."""

_SILENCING = 2.0  # timeout in seconds for a command that stops a service's speech
_ENDING = 1.0 + _SILENCING  # the most seconds that closing waits for the channel's thread


class NotForTheTable(ValueError):
    """A private utterance was sent to the table: a bug, never let through."""


def find_limit(text: str, speed: int) -> float:
    """The timeout in seconds for speaking that text: four times as long as it should take, at 12
    characters a second, plus the start."""
    return 4.0 + 4 * len(text) / 12 * 100 / speed


class Channel:
    """Speaks to one audience. Its thread starts with the first utterance."""

    def __init__(
        self,
        audience: Audience,
        backends: Sequence[Backend],
        manner: Callable[[], Manner],
        trouble: Callable[[str, str | None], None],
        limit: Callable[[str, int], float] = find_limit,
    ) -> None:
        """`manner` says how to speak now. `trouble` is called from the
        channel's thread when a backend is given up, with the reason and the name of the next (or
        None)."""
        self.audience = audience
        self.output = backends[0].output
        self._backends = deque(backends)
        self._manner = manner
        self._trouble = trouble
        self._limit = limit
        self._queue: deque[Utterance] = deque()
        self._change = threading.Condition()
        self._child: Child | None = None
        self._failures = 0
        self._turn = 0  # counts interruptions, so that a child started meanwhile is killed
        self._is_closed = False
        self._thread: threading.Thread | None = None

    @property
    def has_failed(self) -> bool:
        return not self._backends

    def say(self, *utterances: Utterance) -> None:
        """Enqueue utterances; urgent ones go first and interrupt. Returns at once. Raises
        NotForTheTable for a private utterance if the table listens."""
        for utterance in utterances:
            if utterance.audience is Audience.EAR and self.audience is Audience.TABLE:
                raise NotForTheTable
        with self._change:
            if self._is_closed or not self._backends:
                return
            urgent = [one for one in utterances if one.urgent]
            self._queue.extendleft(reversed(urgent))
            self._queue.extend(one for one in utterances if one not in urgent)
            if urgent:
                self._interrupt()
            if self._thread is None:
                self._thread = threading.Thread(
                    target=self._run, name=f"voice for the {self.audience.value}", daemon=True
                )
                self._thread.start()
            self._change.notify_all()

    def drop(self, *stays: Relevance) -> None:
        """Remove queued utterances of these kinds; finish the current one."""
        with self._change:
            self._queue = deque(one for one in self._queue if one.stays not in stays)

    def hush(self) -> None:
        """Stop speaking now and clear the queue."""
        with self._change:
            self._queue.clear()
            self._interrupt()

    def close(self) -> None:
        """Stop speaking and leave no child behind."""
        with self._change:
            self._is_closed = True
            self._queue.clear()
            self._interrupt()
        # A child that was just being started is killed by the channel's thread, which must not
        # end with the program before that.
        if self._thread is not None:
            self._thread.join(_ENDING)

    # -- the channel's own thread -------------------------------------------------------------

    def _run(self) -> None:
        while (following := self._wait_for_next()) is not None:
            utterance, turn = following
            try:
                if self._speak(self._backends[0], utterance, turn):
                    self._failures = 0
            except Failed as error:
                self._count_failure(utterance, str(error))

    def _wait_for_next(self) -> tuple[Utterance, int] | None:
        """The next utterance, after its pause, and the count of interruptions; None at the end."""
        with self._change:
            while True:
                self._change.wait_for(lambda: self._queue or self._is_closed)
                if self._is_closed:
                    return None
                first, turn = self._queue[0], self._turn
                # the lambda is called before the loop changes what it reads
                self._change.wait_for(lambda: self._turn != turn, first.pause)  # noqa: B023
                if self._turn == turn and self._queue and self._queue[0] is first:
                    return self._queue.popleft(), turn

    def _speak(self, backend: Backend, utterance: Utterance, turn: int) -> bool:
        """Speak it; return whether it was finished. Raises Failed."""
        manner = self._manner()
        child = Child(backend.command(utterance, manner))
        with self._change:
            self._child = child
            if self._turn != turn:
                child.kill()
        try:
            child.wait(self._limit(utterance.text, manner.speed))
        finally:
            with self._change:
                self._child = None
        if child.killed and backend.silence:
            _run_with_timeout(backend.silence)
        return not child.killed

    def _count_failure(self, utterance: Utterance, reason: str) -> None:
        """Count a failure; after several in a row, switch to the next backend."""
        with self._change:
            self._failures += 1
            if self._failures < PATIENCE:
                return
            self._failures = 0
            self._backends.popleft()
            following = self._backends[0].name if self._backends else None
            if following is None:
                self._queue.clear()
                self._is_closed = True
            elif not self._queue:
                self._queue.append(utterance)
        self._trouble(reason, following)

    def _interrupt(self) -> None:
        self._turn += 1
        if self._child is not None:
            self._child.kill()
        self._change.notify_all()


def _run_with_timeout(words: tuple[str, ...]) -> None:
    with suppress(Failed):
        Child(Command(words)).wait(_SILENCING)
