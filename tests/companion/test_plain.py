"""The line caller with its simulated reader: taps in every phase, chips of all kinds, secrets."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.companion.listening import NEW, Listener, companion
from tests.waiting import read_line

pytestmark = pytest.mark.outer

CALLED = ("faceup bishop merchant", "call")


@pytest.fixture
def data(home: Path) -> Path:
    """The table's folder."""
    folder = Path(os.environ["COMPANION_DATA"])
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def answer_to(caller: Listener, line: str) -> list[str]:
    """The answer without the line that says who is awaited."""
    return caller.tell(line)[:-1]


@pytest.mark.parametrize(
    ("line", "messages"),
    [
        ("tap", "Refused: Say what it is"),
        ("tap tavrn", "Refused: There is no card called “tavrn”; did you mean"),
        ("tap temple 9", "Refused: The copy of temple is a number from 1 to 3, not “9”."),
        ("tap reference 9", "Refused: The simulated deck has no chip reference 9."),
        ("tap chip", "Refused: A chip's id is 8, 14 or 20"),
        ("tap chip 04A1", "Refused: A chip's id is 8, 14 or 20"),
        ("tap chip " + "F" * 900, "Refused: A chip's id is 8"),
        ('tap "', "Refused: Say what it is"),
        ("tap k", "Refused: K could be"),
        ("tap player 8", "Refused: The simulated deck has no chip player 8."),
        ("tap \x1b[2J", "Refused: There is no card called “[2J”."),
        ("hold nothing", "Refused: There is no card called “nothing”."),
        ("lift", "Refused: There is nothing on the reader."),
        ("plug", "Refused: The reader is already plugged in."),
        ("learn tavern", "Refused: Tap an unknown chip first."),
    ],
)
def test_what_cannot_be_tapped_is_said_in_one_sentence(line: str, messages: str) -> None:
    with Listener(reader="simulated") as caller:
        caller.hear()
        answer = answer_to(caller, line)
        assert len(answer) == 1
        assert answer[0].startswith(messages)


def test_repeated_held_and_swapped_chips_each_have_a_clear_answer() -> None:
    with Listener(reader="simulated") as caller:
        caller.hear()
        caller.tell_all(*CALLED)
        lines = answer_to(caller, "tap temple")
        assert lines[0] == "Temple: religious district, 1 gold."
        assert answer_to(caller, "tap temple") == lines
        assert answer_to(caller, "hold temple") == lines
        assert answer_to(caller, "hold temple") == lines
        assert answer_to(caller, "tap anna") == ["Anna is the Assassin."]  # instead of the temple
        assert answer_to(caller, "lift") == ["Refused: There is nothing on the reader."]
        caller.tell("hold king")
        assert answer_to(caller, "lift") == ["Lifted."]
        assert answer_to(caller, "last") == ["Anna murders the King."]


def test_an_unplugged_reader_is_told_and_comes_back() -> None:
    with Listener(reader="simulated") as caller:
        caller.hear()
        caller.tell("tap bishop")
        assert answer_to(caller, "unplug") == ["Unplugged."]
        aside = b""
        while b"is unplugged; plug it in again" not in aside:
            answer = read_line(caller.process, caller.process.stderr)
            assert answer, aside
            aside += answer
        assert b"The simulated reader is ready." in aside
        assert answer_to(caller, "unplug") == ["Refused: The reader is unplugged; type plug."]
        for line in ("tap merchant", "hold merchant"):
            assert answer_to(caller, line) == ["Refused: The reader is unplugged; type plug."]
        assert answer_to(caller, "faceup bishop merchant") == ["Face up: Bishop and Merchant."]
        assert answer_to(caller, "plug") == ["Plugged in."]
        assert answer_to(caller, "tap crown")[0] == "Everybody has chosen."
        assert caller.leave() == 0
        assert "Traceback" not in aside.decode() + caller.read_errors()


def test_a_chip_held_while_the_cable_is_pulled_can_be_lifted_and_tapped_again() -> None:
    with Listener(reader="simulated") as caller:
        caller.hear()
        caller.tell_all(*CALLED, "hold temple", "unplug")
        assert answer_to(caller, "lift") == ["Lifted."]
        caller.tell("plug")
        assert answer_to(caller, "tap Ben") == ["Ben is the Assassin."]


def test_an_unknown_chip_is_announced_and_learned_on_the_spot(data: Path) -> None:
    chip = "chip 04:a2:b3:c4:d5:e6:80"
    with Listener(reader="simulated") as caller:
        caller.hear()
        caller.tell_all(*CALLED, "reveal Anna", "gold")
        assert answer_to(caller, f"tap {chip}") == [
            "Unknown chip 04A2B3C4D5E680.",
            "Type learn and what it is, such as: learn tavern.",
        ]
        assert answer_to(caller, "learn")[0].startswith("Refused: Say what it is")
        assert answer_to(caller, "learn zzz")[0].startswith(
            "Refused: There is no card called “zzz”"
        )
        assert answer_to(caller, "learn t")[0].startswith("Refused: T could be ")
        assert answer_to(caller, "learn tavern 99")[0].startswith("Refused: ")
        assert answer_to(caller, "learn tav") == ["Chip 04A2B3C4D5E680 is now: Tavern, copy 1."]
        assert answer_to(caller, f"tap {chip}") == ["Anna builds the Tavern for 1 gold."]
        assert answer_to(caller, "learn king") == ["Refused: Tap an unknown chip first."]
        (text,) = answer_to(caller, "tap chip 08112233")
        assert text.startswith("A phone or a bank card can't be used")
    assert "04A2B3C4D5E680: district tavern 1" in (data / "tags.yaml").read_text("utf-8")
    assert "04A2B3C4D5E680" not in companion("record").stdout


def test_a_broken_mapping_is_told_with_its_line_before_a_game_begins(data: Path) -> None:
    (data / "tags.yaml").write_text(
        "chips:\n  04A2B3C4D5E680: district tavrn 1\n  0411: crown\n", "utf-8"
    )
    result = companion("play", "--plain", "--reader", "simulated", *NEW)
    assert result.returncode == 2
    path = data / "tags.yaml"
    assert [line.split(": ")[0] for line in result.stderr.splitlines()] == [
        f"{path}:2",
        f"{path}:3",
    ]
    assert "tavern" in result.stderr
    assert companion("record").returncode != 0  # no game has begun
    without = companion("play", "--plain", "--reader", "none", *NEW)
    assert without.returncode == 0


def test_lines_typed_ahead_keep_their_order_around_taps() -> None:
    with Listener(reader="simulated") as caller:
        caller.hear()
        for line in ("tap bishop", "tap merchant", "call", "tap Anna", "gold", "last"):
            caller.type(line)
        assert caller.leave() == 0
        assert caller.transcript[-2] == "Anna takes 2 gold."


def test_a_refused_answer_with_a_suggestion_ends_with_one_sign() -> None:
    stdout = companion("play", "--plain", "--new", stdin="Anna, Ben, Clara\nAna\n").stdout
    assert "did you mean “Anna”?\n" in stdout


@pytest.mark.parametrize("begun", [NEW, ("--new",)], ids=["after a game", "before one"])
def test_quit_leaves_a_set_up_too(begun: tuple[str, ...], home: Path) -> None:
    stdin = ("new\n" if begun == NEW else "") + "quit\nZoe\n"
    played = companion("play", "--plain", *begun, stdin=stdin)
    assert played.returncode == 0
    assert "Zoe" not in played.stdout
    assert "quit" not in played.stdout
    assert ("The game is saved." in played.stdout) == (begun == NEW)
