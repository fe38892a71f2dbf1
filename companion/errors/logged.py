"""What modules and libraries log as a mistake, handed to where errors become sentences."""

from __future__ import annotations

import logging

from companion import errors


def catch_logged() -> None:
    """Let `errors.tell` say what is logged as a mistake; nothing else of a log reaches standard
    error, for it may repeat what somebody sent."""
    root = logging.getLogger()
    if not any(isinstance(handler, _Mistakes) for handler in root.handlers):
        root.addHandler(_Mistakes(logging.ERROR))


class _Mistakes(logging.Handler):
    """Takes the exceptions of a log, and nothing of its words."""

    def emit(self, record: logging.LogRecord) -> None:
        if record.exc_info and record.exc_info[1] is not None:
            errors.tell(record.exc_info[1])
