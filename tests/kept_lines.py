"""Compare generated lines with those in a file."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from itertools import zip_longest
from pathlib import Path


def list_changes(file: Path, now: Iterable[str]) -> list[str]:
    """Each changed line: old and new."""
    records = file.read_text(encoding="utf-8").splitlines()
    pairs = zip_longest(records, now, fillvalue="")
    return [f"- {before}\n+ {after}" for before, after in pairs if before != after]


def compare_or_write(file: Path, now: Iterable[str]) -> int:
    """Print the changes, or write the file with `--write`; returns the exit code."""
    if "--write" in sys.argv[1:]:
        file.write_text("\n".join(now) + "\n", encoding="utf-8")
        return 0
    changes = list_changes(file, now)
    print(*changes, sep="\n")
    return int(bool(changes))
