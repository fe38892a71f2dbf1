"""Find possible readers and what prevents their use, without opening any.

Serial ports are only listed: probing one would disturb any other device on it.
"""

from __future__ import annotations

from tags.readers.finding.computer import (
    BROKEN,
    POSSIBLE,
    UNKNOWN,
    USABLE,
    Cause,
    Computer,
    Finding,
)

__all__ = ["BROKEN", "POSSIBLE", "UNKNOWN", "USABLE", "Cause", "Computer", "Finding", "find"]


def find(computer: Computer | None = None) -> list[Finding]:
    """Find everything that is or may be a reader."""
    here = computer or Computer()
    if here.platform.startswith("linux"):
        from tags.readers.finding import systems

        return list(systems.find_on_linux(here))
    from tags.readers.finding import systems

    return list(systems.find_elsewhere(here))
