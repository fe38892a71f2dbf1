"""The reader behind the open door: chips come as lines (``tags.chip_lines``) from a file, a named
pipe or standard input.

Several readers may share one file: a line that ends in ``@`` and a reader's name is that one's.
"""

from __future__ import annotations

import os
import re
import threading
import time
from collections import deque
from collections.abc import Callable, Sequence
from weakref import WeakValueDictionary

from common.sentences import Sentence
from tags.chip_lines import LONGEST, ChipLine, IsKnown, NotUnderstood, parse_line
from tags.presence import Traits
from tags.readers.line_reader import LineReader, Script
from tags.readers.line_sources import LineSource, Silence, StandardInput, TapFile

STANDARD_INPUT = "-"

_PAUSE = 10  # polls that end a line, half a second: not every program writes the end of one
_ENDS = re.compile(rb"[\r\n\x03]")  # serial readers end with a return or ETX


class FileReader(LineReader):
    """A ``Reader`` of the file at ``path``, ``-`` for standard input.

    Opening again continues where reading stopped, unless the file was replaced.
    """

    road = "file"
    traits = Traits(by_hand=False, writes=False, reads_bytes=False)

    def __init__(
        self,
        path: str,
        name: str | None = None,
        is_known: IsKnown = lambda uid: False,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        usual = f"file:{path}"
        super().__init__(name or usual, is_known, clock)
        self._script = Script()
        place = path if path == STANDARD_INPUT else os.path.realpath(path)
        self._door = _doors.setdefault(place, _Door(usual, path))
        self._door.admit(self.name)

    def open(self) -> None:
        """Start or resume reading."""
        self._door.open(self.name)
        self._script.begin()

    def poll(self) -> Sequence[bytes]:
        """The chips of the next step; never waits."""
        lines, wrong, silence = self._door.read(self.name, self._is_known)
        for text in wrong:
            self._doubt(text)
        if silence != "none":
            self._notices.append(_explain_silence(silence, self.name))
        for line in lines:
            self._take(line)
        return self._script.poll()

    def close(self) -> None:
        """Close the file; steps already read are kept."""
        self._door.close(self.name)

    def _take(self, line: ChipLine) -> None:
        self._keep_name(line)
        if line.what == "tap" and self._door.is_typed:
            self._script.tap(line.uid)
        else:
            self._script.take(line)


def _explain_silence(silence: Silence, name: str) -> Sentence:
    if silence == "ended":
        return Sentence(
            "The program that writes into {name} has ended; start it again to go on with its "
            "chips.",
            name=name,
        )
    return Sentence("No program writes into {name} yet; start the one that does.", name=name)


class _Door:
    """The source at ``path``, and the readers whose lines are in it; thread-safe.

    ``usual`` is the name of a reader that was given none.
    """

    def __init__(self, usual: str, path: str) -> None:
        self._usual = usual
        self._path = path
        self._source: LineSource | None = None
        self._lost = OSError()  # what ended it, for the readers that have not heard of it
        self._read_up_to = (0, 0, 0)
        self._unread = b""
        self._quiet = 0  # polls since the last byte
        self._lines: dict[str, deque[ChipLine]] = {}
        self._users: set[str] = set()
        self._guard = threading.Lock()

    @property
    def is_typed(self) -> bool:
        """Whether the lines come from whoever types the game, too."""
        return isinstance(self._source, StandardInput) and StandardInput.is_shared

    def admit(self, name: str) -> None:
        """Keep that reader's lines for it; the first reader gets those that name none."""
        with self._guard:
            self._lines.setdefault(name, deque())

    def open(self, name: str) -> None:
        """Open the file for that reader. Raises ``OSError``."""
        with self._guard:
            if self._source is None:
                is_file = self._path != STANDARD_INPUT
                self._source = TapFile(self._path) if is_file else StandardInput()
                if not self._source.resume(self._read_up_to):
                    self._unread = b""
            self._users.add(name)

    def close(self, name: str) -> None:
        """Close it, if no other reader uses it."""
        with self._guard:
            self._users.discard(name)
            if not self._users:
                self._shut()

    def read(self, name: str, is_known: IsKnown) -> tuple[list[ChipLine], list[str], Silence]:
        """That reader's next lines, those that are not understood, and the silence that begins
        now. Raises ``OSError``."""
        with self._guard:
            if self._source is None:
                raise self._lost
            try:
                more = self._source.read()
            except OSError as error:
                self._lost = error
                self._shut()
                raise
            *lines, self._unread = _ENDS.split(self._unread + more)
            self._quiet = 0 if more else self._quiet + 1
            if len(self._unread) > LONGEST or self._quiet >= _PAUSE:
                lines.append(self._unread)
                self._unread = b""
            wrong = [text for line in lines if (text := self._sort(line, is_known))]
            mine, self._lines[name] = list(self._lines[name]), deque()
            return mine, wrong, self._source.note_silence()

    def _shut(self) -> None:
        source, self._source = self._source, None
        if source is not None:
            self._read_up_to = source.place()
            source.close()

    def _sort(self, line: bytes, is_known: IsKnown) -> str:
        """Give the line to its reader; returns it if it is not understood."""
        text = line.decode("utf-8", "replace")
        try:
            step = parse_line(text, is_known)
        except NotUnderstood as error:
            return str(error)
        if step is None:
            return ""
        first = next(iter(self._lines))
        names = {name.casefold(): name for name in self._lines}
        reader = names.get(step.reader.casefold()) if step.reader else first
        if reader is None and first == self._usual:
            reader = first  # the only reader, which has no name
        if reader is None:
            return text
        self._lines[reader].append(step)
        return ""


_doors: WeakValueDictionary[str, _Door] = WeakValueDictionary()
