"""What readers of lines (`tags.chip_lines`) have in common, and how a line becomes polls that see
its chip."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence

from common.sentences import Sentence
from tags.chip_lines import ChipLine, IsKnown, NotUnderstood, parse_line, shorten
from tags.presence import AGAIN
from tags.readers import INTERVAL, Reader

TOLD_EVERY = 60.0
"""Seconds between two notices about lines that are not understood."""


class LineReader(Reader):
    """A reader with a name whose driver reads lines.

    ``is_known`` tells whether a chip has been learned; ``clock`` counts seconds.
    """

    def __init__(self, name: str, is_known: IsKnown, clock: Callable[[], float]) -> None:
        self.name = name
        self._is_known = is_known
        self._clock = clock
        self._names: dict[bytes, str] = {}
        self._notices: deque[str] = deque()
        self._next_doubt = float("-inf")

    def name_of(self, uid: bytes) -> str | None:
        return self._names.get(uid)

    def take_notice(self) -> str | None:
        return self._notices.popleft() if self._notices else None

    def _parse(self, text: str) -> ChipLine | None:
        """What a line says; None for nothing, or if it is not understood, which is told."""
        try:
            line = parse_line(text, self._is_known)
        except NotUnderstood as error:
            self._doubt(str(error))
            return None
        if line is not None:
            self._keep_name(line)
        return line

    def _keep_name(self, line: ChipLine) -> None:
        if line.name is not None:
            self._names[line.uid] = line.name

    def _doubt(self, text: str) -> None:
        """Tell what is not understood, once a minute."""
        now = self._clock()
        if now < self._next_doubt:
            return
        self._next_doubt = now + TOLD_EVERY
        self._notices.append(
            Sentence(
                "{name} sent something that is not understood: {text}",
                name=self.name,
                text=shorten(text),
            )
        )


SEEN = 2
"""The fewest polls that see a chip: two, because an unknown id counts only when read twice."""

UNSEEN = 2
"""Polls that miss it afterwards: enough for a lift without a dropout time."""

_REPEATED = SEEN + round(AGAIN / INTERVAL)


class Script:
    """Lines that each come once, as a queue of future polls; when empty, the last poll repeats."""

    def __init__(self) -> None:
        self._polls: deque[bytes | None] = deque()
        self._last: bytes | None = None
        self._number = 0  # polls so far
        self._reports: dict[bytes, int] = {}  # the poll of each chip's last report

    def begin(self) -> None:
        """Start after opening: later chips were not there before, unless held."""
        if self._last is None:
            self._polls.appendleft(None)

    def take(self, line: ChipLine) -> None:
        """Queue what the line says."""
        match line.what:
            case "tap":
                self._report(line.uid)
            case "hold":
                self._polls += [line.uid] * SEEN
            case "lift":
                self._lift(line.uid)
            case "wait":
                self._wait(line.seconds)

    def tap(self, uid: bytes) -> None:
        """Queue a tap, however soon after another."""
        self._polls += [uid] * SEEN + [None] * UNSEEN

    def poll(self) -> Sequence[bytes]:
        self._number += 1
        if self._polls:
            self._last = self._polls.popleft()
        return () if self._last is None else (self._last,)

    def _report(self, uid: bytes) -> None:
        """Queue a tap, unless the same chip was reported within a second: that is one touch."""
        now = self._number + len(self._polls)
        last = self._reports.get(uid)
        self._reports = {one: at for one, at in self._reports.items() if now - at < _REPEATED}
        self._reports[uid] = now
        if last is None or now - last >= _REPEATED:
            self.tap(uid)

    def _lift(self, uid: bytes) -> None:
        """Queue taking away the chip there, if it is that one."""
        lying = self._polls[-1] if self._polls else self._last
        if uid in (b"", lying):
            self._polls += [None] * UNSEEN

    def _wait(self, seconds: float) -> None:
        self._polls += [self._polls[-1] if self._polls else self._last] * round(seconds / INTERVAL)
