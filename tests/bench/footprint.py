"""Samples of a program's memory, threads and files, and whether they grow."""

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
"""KiB of Python objects by which a program may grow in 1,000 taps and still count as flat; the
samples themselves take one."""

MOST_RESIDENT = 32.0
"""The same for resident memory, which is allocated in pages."""


class Footprint(NamedTuple):
    """One process's usage: KiB of Python objects, KiB of memory, threads, files."""

    traced: float
    resident: float
    threads: int
    files: int


def footprint() -> Footprint:
    """This process's usage, after garbage collection; `tracemalloc` must be running."""
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
    """KiB per 1,000 taps, by linear regression; threads and files added."""

    traced: float
    resident: float
    threads: int
    files: int

    def complaints(self) -> list[str]:
        """The values that are not flat."""
        matches = []
        if self.traced > MOST_TRACED:
            matches.append(f"Python's objects grow by {self.traced:.1f} KiB in 1,000 taps")
        if self.resident > MOST_RESIDENT:
            matches.append(f"memory grows by {self.resident:.1f} KiB in 1,000 taps")
        if self.threads or self.files:
            matches.append(f"{self.threads} threads and {self.files} files more than at first")
        return matches


def growth(taps: Sequence[int], footprints: Sequence[Footprint]) -> Growth:
    """The growth from at least two samples with their numbers of taps, without the warm-up."""
    return Growth(
        1000 * statistics.linear_regression(taps, [one.traced for one in footprints]).slope,
        1000 * statistics.linear_regression(taps, [one.resident for one in footprints]).slope,
        footprints[-1].threads - footprints[0].threads,
        footprints[-1].files - footprints[0].files,
    )
