"""The link for phones on a chip: written, shown and verified."""

from __future__ import annotations

import ndef
import pytest

from tests.companion.listening import companion
from tests.companion.simulated_chips import FIRST, SECOND, learned, put, records, walk

pytestmark = [pytest.mark.outer, pytest.mark.usefixtures("kept_chips")]


def test_the_link_is_a_setting_and_the_name_is_in_the_tables_language(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("COMPANION_LINK", "https://our.example/c/")
    monkeypatch.setenv("COMPANION_LANGUAGE", "ru")
    companion("tags", "write", "--reader", "simulated", stdin=f"король\ntap chip {FIRST}\n")
    link, machine, name = records(FIRST)
    assert link.uri == "https://our.example/c/character/king"
    assert machine.data == b"1:c:king"
    assert (name.text, name.language) == ("Король", "ru")
    monkeypatch.setenv("COMPANION_LINK", "javascript:x")
    result = companion("tags", "write")
    assert result.returncode == 2
    assert result.stderr.startswith("COMPANION_LINK: ")
    assert len(result.stderr.splitlines()) == 1


TABLE = "http://anna.local:8420/t/"


def test_the_link_of_this_table_is_written_and_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COMPANION_LINK", "Anna.local")
    lines = walk("write", f"tap chip {FIRST}", f"tap chip {FIRST}", "king", f"tap chip {SECOND}")
    assert lines[1:4] == [
        "Next: Manor, 1 of 5.",
        "Written: Manor, 1 of 5. Take it away.",
        "Next: Manor, 2 of 5.",
    ]
    assert "Manor, 1 of 5 is already written." in lines
    for uid, machine in ((FIRST, b"1:d:manor:1"), (SECOND, b"1:c:king")):
        link, record, name = records(uid)
        assert link.uri == TABLE + uid
        assert (record.data, name.language) == (machine, "en")
    assert walk("check", f"tap chip {FIRST}", f"tap chip {SECOND}")[:5] == [
        "Correct: Manor, 1 of 5.", f"Link: {TABLE}{FIRST}",
        "Correct: King.", f"Link: {TABLE}{SECOND}",
        "2 chips are correct.",
    ]  # fmt: skip
    assert walk("write --empty", f"tap chip {FIRST}")[1] == f"Link: {TABLE}{FIRST}"


def test_chips_with_another_link_are_written_again(monkeypatch: pytest.MonkeyPatch) -> None:
    walk("write", f"tap chip {FIRST}")
    monkeypatch.setenv("COMPANION_LINK", "anna.local")
    assert walk("check", f"tap chip {FIRST}", code=1)[:2] == [
        "Wrong link: Manor, 1 of 5.",
        "The chip does not have this table's link to it; write this chip again.",
    ]
    assert walk("write", f"tap chip {FIRST}")[1:3] == [
        "Next: Manor, 1 of 5.",
        "Written: Manor, 1 of 5. Take it away.",
    ]
    assert walk("write")[1] == "Next: Manor, 2 of 5."
    monkeypatch.setenv("COMPANION_LINK", "anna.local:9000")
    assert walk("write")[1] == "Next: Manor, 1 of 5."
    put(SECOND, b"".join(ndef.message_encoder(records(FIRST))))
    assert walk("check", f"tap chip {FIRST}", f"tap chip {SECOND}", code=1)[:5] == [
        "Wrong link: Manor, 1 of 5.",
        "The chip does not have this table's link to it; write this chip again.",
        f"Link: {TABLE}{FIRST}",
        f"Duplicate: Manor, 1 of 5 is also chip {FIRST}.",
        f"Link: {TABLE}{FIRST}",
    ]
    learned(**{SECOND: "district manor 1"})  # the same card on a new chip, copied by a phone
    lines = walk("check", f"tap chip {SECOND}", code=1)
    assert lines[1] == "The chip does not have this table's link to it; write this chip again."
    assert walk("lock", f"tap chip {SECOND}")[-2] == (
        "Refused: write this chip before you lock it."
    )


def test_a_name_that_does_not_fit_is_refused_before_anything_is_written(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("COMPANION_LINK", "x" * 60 + ".local")
    result = companion("tags", "write", "--reader", "simulated", stdin=f"tap chip {FIRST}\n")
    monkeypatch.delenv("COMPANION_LINK")
    assert result.returncode == 2
    assert result.stdout == ""
    assert result.stderr == (
        f"tags: link: {'x' * 60}.local is too long for an NTAG213; at most 63 characters fit\n"
    )
    assert FIRST not in companion("tags", "list").stdout
