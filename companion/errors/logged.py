"""Passes errors logged by modules and libraries to `errors.tell`."""

from __future__ import annotations

import logging

from companion import errors


def catch_logged() -> None:
    """Let `errors.tell` print logged errors; nothing else of a log reaches standard error, since it
    may repeat other people's input."""
    root = logging.getLogger()
    if not any(isinstance(handler, _Mistakes) for handler in root.handlers):
        root.addHandler(_Mistakes(logging.ERROR))


class _Mistakes(logging.Handler):
    """Takes the exceptions of a log without their messages."""

    def emit(self, record: logging.LogRecord) -> None:
        if record.exc_info and record.exc_info[1] is not None:
            errors.tell(record.exc_info[1])
