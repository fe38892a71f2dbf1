"""The characters' powers, one module per family; plain facts are in characters.yaml.

docs/dev/adding.md names the files of a new character.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine import datafiles
from engine.rules.characters import crown, hands, naming, strikers

if TYPE_CHECKING:
    from engine.rules.base import Power

POWERS: dict[str, tuple[Power, ...]] = {
    **dict.fromkeys(datafiles.load_shipped("characters"), ()),
    **naming.POWERS,
    **hands.POWERS,
    **crown.POWERS,
    **strikers.POWERS,
}
"""The powers that each character uses by a move, in the order of ranks; what happens by itself is
an effect in its facts."""
