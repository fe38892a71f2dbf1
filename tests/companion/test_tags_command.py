"""`companion tags`: a whole deck learned in a row, and what was learned."""

from __future__ import annotations

import os
from pathlib import Path

from tests.companion.listening import companion, complaints

FIRST, SECOND, THIRD = (f"04A2B3C4D5E68{n}" for n in range(3))


def learn(*lines: str) -> list[str]:
    """What is answered to these lines, without the three lines of the greeting."""
    done = companion("tags", "learn", "--reader", "simulated", said="\n".join(lines) + "\n")
    assert done.returncode == 0, done.stderr
    assert "Traceback" not in done.stderr
    answered = done.stdout.splitlines()
    assert complaints(answered) == []
    return answered[3:]


def listed() -> list[str]:
    done = companion("tags", "list")
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


def test_a_deck_is_learned_in_a_row_with_undo() -> None:
    assert learn(
        f"tap chip {FIRST}",
        "tavern",
        f"tap chip {SECOND}",
        "",
        f"tap chip {THIRD}",
        "king",
        "undo",
        "undo",
        f"tap chip {THIRD}",
        "player 2",
        "done",
    ) == [
        f"Chip {FIRST}: not known yet.",
        f"Learned: {FIRST} is Tavern, copy 1.",
        f"Chip {SECOND}: not known yet.",
        f"Learned: {SECOND} is Tavern, copy 2.",
        f"Chip {THIRD}: not known yet.",
        f"Learned: {THIRD} is King.",
        "Taken back.",
        "Taken back.",
        f"Chip {THIRD}: not known yet.",
        f"Learned: {THIRD} is the token of seat 2.",
        "2 chips are known.",
    ]
    assert listed() == [f"{FIRST}: district tavern 1", f"{THIRD}: player 2"]


def test_the_same_chip_tapped_again_is_seen_again() -> None:
    told = learn(*[f"tap chip {FIRST}"] * 4)
    assert told == [f"Chip {FIRST}: not known yet."] * 4 + ["0 chips are known."]


def test_what_cannot_be_learned_is_refused() -> None:
    told = learn(
        "tavern", "undo", "tap zzz", "tap chip 04", "tap chip 08112233", "king",
        f"tap chip {FIRST}", "tavern 1", f"tap chip {SECOND}", "tavern 1", "\x1b[2J",
    )  # fmt: skip
    refused = [line for line in told if line.startswith("Refused: ")]
    assert len(refused) == 7
    assert told[0] == "Refused: tap a chip first."
    assert listed() == [f"{FIRST}: district tavern 1"]


def test_without_a_reader_it_says_so() -> None:
    done = companion("tags", "learn", "--reader", "none")
    assert done.returncode == 2
    assert "no reader is set" in done.stderr


def test_a_broken_mapping_is_told_with_its_line() -> None:
    path = Path(os.environ["COMPANION_DATA"]) / "tags.yaml"
    path.parent.mkdir(parents=True)
    path.write_text("chips:\n  04A2B3C4D5E680: district tavrn 1\n", encoding="utf-8")
    for word in ("list", "learn"):
        done = companion("tags", word, *(["--reader", "simulated"] if word == "learn" else []))
        assert done.returncode == 1
        assert done.stderr.startswith(f"{path}:2: ")
        assert len(done.stderr.splitlines()) == 1
