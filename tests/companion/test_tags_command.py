"""`companion tags learn`: learning a box by taps and keys, from a script."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests import starting
from tests.companion.listening import companion, complaints
from tests.companion.simulated_chips import FIRST, SECOND, THIRD
from tests.engine import boxes
from tests.starting import ROOT
from tests.waiting import read_line

pytestmark = [pytest.mark.outer, pytest.mark.usefixtures("kept_chips")]

GREETING = 3  # lines before the progress


def learn(*lines: str, options: tuple[str, ...] = (), path: str = "simulated") -> list[str]:
    """The answers to these lines, from the progress on."""
    result = companion("tags", "learn", "--reader", path, *options, stdin="\n".join(lines) + "\n")
    assert result.returncode == 0, result.stderr
    assert "Traceback" not in result.stderr
    told = result.stdout.splitlines()
    assert complaints(told) == []
    return told[GREETING:]


def listed() -> list[str]:
    result = companion("tags", "list")
    assert result.returncode == 0, result.stderr
    return [line for line in result.stdout.splitlines() if re.match("[0-9A-F]{8,}: ", line)]


def test_a_box_is_gone_through_by_taps_alone_and_gone_on_with() -> None:
    assert learn(f"tap chip {FIRST}", f"tap chip {SECOND}") == [
        "Citadels Classic (2016): 0 of 88 done.",
        "Next: Manor, 1 of 5.",
        "Learned: Manor, 1 of 5.",
        "Next: Manor, 2 of 5.",
        "Learned: Manor, 2 of 5.",
        "Next: Manor, 3 of 5.",
        "2 chips are known.",
    ]
    assert learn()[:2] == ["Citadels Classic (2016): 2 of 88 done.", "Next: Manor, 3 of 5."]
    assert listed() == [f"{FIRST}: district manor 1", f"{SECOND}: district manor 2"]


def test_keys_pass_over_go_back_go_elsewhere_and_take_back() -> None:
    assert learn(
        "", "back", "back", "king", f"tap chip {FIRST}", "undo", "undo", "tavern 3",
        f"tap chip {SECOND}", "action income", f"tap chip {THIRD}",
    )[2:] == [
        "Next: Manor, 2 of 5.",
        "Next: Manor, 1 of 5.",
        "Refused: this is the first one.",
        "Next: King.",
        "Learned: King.",
        "Next: Bishop.",
        "Undone.",
        "Next: King.",
        "Refused: Nothing to undo.",
        "Next: Tavern, 3 of 5.",
        "Learned: Tavern, 3 of 5.",
        "Next: Tavern, 4 of 5.",
        "Next: action income.",
        "Learned: action income.",
        "Next: Tavern, 4 of 5.",
        "2 chips are known.",
    ]  # fmt: skip


def test_a_chip_tapped_again_is_not_the_next_card() -> None:
    lines = learn(*[f"tap chip {FIRST}"] * 3)
    assert lines[4:] == ["This is already Manor, 1 of 5.", "Next: Manor, 2 of 5."] * 2 + [
        "1 chip is known."
    ]


def test_a_known_chip_is_asked_about_before_it_becomes_something_else() -> None:
    lines = learn(
        f"tap chip {FIRST}", f"tap chip {SECOND}",
        f"tap chip {FIRST}", "", "yes", f"tap chip {FIRST}", "YES", "missing",
    )  # fmt: skip
    questions = [
        "This is already Manor, 1 of 5.",
        "yes: learn it as Manor, 3 of 5. Enter: leave it as it is.",
    ]
    lines[15] = lines[15].partition(";")[0]
    assert lines[6:16] == [
        *questions, "Nothing was changed.", "Next: Manor, 3 of 5.",
        "Refused: nothing was asked that this answers.",
        *questions, "Learned: Manor, 3 of 5.", "Next: Manor, 4 of 5.",
        "Missing districts: Manor, 2 of 5 here",
    ]  # fmt: skip
    assert listed() == [f"{FIRST}: district manor 3", f"{SECOND}: district manor 2"]


def test_only_some_kinds_and_another_box() -> None:
    number = boxes.count("deluxe_2016").characters
    skipping = [""] * (number + 1)
    lines = learn(*skipping, options=("--only", "characters", "--edition", "deluxe_2016"))
    assert lines[0] == f"Citadels (2016): 0 of {number} done."
    assert lines[1] == "Next: Assassin."
    assert lines[-2].startswith(f"That was the last one. {number} were skipped;")
    lines = learn(f"tap chip {FIRST}", f"tap chip {SECOND}", options=("--only", "crown"))
    assert lines[-4:] == [
        "Learned: the crown.",
        "All done.",
        "Refused: no card is being asked for; type what this chip is, then put it on the reader.",
        "1 chip is known.",
    ]
    assert companion("tags", "learn", "--only", "kings").returncode == 2
    assert companion("tags", "learn", "--edition", "classic").returncode == 2


def test_what_cannot_be_learned_is_refused() -> None:
    lines = learn(
        "undo", "tap zzz", "tap chip 04", "tap chip 08112233", "zzz", "tap",
        f"tap chip {FIRST}", "manor 1", f"tap chip {SECOND}", "\x1b[2J",
    )  # fmt: skip
    refusals = [line for line in lines if line.startswith("Refused: ")]
    assert len(refusals) == 7
    assert any("changes its id every time" in line for line in lines)
    assert any(f"chip {FIRST} is already Manor, 1 of 5; tap that one" in line for line in refusals)
    assert listed() == [f"{FIRST}: district manor 1"]


def test_a_chip_that_says_what_it_is_is_asked_about() -> None:
    companion("tags", "write", "--reader", "simulated", stdin=f"king\ntap chip {FIRST}\n")
    mapping = Path(os.environ["COMPANION_DATA"]) / "tags.yaml"
    mapping.unlink()  # another table, which never learned it
    lines = learn(f"tap chip {FIRST}", "yes", f"tap chip {SECOND}")
    assert lines[2:6] == [
        "This chip says it is King.",
        "yes: learn it as King. Enter: leave it as it is.",
        "Learned: King.",
        "Next: Manor, 1 of 5.",
    ]
    mapping.write_text(f'chips: {{"{SECOND}": character king}}\n', encoding="utf-8")
    assert learn(f"tap chip {FIRST}")[2] == (
        f"Duplicate: this chip says it is King, but that is chip {SECOND}."
    )
    mapping.write_text(f'chips: {{"{FIRST}": character thief}}\n', encoding="utf-8")
    assert learn(f"tap chip {FIRST}")[2] == (
        "Contradiction: this chip is known as Thief, but says it is King."
    )


def test_the_name_on_a_printed_label_is_asked_about(tmp_path: Path) -> None:
    label = tmp_path / "taps"
    label.write_text("district tavern 3\n", encoding="utf-8")
    options = ("--reader", f"file:{label}")
    pipe = subprocess.PIPE
    with starting.start("tags", "learn", *options, stdin=pipe, stdout=pipe) as program:
        told = ""
        while "Manor, 2 of 5" not in told and "Tavern" not in told:
            told = read_line(program).decode()
        assert told == "This chip says it is Tavern, 3 of 5.\n"


def test_without_a_reader_it_says_so() -> None:
    result = companion("tags", "learn", "--reader", "none")
    assert result.returncode == 2
    assert "no reader is set" in result.stderr


def test_wrong_words_are_told_in_a_sentence() -> None:
    for result in (
        (),
        ("lern",),
        ("list", "--edition", "x"),
        ("list", "--width", "9"),
        ("lock", "--json"),
    ):
        new_result = companion("tags", *result)
        assert new_result.returncode == 2
        assert len(new_result.stderr.splitlines()) == 2
    assert "did you mean “learn”?" in companion("tags", "lern").stderr
    assert "check" in companion("tags", "--help").stdout


def test_a_broken_mapping_is_told_with_its_line() -> None:
    path = Path(os.environ["COMPANION_DATA"]) / "tags.yaml"
    path.parent.mkdir(parents=True)
    path.write_text("chips:\n  04A2B3C4D5E680: district tavrn 1\n", encoding="utf-8")
    for word in ("list", "learn"):
        result = companion("tags", word, *(["--reader", "simulated"] if word == "learn" else []))
        assert result.returncode == 1
        assert result.stderr.startswith(f"{path}:2: ")
        assert len(result.stderr.splitlines()) == 1


def test_what_others_learn_meanwhile_is_kept_and_a_broken_file_is_not_written_over() -> None:
    mapping = Path(os.environ["COMPANION_DATA"]) / "tags.yaml"
    mapping.parent.mkdir(parents=True, exist_ok=True)
    process = subprocess.Popen(
        [sys.executable, "-m", "companion", "tags", "learn", "--reader", "simulated"],
        cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
    )  # fmt: skip
    assert process.stdin is not None
    assert process.stdout is not None

    def tell(line: str, awaited: str) -> None:
        assert process.stdin is not None
        assert process.stdout is not None
        print(line, file=process.stdin, flush=True)
        assert any(awaited in text for text in process.stdout)

    tell(f"tap chip {FIRST}", "Learned: Manor, 1 of 5.")
    mapping.write_text(mapping.read_text() + f"  {SECOND}: crown\n", encoding="utf-8")
    tell("king", "Next: King.")
    tell(f"tap chip {THIRD}", "Learned: King.")
    sound = mapping.read_text(encoding="utf-8")
    mapping.write_text("chips: [\n", encoding="utf-8")
    tell("tap chip 04A2B3C4D5E689", f"Refused: {mapping}:")
    assert mapping.read_text(encoding="utf-8") == "chips: [\n"
    mapping.write_text(sound, encoding="utf-8")
    tell("tap chip 04A2B3C4D5E689", "Learned: Bishop.")
    process.stdin.close()
    process.stdout.close()
    assert process.wait(60) == 0
    assert listed() == [
        f"{FIRST}: district manor 1", f"{SECOND}: crown", f"{THIRD}: character king",
        "04A2B3C4D5E689: character bishop",
    ]  # fmt: skip


def test_a_full_disk_is_told_and_loses_nothing() -> None:
    learn(f"tap chip {FIRST}")
    program = f"ulimit -f 0; exec '{sys.executable}' -m companion tags learn --reader simulated"
    result = subprocess.run(
        ["sh", "-c", program],
        input=f"tap chip {SECOND}\nmissing\n",
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert "Traceback" not in result.stderr
    assert "Refused: " in result.stdout
    assert "cannot be saved" in result.stdout
    assert "Missing districts: Manor, 1 of 5 here; " in result.stdout
    assert listed() == [f"{FIRST}: district manor 1"]
