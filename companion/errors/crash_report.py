"""A crash report for developers: where a bug happened, and nothing else.

A report names modules, lines and kinds of errors. It holds no values, no error messages and no
paths, since they may reveal secrets. It stays on the user's machine and is sent to nobody.
"""

from __future__ import annotations

import linecache
import os
import platform
import traceback
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from common import own_files
from companion import __version__
from companion.files import locations

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import TracebackType

MOST_REPORTS = 20  # per run; a repeated bug is in it already
MOST_STEPS = 60  # per error; the innermost are kept
MOST_CAUSES = 8

_reports: dict[str, None] = {}


def write(error: BaseException) -> str | None:
    """Write the report; return its path, None if it cannot be written.

    Bugs of one run share a file. Never raises.
    """
    text = "\n".join(_describe(error))
    if len(_reports) < MOST_REPORTS:
        _reports[text] = None
    head = (
        f"companion {__version__}, Python {platform.python_version()}, {platform.system()}, "
        f"{datetime.now(UTC):%Y-%m-%d %H:%M} UTC\n"
    )
    for folder in _folders():
        path = os.path.join(folder, locations.CRASH_NAME)
        try:
            own_files.replace(path, "\n".join((head, *_reports)) + "\n")
        except (OSError, ValueError):
            continue
        return path
    return None


def _folders() -> Iterator[str]:
    """Where to write it: with the games, else in the cache folder."""
    for folder in (locations.data_dir, locations.cache_dir):
        try:
            yield folder()
        except OSError:  # the working folder is gone
            continue


def _describe(error: BaseException) -> Iterator[str]:
    """The error and its causes, the root cause last."""
    cause: BaseException | None = error
    for _place in range(MOST_CAUSES):
        if cause is None:
            return
        yield f"{type(cause).__module__}.{type(cause).__qualname__}"
        yield from _steps(cause.__traceback__)
        cause = cause.__cause__ or (None if cause.__suppress_context__ else cause.__context__)


def _steps(begun: TracebackType | None) -> Iterator[str]:
    """The call stack, innermost last. Source lines hold nothing but our code."""
    frames = list(traceback.walk_tb(begun))[-MOST_STEPS:]
    for frame, line in frames:
        code = frame.f_code
        module = frame.f_globals.get("__name__", "?")
        yield f"  {module}, line {line}, in {code.co_qualname}"
        source = linecache.getline(code.co_filename, line).strip()
        if source:
            yield f"    {source}"
