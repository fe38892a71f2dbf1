"""The characters' powers, one module per family; plain facts are in characters.yaml.

docs/dev/adding.md names the files of a new character.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.rules.characters.crown import Bonus, Collect, MoveCrown, Navigate, Tithe
from engine.rules.characters.hands import Divine, Redraw, Spy, Study, Swap, Take, UntrackedTake
from engine.rules.characters.naming import Bewitch, Kill, Real, Rob, Signed, Threats, Warrants
from engine.rules.characters.strikers import Decorate, Destroy, Exchange, Seize

if TYPE_CHECKING:
    from engine.rules.base import Power

POWERS: dict[str, tuple[Power, ...]] = {
    # rank 1
    "assassin": (Kill(),),
    "witch": (Bewitch(),),
    "magistrate": (Warrants(), Signed()),
    # rank 2
    "thief": (Rob(),),
    "tax_collector_2004": (),  # taxes_builders
    "spy": (Spy(),),
    "blackmailer": (Threats(), Real()),
    # rank 3
    "magician": (Swap(), Redraw()),
    "wizard": (Take(), UntrackedTake()),
    "seer": (Divine(),),
    # rank 4
    "king": (),  # takes_crown
    "emperor": (MoveCrown(),),
    "patrician": (),  # takes_crown, income_in
    # rank 5
    "bishop": (),  # safe_from_rank_8
    "abbot": (Tithe(),),
    "cardinal": (),  # borrows, income_in
    # rank 6
    "merchant": (Bonus(gold=1),),
    "alchemist": (),  # refunds_builds
    "trader": (),  # unlimited
    # rank 7
    "architect": (Bonus(cards=2),),
    "navigator": (Navigate(),),
    "scholar": (Study(),),
    # rank 8
    "warlord": (Destroy(),),
    "diplomat": (Exchange(),),
    "marshal": (Seize(),),
    # rank 9
    "queen": (),  # paid_beside_rank_4
    "artist": (Decorate(),),
    "tax_collector": (Collect(),),  # taxes_builds
}
"""The characters' powers used by a move; comments name automatic effects."""
