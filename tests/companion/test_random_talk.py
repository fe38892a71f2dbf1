"""The conversation goes as it did: random ones have the fingerprints that are kept in the file."""

from __future__ import annotations

from tests.companion import random_talk


def test_random_conversations_have_the_fingerprints_they_had() -> None:
    kept = random_talk.FILE.read_text(encoding="utf-8").splitlines()
    now = list(random_talk.lines())
    changed = [f"- {a}\n+ {b}" for a, b in zip(kept, now, strict=True) if a != b]
    again = "python -m tests.companion.random_talk --write"
    assert not changed, f"people are answered otherwise; if that is right: {again}\n" + "\n".join(
        changed
    )
