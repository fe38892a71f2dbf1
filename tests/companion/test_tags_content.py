"""The commands about what is on chips, and about sharing a mapping, as a script uses them."""

from __future__ import annotations

from pathlib import Path

from tests.companion.listening import companion, complaints

FIRST, SECOND = "04A2B3C4D5E680", "04A2B3C4D5E681"


def walk(command: str, *typed: str, code: int = 0) -> list[str]:
    """What is answered to these lines, without the greeting."""
    done = companion("tags", command, "--reader", "simulated", said="\n".join(typed) + "\n")
    assert "Traceback" not in done.stderr
    assert done.returncode == code, done.stderr
    assert complaints(done.stdout.splitlines()) == []
    return done.stdout.splitlines()[1:]


def test_each_write_is_asked_for_and_touches_one_chip() -> None:
    assert walk(
        "write", f"tap chip {FIRST}", "", f"tap chip {FIRST}", "tavern", f"tap chip {FIRST}",
        f"tap chip {SECOND}", "tavern 1", f"tap chip {SECOND}", "", f"tap chip {FIRST}",
    ) == [
        f"Chip {FIRST}: not known yet.",
        "Now lay on a chip that is known.",
        "Refused: this chip is not known; type what it is first.",
        "Now lay on the chip of Tavern, copy 1.",
        "Written: Tavern, copy 1. Take it away.",
        f"Chip {SECOND}: not known yet.",
        "Now lay on the chip of Tavern, copy 1.",
        f"Refused: chip {FIRST} is Tavern, copy 1 already; nothing was written.",
        "Now lay on a chip that is known.",
        "Written: Tavern, copy 1. Take it away.",
    ]  # fmt: skip
    assert companion("tags", "list").stdout == f"{FIRST}: district tavern 1\n"


def test_phones_are_not_written() -> None:
    told = walk("write", "crown", "tap chip 08112233")
    assert "phone" in told[-1]


def test_an_empty_chip_is_not_right() -> None:
    assert walk("verify", f"tap chip {FIRST}", "tap chip 12345678", code=1) == [
        "Refused: nothing is written on this chip.",
        "Refused: Only NTAG213, 215 and 216 can be used so; of this chip only the id is known.",
        "0 chips are right.",
        "2 are not.",
    ]


def test_locking_is_asked_twice_and_for_one_chip() -> None:
    told = walk(
        "lock", "yes", f"tap chip {FIRST}", "yes", "yes", f"tap chip {SECOND}",
        f"tap chip {FIRST}", "yes", "yes", f"tap chip {FIRST}", f"tap chip {FIRST}", "no",
    )  # fmt: skip
    assert told[0] == "Refused: tap a chip first."
    assert "Refused: this is another chip; nothing was done." in told
    assert "Refused: nothing is written on this chip; write it before it is locked." in told
    assert told[-1] == "Nothing was done."


def test_erasing_is_asked_for() -> None:
    told = walk("erase", f"tap chip {FIRST}", "yes", f"tap chip {FIRST}")
    assert told[-2:] == [
        "Lay the same chip on once more.", "Erased. It is still known by its number.",
    ]  # fmt: skip


def test_a_mapping_is_shared_whole_or_not_at_all(tmp_path: Path) -> None:
    walk("write", "tavern", f"tap chip {FIRST}")
    shared = tmp_path / "shared.yaml"
    assert companion("tags", "export", str(shared)).stdout == "1 chip is written.\n"
    assert companion("tags", "export", str(shared)).returncode == 2
    assert companion("tags", "import", str(shared)).stdout == "0 chips are new.\n"
    shared.write_text(
        f"chips:\n  {SECOND}: district tavern 1\n  04A2B3C4D5E682: crown\n", encoding="utf-8"
    )
    done = companion("tags", "import", str(shared))
    assert done.returncode == 1
    assert f"{FIRST} is district tavern 1 here." in done.stderr
    assert companion("tags", "list").stdout == f"{FIRST}: district tavern 1\n"
    shared.write_text(f"chips:\n  {SECOND}: tavrn\n  04: crown\n", encoding="utf-8")
    done = companion("tags", "import", str(shared))
    assert [line.split(": ")[0] for line in done.stderr.splitlines()] == [
        f"{shared}:2", f"{shared}:3",
    ]  # fmt: skip


def test_export_needs_a_file_and_links_must_be_links() -> None:
    assert companion("tags", "export").returncode == 2
    assert companion("tags", "write", "--link", "javascript:x").returncode == 2
