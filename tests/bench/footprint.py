"""What a program takes up, looked at again and again, and whether it grows."""

from __future__ import annotations

import gc
import os
import resource
import statistics
import sys
import threading
import tracemalloc
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

MOST_TRACED = 4.0
"""KiB of Python's objects that a program may grow by in 1,000 taps and still be called flat; one
of them is what keeping the looks takes."""

MOST_RESIDENT = 32.0
"""The same for all its memory, which the allocator hands out in pages."""


class Footprint(NamedTuple):
    """What one process takes up: KiB of Python's own objects, KiB of memory, threads, files."""

    traced: float
    resident: float
    threads: int
    files: int


def footprint() -> Footprint:
    """This process's, after tidying up; `tracemalloc` must be running."""
    gc.collect()
    if sys.platform == "linux":
        pages = int(Path("/proc/self/statm").read_text().split()[1])
        resident = pages * os.sysconf("SC_PAGE_SIZE") / 1024
        files = len(os.listdir("/proc/self/fd"))
    else:
        resident, files = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024, 0
    return Footprint(
        tracemalloc.get_traced_memory()[0] / 1024, resident, threading.active_count(), files
    )


class Growth(NamedTuple):
    """KiB in 1,000 taps, the line of best fit; threads and files more at the end than before."""

    traced: float
    resident: float
    threads: int
    files: int

    def complaints(self) -> list[str]:
        """What is not flat."""
        found = []
        if self.traced > MOST_TRACED:
            found.append(f"Python's objects grow by {self.traced:.1f} KiB in 1,000 taps")
        if self.resident > MOST_RESIDENT:
            found.append(f"memory grows by {self.resident:.1f} KiB in 1,000 taps")
        if self.threads or self.files:
            found.append(f"{self.threads} threads and {self.files} files more than at first")
        return found


def growth(taps: Sequence[int], seen: Sequence[Footprint]) -> Growth:
    """From at least two looks, each after so many taps; those of the warming up left out."""
    return Growth(
        1000 * statistics.linear_regression(taps, [one.traced for one in seen]).slope,
        1000 * statistics.linear_regression(taps, [one.resident for one in seen]).slope,
        seen[-1].threads - seen[0].threads,
        seen[-1].files - seen[0].files,
    )
