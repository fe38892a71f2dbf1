"""A deck's chips are checked, locked, emptied and shared."""

from __future__ import annotations

from pathlib import Path

import ndef
import pytest
import yaml

from companion.chips.registry import Registry
from tests.companion.listening import companion
from tests.companion.simulated_chips import (
    FIRST,
    FOURTH,
    SECOND,
    THIRD,
    learned,
    put,
    records,
    walk,
)

pytestmark = [pytest.mark.outer, pytest.mark.usefixtures("kept_chips")]


def test_a_deck_is_written_verified_locked_and_erased_by_typed_commands() -> None:
    assert walk("write", f"tap chip {FIRST}", f"tap chip {SECOND}") == [
        "Next: Manor, 1 of 5.",
        "Written: Manor, 1 of 5. Take it away.",
        "Next: Manor, 2 of 5.",
        "Written: Manor, 2 of 5. Take it away.",
        "Next: Manor, 3 of 5.",
        "2 chips written.",
    ]
    assert walk("check", f"tap chip {FIRST}", f"tap chip {SECOND}")[:3] == [
        "Correct: Manor, 1 of 5.",
        "Correct: Manor, 2 of 5.",
        "2 chips are correct.",
    ]
    assert walk("lock", f"tap chip {FIRST}", "yes", "yes", f"tap chip {FIRST}") == [
        f"Chip {FIRST}: Manor, 1 of 5.",
        "Type yes to continue with this chip.",
        "Nobody can ever change this chip again. Type yes once more.",
        "Put the same chip on the reader once more.",
        "Locked permanently.",
        "1 chip was changed.",
    ]
    lines = walk("write --empty", f"tap chip {FIRST}", "yes", f"tap chip {FIRST}",
                f"hold chip {SECOND}", "yes", "lift")  # fmt: skip
    assert lines[1] == "Refused: This chip is locked permanently and can only be read."
    assert lines[-3:] == ["Erased.", "Lifted.", "1 chip was changed."]
    assert walk("check", f"tap chip {SECOND}", code=1)[:3] == [
        "Correct: Manor, 2 of 5.",  # known by its id
        "Missing districts: Manor, 1 of 2 here.",
        "1 chip is correct.",
    ]
    assert walk("write")[0] == "Next: Manor, 2 of 5."  # and the erased one must be written again


def test_checking_tells_wrong_double_empty_unreadable_unknown_and_missing() -> None:
    walk("write", "king", f"tap chip {FIRST}", "king", "thief", f"tap chip {SECOND}",
         f"tap chip {FOURTH}")  # fmt: skip
    put(FOURTH, b"")
    put(THIRD, b"".join(ndef.message_encoder(records(FIRST))))
    learned(
        **{FIRST: "character king", SECOND: "character bishop", "12345678": "crown"},
        **{"04A2B3C4D5E683": "district tavern 1", "04A2B3C4D5E684": "district tavern 2"},
        **{FOURTH: "character magician"},
    )
    lines = walk("check", f"tap chip {FIRST}", f"tap chip {SECOND}", f"tap chip {THIRD}",
                f"tap chip {FOURTH}", "tap chip 12345678", "tap chip 12345679",
                "tap chip 04A2B3C4D5E689", "missing", "king", code=1)  # fmt: skip
    assert lines[:16] == [
        "Correct: King.",
        "Contradiction: this chip is known as Bishop, but says it is Thief.",
        f"Duplicate: King is also chip {FIRST}.",
        "Empty: nothing is written on Magician.",
        "Correct: the crown.",  # a chip without memory, known by its id
        "Unreadable: chip 12345679. That works only with NTAG213, 215 and 216; "
        "all that is known of this chip is its id.",
        "Unknown chip 04A2B3C4D5E689: not learned, and not written by the companion.",
        "Missing districts: Tavern, 0 of 2 here.",
        "Refused: tap a chip, or type missing or done.",
        "Missing districts: Tavern, 0 of 2 here.",
        "2 chips are correct.",
        "1 is wrong.",
        "1 is a duplicate.",
        "1 is empty.",
        "1 could not be read.",
        "1 chip is unknown.",
    ]
    lines = walk("check", code=1, words=("--edition", "classic_2016"))
    missing = [line for line in lines if line.startswith(("Missing", "Also missing"))]
    assert any(line.startswith("Missing characters: Assassin; Thief; ") for line in missing)
    assert 10 <= len(missing) <= 20  # less than a screen


def test_locking_is_asked_twice_and_for_one_sound_chip() -> None:
    walk("write", f"tap chip {FIRST}", f"tap chip {SECOND}")
    lines = walk(
        "lock", "yes", f"tap chip {FIRST}", "yes", "yes", f"tap chip {SECOND}",
        f"tap chip {FIRST}", "yes", "no", f"tap chip {FIRST}", f"tap chip {THIRD}",
    )  # fmt: skip
    assert lines[0] == "Refused: tap a chip first."
    assert "Refused: this is another chip; nothing was done." in lines
    assert "Nothing was changed." in lines
    assert lines[-2] == "Refused: write this chip before you lock it."
    assert lines[-1] == "0 chips were changed."
    learned(**{FIRST: "crown"})
    assert walk("lock", f"tap chip {FIRST}")[-2] == ("Refused: write this chip before you lock it.")
    assert len(walk("write --empty", f"tap chip {FIRST}", "yes", f"tap chip {FIRST}")) == 6


def test_a_mapping_is_shared_whole_or_not_at_all(tmp_path: Path) -> None:
    walk("write", "tavern", f"tap chip {FIRST}")
    path = tmp_path / "shared.yaml"
    assert companion("export", "--chips", str(path)).stdout == f"{path}: 1 chip.\n"
    assert path.read_text().splitlines()[1:] == ["chips:", f"  {FIRST}: district tavern 1"]
    assert companion("export", "--chips", str(path)).returncode == 2
    assert companion("export", "--chips", str(tmp_path / "none" / "shared.yaml")).returncode == 2
    assert companion("import", str(path)).stdout == "0 new chips imported.\n"
    result = companion("import", str(tmp_path))
    assert (result.returncode, result.stderr) == (
        2,
        f"{tmp_path}: cannot be read: it is a folder\n",
    )
    path.write_text(
        f"chips:\n  {SECOND}: district tavern 1\n  04A2B3C4D5E682: crown\n", encoding="utf-8"
    )
    result = companion("import", str(path))
    assert result.returncode == 1
    assert f"but here {FIRST} is district tavern 1." in result.stderr
    assert companion("tags", "list").stdout.startswith(f"{FIRST}: district tavern 1\n")
    path.write_text(f"chips:\n  {SECOND}: tavrn\n  04: crown\n", encoding="utf-8")
    result = companion("import", str(path))
    assert [line.split(": ")[0] for line in result.stderr.splitlines()] == [
        f"{path}:2", f"{path}:3",
    ]  # fmt: skip


def test_an_imported_deck_keeps_its_name(tmp_path: Path) -> None:
    path = tmp_path / "shared.yaml"
    path.write_text(
        "chips: {04A2B3C4D5E680: crown}\n"
        "decks:\n  café 3: {04B2B3C4D5E680: district temple 1}\n"
        "  home: {04C2B3C4D5E680: district temple 1}\n"
    )
    result = companion("import", str(path))
    assert (result.returncode, result.stdout) == (0, "3 new chips imported.\n")
    copy = tmp_path / "copy.yaml"
    companion("export", "--chips", str(copy))
    registry = Registry.from_data(yaml.safe_load(copy.read_text()))
    assert {deck: list(chips.values()) for deck, chips in registry.list_decks().items()} == {
        "": ["crown"], "café 3": ["district temple 1"], "home": ["district temple 1"]
    }  # fmt: skip
