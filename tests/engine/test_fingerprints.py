"""Random games have the fingerprints in the file, so the rules are unchanged."""

from __future__ import annotations

from tests.engine import fingerprints
from tests.kept_lines import list_changes


def test_random_games_have_the_fingerprints_they_had() -> None:
    changes = list_changes(fingerprints.FILE, fingerprints.lines())
    again = "python -m tests.engine.fingerprints --write"
    assert not changes, f"the rules play otherwise; if that is right: {again}\n" + "\n".join(
        changes
    )
