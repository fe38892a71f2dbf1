"""A club with a real broker: what a table may write, what its end is called, who speaks for it."""

from __future__ import annotations

import json
import os
import socket
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import jinja2
import pytest

from companion.club import folder
from companion.club.folder import Club
from tests.club.tables import Hub, run_hub, run_table, wait_until
from tests.waiting import PATIENCE

pytestmark = [pytest.mark.outer, pytest.mark.needs("mosquitto", "club")]


class Pub:
    """A club's folder whose broker can be started and stopped."""

    def __init__(self, path: Path) -> None:
        with socket.create_server(("127.0.0.1", 0)) as server:
            port = server.getsockname()[1]
        self.path = path
        self.club = Club("pub", "127.0.0.1", port, False)
        words = folder.make(str(path), self.club, ["t1", "t2", "players"], "127.0.0.1")
        for table, word in words.items():
            (path / f"{table}.word").write_text(word)

    def url(self, table: str) -> str:
        return f"{self.club.url(table)}?password-file={self.path / table}.word"

    @contextmanager
    def broker(self) -> Iterator[subprocess.Popen[bytes]]:
        program = folder.find_broker()
        assert program is not None
        words = [program, "-c", os.path.join(self.path, folder.BROKER)]
        with subprocess.Popen(words, stderr=subprocess.DEVNULL) as process:
            wait_until(self._answers)
            try:
                yield process
            finally:
                process.kill()

    def write(self, name: str, word: str, topics: Sequence[str]) -> set[int]:
        """The broker's answers to somebody who writes a status to these topics."""
        from paho.mqtt.client import Client, MQTTv5
        from paho.mqtt.enums import CallbackAPIVersion

        client = Client(CallbackAPIVersion.VERSION2, protocol=MQTTv5)
        client.username_pw_set(name, word)
        client.connect("127.0.0.1", self.club.port)
        client.loop_start()
        codes: dict[int, int] = {}
        client.on_publish = lambda _c, _d, mid, code, _p: codes.update({mid: code.value})
        for topic in topics:
            client.publish(_complete(topic), b'{"state":"lost","birth":99}', 1, retain=True)
        wait_until(lambda: len(codes) == len(topics))
        client.loop_stop()
        return {*codes.values()}

    def hear(self, table: str, topic: str, word: str = "") -> Any:
        """What a table hears at that topic of the club, once there is something."""
        from paho.mqtt import subscribe

        word = word or (self.path / f"{table}.word").read_text()
        message = subscribe.simple(
            _complete(topic if topic.startswith("homeassistant/") else f"pub/{topic}"),
            hostname="127.0.0.1",
            port=self.club.port,
            auth={"username": table, "password": word},
        )
        return json.loads(message.payload)

    def _answers(self) -> bool:
        try:
            socket.create_connection(("127.0.0.1", self.club.port), PATIENCE).close()
        except OSError:
            return False
        return True

    @contextmanager
    def hub(self) -> Iterator[Hub]:
        with run_hub(self.path, self.club.address(folder.HUB, str(self.path))) as hub:
            yield hub


def _complete(topic: str) -> str:
    return topic if topic.startswith("homeassistant/") else f"citadels/v1/{topic}"


@pytest.fixture
def pub(tmp_path: Path) -> Pub:
    return Pub(tmp_path / "pub")


def test_a_game_from_its_start_to_the_standings(pub: Pub, tmp_path: Path) -> None:
    name = "players"  # as a topic of the hub
    with pub.broker(), pub.hub() as hub, run_table(tmp_path / "t", pub.url(name)) as table:
        wait_until(lambda: hub.table(name).get("status") == "ready")
        table.play()
        wait_until(lambda: table.told)
        assert table.told == [f"The club has the result of game {table.session.name}."]
        (result,) = hub.results()
        assert result["game"] == table.session.name
        standings = pub.hear("t1", "hub/standings")
        assert standings["games"] == 1
        assert {row["player"] for row in standings["players"]} == {*table.session.setup.players}
        table.publisher.call_judge("please")
        wait_until(lambda: "Judge, please: please" in hub.get())
    assert len(hub.told) == 0


def test_what_was_lost_with_the_broker_is_there_again(pub: Pub, tmp_path: Path) -> None:
    with pub.hub() as hub, run_table(tmp_path / "t", pub.url("t1")) as table:
        with pub.broker():
            wait_until(lambda: hub.table("t1").get("status") == "ready")
        wait_until(lambda: "this may be old" in hub.get())
        table.play()
        (pub.path / "mosquitto.db").unlink(missing_ok=True)
        with pub.broker():
            wait_until(lambda: hub.results())
            wait_until(lambda: hub.table("t1")["state"]["state"]["phase"] == "over")
            wait_until(lambda: "this may be old" not in hub.get())
            wait_until(lambda: "The club has the result" in table.told[-1])
            lines = table.told[:-1]  # before the broker ends again
    assert all("The game continues" in line for line in lines[::2])


def test_a_table_that_dies_is_lost(pub: Pub, tmp_path: Path) -> None:
    with pub.broker(), pub.hub() as hub, run_table(tmp_path / "t", pub.url("t1")) as table:
        wait_until(lambda: hub.table("t1").get("status") == "ready")
        client = table.publisher._link._client  # type: ignore[union-attr]
        client._sock.shutdown(socket.SHUT_RDWR)
        wait_until(lambda: table.told)
        wait_until(lambda: hub.table("t1")["status"] == "ready")


def test_a_table_that_died_while_the_broker_was_away_is_lost(pub: Pub, tmp_path: Path) -> None:
    with pub.hub() as hub:
        with pub.broker() as broker, run_table(tmp_path / "t", pub.url("t1")):
            wait_until(lambda: hub.table("t1").get("status") == "ready")
            broker.kill()  # it can tell of no table
            broker.wait()
            wait_until(lambda: "this may be old" in hub.get())
        with pub.broker(), run_table(tmp_path / "other", pub.url("t2")):
            wait_until(lambda: hub.table("t2").get("status") == "ready")
            assert hub.table("t1")["status"] == "lost"


def test_a_forbidden_write_is_told(pub: Pub, tmp_path: Path) -> None:
    access = pub.path / folder.ACCESS
    access.write_text(access.read_text().replace("pattern write citadels/v1/pub/%u/state", ""))
    with pub.broker(), pub.hub(), run_table(tmp_path / "t", pub.url("t1")) as table:
        wait_until(lambda: table.told)
        assert table.told[0].startswith(
            "The club forbids table t1 to write citadels/v1/pub/t1/state"
        )
        table.play(20)


def test_a_wrong_password_is_told(pub: Pub, tmp_path: Path) -> None:
    (pub.path / "t1.word").write_text("wrong")
    with pub.broker(), run_table(tmp_path / "t", pub.url("t1")) as table:
        wait_until(lambda: table.told)
        assert table.told[0].startswith("The club does not accept the name or the password")


def test_nobody_writes_for_another_table(pub: Pub, tmp_path: Path) -> None:
    with pub.broker(), pub.hub() as hub, run_table(tmp_path / "t", pub.url("t1")) as table:
        wait_until(lambda: hub.table("t1").get("status") == "ready")
        word = (pub.path / "t2.word").read_text()
        foreign = ("pub/t1/status", "pub/hub/draw", "other/t2/status")
        assert pub.write("t2", word, foreign) == {135}
        assert hub.table("t1")["status"] == "ready"
        assert table.told == []


def test_the_wall_reads_everything_and_writes_nothing(pub: Pub, tmp_path: Path) -> None:
    word = (pub.path / folder.WALL_PASSWORD).read_text().strip()
    with pub.broker(), pub.hub() as hub, run_table(tmp_path / "t", pub.url("t1")) as table:
        table.play()
        wait_until(lambda: table.told)
        for topic in ("t1/state", "hub/standings", f"t1/result/{table.session.name}"):
            assert pub.hear("wall", topic, word)["v"] == 1
        own = [f"pub/wall/{kind}" for kind in ("status", "meta", "state", "call", "result/g")]
        assert pub.write("wall", word, [*own, "pub/t1/status", "pub/hub/draw"]) == {135}
        assert [one["table"] for one in json.loads(hub.get("api/tables"))] == ["t1"]


def test_home_assistant_finds_a_table_that_wants_it(pub: Pub, tmp_path: Path) -> None:
    word = (pub.path / folder.WALL_PASSWORD).read_text().strip()
    url = f"{pub.url('t1')}&home-assistant=yes"
    with pub.broker(), run_table(tmp_path / "t", url) as table:
        config = pub.hear("wall", "homeassistant/device/citadels-pub-t1/config", word)
        assert config["device"]["identifiers"] == ["citadels-pub-t1"]

        def read(template: str, topic: str) -> str:
            message = pub.hear("wall", topic.removeprefix("citadels/v1/pub/"), word)
            return jinja2.Template(template).render(value_json=message)

        def read_sensors() -> dict[str, str]:
            sensors = config["components"].items()
            return {key: read(one["value_template"], config["state_topic"]) for key, one in sensors}

        assert read_sensors() == {"round": "1", "turn": "Kurt", "over": "OFF"}
        table.play()
        wait_until(lambda: read_sensors()["over"] == "ON")
        assert read(config["availability_template"], config["availability_topic"]) == "online"
        foreign = ("homeassistant/device/citadels-pub-t2/config",)
        assert pub.write("t1", (pub.path / "t1.word").read_text(), foreign) == {135}
        assert pub.write("wall", word, foreign) == {135}


def test_a_table_that_may_not_tell_home_assistant_is_on_the_wall(pub: Pub, tmp_path: Path) -> None:
    access = pub.path / folder.ACCESS
    access.write_text(access.read_text().replace("topic write homeassistant", "topic read x"))
    url = f"{pub.url('t1')}&home-assistant=yes"
    with pub.broker(), pub.hub() as hub, run_table(tmp_path / "t", url) as table:
        wait_until(lambda: hub.table("t1").get("status") == "ready")
        wait_until(lambda: table.told)
        table.play(2)
        wait_until(lambda: hub.table("t1")["state"]["seq"] == 2)
        (line,) = table.told
        assert line.startswith("The club forbids table t1 to write homeassistant/device/")


def test_a_second_computer_takes_over(pub: Pub, tmp_path: Path) -> None:
    with pub.broker(), pub.hub() as hub, run_table(tmp_path / "t", pub.url("t1")) as first:
        wait_until(lambda: hub.table("t1").get("status") == "ready")
        with run_table(tmp_path / "other", pub.url("t1")) as second:
            wait_until(lambda: any("Another computer" in line for line in first.told))
            second.play(3)
            wait_until(lambda: hub.table("t1")["state"].get("seq") == 3)
            assert not any("Another computer" in line for line in second.told)
