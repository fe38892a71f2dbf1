"""Standard input as both keyboard and reader (`file:-`): lines and taps in order."""

from __future__ import annotations

import pytest

from tests.companion.listening import NEW, companion

pytestmark = pytest.mark.outer

KING = "04A2B3C4D5E680"


def test_taps_and_typed_lines_are_answered_in_their_order() -> None:
    companion("tags", "learn", "--reader", "file:-", stdin=f"king\n{KING}\n")
    lines = [KING, "who", "# a remark", "wait 2", "04A2", f"hold {KING}", "who", "lift", "who"]
    text = "\n".join(lines)
    result = companion("play", "--plain", *NEW, "--reader", "file:-", stdin=text)
    assert result.returncode == 0, result.stderr
    names = result.stdout.splitlines()
    kinds = {"King: rank 4": "card", "Crown: Kurt.": "who", "Refused: ": "refused"}
    order = [kind for line in names for start, kind in kinds.items() if line.startswith(start)]
    # the King is never laid face up, so each tap of him is refused and his card told
    assert order == ["refused", "card", "who", "refused", "refused", "card", "who", "who"]
