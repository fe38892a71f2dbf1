"""Turns errors into sentences, for commands, callers, services and pages.

Expected errors are a `UserError`, which brings its sentences along; errors of the system are put
into words; anything else is a bug. For a bug the user sees one sentence, and `crash_report`
records for developers where it happened. Tracebacks, internal values and other people's input
reach neither a terminal nor a page.
"""

from __future__ import annotations

import logging
import os
import sys
import threading
from collections.abc import Sequence

from common.sentences import Sentence
from companion.errors import crash_report
from companion.errors.output import print_error
from companion.files import reason

REFUSED = 1  # a move was refused, or a file is inconsistent
WRONG_USAGE = 2  # also broken settings, or a game that cannot be opened
MOST_LINES = 50  # nobody fixes more at once
MISTAKE = 70  # a bug; the code for an internal error in `sysexits.h`


class UserError(Exception):
    """An expected error: sentences for people, and an exit code."""

    code = WRONG_USAGE

    def __init__(self, *lines: str) -> None:
        self.lines: Sequence[str] = lines[:MOST_LINES]
        super().__init__(*self.lines)

    def __str__(self) -> str:
        return self.lines[0] if len(self.lines) == 1 else "\n".join(self.lines)


def lines(error: BaseException) -> tuple[str, ...]:
    """What the user is told about the error; for a bug, where the report is."""
    if isinstance(error, UserError):
        return tuple(error.lines)
    if isinstance(error, OSError) and error.errno is not None:
        return (_describe_system_error(error),)
    return (mistake(error),)


def mistake(error: BaseException) -> str:
    """Report a bug; the sentence about it."""
    path = crash_report.write(error)
    if path is None:
        return Sentence(
            "The companion has crashed ({name}), and no report could be saved. Every "
            "accepted move is saved.",
            name=type(error).__name__,
        )
    return Sentence(
        "The companion has crashed ({name}). Every accepted move is saved. A report "
        "without names or moves is in {path}; please send it to the developers.",
        name=type(error).__name__,
        path=path,
    )


def _describe_system_error(error: OSError) -> str:
    if isinstance(error.filename, str | bytes):
        return Sentence("{path}: {reason}", path=os.fsdecode(error.filename), reason=reason(error))
    return Sentence("companion: {reason}", reason=reason(error))


# -- uncaught errors ----------------------------------------------------------------------

_telling = threading.Lock()
_sentences: set[str] = (
    set()
)  # sentences already printed, so that an error in a loop is printed once


def tell(error: BaseException) -> None:
    """Print on standard error what went wrong, once. Never raises."""
    with _telling:
        try:
            new = [line for line in lines(error) if line not in _sentences]
            _sentences.update(new)
            print_error(new)
        except (OSError, ValueError):
            return  # standard error is closed


def catch_all() -> None:
    """Let `tell` print uncaught errors instead of Python's traceback, also those of threads."""
    sys.excepthook = lambda _kind, error, _traceback: _tell_uncaught(error)
    sys.unraisablehook = lambda details: tell(details.exc_value) if details.exc_value else None
    threading.excepthook = _tell_thread_error


def _tell_uncaught(error: BaseException) -> None:
    if not isinstance(error, KeyboardInterrupt):  # never a bug, wherever it is raised
        tell(error)


def _tell_thread_error(details: threading.ExceptHookArgs) -> None:
    if details.exc_value is not None and not isinstance(details.exc_value, SystemExit):
        tell(details.exc_value)


# -- logged errors ------------------------------------------------------------------------

_LOGGED = "logged mistakes"


def catch_logged() -> None:
    """Let `tell` print errors logged by modules and libraries; nothing else of a log reaches
    standard error, since it may repeat other people's input."""

    class Mistakes(logging.Handler):
        """Takes the exceptions of a log without their messages."""

        def emit(self, record: logging.LogRecord) -> None:
            if record.exc_info and record.exc_info[1] is not None:
                tell(record.exc_info[1])

    root = logging.getLogger()
    if not any(handler.name == _LOGGED for handler in root.handlers):
        handler = Mistakes(logging.ERROR)
        handler.name = _LOGGED
        root.addHandler(handler)
