"""The characters' powers, a module per family; what is only a fact stands in characters.yaml.

To add a character: its facts in `engine/data/characters.yaml`, its text in `texts.*.yaml`, and
here the actions that its card allows beyond what everybody may do in a turn.
"""

from __future__ import annotations

from engine.rules.base import Power
from engine.rules.characters.bonuses import architect_bonus, merchant_bonus
from engine.rules.characters.magician import Redraw, Swap
from engine.rules.characters.marks import Kill, Rob
from engine.rules.characters.strikers import Destroy

POWERS: dict[str, tuple[Power, ...]] = {
    "assassin": (Kill(),),
    "thief": (Rob(),),
    "magician": (Swap(), Redraw()),
    "king": (),  # takes the crown by itself, see characters.yaml
    "bishop": (),  # is safe by itself, see characters.yaml
    "merchant": (merchant_bonus(),),
    "architect": (architect_bonus(),),
    "warlord": (Destroy(),),
}
