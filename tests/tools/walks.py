"""How far one input travels: the calls, files and border crossings of our own code.

A crossing is a call from one of our files into another. Run as a program, it prints the figures of
a typed `gold`, of a key on the full screen, and the modules that `companion history` imports:
`python -m tests.tools.walks`.
"""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from types import FrameType
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[2]
ROOMS = tuple(f"{ROOT / room}{os.sep}" for room in ("common", "companion", "engine", "tags"))
PLAYERS = ["Anna", "Kurt", "Ashley", "Ben"]
BEFORE_GOLD = ["faceup bishop merchant", "call", "reveal Anna"]


class Walk(NamedTuple):
    """What one input cost."""

    calls: int
    files: int
    crossings: int


class Walker:
    """Counts the calls into our own code while it is watching."""

    def __init__(self) -> None:
        self.calls: Counter[tuple[str, str]] = Counter()
        """Calls by file and function."""

        self.crossings = 0

    @contextmanager
    def watch(self) -> Iterator[None]:
        """Count what this thread calls."""
        before = sys.getprofile()
        sys.setprofile(self._count)
        try:
            yield
        finally:
            sys.setprofile(before)

    def _count(self, frame: FrameType, event: str, _argument: object) -> None:
        if event != "call" or not (path := frame.f_code.co_filename).startswith(ROOMS):
            return
        self.calls[path, frame.f_code.co_qualname] += 1
        caller = frame.f_back
        while caller is not None and not caller.f_code.co_filename.startswith(ROOMS):
            caller = caller.f_back
        self.crossings += caller is not None and caller.f_code.co_filename != path

    @property
    def walk(self) -> Walk:
        """What has been counted so far."""
        files = {path for path, _function in self.calls}
        return Walk(self.calls.total(), len(files), self.crossings)

    def list_costly(self, most: int) -> list[str]:
        """The functions called most often, each with its number of calls."""
        return [
            f"{number:6} {Path(path).relative_to(ROOT)} {function}"
            for (path, function), number in self.calls.most_common(most)
        ]


def walk_line() -> Walker:
    """`gold` typed in the line caller, until the next question is printed."""
    from companion.plain.caller import Caller, play
    from companion.settings import config
    from companion.setup import PlayOptions

    walker = Walker()
    answer = Caller.answer

    def watched(self: Caller, line: str) -> None:
        with walker.watch() if line == "gold" else nullcontext():
            answer(self, line)

    Caller.answer = watched  # type: ignore[method-assign]
    read, write = os.pipe()
    os.write(write, "".join(f"{line}\n" for line in [*BEFORE_GOLD, "gold"]).encode())
    os.close(write)
    stdin, stream = os.dup(0), sys.stdin
    os.dup2(read, 0)
    try:
        options = PlayOptions(new=True, players=tuple(PLAYERS), crown="Anna", reader="none")
        with open(0, closefd=False) as sys.stdin:  # pytest's own would refuse to be read
            play(options, config.load(options={"reader": "none"}))
    finally:
        sys.stdin = stream
        os.dup2(stdin, 0)
        Caller.answer = answer  # type: ignore[method-assign]
    assert walker.calls, "gold was never typed"
    return walker


async def walk_key() -> Walker:
    """The key for gold on the full screen, until its effect is painted."""
    from tests.app.driving import start_table

    walker = Walker()
    async with start_table(PLAYERS) as table:
        for line in BEFORE_GOLD:
            await table.line(line)
        with walker.watch():
            await table.keys("1")
        assert table.session.referee.moves[-1].text == "gold"
    return walker


def list_history_modules() -> list[str]:
    """Our modules that `companion history` imports."""
    program = (
        "import sys; from companion.commands.cli import main; main(['history'])\n"
        "print(*sorted(m for m in sys.modules if m.split('.')[0] in "
        "('common', 'companion', 'engine', 'tags')), sep='\\n', file=sys.stderr)"
    )
    result = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True
    )
    return result.stderr.split()


def main() -> None:
    """Print the figures, and the functions called most often."""
    with tempfile.TemporaryDirectory() as folder:
        os.environ["COMPANION_DATA"] = folder
        for name, walker in (("typed gold", walk_line()), ("a key", asyncio.run(walk_key()))):
            print(name, *map("{0[0]} {0[1]}".format, walker.walk._asdict().items()))
            print(*walker.list_costly(40), sep="\n")
        print("companion history:", len(list_history_modules()), "modules")


if __name__ == "__main__":
    main()
