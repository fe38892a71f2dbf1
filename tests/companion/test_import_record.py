"""Records and files of `companion score` are imported like other games, each once."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.commands.cli import main
from tests.bench.many_games import fill
from tests.companion.past_games import Capture, begin, json_of, lines_of, random_games

EVENING = """\
# evening.yaml
edition: classic_2016
players: [Kurt, Ashley, Anna, Ben]
position:
  players:
    Kurt: {gold: 0, hand: 0, city: [castle, tavern, trading_post, monastery, cathedral, observatory,
           haunted_quarter]}
    Ashley: {gold: 2, hand: 0, city: [docks, trading_post, barracks, prison, manor, dragon_gate]}
  first_complete: Kurt
"""


@pytest.fixture
def evening(home: Path) -> Path:
    file = home / "evening.yaml"
    file.write_text(EVENING, encoding="utf-8")
    return file


@pytest.mark.looking_back
def test_a_record_brings_the_whole_game(
    log: str, home: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    fill(log, random_games(2))
    file = home / "game.yaml"
    file.write_text("\n".join(lines_of(capsys, "record")), encoding="utf-8")
    (newest, *_older), stats = json_of(capsys, "history"), json_of(capsys, "stats")
    answer = json_of(capsys, "import", str(file))
    assert (answer["added"], answer["known"]) == (0, 1)  # it is a game of this table
    assert json_of(capsys, "stats") == stats
    monkeypatch.setenv("COMPANION_DATA", str(home / "elsewhere"))
    assert json_of(capsys, "import", str(file))["added"] == 1
    assert json_of(capsys, "import", str(file))["known"] == 1
    (game,) = json_of(capsys, "history")
    assert {k: game[k] for k in ("players", "totals", "winners", "rounds")} == {
        k: newest[k] for k in ("players", "totals", "winners", "rounds")
    }
    assert json_of(capsys, "stats")["games"] == 1


@pytest.mark.looking_back
def test_an_evening_that_was_only_scored_counts(
    log: str, evening: Path, home: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    scores = json_of(capsys, "score", str(evening))
    assert json_of(capsys, "import", str(evening))["added"] == 1
    assert json_of(capsys, "import", str(evening))["known"] == 1
    (game,) = json_of(capsys, "history")
    assert game["winners"] == ["Kurt"]
    assert json_of(capsys, "score", game["game"]) == scores
    stats = json_of(capsys, "stats")
    assert (stats["games"], stats["players"]["Kurt"]["wins"]) == (1, 1)
    for command in ("recap", "record", "replay"):
        assert lines_of(capsys, command, game["game"])
    lines_of(capsys, "players", "forget", "Kurt")
    assert "Kurt" not in "\n".join(lines_of(capsys, "record", game["game"]))
    lines_of(capsys, "players", "undo")
    file = home / "all.citadels"
    lines_of(capsys, "export", str(file))
    monkeypatch.setenv("COMPANION_DATA", str(home / "elsewhere"))
    assert json_of(capsys, "import", str(file))["added"] == 1
    assert json_of(capsys, "stats") == stats


@pytest.mark.parametrize(
    ("was", "now", "sentence"),
    [
        ("tavern", "tavren", ":6: "),
        ("  first_complete: Kurt\n", "moves:\n- fly\n", ":10: "),
        (", observatory,\n           haunted_quarter", "", "the game is not over"),
    ],
)
def test_what_is_wrong_is_refused_whole(
    log: str, evening: Path, was: str, now: str, sentence: str, capsys: Capture
) -> None:
    begin(log, "Anna", "Kurt", "Ashley", "Ben")
    before = Path(log).read_bytes()
    text = EVENING.replace(was, now)
    if "not over" in sentence:
        text = text.replace("  first_complete: Kurt\n", "")
    evening.write_text(text, encoding="utf-8")
    assert main(["import", str(evening)]) == 1
    assert sentence in capsys.readouterr().err
    assert Path(log).read_bytes() == before
