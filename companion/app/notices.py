"""What is told beside the table; apart from the game, which takes longer to import."""

from __future__ import annotations

from typing import NamedTuple


class Notice(NamedTuple):
    """One thing to tell beside the table; `kind` is `told`, `refused` or `note`."""

    kind: str
    text: str
