"""Time as readers need it, in one place, so that a test can let a night pass in a second."""

from __future__ import annotations

import threading
import time

_AWAKE_OR_NOT: int | None = getattr(time, "CLOCK_BOOTTIME", None)


def moment() -> float:
    """When it is, in seconds, on a clock that every program of this computer shares.

    It runs while the computer sleeps: since its start, where that cannot be had the time of day.
    """
    return time.time() if _AWAKE_OR_NOT is None else time.clock_gettime(_AWAKE_OR_NOT)


class Clock:
    """The real time, in seconds."""

    def seconds(self) -> float:
        """A count that never goes back, to measure how long something takes."""
        return time.monotonic()

    def moment(self) -> float:
        """As the function of that name."""
        return moment()

    def sleep(self, seconds: float) -> None:
        """Let that time pass; none for 0 and less."""
        if seconds > 0:
            time.sleep(seconds)

    def wait(self, event: threading.Event, seconds: float) -> bool:
        """Let that time pass or wait for the event, whichever is sooner; whether it has come."""
        return event.wait(seconds)
