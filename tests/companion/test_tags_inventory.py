"""`companion tags inventory`: counting a box by taps, or from learned chips."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from companion.chips.box import CARDS, Box
from tests.companion import simulated_chips
from tests.companion.listening import companion, complaints
from tests.starting import ROOT

pytestmark = pytest.mark.outer

A, B = b"\x04aaaaaa", b"\x04bbbbbb"


def learned(edition: str, leave_out: int = 0, **more: str) -> None:
    """Learn all cards of a box but the last few, plus other chips by id."""
    pieces = Box(edition).pieces(CARDS)
    entries = {f"04{number:012X}": str(piece) for number, piece in enumerate(pieces)}
    for uid in list(entries)[len(entries) - leave_out :]:
        del entries[uid]
    simulated_chips.learned(**entries | more)


def inventory(*words: str, messages: str = "") -> list[str]:
    result = companion("tags", "inventory", *words, stdin=messages)
    assert result.returncode == 0, result.stderr
    return result.stdout.splitlines()


def test_a_learned_box_is_complete_and_plays_what_its_cards_allow() -> None:
    learned("classic_2016")
    lines = inventory("--known")
    assert lines[:3] == [
        "76 cards are here.",
        "Citadels Classic (2016): complete.",
        "Can play Citadels Classic (2016): the whole box is here.",
    ]
    assert "Can play Citadelles accessible: the whole box is here." in lines
    assert [line for line in lines if line.startswith("Cannot play Citadels (2016)")]
    assert complaints([line for line in lines if "play" not in line]) == []
    assert len([line for line in lines if line.startswith(("Can play", "Cannot play"))]) == 7


def test_missing_and_foreign_cards_are_named() -> None:
    learned("classic_2016", leave_out=3, **{"04FFFFFFFFFF00": "character artist"})
    lines = inventory("--known")
    assert lines[1:4] == [
        "Citadels Classic (2016): 3 cards are missing.",
        "Missing characters: Merchant; Architect; Warlord.",
        "Not from this box: Artist, chip 04FFFFFFFFFF00.",
    ]
    assert "Cannot play Citadels Classic (2016); missing: Merchant, Architect and Warlord." in lines


def test_a_big_box_without_a_few_cards_can_still_be_played() -> None:
    learned("deluxe_2016")
    assert "Can play Citadels (2016): the whole box is here." in inventory("--known")
    lines = inventory("--known", "--edition", "ffg_2005", "--edition", "deluxe_2016")
    assert "Citadels (2016): complete." in lines


def test_taps_are_counted_doubles_and_contradictions_told() -> None:
    first, second, third = "04A2B3C4D5E680", "04A2B3C4D5E681", "04A2B3C4D5E682"
    companion("tags", "write", "--reader", "simulated", stdin=f"king\ntap chip {first}\n")
    learned("classic_2016", leave_out=76, **{first: "character thief", second: "crown"})
    companion("tags", "erase", "--reader", "simulated", stdin=f"tap chip {second}\nyes\n")
    taps = [f"tap chip {uid}" for uid in (first, second, first, third)]
    lines = inventory("--reader", "simulated", messages="\n".join([*taps, "missing", "king"]))
    assert lines[1:6] == [
        "Here: Thief.",
        "Contradiction: this chip is known as Thief, but says it is King.",
        "Here: the crown.",
        "Already here: Thief.",
        "Contradiction: this chip is known as Thief, but says it is King.",
    ]
    assert f"Unknown chip {third}: not learned, and not written by the companion." in lines
    assert "Refused: tap a chip, or type missing or done." in lines
    assert f"Contradiction: chip {first} is known as Thief, but says King." in lines
    assert "1 card is here." in lines
    assert "1 chip is unknown." in lines
    count = ("--reader", "simulated", "--json")
    data = json.loads(companion("tags", "inventory", *count, stdin=taps[0]).stdout)
    assert data["contradictions"] == {first: {"known": "character thief", "says": "character king"}}


def test_a_copied_chip_is_a_double() -> None:
    first, second = "04A2B3C4D5E680", "04A2B3C4D5E681"
    for uid in (first, second):
        companion("tags", "write", "--reader", "simulated", stdin=f"king\ntap chip {uid}\n")
        (Path(os.environ["COMPANION_DATA"]) / "tags.yaml").unlink()
    lines = inventory("--reader", "simulated", messages=f"tap chip {first}\ntap chip {second}\n")
    assert lines[1:4] == [
        "Here: King.",
        f"Duplicate: King is also chip {first}.",
        "1 card is here.",
    ]
    assert f"Duplicate: King is chip {first} and chip {second}." in lines


def test_programs_get_json_and_people_the_rest() -> None:
    learned("classic_2016", leave_out=1)
    result = companion(
        "tags", "inventory", "--json", "--reader", "file:-", stdin="04000000000000\n"
    )
    data = json.loads(result.stdout)
    assert data["chips"] == {"04000000000000": "district manor 1"}
    assert len(data["boxes"][0]["missing"]) == 75
    assert set(data["editions"]) >= {"classic_2016", "deluxe_2016"}
    assert data["editions"]["classic_2016"]["playable"] is False
    assert "Here: Manor, 1 of 5." in result.stderr
    entries = json.loads(companion("tags", "inventory", "--json", "--known").stdout)
    assert entries["boxes"][0]["missing"] == ["character warlord"]
    assert entries["editions"]["classic_2016"]["needed"] == {"warlord": 1}


def test_what_is_learned_is_counted_without_loading_a_driver() -> None:
    learned("classic_2016")
    program = (
        "import sys; from companion.commands.cli import main; "
        "main(['tags', 'inventory', '--known']); "
        "sys.exit(any(name.split('.')[0] in ('nfc', 'ndef', 'textual') for name in sys.modules))"
    )
    assert subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, capture_output=True, check=False
    ).returncode == 0  # fmt: skip
