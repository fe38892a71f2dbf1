"""The commands about chips' content: each in a new process, with persistent simulated chips."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import ndef
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tags.simulator.keeping import ChipFile
from tags.simulator.ntag import NTAG213, NTAG216, Ntag
from tags.type2 import Type2
from tests.companion.listening import companion, complaints
from tests.starting import ROOT

pytestmark = pytest.mark.outer

FIRST, SECOND, THIRD = (f"04A2B3C4D5E68{n}" for n in range(3))
GREETINGS = {"learn": 4, "write": 4, "verify": 1, "lock": 1, "erase": 1}


def walk(command: str, *typed: str, code: int = 0, words: tuple[str, ...] = ()) -> list[str]:
    """The answers to these lines, without the greeting and the progress."""
    said = "\n".join(typed) + "\n"
    done = companion("tags", command, "--reader", "simulated", *words, said=said)
    assert "Traceback" not in done.stderr
    assert done.returncode == code, done.stderr
    answered = done.stdout.splitlines()
    assert complaints(answered) == []
    return answered[GREETINGS[command] :]


def kept() -> str:
    return str(Path(os.environ["COMPANION_DATA"]) / "simulated-chips.json")


def records(uid: str) -> list[ndef.Record]:
    """The records on the simulated chip, as any phone reads them."""
    chip = ChipFile(kept()).chip(bytes.fromhex(uid), b"")
    chip.select()

    def exchange(command: bytes) -> bytes:
        answer = chip.command(command)
        assert answer is not None
        return answer

    return list(ndef.message_decoder(Type2(exchange).read()))


def put(uid: str, message: bytes) -> None:
    """Put that message on the simulated chip."""
    model = NTAG213 if len(message) < 140 else NTAG216
    ChipFile(kept()).keep(Ntag(bytes.fromhex(uid), message, model))


def learned(**chips: str) -> None:
    text = "chips:\n" + "".join(f'  "{uid}": {entry}\n' for uid, entry in chips.items())
    path = Path(os.environ["COMPANION_DATA"]) / "tags.yaml"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def test_a_deck_is_written_verified_locked_and_erased_by_typed_commands() -> None:
    assert walk("write", f"tap chip {FIRST}", f"tap chip {SECOND}") == [
        "Next: Manor, 1 of 5.",
        "Written: Manor, 1 of 5. Take it away.",
        "Next: Manor, 2 of 5.",
        "Written: Manor, 2 of 5. Take it away.",
        "Next: Manor, 3 of 5.",
        "2 chips written.",
    ]
    assert walk("verify", f"tap chip {FIRST}", f"tap chip {SECOND}") == [
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
    told = walk("erase", f"tap chip {FIRST}", "yes", f"tap chip {FIRST}",
                f"hold chip {SECOND}", "yes", "lift")  # fmt: skip
    assert told[3] == "Refused: This chip is locked permanently and can only be read."
    assert told[-2:] == ["Erased. The companion still knows it by its id.", "1 chip was changed."]
    assert walk("verify", f"tap chip {FIRST}", f"tap chip {SECOND}", code=1) == [
        "Correct: Manor, 1 of 5.",
        "Empty: nothing is written on Manor, 2 of 5.",
        "1 chip is correct.",
        "1 is empty.",
    ]
    assert walk("write")[0] == "Next: Manor, 2 of 5."  # and the erased one must be written again


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
    told = walk("write", "thief", f"tap chip {FIRST}", "", "thief", f"tap chip {FIRST}", "yes",
                f"tap chip {SECOND}", f"tap chip {FIRST}", "yes", f"tap chip {FIRST}")  # fmt: skip
    asked = ["This is King.", "yes: write Thief to it. Enter: leave it as it is."]
    assert told[1:] == [
        "Next: Thief.", *asked, "Nothing was written.", "Next: Thief.",
        "Next: Thief.", *asked, "Put the same chip on the reader once more.",
        "Refused: this is another chip; nothing was written.",
        *asked, "Put the same chip on the reader once more.",
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
    told = walk("write", "unplug", tap, "lift", "plug", tap)
    assert told[1:5] == [
        "Unplugged.",
        "Refused: the reader is unplugged; type plug.",
        "Refused: the reader is unplugged; type plug.",
        "Plugged in.",
    ]
    assert "Written: Manor, 1 of 5. Take it away." in told
    done = companion("tags", "verify", "--reader", "file:-", said="tap king\n")
    assert "Refused: that works only with the simulated reader." in done.stdout


def test_a_chip_from_under_another_one_is_not_touched() -> None:
    told = walk("write", f"hold chip {FIRST}", f"hold chip {SECOND}", f"tap chip {SECOND}")
    assert told[3:] == [
        "Refused: there were two chips on the reader; take them all away, then tap one.",
        "Written: Manor, 2 of 5. Take it away.",
        "Next: Manor, 3 of 5.",
        "2 chips written.",
    ]


def test_a_chip_that_lay_there_before_is_not_touched() -> None:
    simulator = subprocess.Popen(
        [sys.executable, "-m", "tags.simulator"],
        cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
    )  # fmt: skip
    assert simulator.stdin is not None
    assert simulator.stdout is not None
    path = simulator.stdout.readline().strip()
    print(f"hold {FIRST}", file=simulator.stdin, flush=True)
    assert simulator.stdout.readline().startswith("ok")
    desk = subprocess.Popen(
        [sys.executable, "-m", "companion", "tags", "write", "--reader", path],
        cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
    )  # fmt: skip
    assert desk.stdout is not None
    heard = []
    for line in desk.stdout:
        heard.append(line.strip())
        if "before you were asked" in line:
            for word in ("away", f"hold {FIRST}"):
                print(word, file=simulator.stdin, flush=True)
                simulator.stdout.readline()
        if line.startswith("Written: "):
            desk.communicate("done\n", timeout=60)
            break
    simulator.communicate("quit\n", timeout=60)
    assert heard[-2:] == [
        f"Refused: chip {FIRST} was there before you were asked; take it away, and tap it "
        "again if you mean it.",
        "Written: Manor, 1 of 5. Take it away.",
    ]


def _record(type_: bytes, payload: bytes) -> bytes:
    """A record (NDEF) that is a whole message."""
    header = b"\xd4" if b":" in type_ else b"\xd1"  # an external type, or one that is well known
    return header + bytes((len(type_), len(payload))) + type_ + payload


PAYLOADS = st.one_of(
    st.binary(max_size=90),
    st.sampled_from(
        (b"1:d:temple:1", b"1:d:temple:99", b"1:d:nowhere:1", b"1:a:undo", b"1:p:9",
         b"1:d:temple:1\x1b[2J", b"\x02en\x1b]0;title\x07[/][@click=app.quit]",
         b"\x04javascript:alert(1)", b"\x02en\xe2\x80\xaegnorw",
         b"\x04companion.example/../../etc/passwd")
    ),
)  # fmt: skip
MESSAGES = st.one_of(
    st.binary(min_size=1, max_size=130),
    st.builds(
        _record,
        st.sampled_from((b"U", b"T", b"Sp", b"citadels.example:card", b"\x00")),
        PAYLOADS,
    ),
)


@given(st.lists(MESSAGES, min_size=10, max_size=10), st.binary(min_size=16, max_size=144))
@settings(max_examples=3, deadline=None)
def test_whatever_is_on_chips_learning_goes_on(messages: list[bytes], memory: bytes) -> None:
    learned()
    uids = [f"04A2B3C4D5{number:02X}80" for number in range(len(messages) + 1)]
    for uid, content in zip(uids, messages, strict=False):
        put(uid, content)
    raw = bytes(Ntag(bytes.fromhex(uids[-1])).memory)
    ChipFile(kept()).keep(
        Ntag.with_memory(bytes.fromhex(uids[-1]), raw[:12] + memory + raw[12 + len(memory) :])
    )
    told = walk("learn", *(line for uid in uids for line in (f"tap chip {uid}", "yes", "undo")))
    assert told[-1] == "0 chips are known."


def test_what_is_not_ours_is_asked_about_and_our_own_older_record_is_not() -> None:
    put(FIRST, b"".join(ndef.message_encoder([ndef.UriRecord("https://bank.example/pay")])))
    foreign = "This chip already holds something else."
    told = walk("write", f"tap chip {FIRST}", "no", f"hold chip {FIRST}", "yes")
    assert told[1] == told[5] == foreign
    assert "Written: Manor, 1 of 5. Take it away." in told
    again = ("--again", "--link", "https://our.example/x/")
    assert walk("write", f"tap chip {FIRST}", words=again)[1] == (
        "Written: Manor, 1 of 5. Take it away."
    )
    assert records(FIRST)[0].uri == "https://our.example/x/district/manor/1"


def test_the_link_is_a_setting_and_the_name_is_in_the_tables_language(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("COMPANION_LINK", "https://our.example/c/")
    monkeypatch.setenv("COMPANION_LANGUAGE", "ru")
    companion("tags", "write", "--reader", "simulated", said=f"король\ntap chip {FIRST}\n")
    link, machine, name = records(FIRST)
    assert link.uri == "https://our.example/c/character/king"
    assert machine.data == b"1:c:king"
    assert (name.text, name.language) == ("Король", "ru")
    done = companion("tags", "write", "--link", "javascript:x")
    assert done.returncode == 2
    assert done.stderr.startswith("--link: ")
    assert len(done.stderr.splitlines()) == 1


TABLE = "http://anna.local:8420/t/"


def test_the_link_of_this_table_is_written_and_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COMPANION_LINK", "Anna.local")
    told = walk("write", f"tap chip {FIRST}", f"tap chip {FIRST}", "king", f"tap chip {SECOND}")
    assert told[1:4] == [
        "Next: Manor, 1 of 5.",
        "Written: Manor, 1 of 5. Take it away.",
        "Next: Manor, 2 of 5.",
    ]
    assert "Manor, 1 of 5 is already written." in told
    for uid, machine in ((FIRST, b"1:d:manor:1"), (SECOND, b"1:c:king")):
        link, record, name = records(uid)
        assert link.uri == TABLE + uid
        assert (record.data, name.language) == (machine, "en")
    assert walk("verify", f"tap chip {FIRST}", f"tap chip {SECOND}") == [
        "Correct: Manor, 1 of 5.", f"Link: {TABLE}{FIRST}",
        "Correct: King.", f"Link: {TABLE}{SECOND}",
        "2 chips are correct.",
    ]  # fmt: skip
    counted = companion("tags", "inventory", "--reader", "simulated", said=f"tap chip {FIRST}")
    assert counted.stdout.splitlines()[1:3] == ["Here: Manor, 1 of 5.", f"Link: {TABLE}{FIRST}"]
    words = ("tags", "inventory", "--json", "--reader", "simulated")
    data = json.loads(companion(*words, said=f"tap chip {FIRST}").stdout)
    assert data["links"] == {FIRST: TABLE + FIRST}
    assert walk("erase", f"tap chip {FIRST}")[1] == f"Link: {TABLE}{FIRST}"


def test_chips_with_another_link_are_written_again(monkeypatch: pytest.MonkeyPatch) -> None:
    walk("write", f"tap chip {FIRST}")
    monkeypatch.setenv("COMPANION_LINK", "anna.local")
    assert walk("verify", f"tap chip {FIRST}", code=1)[:2] == [
        "Wrong link: Manor, 1 of 5.",
        "This table's link is missing; write this chip again.",
    ]
    assert walk("write", f"tap chip {FIRST}")[1:3] == [
        "Next: Manor, 1 of 5.",
        "Written: Manor, 1 of 5. Take it away.",
    ]
    assert walk("write")[1] == "Next: Manor, 2 of 5."
    monkeypatch.setenv("COMPANION_LINK", "anna.local:9000")
    assert walk("write")[1] == "Next: Manor, 1 of 5."
    put(SECOND, b"".join(ndef.message_encoder(records(FIRST))))
    assert walk("verify", f"tap chip {FIRST}", f"tap chip {SECOND}", code=1)[:5] == [
        "Wrong link: Manor, 1 of 5.",
        "The link leads to another table; write this chip again.",
        f"Link: {TABLE}{FIRST}",
        f"Duplicate: Manor, 1 of 5 is also chip {FIRST}.",
        f"Link: {TABLE}{FIRST}",
    ]
    learned(**{SECOND: "district manor 1"})  # the same card on a new chip, copied by a phone
    told = walk("verify", f"tap chip {SECOND}", code=1)
    assert told[1] == "The link belongs to another chip; write this chip again."
    assert walk("lock", f"tap chip {SECOND}")[-2] == (
        "Refused: write this chip again before you lock it."
    )


def test_a_name_that_does_not_fit_is_refused_before_anything_is_written() -> None:
    done = companion("tags", "write", "--reader", "simulated", "--link", "x" * 60 + ".local",
                     said=f"tap chip {FIRST}\n")  # fmt: skip
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr == (
        f"tags: link: {'x' * 60}.local is too long for an NTAG213; at most 63 characters fit\n"
    )
    assert companion("tags", "list").stdout == ""


def test_phones_and_chips_without_memory_are_not_written() -> None:
    told = walk("write", "tap chip 08112233", "tap chip 12345678")
    assert "phone" in told[1]
    assert told[2].startswith("Refused: That works only with NTAG213")
    assert companion("tags", "list").stdout == ""


def test_verifying_tells_wrong_double_unreadable_and_missing() -> None:
    walk("write", "king", f"tap chip {FIRST}", "king", "thief", f"tap chip {SECOND}")
    put(THIRD, b"".join(ndef.message_encoder(records(FIRST))))
    learned(
        **{FIRST: "character king", SECOND: "character bishop", "12345678": "crown"},
        **{"04A2B3C4D5E683": "district tavern 1", "04A2B3C4D5E684": "district tavern 2"},
    )
    told = walk("verify", f"tap chip {FIRST}", f"tap chip {SECOND}", f"tap chip {THIRD}",
                "tap chip 12345678", "missing", "king", code=1)  # fmt: skip
    assert told == [
        "Correct: King.",
        "Contradiction: this chip is known as Bishop, but says it is Thief.",
        f"Duplicate: King is also chip {FIRST}.",
        "Unreadable: chip 12345678. That works only with NTAG213, 215 and 216; "
        "all that is known of this chip is its id.",
        "Missing: Tavern, 0 of 2 here.",
        "Refused: tap a chip, or type missing or done.",
        "Missing: Tavern, 0 of 2 here.",
        "1 chip is correct.",
        "1 is wrong.",
        "1 is a duplicate.",
        "1 could not be read.",
    ]
    assert len(walk("verify", code=1, words=("--edition", "classic_2016"))) > 30


def test_locking_is_asked_twice_and_for_one_sound_chip() -> None:
    walk("write", f"tap chip {FIRST}", f"tap chip {SECOND}")
    told = walk(
        "lock", "yes", f"tap chip {FIRST}", "yes", "yes", f"tap chip {SECOND}",
        f"tap chip {FIRST}", "yes", "no", f"tap chip {FIRST}", f"tap chip {THIRD}",
    )  # fmt: skip
    assert told[0] == "Refused: tap a chip first."
    assert "Refused: this is another chip; nothing was done." in told
    assert "Nothing was done." in told
    assert told[-2] == "Refused: nothing is written on this chip; write it before you lock it."
    assert told[-1] == "0 chips were changed."
    learned(**{FIRST: "crown"})
    assert walk("lock", f"tap chip {FIRST}")[-2] == (
        "Refused: write this chip again before you lock it."
    )
    assert len(walk("erase", f"tap chip {FIRST}", "yes", f"tap chip {FIRST}")) == 6


HOSTILE = {
    "escapes": b"".join(ndef.message_encoder([ndef.TextRecord("\x1b[2J\x07\u202eevil")])),
    "script": b"".join(ndef.message_encoder([ndef.UriRecord("javascript:alert(1)")])),
    "markup": b"".join(ndef.message_encoder([ndef.TextRecord("[bold]x[/] <b>{player}</b>")])),
    "ours, with an escape": b"".join(ndef.message_encoder(
        [ndef.Record("urn:nfc:ext:citadels.example:card", "", b"1:c:king\x1b[2J")]
    )),
    "ours, with an unknown card": b"".join(ndef.message_encoder(
        [ndef.Record("urn:nfc:ext:citadels.example:card", "", b"1:c:kingx")]
    )),
    "ours, from later": b"".join(ndef.message_encoder(
        [ndef.Record("urn:nfc:ext:citadels.example:card", "", b"2:c:king")]
    )),
    "twice ours": b"".join(ndef.message_encoder(
        [ndef.Record("urn:nfc:ext:citadels.example:card", "", b"1:c:king")] * 2
    )),
    "a record longer than the chip": b"\xc1\x01\xff\xff\xff\xffT\x02en",
    "rubbish": bytes(range(100)),
    "giant": b"".join(ndef.message_encoder([ndef.TextRecord("x" * 800)])),
    "many records": b"\x51\x00\x00" * 200,
    "full": b"".join(ndef.message_encoder([ndef.TextRecord("x" * 120)])),
}  # fmt: skip


def hostile_chips() -> tuple[list[str], list[str]]:
    """Put these messages on simulated chips; their ids, and the lines that tap them."""
    uids = [f"04A2B3C4D5E6{number:02X}" for number in range(len(HOSTILE))]
    for uid, message in zip(uids, HOSTILE.values(), strict=True):
        put(uid, message)
    return uids, [f"tap chip {uid}" for uid in uids]


def assert_never_repeated(*told: str) -> None:
    for word in ("evil", "javascript", "bold", "\x1b", "\u202e", "xxx", "kingx"):
        assert not any(word in line for line in told)


def test_what_a_chip_says_drives_nothing_and_is_never_repeated() -> None:
    uids, taps = hostile_chips()
    seen = walk("verify", *taps, code=1)
    assert [line.split(":")[0] for line in seen[: len(uids)]] == ["Unreadable"] * len(uids)
    locked = walk("lock", taps[0], "yes", "yes", taps[0], taps[3], "yes", "yes", taps[3])
    assert locked[-1] == "0 chips were changed."
    counted = companion("tags", "inventory", "--reader", "simulated", said="\n".join(taps))
    assert f"{len(uids)} chips are unknown." in counted.stdout
    assert_never_repeated(*seen, *locked, counted.stdout, counted.stderr)


@pytest.mark.parametrize("half", [0, 1])
def test_what_a_chip_says_is_never_repeated_when_it_is_overwritten(half: int) -> None:
    uids, taps = (each[half::2] for each in hostile_chips())
    written = walk("write", *(line for tap in taps for line in (tap, "yes", tap)))
    assert written.count("This chip already holds something else.") == len(uids)
    assert len([line for line in walk("verify", *taps) if line.startswith("Correct: ")]) == len(
        uids
    )
    assert_never_repeated(*written)


def test_of_a_chip_of_ours_only_the_machine_record_is_believed() -> None:
    ours = ndef.Record("urn:nfc:ext:citadels.example:card", "", b"1:c:king")
    told = [ndef.UriRecord("javascript:x"), ours, ndef.TextRecord("\x1b[2J\u202e[b]Thief[/b]")]
    put(FIRST, b"".join(ndef.message_encoder(told)))
    assert walk("verify", f"tap chip {FIRST}", code=1, words=("--edition", "classic_2016"))[0] == (
        "Correct: King."
    )


def test_a_broken_file_of_simulated_chips_is_told() -> None:
    Path(kept()).parent.mkdir(parents=True, exist_ok=True)
    Path(kept()).write_text("{", encoding="utf-8")
    done = companion("tags", "verify", "--reader", "simulated")
    assert done.returncode == 2
    assert "not a file of simulated chips" in done.stderr
    assert len(done.stderr.splitlines()) == 1


def test_a_mapping_is_shared_whole_or_not_at_all(tmp_path: Path) -> None:
    walk("write", "tavern", f"tap chip {FIRST}")
    shared = tmp_path / "shared.yaml"
    assert companion("tags", "export", str(shared)).stdout == "1 chip written.\n"
    assert companion("tags", "export", str(shared)).returncode == 2
    assert companion("tags", "import", str(shared)).stdout == "0 new chips imported.\n"
    shared.write_text(
        f"chips:\n  {SECOND}: district tavern 1\n  04A2B3C4D5E682: crown\n", encoding="utf-8"
    )
    done = companion("tags", "import", str(shared))
    assert done.returncode == 1
    assert f"but here {FIRST} is district tavern 1." in done.stderr
    assert companion("tags", "list").stdout == f"{FIRST}: district tavern 1\n"
    shared.write_text(f"chips:\n  {SECOND}: tavrn\n  04: crown\n", encoding="utf-8")
    done = companion("tags", "import", str(shared))
    assert [line.split(": ")[0] for line in done.stderr.splitlines()] == [
        f"{shared}:2", f"{shared}:3",
    ]  # fmt: skip
