"""`make lint` finds locals that hide an imported module."""

from __future__ import annotations

from scripts.hiding import find_hiding

MODULE = """\
import time
from engine import cards, record
from engine.cards import Card

def play(record, *moves):
    for time in moves:
        at = [cards for cards in moves]
    return at

card = time.time()
"""


def test_parameters_and_locals_with_the_name_of_a_module_are_found() -> None:
    assert sorted(find_hiding(MODULE)) == [(5, "record"), (6, "time"), (7, "cards")]
