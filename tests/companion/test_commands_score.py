"""`companion score` and `companion record`: scoring a game, and exporting it as a file."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from companion.commands.cli import main
from companion.files.locations import games_file
from companion.game.session import Session
from companion.log.store import Store
from engine.record import read_setup
from tests.companion.past_games import json_of, lines_of, text_of

Capture = pytest.CaptureFixture[str]

SETUP: dict[str, Any] = {
    "edition": "classic_2016",
    "players": ["Anna", "Jean Luc", "Ashley", 'Bo "B"'],
    "crown": "Jean Luc",
    "options": {"city_size": 7, "tie_break": ["gold"]},
    "secrecy": "secret",
}
MOVES = [
    "faceup bishop merchant",
    "choose Anna assassin",
    "call",
    "reveal Anna",
    "kill thief",
    "gold",
    "build temple",
    "end",
    "nobody",
    'reveal "Jean Luc"',
    'swap "Bo \\"B\\""',
]


@pytest.fixture
def store(home: Path) -> Store:
    return Store(games_file(str(home / "data")))


def played(store: Store, *moves: str) -> str:
    """The name of a new game in which these moves were played."""
    session = Session.begin(store, read_setup(SETUP))
    for move in moves:
        session.play(move)
    session.undo()
    session.redo()
    session.close()
    return session.name


def position(tmp_path: Path, text: str) -> str:
    file = tmp_path / "position.yaml"
    file.write_text("players: [Anna, Ben, Cem, Dov]\nposition:\n" + text)
    return str(file)


SEVEN = "[temple, church, monastery, cathedral, tavern, market, docks]"


def test_no_game_yet(capsys: Capture) -> None:
    for command in ("score", "record"):
        assert main([command]) == 2
        assert "no game has been saved yet" in capsys.readouterr().err


def test_the_last_game_so_far(store: Store, capsys: Capture) -> None:
    played(store, *MOVES)
    score = json_of(capsys, "score")
    assert score["final"] is False
    assert score["players"]["Anna"]["total"] == 1
    text = text_of(capsys, "score")
    assert text.startswith("Scores so far; the game is not over.\nAnna: 1 point")
    assert "wins" not in text


def test_score_does_not_mind_an_open_game(store: Store, capsys: Capture) -> None:
    session = Session.begin(store, read_setup(SETUP))
    assert json_of(capsys, "score")["final"] is False
    session.close()


def test_an_unknown_game_offers_the_nearest(store: Store, capsys: Capture) -> None:
    name = played(store, *MOVES)
    assert main(["record", name[:-1] + "7"]) == 2
    assert f"did you mean “{name}”?" in capsys.readouterr().err


def test_the_printed_scores(capsys: Capture) -> None:
    examples = Path(__file__).parents[1] / "games" / "scoring_examples.yaml"
    score = json_of(capsys, "score", str(examples))
    assert score["final"] is True
    assert score["ranking"][:2] == ["Ashley", "Kurt"]
    assert score["winners"] == ["Ashley"]
    assert [score["players"][name]["total"] for name in ("Kurt", "Ashley")] == [28, 29]
    lines = lines_of(capsys, "score", str(examples))
    assert lines[:2] == ["Final scores.", "Ashley: 29 points."]
    assert lines[2].startswith("25 ")
    assert lines[-1] == "Ashley wins."


@pytest.mark.parametrize(
    ("text", "final"),
    [
        (f"  players: {{Anna: {{city: {SEVEN}}}}}\n  killed: king\n  awaiting: unmask\n", False),
        (f"  players: {{Anna: {{city: {SEVEN}}}}}\n", True),
        (f"  players: {{Anna: {{city: {SEVEN}}}}}\n  called: 8\n", False),
        (f"  players: {{Anna: {{city: {SEVEN}}}}}\n  called: 8\nmoves: [nobody]\n", True),
        (f"  players: {{Anna: {{city: {SEVEN}}}}}\n  first_complete: Anna\n", True),
        ("  players: {Anna: {city: [temple]}}\n", False),
        (
            f"  players: {{Anna: {{city: {SEVEN}}}}}\n"
            "  turn: {player: Ben, character: king, gathered: true}\n",
            False,
        ),
    ],
)
def test_final(text: str, final: bool, tmp_path: Path, capsys: Capture) -> None:
    file = position(tmp_path, text)
    assert json_of(capsys, "score", file)["final"] is final


@pytest.mark.parametrize(
    ("last", "winner"), [("watchtower, prison", "Ben"), ("palace, castle", "Cem")]
)
def test_a_tie_is_decided_and_said(last: str, winner: str, tmp_path: Path, capsys: Capture) -> None:
    """Also below the winner."""
    file = position(
        tmp_path,
        "  first_complete: [Cem]\n"
        "  players:\n"
        "    Anna: {city: [castle, palace, cathedral, fortress], last_rank: 4}\n"
        "    Ben: {city: [harbor, palace, cathedral, fortress], last_rank: 7}\n"
        f"    Cem: {{city: [temple, church, tavern, market, trading_post, {last}]}}\n",
    )
    score = json_of(capsys, "score", file)
    assert score["winners"] == [winner]
    assert score["tie_break"] == ("highest_rank" if winner == "Ben" else None)
    said = text_of(capsys, "score", file)
    assert ("wins" in said) is (winner != "Ben")
    assert "decides the tie for Ben." in said


def test_who_is_level_after_a_tie_break_shares_the_victory(tmp_path: Path, capsys: Capture) -> None:
    file = position(
        tmp_path,
        "  first_complete: [Cem]\n"
        "  players:\n"
        "    Anna: {city: [castle, palace, cathedral, fortress]}\n"
        "    Ben: {city: [harbor, palace, cathedral, fortress]}\n"
        "    Cem: {city: [temple, church, tavern, market, trading_post, prison, palace]}\n"
        "options: {tie_break: [district_points]}\n",
    )
    assert json_of(capsys, "score", file)["winners"] == ["Anna", "Ben"]
    said = text_of(capsys, "score", file)
    assert "Anna and Ben share the victory." in said
    assert "District points decide the tie for Anna and Ben." in said


def test_a_refused_move_gives_no_score(tmp_path: Path, capsys: Capture) -> None:
    file = position(tmp_path, "  called: 3\nmoves:\n  - gold\n")
    assert main(["score", file]) == 1
    output = capsys.readouterr()
    assert output.out == ""
    assert output.err.startswith(f"{file}:5: “gold” isn't allowed.")
