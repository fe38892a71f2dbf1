"""What a command tells while many games are counted."""

from __future__ import annotations

import time

from common.sentences import Sentence
from companion.errors.output import print_error

MANY = 300
"""From this number of games on, a message says that counting them takes a while."""

SECONDS = 10.0
"""Between two progress messages."""


class Progress:
    """Reports that many games are being counted, and from time to time how many are left."""

    def __init__(self) -> None:
        self._last_report: float | None = None

    def __call__(self, left: int) -> None:
        """Report the number of games left."""
        now = time.monotonic()
        if self._last_report is None:
            if left < MANY:
                return
            sentence = Sentence(
                "Counting {number} games, once and for all. If you stop it with Ctrl-C, "
                "the next time carries on from there.",
                number=left,
            )
        elif now - self._last_report >= SECONDS:
            sentence = Sentence("Games left to count: {number}.", number=left)
        else:
            return
        self._last_report = now
        print_error([sentence])
