"""What modules and libraries log as a mistake, handed to where errors become sentences."""

from __future__ import annotations

import logging

from companion import errors


class Mistakes(logging.Handler):
    """Takes the exceptions of a log; its words may repeat what somebody sent, and go nowhere."""

    def emit(self, record: logging.LogRecord) -> None:
        if record.exc_info and record.exc_info[1] is not None:
            errors.tell(record.exc_info[1])
