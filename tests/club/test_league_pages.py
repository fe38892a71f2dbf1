"""The league on the hub's pages: everybody sees seats and ranking."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.commands.cli import main
from companion.extensions.club import league_files
from companion.extensions.club.league import League
from companion.game.demonstration import read_demo
from tests.club.tables import Pub
from tests.waiting import wait_until

pytestmark = [pytest.mark.outer, pytest.mark.needs("mosquitto", "club")]

NAMES = (*read_demo().setup.players, "Eve", "<b>Finn</b>", "Gil", "Hal")


@pytest.fixture
def pub(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Pub:
    """A club of those who play the demonstration's game and some others."""
    club = Pub(tmp_path / "pub", ["t1"])
    monkeypatch.setenv("COMPANION_DATA", str(club.path))
    league_files.save(str(club.path), League(players=dict(enumerate(NAMES, 1))))
    return club


def test_everybody_sees_what_is_drawn_and_edited(pub: Pub) -> None:
    words = ("club", "draw")
    with pub.open(), pub.hub() as hub:
        assert "No round has been drawn yet." in hub.get("draw")
        assert main([*words, "--absent", "Hal", "--absent", "eve"]) == 0
        seats = pub.hear("t1", "hub/draw")
        assert sum(map(len, seats["tables"].values())) == len(NAMES) - 2
        page = hub.get("draw")
        assert "&lt;b&gt;Finn&lt;/b&gt;" in page
        assert "<b>Finn</b>" not in page
        assert "Hal" not in page
        one, other = seats["tables"]["t1"][:2]
        path = pub.path / "rounds" / "1.yaml"
        changed = path.read_text().replace(one, "?").replace(other, one).replace("?", other)
        path.write_text(changed)
        wait_until(lambda: pub.hear("t1", "hub/draw") != seats)
    with pub.open(), pub.hub():  # also after a restart
        assert pub.hear("t1", "hub/draw")["tables"]["t1"][:2] == [other, one]


def test_a_file_with_a_mistake_is_told_and_changes_nothing(pub: Pub) -> None:
    with pub.open(), pub.hub() as hub:
        assert main(["club", "draw"]) == 0
        seats = pub.hear("t1", "hub/draw")
        path = pub.path / "rounds" / "1.yaml"
        path.write_text(path.read_text().replace("absent: []", f"absent: []\nbyes: [{NAMES[0]}]"))
        wait_until(lambda: hub.told)
        assert "1.yaml:" in hub.told[0]
        assert pub.hear("t1", "hub/draw") == seats
