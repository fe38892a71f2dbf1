"""An independent bookkeeper: it reads a record's head and its moves, and predicts the JSON.

No code and no data of the engine is used here. Cards and boxes are written out in
`tests/engine/boxes.py` and `facts.py`, what each move does in one module for each subject, and
what a player owes before his turn may end in `obligations.py`.
"""

from __future__ import annotations

from tests.engine.bookkeeping.keeper import Bookkeeper, Disagreement

__all__ = ["Bookkeeper", "Disagreement"]
