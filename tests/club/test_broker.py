"""A club with a real broker: what a table may write, what its end is called, who speaks for it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from companion.extensions.club import folder
from tests.club.tables import Pub, run_table
from tests.waiting import wait_until

pytestmark = [pytest.mark.outer, pytest.mark.needs("mosquitto", "club")]


@pytest.fixture
def pub(tmp_path: Path) -> Pub:
    return Pub(tmp_path / "pub", ["t1", "t2", "players"])


def test_a_game_from_its_start_to_the_standings(pub: Pub, tmp_path: Path) -> None:
    name = "players"  # as a topic of the hub
    with pub.open(), pub.hub() as hub, run_table(tmp_path / "t", pub.url(name)) as table:
        wait_until(lambda: hub.table(name).get("status") == "ready")
        table.play()
        wait_until(lambda: table.told)
        assert table.told == [f"The club has the result of game {table.session.name}."]
        (result,) = hub.results()
        assert (result["table"], result["name"]) == (name, table.session.name)
        assert result["uuid"] == table.session.open_game.log.uuid
        standings = pub.hear("t1", "hub/standings")
        assert standings["games"] == 1
        assert {row["player"] for row in standings["players"]} == {*table.session.setup.players}
        table.publisher.call_judge("please")
        wait_until(lambda: "Judge, please: please" in hub.get())
    assert len(hub.told) == 0


def test_what_was_lost_with_the_broker_is_there_again(pub: Pub, tmp_path: Path) -> None:
    with pub.hub() as hub, run_table(tmp_path / "t", pub.url("t1")) as table:
        with pub.open():
            wait_until(lambda: hub.table("t1").get("status") == "ready")
        wait_until(lambda: "this may be old" in hub.get())
        table.play()
        (pub.path / "mosquitto.db").unlink(missing_ok=True)
        with pub.open():
            wait_until(lambda: hub.results())
            wait_until(lambda: hub.table("t1")["state"]["state"]["phase"] == "over")
            wait_until(lambda: "this may be old" not in hub.get())
            wait_until(lambda: "The club has the result" in table.told[-1])
            lines = table.told[:-1]  # before the broker ends again
    assert all("The game continues" in line for line in lines[::2])


def test_a_table_that_died_while_the_broker_was_away_is_lost(pub: Pub, tmp_path: Path) -> None:
    with pub.hub() as hub:
        with pub.open(), run_table(tmp_path / "t", pub.url("t1")):
            wait_until(lambda: hub.table("t1").get("status") == "ready")
            pub.kill()  # it can tell of no table
            wait_until(lambda: "this may be old" in hub.get())
        with pub.open(), run_table(tmp_path / "other", pub.url("t2")):
            wait_until(lambda: hub.table("t2").get("status") == "ready")
            assert hub.table("t1")["status"] == "lost"


def test_a_forbidden_write_is_told(pub: Pub, tmp_path: Path) -> None:
    access = pub.path / folder.ACCESS
    access.write_text(access.read_text().replace("pattern write citadels/v1/pub/%u/state", ""))
    with pub.open(), pub.hub(), run_table(tmp_path / "t", pub.url("t1")) as table:
        wait_until(lambda: table.told)
        assert table.told[0].startswith(
            "The club forbids table t1 to write citadels/v1/pub/t1/state"
        )
        table.play(20)


def test_a_wrong_password_is_told(pub: Pub, tmp_path: Path) -> None:
    (pub.path / "t1.word").write_text("wrong")
    with pub.open(), run_table(tmp_path / "t", pub.url("t1")) as table:
        wait_until(lambda: table.told)
        assert table.told[0].startswith("The club does not accept the name or the password")


def test_nobody_writes_for_another_table(pub: Pub, tmp_path: Path) -> None:
    with pub.open(), pub.hub() as hub, run_table(tmp_path / "t", pub.url("t1")) as table:
        wait_until(lambda: hub.table("t1").get("status") == "ready")
        word = (pub.path / "t2.word").read_text()
        foreign = ("pub/t1/status", "pub/hub/draw", "other/t2/status")
        assert pub.write("t2", word, foreign) == {135}
        assert hub.table("t1")["status"] == "ready"
        assert table.told == []


def test_the_wall_reads_everything_and_writes_nothing(pub: Pub, tmp_path: Path) -> None:
    word = (pub.path / folder.WALL_PASSWORD).read_text().strip()
    with pub.open(), pub.hub() as hub, run_table(tmp_path / "t", pub.url("t1")) as table:
        table.play()
        wait_until(lambda: table.told)
        for topic in ("t1/state", "hub/standings", f"t1/result/{table.session.open_game.log.uuid}"):
            assert pub.hear("wall", topic, word)["v"] == 1
        own = [f"pub/wall/{kind}" for kind in ("status", "meta", "state", "call", "result/g")]
        assert pub.write("wall", word, [*own, "pub/t1/status", "pub/hub/draw"]) == {135}
        assert [one["table"] for one in json.loads(hub.get("api/tables"))] == ["t1"]


def test_a_second_computer_takes_over(pub: Pub, tmp_path: Path) -> None:
    with pub.open(), pub.hub() as hub, run_table(tmp_path / "t", pub.url("t1")) as first:
        wait_until(lambda: hub.table("t1").get("status") == "ready")
        with run_table(tmp_path / "other", pub.url("t1")) as second:
            wait_until(lambda: any("Another computer" in line for line in first.told))
            second.play(3)
            wait_until(lambda: hub.table("t1")["state"].get("seq") == 3)
            assert not any("Another computer" in line for line in second.told)
