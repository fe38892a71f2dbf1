"""The rules play as they did: random games have the fingerprints that are kept in the file."""

from __future__ import annotations

from tests.engine import fingerprints


def test_random_games_have_the_fingerprints_they_had() -> None:
    kept = fingerprints.FILE.read_text(encoding="utf-8").splitlines()
    now = list(fingerprints.lines())
    changed = [f"- {a}\n+ {b}" for a, b in zip(kept, now, strict=True) if a != b]
    again = "python -m tests.engine.fingerprints --write"
    assert not changed, f"the rules play otherwise; if that is right: {again}\n" + "\n".join(
        changed
    )
