"""What is plugged in that may be a reader, and what is in its way: looked up, never opened.

Serial ports are only listed: talking to one disturbs whatever else it is.
"""

from __future__ import annotations

from tags.readers.finding.computer import BROKEN, UNKNOWN, USABLE, Cause, Computer, Finding

__all__ = ["BROKEN", "UNKNOWN", "USABLE", "Cause", "Computer", "Finding", "find"]


def find(computer: Computer | None = None) -> list[Finding]:
    """Everything that is or may be a reader."""
    here = computer or Computer()
    if here.platform.startswith("linux"):
        from tags.readers.finding import linux

        return list(linux.find(here))
    from tags.readers.finding import elsewhere

    return list(elsewhere.find(here))
