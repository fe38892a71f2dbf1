"""The speech of whole games, recorded from the started command: a coherent script that reveals no
secret early."""

from __future__ import annotations

import os
from pathlib import Path
from typing import NamedTuple

import pytest

from common.strict_yaml import parse
from companion.voice import script
from tests import starting
from tests.serving.hosting import Hosting
from tests.starting import ROOT

pytestmark = pytest.mark.outer

GAMES = ROOT / "tests" / "games"
TABLE = ("--players", "Anna,Kurt,Ashley,Ben", "--crown", "Kurt", "--reader", "none")
OPENING = ["faceup bishop magician", "call", "reveal Anna"]


class Recorded(NamedTuple):
    lines: list[str]
    """The utterances to the table, each `PAUSE LANGUAGE TEXT`."""

    errors: str
    """What was said on standard error."""

    @property
    def texts(self) -> list[str]:
        """Only the texts."""
        return [line.split(" ", 2)[2] for line in self.lines]


def play(folder: Path, moves: list[str], *options: str, **environment: str) -> Recorded:
    """Play these lines in the line caller with a voice that is written down."""
    words = ["--plain", "--new", *TABLE, *options, "--voice"]
    result = starting.run(
        *("play", *words),
        cwd=ROOT,
        input="\n".join(moves),
        env={**os.environ, "TESTS_VOICE": str(folder), **environment},
        encoding="utf-8",
        timeout=120,
    )
    assert result.returncode == 0, result.stderr
    lines = (folder / "table.txt").read_text(encoding="utf-8").splitlines()
    return Recorded(lines, result.stderr)


def test_a_whole_game_reads_as_a_script(tmp_path: Path) -> None:
    data = parse((GAMES / "whole_game.yaml").read_text(encoding="utf-8"), name="game").data
    said = play(tmp_path, [str(move) for move in data["moves"]])
    golden = GAMES / "whole_game.speech.txt"
    assert said.texts == golden.read_text(encoding="utf-8").splitlines()
    assert all(text[0].isupper() and text[-1] in ".?" for text in said.texts)
    assert not any(sign in text for text in said.texts for sign in "()[]{}…→/·“”")


def test_who_answers_is_named_with_the_deed_or_as_the_turn_ends(tmp_path: Path) -> None:
    """From the second round on; the first, the crown and a robbery name them at once."""
    first = [*OPENING, "gold", "end", *["nobody"] * 7]
    second = [
        *(*OPENING, "gold", "kill architect", "end"),
        *("reveal Ben", "gold", "rob king", "end", "nobody", "reveal Ashley", "gold", "end"),
        *("nobody", "reveal Kurt", "cards", "bonus", "end"),
    ]
    texts = play(tmp_path, [*first, *second]).texts
    assert texts[texts.index("Rank 1. Who is the Assassin?") + 1] == "It's Anna."
    at = texts.index("The Assassin?")
    assert texts[at:] == [
        "The Assassin?",
        "Anna murders the Architect.",
        "The Thief?",
        "Ben will rob the King.",
        "The King?",
        "It's Ashley, who takes the crown. Ben steals 2 gold from Ashley.",
        "The Merchant?",
        "It was Kurt.",
    ]


def test_a_question_that_the_next_step_answers_is_left_out() -> None:
    asked = script.ScriptLine("Zoë keeps it. Zoë. End the turn?", asked="Zoë. End the turn?")
    call = script.ScriptLine("The Abbot?")
    assert script.join([[asked], [call]]) == [script.ScriptLine("Zoë keeps it. The Abbot?")]
    assert script.join([[call], [asked]])[0].text == f"{call.text} {asked.text}"


@pytest.mark.parametrize("holder", ["Ben", None])
def test_the_call_of_a_killed_character_sounds_the_same_held_or_not(
    holder: str | None, tmp_path: Path
) -> None:
    """Ben has recorded the King, or nobody has; the Assassin killed the King in secret."""
    first, *others = OPENING
    choice = "choose Ben king" if holder else "choose Ben architect"
    turn = [first, choice, *others, "kill king", "gold", "end"]
    said = play(tmp_path, [*turn, "nobody", "nobody", "nobody"], "--secrecy", "secret")
    at = said.texts.index("Rank 2. Who is the Thief?")
    assert said.lines[at:] == [
        "0.3 en Rank 2. Who is the Thief?",
        "0.3 en The King was murdered.",
    ]


def test_a_refused_secret_is_not_read_out(tmp_path: Path) -> None:
    lines = [*OPENING, "kill assassin", "build palace", "gold", "build temple", "build tavern"]
    said = play(tmp_path, lines, "--secrecy", "secret")
    assert said.texts[3:] == [
        "It's Anna.",
        "You can't choose that; nothing has changed.",
        "Anna must take gold or cards first.",
        "Anna builds the Temple.",
        "Anna has already built 1, the limit for the Assassin.",
    ]


def test_undo_is_told_in_one_sentence(tmp_path: Path) -> None:
    said = play(tmp_path, [*OPENING, "undo"])
    assert said.texts[-2:] == ["Undone: Anna is the Assassin.", "Rank 1. Who is the Assassin?"]


def test_the_words_of_the_line_caller(tmp_path: Path) -> None:
    said = play(tmp_path, ["faster", "slower", "repeat", "voice off", "voice on", "hush"])
    question = "Round 1. Kurt. Discard 2 characters face up."
    assert said.texts == [question, "Speed 120 percent.", "Speed 100 percent.", question, question]


def test_with_the_level_calls_nothing_of_a_turn_is_said(tmp_path: Path) -> None:
    moves = [*OPENING, "kill king", "gold", "build temple"]
    said = play(tmp_path, [*moves, "end", "nobody", "nobody"], COMPANION_VOICE_LEVEL="calls")
    assert said.texts[2:] == [
        "Rank 1. Who is the Assassin?",
        "It's Anna.",
        "Rank 2. Who is the Thief?",
    ]


def test_the_first_round_is_explained_aloud(tmp_path: Path) -> None:
    said = play(tmp_path, ["faceup bishop merchant", "call", "nobody"], "--teach")
    assert "Name another character, once, at any time in your turn." in said.texts
    assert any("says" in text and "Thief" in text for text in said.texts)


def test_the_line_caller_reads_reference_cards_aloud(tmp_path: Path) -> None:
    said = play(tmp_path, ["reference 4", "next"])
    assert "1: Assassin: rank 1." in said.texts
    assert said.texts.index("2: Thief: rank 2.") > said.texts.index("1: Assassin: rank 1.")


def test_what_is_chosen_in_private_is_whispered_to_the_ear_alone(tmp_path: Path) -> None:
    lines = [*OPENING, "kill", "king", "gold"]
    env = {"COMPANION_VOICE_EAR": "espeak-ng@ear"}
    said = play(tmp_path, lines, "--secrecy", "secret", **env)
    name = (tmp_path / "ear.txt").read_text(encoding="utf-8")
    assert "4: King." in name  # the number that picks it
    assert not any("King" in text for text in said.texts)


def test_where_there_is_one_output_no_secret_is_spoken_and_that_is_said_once(
    tmp_path: Path,
) -> None:
    """Private speech would use the table's output, so private choices stay unspoken."""
    lines = [*OPENING, "kill", "king", "undo", "kill", "king"]
    said = play(tmp_path, lines, "--secrecy", "secret", COMPANION_VOICE_EAR="espeak-ng")
    assert said.errors.count("Secrets won't be spoken: table and ear use the same output.") == 1
    assert not (tmp_path / "ear.txt").exists()
    assert not any("King" in text for text in said.texts)


def test_every_arrival_at_the_door_is_heard(home: Path, tmp_path: Path) -> None:
    with Hosting("--voice", env={"TESTS_VOICE": str(tmp_path)}) as host:
        host.join(3)
        host.ask("api/join", code=host.seats["Ashley"])
        host.end()
    text = (tmp_path / "table.txt").read_text(encoding="utf-8")
    assert "Ashley has joined with a phone." in text
    assert "Another phone has Ashley's seat now." in text
    assert "phones out" not in text
