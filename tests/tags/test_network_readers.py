"""Readers behind a network or a line of text, over real sockets, terminals and brokers on this
computer: what the drivers see, and what they say when something is missing."""

from __future__ import annotations

import json
import os
import random
import socket
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest

from tags.readers import Reader, ReaderError
from tags.readers.auto_reader import reader_for
from tags.simulator.chips import Ntag
from tests import needs
from tests.rigs.bridge import TcpBridge
from tests.rigs.pn532 import Pn532
from tests.sizes import pick_size
from tests.tags.conftest import CASTLE, TEMPLE
from tests.waiting import PATIENCE

pytestmark = pytest.mark.outer


def wait_for(reader: Reader, *chips: bytes) -> None:
    """Poll until the reader sees exactly these chips; fails the test if it never does."""
    end = time.monotonic() + PATIENCE
    while tuple(sightings := reader.poll()) != chips:
        assert time.monotonic() < end, f"last seen: {sightings!r}"
        time.sleep(0.01)


def wait_for_fault(call: Callable[[], object]) -> ReaderError:
    """Call until the reader fails."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        try:
            call()
        except ReaderError as error:
            return error
        time.sleep(0.01)
    raise AssertionError("it never failed")


# -- a PN532 behind a bridge ----------------------------------------------------------------------


@pytest.mark.parametrize("delays", [(0, 0), (0.005, 0.05)])
def test_a_reader_behind_a_bridge_sees_chips(delays: tuple[float, float]) -> None:
    with TcpBridge(Pn532(), delays) as bridge:
        reader = reader_for(bridge.path)
        reader.open()
        for chips in ((TEMPLE,), (TEMPLE, CASTLE), (), (CASTLE,)):
            bridge.chip.lay(*map(Ntag, chips))
            wait_for(reader, *chips)
        reader.close()


def test_a_look_costs_two_commands() -> None:
    with TcpBridge(Pn532()) as bridge:
        reader = reader_for(bridge.path)
        reader.open()
        before, looks = bridge.chip.commands, 5
        for _look in range(looks):
            reader.poll()
        # the search, whose answer is waited for, and the field off, whose answer is not
        assert bridge.chip.commands - before <= 2 * looks
        reader.close()


def test_a_silent_bridge_is_noticed_and_found_again() -> None:
    with TcpBridge(Pn532()) as bridge:
        reader = reader_for(bridge.path, "middle")
        reader.open()
        bridge.silent = True
        assert str(wait_for_fault(reader.poll)).startswith("The connection to middle was lost")
        bridge.silent = False
        reader.open()
        bridge.chip.lay(Ntag(TEMPLE))
        wait_for(reader, TEMPLE)
        reader.close()


def test_a_bridge_that_is_not_there_is_said() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        path = "tcp://{}:{}".format(*server.getsockname())
    reader_gone = wait_for_fault(reader_for(path).open)
    assert reader_gone.fault == "missing"
    assert str(reader_gone).startswith(f"Nothing answers at {path}")


# -- lines on a serial port -----------------------------------------------------------------------


def test_scans_are_read_from_lines() -> None:
    termios = pytest.importorskip("termios")
    del termios
    import pty
    import tty

    master, slave = pty.openpty()
    tty.setraw(slave)
    reader = reader_for(f"serial-line:{os.ttyname(slave)}")
    reader.open()
    os.write(master, b"ready\r\nSCAN\tuid=04:a2:b3:c4:d5:e6:80\ttext=\tremovable=no\n")
    wait_for(reader, TEMPLE)
    os.write(master, b"SCAN\tuid=" + b"0" * 1000 + b"\nSCAN\tuid=041122334455AA\n")
    wait_for(reader, CASTLE)
    wait_for(reader)
    os.close(master)
    assert wait_for_fault(reader.poll).fault in ("failed", "missing")
    reader.close()
    os.close(slave)


# -- an MQTT broker -------------------------------------------------------------------------------


@contextmanager
def run_broker(folder: Path, port: int = 0, *, password: str = "") -> Iterator[int]:
    """Mosquitto on a free port of 127.0.0.1; yields the port."""
    if not port:
        with socket.create_server(("127.0.0.1", 0)) as server:
            port = server.getsockname()[1]
    settings = [f"listener {port} 127.0.0.1", f"allow_anonymous {str(not password).lower()}"]
    if password:
        users = folder / "users"
        users.write_text(f"anna:{password}\n", "utf-8")
        users.chmod(0o600)
        program = needs.find_program("mosquitto_passwd", "/usr/bin/mosquitto_passwd")
        assert program is not None
        subprocess.run([program, "-U", users], check=True)
        settings.append(f"password_file {users}")
        if os.geteuid() == 0:
            settings.append("user root")
    file = folder / "mosquitto.conf"
    file.write_text("\n".join(settings) + "\n", "utf-8")
    program = needs.find_program("mosquitto", "/usr/sbin/mosquitto")
    assert program is not None
    with subprocess.Popen([program, "-c", file], stderr=subprocess.DEVNULL) as process:
        end = time.monotonic() + PATIENCE
        while True:
            try:
                socket.create_connection(("127.0.0.1", port), 1).close()
                break
            except OSError:
                assert time.monotonic() < end
                time.sleep(0.01)
        try:
            yield port
        finally:
            process.terminate()


class Publisher:
    """Publishes on a broker, and remembers what it hears."""

    def __init__(self, port: int) -> None:
        from paho.mqtt.client import Client
        from paho.mqtt.enums import CallbackAPIVersion

        self.client = Client(CallbackAPIVersion.VERSION2)
        self.heard: list[tuple[str, bytes | bytearray]] = []
        self.client.on_message = lambda _c, _d, m: self.heard.append((m.topic, m.payload))
        self.client.connect("127.0.0.1", port)
        self.client.loop_start()

    def __call__(self, topic: str, payload: Any, *, retain: bool = False) -> None:
        text = payload if isinstance(payload, str) else json.dumps(payload)
        self.client.publish(topic, text, 1, retain).wait_for_publish(PATIENCE)

    def close(self) -> None:
        """Disconnect and end its thread."""
        self.client.disconnect()
        self.client.loop_stop()


@pytest.fixture
def port(tmp_path: Path) -> Iterator[int]:
    needs.require("mosquitto", "mqtt")
    with run_broker(tmp_path) as listening:
        yield listening


@pytest.fixture
def publish(port: int) -> Iterator[Publisher]:
    with closing(Publisher(port)) as publisher:
        yield publisher


def touch_crowd(
    port: int, publish: Callable[[str, str], None], readers: int, touches: int
) -> Iterator[float]:
    """Touch random readers of that many on one broker; yields the seconds from publishing a scan to
    the poll that sees it. Raises ``AssertionError`` for a chip that another reader sees."""
    chance = random.Random(34)
    url = f"mqtt://127.0.0.1:{port}/seat{{}}/tag?interval=0.05"
    crowd = [reader_for(url.format(number)) for number in range(readers)]
    for reader in crowd:
        reader.open()
    for _ in range(touches):
        count = chance.randrange(readers)
        for topic, chips in (("tag", (TEMPLE,)), ("tag_removed", ())):
            moment = time.monotonic()
            publish(f"seat{count}/{topic}", TEMPLE.hex("-"))
            while tuple(crowd[count].poll()) != chips:
                assert time.monotonic() - moment < PATIENCE
                assert not any(reader.poll() for at, reader in enumerate(crowd) if at != count)
            if chips:
                yield time.monotonic() - moment
    for reader in crowd:
        reader.close()


@pytest.mark.sweep
def test_each_of_many_readers_on_a_broker_sees_its_own_chips(port: int, publish: Publisher) -> None:
    readers, touches = pick_size(10, 200, 200), pick_size(20, 60, 2000)
    assert len(list(touch_crowd(port, publish, readers, touches))) == touches


def test_an_unchanged_esphome_is_heard(port: int, publish: Publisher) -> None:
    publish("pn532/tag", "04-11-22-33-44-55-AA", retain=True)
    reader = reader_for(f"mqtt://127.0.0.1:{port}/pn532/tag")
    reader.open()
    publish("pn532/tag", "04-A2-B3-C4-D5-E6-80")
    wait_for(reader, TEMPLE)  # and never the retained one
    publish("pn532/tag_removed", "04-A2-B3-C4-D5-E6-80")
    wait_for(reader)
    reader.close()


def test_json_and_the_answer(port: int, publish: Publisher) -> None:
    from tags.readers import signal

    publish.client.subscribe("tele/box/SENSOR/result", 1)
    reader = reader_for(f"mqtt://127.0.0.1:{port}/tele/box/SENSOR")
    reader.open()
    publish("tele/box/SENSOR", {"Time": "10:00", "PN532": {"UID": "04A2B3C4D5E680", "DATA": ""}})
    wait_for(reader, TEMPLE)
    signal(reader, True)
    end = time.monotonic() + PATIENCE
    while ("tele/box/SENSOR/result", b"accepted") not in publish.heard:
        assert time.monotonic() < end
        time.sleep(0.01)
    reader.close()


def test_scanners_that_announce_themselves_are_heard(port: int, publish: Publisher) -> None:
    where = "homeassistant/tag/hall"
    publish(
        f"{where}/config", {"topic": "hall/rfid", "value_template": "{{ value_json.a.uid }}"},
        retain=True,
    )  # fmt: skip
    publish("homeassistant/tag/x/y/config", {"topic": "evil", "value_template": "{{ 1/0 }}"})
    reader = reader_for(f"mqtt://127.0.0.1:{port}")
    reader.open()
    end = time.monotonic() + PATIENCE
    while reader.list_scanners() != ["hall/rfid"]:  # type: ignore[attr-defined]
        assert time.monotonic() < end
        reader.poll()
    # The subscription of what was announced is answered after the announcement.
    while not reader.poll():
        assert time.monotonic() < end
        publish("hall/rfid", {"a": {"uid": "04:A2:B3:C4:D5:E6:80"}})
    wait_for(reader, TEMPLE)
    reader.close()


def test_a_lost_broker_is_a_lost_reader(tmp_path: Path) -> None:
    needs.require("mosquitto", "mqtt")
    with run_broker(tmp_path) as port:
        reader = reader_for(f"mqtt://127.0.0.1:{port}/tag")
        reader.open()
    assert wait_for_fault(reader.poll).fault == "failed"
    reader_gone = wait_for_fault(reader.open)
    assert reader_gone.fault == "missing"
    assert "No broker answers" in str(reader_gone)
    with run_broker(tmp_path, port):
        reader.open()
        with closing(Publisher(port)) as publish:
            publish("tag", "04A2B3C4D5E680")
        wait_for(reader, TEMPLE)
        reader.close()


def test_the_password_is_read_from_a_file(tmp_path: Path) -> None:
    needs.require("mosquitto", "mqtt")
    right, wrong = tmp_path / "right", tmp_path / "wrong"
    right.write_text("a secret\n", "utf-8")
    wrong.write_text("a guess\n", "utf-8")
    with run_broker(tmp_path, password="a secret") as port:
        url = f"mqtt://anna@127.0.0.1:{port}/tag?password-file="
        reader = reader_for(f"{url}{right}")
        reader.open()
        reader.close()
        reader_gone = wait_for_fault(reader_for(f"{url}{wrong}").open)
    assert reader_gone.fault == "permission"
    assert "guess" not in str(reader_gone)


# -- Zaparoo --------------------------------------------------------------------------------------


def test_a_reader_of_zaparoo_is_heard() -> None:
    needs.require("zaparoo")
    from websockets.sync.server import ServerConnection, serve

    event = threading.Event()
    lift_event = threading.Event()

    def answer(connection: ServerConnection) -> None:
        token = {"type": "NTAG", "uid": "04a2b3c4d5e680", "text": "", "readerId": "pn532"}
        connection.send("no json")
        connection.send(json.dumps({"jsonrpc": "2.0", "method": "tokens.added", "params": token}))
        event.wait(PATIENCE)
        connection.send(json.dumps({"jsonrpc": "2.0", "method": "tokens.removed", "params": None}))
        lift_event.wait(PATIENCE)

    with serve(answer, "127.0.0.1", 0) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        port = server.socket.getsockname()[1]
        reader = reader_for(f"zaparoo://127.0.0.1:{port}")
        reader.open()
        wait_for(reader, TEMPLE)
        event.set()
        wait_for(reader)
        lift_event.set()
        assert wait_for_fault(reader.poll).fault == "failed"
        server.shutdown()
    reader_gone = wait_for_fault(reader.open)
    assert str(reader_gone).startswith("Zaparoo does not answer at")
