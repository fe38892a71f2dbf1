"""The command line: finding commands, exit codes, and no tracebacks."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from companion import __version__
from companion.commands.cli import main
from companion.commands.names import GONE, list_names
from tests.companion.past_games import text_of

ROOT = Path(__file__).parents[2]
Capture = pytest.CaptureFixture[str]


def test_version(capsys: Capture) -> None:
    assert text_of(capsys, "--version") == f"companion {__version__}\n"


@pytest.mark.parametrize("words", [["--help"], ["-h"], ["help"]])
def test_help_names_every_command(words: list[str], capsys: Capture) -> None:
    assert main(words) == 0
    text = capsys.readouterr().out
    told = set(re.findall(r"^  (\w+) ", text, re.MULTILINE))
    named = set(re.findall(r"^More commands: (.+)$", text, re.MULTILINE)[0].split(", "))
    brought = {"labels", "recap"}
    assert told - brought == {"play", "host", "score", "card", "tags", "doctor"}
    assert told | named == {name for name in list_names() if " " not in name}


@pytest.mark.parametrize(("former", "instead"), GONE.items())
def test_what_former_versions_had_names_what_replaces_it(
    former: str, instead: str, capsys: Capture
) -> None:
    assert main([*former.split(), "Anna"]) == 2
    output = capsys.readouterr()
    assert output.out == ""
    assert output.err == f"companion {former}: this no longer exists; use: {instead}\n"
    words = instead.partition("companion ")[2].split()
    text = text_of(capsys, *(word for word in words if word.isalpha() and word.islower()), "--help")
    assert all(word in text for word in words if word.startswith("--"))


@pytest.mark.parametrize(
    ("words", "messages"),
    [
        (["replya"], "did you mean “replay”?"),
        (["replay"], "FILE"),
        (["replay", "a", "b"], "unknown word “b”"),
        (["replay", "--jsno", "a"], "unknown word “--jsno”; did you mean “--json”?"),
        (["record", "--veiw=full"], "unknown word “--veiw”; did you mean “--view”?"),
        (["play", "--foo"], "unknown word “--foo”\n"),
        (["card"], "NAME"),
        (["record", "a", "b"], "unknown word “b”"),
        (["play", "--new", "--resume"], "not allowed with"),
        (["--no-such-option"], "--no-such-option"),
    ],
)
def test_wrong_words_are_told_in_a_sentence(
    words: list[str], messages: str, capsys: Capture
) -> None:
    assert main(words) == 2
    output = capsys.readouterr()
    assert output.out == ""
    assert messages in output.err
    assert "See: companion" in output.err


def test_a_broken_setting_stops_every_command(
    capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COMPANION_LANGUAGE", "klingon")
    for words in (["card", "temple"], ["score"], ["record"], ["replay", "x"], ["play", "--plain"]):
        assert main(words) == 2
        assert "COMPANION_LANGUAGE: " in capsys.readouterr().err


def test_hostile_words_reach_no_terminal(capsys: Capture) -> None:
    for words in (["\x1b[2J"], ["card", "\x1b]0;x\x07"], ["replay", "\x1b[31m\n.yaml"]):
        assert main(words) == 2
        assert "\x1b" not in capsys.readouterr().err


@pytest.mark.outer
def test_letters_that_the_terminal_lacks(home: Path) -> None:
    ascii_only = {**os.environ, "PYTHONIOENCODING": "ascii"}
    result = subprocess.run(
        [sys.executable, "-m", "companion", "card", "temple"],
        capture_output=True,
        env=ascii_only,
        timeout=60,
    )
    assert result.returncode == 0
    assert rb"\u0425\u0440\u0430\u043c" in result.stdout


@pytest.mark.outer
@pytest.mark.parametrize("words", [["--help"], ["score", "--help"], ["card", "temple"]])
def test_an_answer_arrives_through_a_pipe(words: list[str], tmp_path: Path) -> None:
    """What waits in a buffer at the end of the program is written, too."""
    bare = {"PATH": os.environ["PATH"], "HOME": str(tmp_path)}
    result = subprocess.run(
        [sys.executable, "-m", "companion", *words], cwd=ROOT, env=bare, capture_output=True
    )
    assert result.returncode == 0
    assert result.stdout.endswith(b"\n")
    assert result.stderr == b""


NEW_GAME = "play --plain --new --players A,B,C,D --reader none"
ANSWERS = (
    "--help",
    "score --help",
    "editions",
    "card king",
    "tags list",
    "record",
    "score",
    NEW_GAME,
)


@pytest.mark.outer
@pytest.mark.parametrize("command", ANSWERS)
@pytest.mark.parametrize("output", [">&-", "2>&- >&-", ">/dev/full", "| head -n 1"])
def test_an_output_that_is_closed_full_or_left_never_brings_a_traceback(
    command: str, output: str
) -> None:
    program = f"{sys.executable} -m companion {command} {output}"
    result = subprocess.run(
        ["sh", "-c", f"printf 'faceup bishop merchant\\nhelp\\n' | {program}"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    for sign in ("Traceback", "Exception ignored", "Error"):
        assert sign not in result.stderr
    if "full" in output and (
        command.endswith("--help") or result.stderr.startswith("companion: standard output")
    ):
        assert result.returncode == 1
