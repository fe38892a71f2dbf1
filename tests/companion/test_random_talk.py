"""Random conversations have the fingerprints in the file, so behaviour is unchanged."""

from __future__ import annotations

from tests.companion import random_talk
from tests.kept_lines import list_changes


def test_random_conversations_have_the_fingerprints_they_had() -> None:
    changes = list_changes(random_talk.FILE, random_talk.lines())
    again = "python -m tests.companion.random_talk --write"
    assert not changes, f"people are answered otherwise; if that is right: {again}\n" + "\n".join(
        changes
    )
