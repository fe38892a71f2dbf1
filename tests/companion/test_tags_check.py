"""`companion tags check` and `list`: a box by taps, or from learned chips."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from companion.chips.box import CARDS, Box
from tests import starting
from tests.companion import simulated_chips
from tests.companion.listening import companion, complaints
from tests.companion.simulated_chips import FIRST
from tests.starting import ROOT
from tests.waiting import PATIENCE

pytestmark = [pytest.mark.outer, pytest.mark.usefixtures("kept_chips")]

A, B = b"\x04aaaaaa", b"\x04bbbbbb"


def learned(edition: str, leave_out: int = 0, **more: str) -> None:
    """Learn all cards of a box but the last few, plus other chips by id."""
    pieces = Box(edition).pieces(CARDS)
    chips = {f"04{number:012X}": str(piece) for number, piece in enumerate(pieces)}
    for uid in list(chips)[len(chips) - leave_out :]:
        del chips[uid]
    simulated_chips.learned(**chips | more)


def check(*words: str, messages: str = "", code: int = 0) -> list[str]:
    result = companion("tags", "check", *words, stdin=messages)
    assert result.returncode == code, result.stderr
    return result.stdout.splitlines()


def test_a_learned_box_is_complete_and_plays_what_its_cards_allow() -> None:
    learned("classic_2016")
    lines = check("--known")
    assert lines[:2] == [
        "76 chips are correct.",
        "Can play Citadels Classic (2016): the whole box is here.",
    ]
    assert "Can play Citadelles accessible: the whole box is here." in lines
    assert not [line for line in lines if line.startswith("Cannot play")]  # nobody has that box
    assert complaints([line for line in lines if "play" not in line]) == []


def test_a_simulated_chip_is_its_card_without_being_learned() -> None:
    lines = check("--reader", "simulated", messages="tap king\ntap reference 1\n", code=1)
    assert [line for line in lines if line.startswith("Correct")] == [
        "Correct: King.",
        "Correct: reference card 1.",
    ]


def test_missing_and_foreign_cards_are_named() -> None:
    learned("classic_2016", leave_out=3, **{"04FFFFFFFFFF00": "character artist"})
    lines = check("--known", code=1)
    assert lines[:3] == [
        "Missing characters: Merchant; Architect; Warlord.",
        "74 chips are correct.",
        "Not from this box: Artist, chip 04FFFFFFFFFF00.",
    ]
    assert "Cannot play Citadels Classic (2016); missing: Merchant, Architect and Warlord." in lines


def test_a_big_box_without_a_few_cards_can_still_be_played() -> None:
    learned("deluxe_2016")
    assert "Can play Citadels (2016): the whole box is here." in check("--known", code=1)
    assert check("--known", "--edition", "deluxe_2016")[0].endswith(" chips are correct.")


def test_a_reader_that_knows_only_ids_finds_learned_chips_right() -> None:
    learned("classic_2016", leave_out=75)
    lines = check("--reader", "file:-", messages="04000000000000\n")
    assert lines[1] == "Correct: Manor, 1 of 5."


def test_a_chip_that_its_line_names_is_that_piece(tmp_path: Path) -> None:
    taps = tmp_path / "taps"
    taps.write_text("district tavern 3\nreference 1\n")
    process = starting.start(
        *("tags", "check", "--reader", f"file:{taps}"),
        cwd=ROOT, env={**os.environ}, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
    )  # fmt: skip
    assert process.stdout is not None
    _greeting, *lines = (process.stdout.readline().decode() for _line in range(3))
    assert lines == ["Correct: Tavern, 3 of 5.\n", "Correct: reference card 1.\n"]
    process.communicate(timeout=PATIENCE)


def test_a_chip_that_is_right_when_it_is_tapped_again_was_never_wrong() -> None:
    process = starting.start(
        *("tags", "check", "--reader", "simulated"),
        cwd=ROOT, env={**os.environ}, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
    )  # fmt: skip
    assert process.stdin is not None
    assert process.stdout is not None
    for answer in (b"Unknown chip", b"Correct: the crown."):
        process.stdin.write(f"tap chip {FIRST}\n".encode())
        process.stdin.flush()
        assert any(line.startswith(answer) for line in process.stdout)
        simulated_chips.learned(**{FIRST: "crown"})
    report = process.communicate(timeout=PATIENCE)[0].decode().splitlines()
    assert "1 chip is correct." in report
    assert "1 chip is unknown." not in report


@pytest.mark.parametrize(
    ("word", "instead"),
    [
        ("verify", "companion tags check"),
        ("inventory", "companion tags check"),
        ("erase", "companion tags write --empty"),
        ("key", "companion tags list"),
        ("export", "companion export --chips"),
        ("import", "companion import"),
    ],
)
def test_words_of_former_versions_name_what_replaces_them(word: str, instead: str) -> None:
    result = companion("tags", word)
    assert (result.returncode, result.stdout) == (2, "")
    assert result.stderr == f"companion tags {word}: this no longer exists; use: {instead}\n"


def test_the_list_fits_a_braille_line_and_has_the_action_chips() -> None:
    learned("classic_2016")
    lines = companion("tags", "list", "--width", "40").stdout.splitlines()
    assert lines[0] == "04000000000000: district manor 1"
    assert max(map(len, lines)) <= 40
    assert "undo" in "\n".join(lines[76:]).casefold()
