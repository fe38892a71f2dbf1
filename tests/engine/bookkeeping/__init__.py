"""An independent bookkeeper: predicts the JSON from a record's head and moves.

No code and no data of the engine is used here. Cards and boxes are listed in
`tests/engine/boxes.py` and `facts.py`, the effects of moves in one module per subject, and a
player's duties before his turn may end in `obligations.py`, which moves must be offered in
`offers.py`.
"""

from __future__ import annotations

from tests.engine.bookkeeping.keeper import Bookkeeper, Disagreement

__all__ = ["Bookkeeper", "Disagreement"]
