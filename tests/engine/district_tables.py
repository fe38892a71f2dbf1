"""Tables for tests of districts in one edition: turns and fourteen unique districts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from engine.referee import Referee
from tests.engine.big_boxes import cast_with
from tests.engine.playing import set_up_turn

GATHERED = {"gathered": True}
# fourteen unique districts of the deluxe box, from two of its printed casts
VAULTED = ["armory", "basilica", "dragon_gate", "gold_mine", "keep", "monument", "museum",
           "necropolis", "park", "poor_house", "quarry", "secret_vault", "smithy",
           "theater"]  # fmt: skip


def set_up_in_edition(
    edition: str, character: str, *, cast: Sequence[str] = (), **rest: Any
) -> Referee:
    """Anna's turn as that character in that edition, with these characters in the cast."""
    if cast:
        rest["characters"] = cast_with(*cast)
    return set_up_turn(character, edition=edition, **rest)


def fourteen(*targets: str) -> list[str]:
    """Fourteen unique districts of the deluxe box, including these."""
    others = [district for district in VAULTED if district not in targets]
    return [*targets, *others][:14]
