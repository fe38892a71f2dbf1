"""A game with the Classic box, for tests of intent, typed input and output."""

from __future__ import annotations

from collections.abc import Sequence

from engine import record
from engine.referee import Referee

NAMES = ("Anna", "Kurt", "Ashley", "Ben", "Zoe", "Max", "Li")


def begin_table(
    *moves: str,
    names: Sequence[str] = NAMES,
    size: int = 4,
    secrecy: str = "announced",
    **position: object,
) -> Referee:
    """A game of the first `size` players, from an optional position, after these moves."""
    data: dict[str, object] = {"players": list(names[:size]), "secrecy": secrecy}
    if position:
        data["position"] = position
    referee = Referee(record.read(data).start)
    for move in moves:
        referee.play(move)
    return referee
