"""The league on the hub's pages: the judge draws, everybody sees seats and ranking."""

from __future__ import annotations

import json
from pathlib import Path
from urllib.error import HTTPError

import pytest

from companion.club import league_files
from companion.club.league import League
from companion.game import playing
from tests.club.tables import Hub, run_hub, run_table, wait_until

pytestmark = pytest.mark.outer

NAMES = (*playing.record().setup.players, "Eve", "<b>Finn</b>", "Gil", "Hal")


def make_league(folder: Path) -> None:
    """A club of those who play the demonstration's game and some others."""
    folder.mkdir(exist_ok=True)
    league_files.save(str(folder), League(players=dict(enumerate(NAMES, 1))))


def draw_of(hub: Hub) -> dict:
    """What the hub tells its tables; empty before the first round."""
    try:
        return dict(json.loads(hub.get("citadels/v1/pub/hub/draw")))
    except HTTPError as error:
        error.close()
        return {}


def test_the_judge_draws_and_exchanges_and_everybody_sees_it(tmp_path: Path) -> None:
    make_league(tmp_path)
    with run_hub(tmp_path) as hub:
        assert "No round has been drawn yet." in hub.get("draw")
        text = hub.judge(say="draw", absent="Hal, eve")
        assert "Not here: Eve and Hal." in text
        entries = draw_of(hub)
        assert sum(map(len, entries["tables"].values())) == len(NAMES) - 2
        page = hub.get("draw")
        assert "&lt;b&gt;Finn&lt;/b&gt;" in page
        assert "<b>Finn</b>" not in page
        assert "Hal" not in page
        one, other = entries["tables"]["table-1"][:2]
        hub.judge(say="swap", one=one, other=other)
        fields = draw_of(hub)
        assert fields != entries
        assert fields["round"] == 1
        assert "round 1 has no result yet from" in hub.judge(say="draw")
        assert "there is no player called “Nobody”" in hub.judge(say="draw", absent="Nobody")
        hub.judge(say="draw", anyway="on")
        assert draw_of(hub)["round"] == 2
        assert league_files.read_rounds(str(tmp_path))[1].number == 2
    with run_hub(tmp_path) as hub:
        wait_until(lambda: draw_of(hub).get("round") == 2)  # also after a restart


def test_a_result_is_in_the_ranking_and_a_correction_changes_it(tmp_path: Path) -> None:
    make_league(tmp_path / "hub")
    with run_hub(tmp_path / "hub") as hub, run_table(tmp_path / "t", hub.address("t1")) as table:
        table.play()
        wait_until(lambda: '<th scope="row">' in hub.get("standings"))
        before = json.loads(hub.get("api/standings"))
        assert before["games"] == 1
        assert {row["player"] for row in before["players"]} == {*playing.record().setup.players}
        last = before["players"][-1]["player"]
        (result,) = hub.results()
        points = {
            f"points{place}": "200"
            if name == last
            else str(result["score"]["players"][name]["total"])
            for place, name in enumerate(result["score"]["ranking"])
        }
        hub.judge(say="correct", number=str(result["number"]), reason="counted wrong", **points)
        wait_until(lambda: json.loads(hub.get("api/standings"))["players"][0]["player"] == last)
        assert "Corrected by the judge: counted wrong" in hub.get("standings")


def test_a_file_with_a_mistake_is_told_and_changes_nothing(tmp_path: Path) -> None:
    make_league(tmp_path)
    with run_hub(tmp_path) as hub:
        hub.judge(say="draw")
        entries = draw_of(hub)
        path = tmp_path / "rounds" / "1.yaml"
        path.write_text(path.read_text().replace("byes: []", f"byes: [{NAMES[0]}]"))
        wait_until(lambda: hub.told)
        assert "1.yaml:" in hub.told[0]
        assert hub.told[0].endswith(f"{NAMES[0]} has two places in this round")
        assert draw_of(hub) == entries
