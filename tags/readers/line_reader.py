"""What readers of lines have in common, and how a line becomes polls that see its chip."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence

from common.sentences import Sentence
from tags.chip_lines import ChipLine, IsKnown, shorten
from tags.presence import AGAIN, POLLED, Traits
from tags.readers import Reader

SEEN = 2
"""The fewest polls that see a chip: two, because an unknown id counts only when read twice."""

UNSEEN = 2
"""Polls that miss it afterwards: enough for a lift without a dropout time."""

TOLD_EVERY = 60.0
"""Seconds between two notices about lines that are not understood."""

_REPEATED = SEEN + round(AGAIN / POLLED.interval)


class Script:
    """A queue of future polls; when empty, the last poll repeats."""

    def __init__(self) -> None:
        self._polls: deque[bytes | None] = deque()
        self._last: bytes | None = None
        self._number = 0  # polls so far
        self._reports: dict[bytes, int] = {}  # the poll of each chip's last report

    def begin(self) -> None:
        """Start after opening: later chips were not there before, unless held."""
        if self._last is None:
            self._polls.appendleft(None)

    def tap(self, uid: bytes) -> None:
        self._polls += [uid] * SEEN + [None] * UNSEEN

    def report(self, uid: bytes) -> None:
        """Queue a tap, unless the same chip was reported within a second: that is one touch."""
        now = self._number + len(self._polls)
        last = self._reports.get(uid)
        self._reports = {one: at for one, at in self._reports.items() if now - at < _REPEATED}
        self._reports[uid] = now
        if last is None or now - last >= _REPEATED:
            self.tap(uid)

    def hold(self, uid: bytes) -> None:
        """Queue replacing the chip there with this one, which stays."""
        self._polls += [uid] * SEEN

    def lift(self, uid: bytes = b"") -> None:
        """Queue taking away the chip there, if it is that one."""
        lying = self._polls[-1] if self._polls else self._last
        if uid in (b"", lying):
            self._polls += [None] * UNSEEN

    def wait(self, seconds: float) -> None:
        self._polls += [self._polls[-1] if self._polls else self._last] * round(
            seconds / POLLED.interval
        )

    def poll(self) -> Sequence[bytes]:
        self._number += 1
        if self._polls:
            self._last = self._polls.popleft()
        return () if self._last is None else (self._last,)


class LineReader(Reader):
    """What readers of lines have in common: a name, and what their lines told.

    ``is_known`` tells whether a chip has been learned; ``clock`` counts seconds.
    """

    traits = Traits(writes=False, reads_bytes=False)

    def __init__(self, name: str, is_known: IsKnown, clock: Callable[[], float]) -> None:
        self.name = name
        self._is_known = is_known
        self._clock = clock
        self._script = Script()
        self._names: dict[bytes, str] = {}
        self._notices: deque[str] = deque()
        self._next_doubt = float("-inf")

    def name_of(self, uid: bytes) -> str | None:
        return self._names.get(uid)

    def take_notice(self) -> str | None:
        return self._notices.popleft() if self._notices else None

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
