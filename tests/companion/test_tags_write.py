"""`companion tags write`: what is written on which chip."""

from __future__ import annotations

import threading

import ndef
import pytest

from companion.commands.tags import desk
from companion.commands.tags.write import Erase
from companion.readers import table_reader
from companion.settings import config
from tags.readers import ReaderError
from tags.watch import Watcher
from tests.companion.listening import companion
from tests.companion.simulated_chips import FIRST, SECOND, learned, put, records, walk
from tests.rigs.antenna import DirectReader
from tests.waiting import PATIENCE

pytestmark = [pytest.mark.outer, pytest.mark.usefixtures("kept_chips")]


def test_a_known_chip_is_written_as_what_it_is_in_any_order() -> None:
    learned(**{FIRST: "character king", SECOND: "crown"})
    assert walk("write", f"tap chip {SECOND}", f"tap chip {FIRST}", f"tap chip {FIRST}") == [
        "Next: Manor, 1 of 5.",
        "Written: the crown. Take it away.",
        "Written: King. Take it away.",
        "King is already written.",
        "2 chips written.",
    ]


def test_a_named_piece_is_not_written_on_another_ones_chip_unasked() -> None:
    learned(**{FIRST: "character king"})
    lines = walk("write", "thief", f"tap chip {FIRST}", "", "thief", f"tap chip {FIRST}", "yes",
                f"tap chip {SECOND}", f"tap chip {FIRST}", "yes", f"tap chip {FIRST}")  # fmt: skip
    questions = ["This is King.", "yes: write Thief to it. Enter: leave it as it is."]
    assert lines[1:] == [
        "Next: Thief.", *questions, "Nothing was changed.", "Next: Thief.",
        "Next: Thief.", *questions, "Put the same chip on the reader once more.",
        "Refused: this is another chip; nothing was done.",
        *questions, "Put the same chip on the reader once more.",
        "Written: Thief. Take it away.", "Next: Magician.",
        "1 chip written.",
    ]  # fmt: skip


def test_a_name_asks_for_the_first_copy_that_is_not_written() -> None:
    learned(**{f"04A2B3C4D5E68{n}": f"district tavern {n + 1}" for n in range(5)})
    assert walk("write", "tavern", f"tap chip {SECOND}", f"tap chip {FIRST}", "tavern")[1:] == [
        "Next: Tavern, 1 of 5.",
        "This is Tavern, 2 of 5.",
        "yes: write Tavern, 1 of 5 to it. Enter: leave it as it is.",
        "Written: Tavern, 1 of 5. Take it away.",
        "Next: Tavern, 2 of 5.",
        "Next: Tavern, 2 of 5.",
        "1 chip written.",
    ]


def test_a_reader_without_its_cable_is_told() -> None:
    tap = f"tap chip {FIRST}"
    lines = walk("write", "unplug", tap, "lift", "plug", tap)
    assert lines[1:5] == [
        "Unplugged.",
        "Refused: the reader is unplugged; type plug.",
        "Refused: there is nothing on the reader.",
        "Plugged in.",
    ]
    assert "Written: Manor, 1 of 5. Take it away." in lines
    result = companion("tags", "check", "--reader", "file:-", stdin="tap king\n")
    assert (
        "Refused: that works only with the simulated reader; start with --reader simulated."
        in result.stdout
    )


def test_a_chip_from_under_another_one_is_not_touched() -> None:
    lines = walk("write", f"hold chip {FIRST}", f"hold chip {SECOND}", f"tap chip {SECOND}")
    assert lines[3:] == [
        "Refused: there were two chips on the reader; take them all away, then tap one.",
        "Written: Manor, 2 of 5. Take it away.",
        "Next: Manor, 3 of 5.",
        "2 chips written.",
    ]


def test_what_is_not_ours_is_asked_about_and_our_own_older_record_is_not(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    put(FIRST, b"".join(ndef.message_encoder([ndef.UriRecord("https://bank.example/pay")])))
    foreign = "The chip holds something else."
    lines = walk("write", f"tap chip {FIRST}", "no", f"hold chip {FIRST}", "yes")
    assert lines[1] == lines[5] == foreign
    assert "Written: Manor, 1 of 5. Take it away." in lines
    monkeypatch.setenv("COMPANION_LINK", "https://our.example/x/")
    assert walk("write", f"tap chip {FIRST}")[1] == ("Written: Manor, 1 of 5. Take it away.")
    assert records(FIRST)[0].uri == "https://our.example/x/district/manor/1"


def test_a_blank_sticker_is_formatted_after_a_question() -> None:
    put(FIRST, None)
    blank = "This chip is blank and must be formatted first; that cannot be undone."
    lines = walk("write", f"tap chip {FIRST}", "no", f"hold chip {FIRST}", "yes")
    assert lines[1] == lines[5] == blank
    assert "yes: write Manor, 1 of 5 to it. Enter: leave it as it is." in lines
    assert "Nothing was changed." in lines
    assert "Written: Manor, 1 of 5. Take it away." in lines
    assert len(records(FIRST)) == 3


def test_phones_and_chips_without_memory_are_not_written() -> None:
    lines = walk("write", "tap chip 08112233", "tap chip 12345678")
    assert "phone" in lines[1]
    assert lines[2].startswith("Refused: That works only with NTAG213")
    assert companion("tags", "list").stderr.startswith("0 chips in ")


def test_a_chip_that_a_driver_keeps_waiting_is_refused_and_not_written_later(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(table_reader, "SimulatedReader", DirectReader)
    erase = Erase(config.load({}, options={"reader": "simulated"}))
    erase.reader = reader = erase._open()
    reader.start()
    reader.hold(bytes.fromhex(FIRST))
    before = erase.perform("read", bytes.fromhex(FIRST))
    (source,) = reader._sources
    assert isinstance(source, Watcher)
    is_free, started = threading.Event(), threading.Event()
    source.request(lambda _reader: started.set())
    source.request(lambda _reader: is_free.wait(PATIENCE))
    try:
        assert started.wait(PATIENCE)
        with monkeypatch.context() as patch:
            patch.setattr(desk, "PATIENCE", 0.01)
            with pytest.raises(ReaderError, match="check what is on the chip"):
                erase.perform("write", bytes.fromhex(FIRST), b"\xd0\x00\x00")
        is_free.set()
        assert erase.perform("read", bytes.fromhex(FIRST)) == before
    finally:
        is_free.set()
        reader.stop()
