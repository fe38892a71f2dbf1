"""The clock for readers, in one place, so that a test can simulate a night in a second."""

from __future__ import annotations

import threading
import time

_AWAKE_OR_NOT: int | None = getattr(time, "CLOCK_BOOTTIME", None)


def moment() -> float:
    """The current time, in seconds, on a clock shared by all programs on this computer.

    It includes sleep and counts from boot, or is the time of day if that is unavailable.
    """
    return time.time() if _AWAKE_OR_NOT is None else time.clock_gettime(_AWAKE_OR_NOT)


class Clock:
    """The real time, in seconds."""

    def seconds(self) -> float:
        """A monotonic count, to measure durations."""
        return time.monotonic()

    def moment(self) -> float:
        """The same as the module's ``moment``."""
        return moment()

    def sleep(self, seconds: float) -> None:
        """Sleep; returns at once for 0 or less."""
        if seconds > 0:
            time.sleep(seconds)

    def wait(self, event: threading.Event, seconds: float) -> bool:
        """Wait for the event or a timeout; whether the event was set."""
        return event.wait(seconds)
