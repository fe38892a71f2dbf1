"""Several readers at a table: their settings, and whose tap it was."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.files import locations
from companion.readers import table_reader as readers
from companion.readers.table_reader import TableReader
from companion.settings import config
from companion.settings.config import ConfigError
from companion.settings.named_readers import ReaderSetting
from engine.record import Setup
from tags.readers import auto_reader
from tags.watch import Lift, Tap
from tests.tags.conftest import Recorder

TEMPLE, CASTLE = "04A2B3C4D5E680", "041122334455AA"


@pytest.fixture
def env(tmp_path: Path) -> dict[str, str]:
    return {"COMPANION_DATA": str(tmp_path)}


def write(env: dict[str, str], text: str) -> str:
    path = Path(locations.user_config(env))
    path.write_text(text, encoding="utf-8")
    return str(path)


def test_one_reader_for_this_start_goes_before_them(env: dict[str, str]) -> None:
    write(env, "readers: {middle: usb@1-2}\n")
    assert readers.list_wanted(config.load(env, options={"reader": "none"})) == ()
    env["COMPANION_READER"] = "pcsc"
    assert readers.list_wanted(config.load(env)) == (ReaderSetting("pcsc", "pcsc"),)


@pytest.mark.parametrize(
    ("path", "line"),
    [
        ("tcp://192.0.2.7:8888", "socat pty,raw,echo=0,link=pn532 tcp:192.0.2.7:8888 & "),
        ("mqtt://anna@pi.local/pn532/tag?interval=0.1", "mosquitto_sub -h pi.local -t pn532/tag"),
        ("mqtts://pi.local:8884", "mosquitto_sub -h pi.local -p 8884 -t TOPIC >taps & "),
        ("zaparoo://mister.local", "websocat -u ws://mister.local:7497/api/v0.1 >taps & "),
        ("serial-line:/dev/ttyACM0", "stty -F /dev/ttyACM0 115200 raw; mkfifo taps; cat "),
        ("mqtt://[", "mosquitto_sub -h HOST -t TOPIC"),
    ],
)
def test_a_road_that_is_gone_is_told_with_what_replaces_it(
    path: str, line: str, env: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(auto_reader, "present", lambda: None)
    write(env, f"reader: '{path}'\n")
    settings = config.load(env)
    assert readers.list_wanted(settings) == (ReaderSetting("simulated", "simulated"),)
    (text,) = readers.list_gone(settings)
    assert line in text
    assert "companion play --reader" in text
    write(env, f"readers:\n  middle: '{path}'\n  anna: {{path: pcsc, seat: 1}}\n")
    settings = config.load(env)
    assert readers.list_wanted(settings) == (ReaderSetting("anna", "pcsc", 1),)
    assert readers.list_gone(settings) == [text]


def test_the_readers_of_one_file_are_told_apart_by_their_lines(env: dict[str, str]) -> None:
    write(env, "readers:\n  middle: file:taps\n  anna: {path: 'file:taps', seat: 1}\n")
    assert [one.seat for one in config.load(env).readers] == [None, 1]


def test_a_port_under_two_names_is_one_reader(env: dict[str, str]) -> None:
    write(env, "readers: {middle: 'tty:USB0', anna: /dev/ttyUSB0}\n")
    with pytest.raises(ConfigError, match="is already the reader “middle”"):
        config.load(env)


def test_every_mistake_has_its_line_and_the_nearest_word(env: dict[str, str]) -> None:
    path = write(
        env,
        "readers:\n  '': usb\n  left: ubs\n  right: {paht: usb@1-2}\n"
        "  anna:\n    path: usb@1-3\n    seat: 9\n  kurt: usb@1-3\n  ben: auto\n",
    )
    with pytest.raises(ConfigError) as exception_info:
        config.load(env)
    problems = exception_info.value.problems
    starts = [problem.removeprefix(path).split(": ")[:2] for problem in problems]
    assert starts == [
        [":2", "readers."],
        [":3", "readers.left"],
        [":4", "readers.right.paht"],
        [":4", "readers.right"],
        [":7", "readers.anna.seat"],
        [":8", "readers.kurt"],
        [":9", "readers.ben"],
    ]
    assert "unknown key “paht”; did you mean “path”?" in problems[2]
    assert "is already the reader “anna”" in problems[5]


@pytest.mark.parametrize("value", ["usb", "[usb]", "{}", "5"])
def test_what_is_no_list_of_readers(env: dict[str, str], value: str) -> None:
    write(env, f"readers: {value}\n")
    with pytest.raises(ConfigError, match="is not a list of readers"):
        config.load(env)


def test_a_tap_says_at_whose_seat(env: dict[str, str], tmp_path: Path) -> None:
    files = {name: tmp_path / name for name in ("anna", "kurt", "all")}
    for file in files.values():
        file.touch()
    write(
        env,
        "readers:\n"
        f"  anna: {{path: 'file:{files['anna']}', seat: 1}}\n"
        f"  kurt: {{path: 'file:{files['kurt']}', seat: 2}}\n"
        f"  all: 'file:{files['all']}'\n",
    )
    events = Recorder()
    rules = Setup("classic_2016", ("Anna", "Kurt", "Ashley", "Ben"), "Anna").ruleset()
    table = TableReader.open(config.load(env), rules, on_event=events)
    assert table is not None
    assert table.name == "anna, kurt, all"
    table.start()
    try:
        for name, seat in (("anna", 0), ("kurt", 1), ("all", None)):
            files[name].write_text(f"hold {TEMPLE}\n", encoding="utf-8")
            tap = events.wait_for(Tap)
            assert (tap.reader, table.seat(tap)) == (name, seat)
        assert table.lying == bytes.fromhex(TEMPLE)
        with files["kurt"].open("a", encoding="utf-8") as text_iowrapper:
            text_iowrapper.write("lift\n")
        lift = events.wait_for_next()
        assert isinstance(lift, Lift)
        assert table.seat(lift) == 1
        assert table.lying == bytes.fromhex(TEMPLE)  # on the other two
    finally:
        table.stop()
