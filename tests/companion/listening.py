"""Shared by tests of the line caller: a program that talks to it, and checks for screen-reader
users."""

from __future__ import annotations

import contextlib
import os
import queue
import re
import signal
import subprocess
import threading
from collections.abc import Iterator, Sequence

from common.strict_yaml import parse
from companion import language
from companion.language import list_offered
from tests import starting
from tests.starting import ROOT
from tests.waiting import PATIENCE, kill_late, read_line

NAMES = "Anna,Kurt,Ashley,Ben"
NEW = ("--new", "--players", NAMES, "--crown", "Kurt")
OPENING = ("faceup bishop merchant", "call", "reveal Anna", "kill king", "gold", "build temple")
LENGTH = 120

_ASKED = (
    "{player}. Discard {characters} face up.",
    *(
        "Rank {rank}. The {character} is face up. Carry on?",
        "Rank {rank}. The {character} was murdered. Carry on?",
    ),
    "{player} is choosing in private; everyone else, please don't look or listen.",
    *("Tap the card to have it read to you alone.", "Did you mean one of these?", "You can:"),
    "The game is over.",
)


def _patterns() -> Iterator[str]:
    """Patterns for the end of an answer in every language."""
    yield r".*\?"
    before = language.current()
    for code in list_offered():
        language.use(code)
        for sentence in _ASKED:
            yield re.sub(r"\\\{.*?\\\}", ".+", re.escape(language._(sentence)))
    language.use(before)


_QUESTION = re.compile("|".join(_patterns()))


def is_question(line: str) -> bool:
    """Whether it is the last line before the program waits for input, in any language. A refusal
    that asks what was meant is none."""
    return not line.startswith("Refused: ") and _QUESTION.fullmatch(line) is not None


_BOX = re.compile(r"[\u2500-\u259f\u2800-\u28ff]")
_ALIGNED = re.compile(r"\S(?:  |\t)")


def complaints(transcript: Sequence[str]) -> list[str]:
    """Problems for a screen-reader user: drawings, alignment, invisible characters, long lines."""
    problems = []
    for line in transcript:
        wrong = {
            "controls": any(ord(c) < 32 or 127 <= ord(c) < 160 for c in line),
            "box or braille glyphs": bool(_BOX.search(line)),
            "columns": bool(_ALIGNED.search(line)),
            "spaces at an end": line != line.strip(),
            "empty": not line,
            "one of several": bool(re.search(r"\b1 (points|cards|districts|characters)\b", line)),
            # a refusal has its rule, source and the refused words on one line
            "too long": len(line) > LENGTH and not line.startswith("Refused: "),
            "a form of the notation": bool(re.search(r"\b[PCDN]\b”", line)),
            "markup of a program": bool(re.search(r"\{|\}|<|>|None|Errno", line)),
        }
        problems += [f"{what}: {line!r}" for what, is_so in wrong.items() if is_so]
    return problems


class Listener:
    """`companion play --plain` as a process, driven line by line through pipes."""

    def __init__(
        self,
        *words: str,
        reader: str | None = "none",
        env: dict[str, str] | None = None,
        new: bool = True,
    ) -> None:
        """Start it with these options, on a new game of four unless `new` is False; `reader=None`
        uses the readers in the settings."""
        options = [*(NEW if new else ()), *(("--reader", reader) if reader else ()), *words]
        self.process = starting.start(
            *("play", "--plain", *options),
            cwd=ROOT,
            env={**os.environ, **(env or {})},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        self.transcript: list[str] = []
        self._heard: queue.SimpleQueue[str | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._listen, daemon=True)
        self._thread.start()

    def __enter__(self) -> Listener:
        return self

    def __exit__(self, *_: object) -> None:
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait(PATIENCE)
        for pipe in (self.process.stdin, self.process.stdout, self.process.stderr):
            assert pipe is not None
            with contextlib.suppress(BrokenPipeError):
                pipe.close()

    def _listen(self) -> None:
        assert self.process.stdout is not None
        try:
            for line in self.process.stdout:
                self._heard.put(line.decode().removesuffix("\n"))
        except ValueError:
            pass  # closed by a test
        self._heard.put(None)

    def line(self) -> str | None:
        """The next line of output; None at its end."""
        try:
            line = self._heard.get(timeout=PATIENCE)
        except queue.Empty:
            raise AssertionError(f"nothing more after {self.transcript[-5:]}") from None
        if line is not None:
            self.transcript.append(line)
        return line

    def hear(self) -> list[str]:
        """The lines up to the question."""
        lines = []
        while (line := self.line()) is not None:
            lines.append(line)
            if is_question(line):
                break
        return lines

    def drop_heard(self) -> None:
        """Drop the lines that have come by now."""
        while not self._heard.empty():
            self.line()

    def hear_aside(self, words: str) -> str:
        """The next line on standard error that contains `words`; those before it are dropped."""
        lines = [""]
        while words not in lines[-1]:
            lines.append(read_line(self.process, self.process.stderr, lambda: lines).decode())
            assert lines[-1], f"{words!r} is not in {lines}"
        return lines[-1]

    def type(self, line: str | bytes) -> None:
        """Send a line without waiting for its answer."""
        assert self.process.stdin is not None
        self.process.stdin.write((line.encode() if isinstance(line, str) else line) + b"\n")
        self.process.stdin.flush()

    def tell(self, line: str | bytes) -> list[str]:
        """Send a line; returns its answer, whose last line is the question."""
        self.type(line)
        return self.hear()

    def tell_all(self, *lines: str) -> list[str]:
        """Send lines in sequence, each after the previous answer; returns all answers."""
        return [text for line in lines for text in self.tell(line)]

    def kill(self) -> None:
        """Kill it, like a power cut."""
        self.process.send_signal(signal.SIGKILL)
        self.process.wait(PATIENCE)

    def leave(self) -> int:
        """Close its input; returns the exit code."""
        assert self.process.stdin is not None
        self.process.stdin.close()
        while self.line() is not None:
            pass
        return self.process.wait(PATIENCE)

    def read_errors(self) -> str:
        """Its standard error, after it has ended."""
        assert self.process.stderr is not None
        with kill_late(self.process):
            return self.process.stderr.read().decode()


def companion(
    *words: str, stdin: str | bytes = "", env: dict[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    """Run a companion command to its end."""
    result = starting.run(
        *words,
        cwd=ROOT,
        env={**os.environ, **(env or {})},
        input=stdin.encode() if isinstance(stdin, str) else stdin,
        timeout=PATIENCE * 2,
    )
    return subprocess.CompletedProcess(
        result.args, result.returncode, result.stdout.decode(), result.stderr.decode()
    )


def record_moves() -> list[str]:
    """The moves of the last game, as `companion record` writes them."""
    data = parse(companion("record").stdout, name="record").data
    return [str(move) for move in data["moves"]]
