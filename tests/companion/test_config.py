"""Settings: the layers in order, every mistake at once, and a cache that changes nothing."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import platformdirs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion import compiled, config, locations, strict_yaml
from companion.config import ConfigError
from companion.voice import settings as voice_settings


@pytest.fixture
def env(home: Path) -> dict[str, str]:
    """An environment of its own, without any `COMPANION_…` variable."""
    return {f"XDG_{kind.upper()}_HOME": str(home / kind) for kind in ("config", "data", "cache")}


def own_settings(env: dict[str, str], text: str) -> str:
    """Write the user's settings file; its path."""
    path = Path(locations.user_config(env))
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return str(path)


def problems(env: dict[str, str], **options: object) -> tuple[str, ...]:
    with pytest.raises(ConfigError) as caught:
        config.load(env, options=options)
    return caught.value.problems


def test_the_defaults(env: dict[str, str], home: Path) -> None:
    found = config.load(env)
    assert (found.edition, found.language, found.reader) == ("classic_2016", "en", "auto")
    assert (found.secrecy, found.theme, found.animation) == ("announced", "dark", True)
    assert found.plain is False
    assert found.data == str(home / "data" / "citadels-companion")
    assert found.games == os.path.join(found.data, "games.sqlite3")
    assert found.chips == os.path.join(found.data, "tags.yaml")


def test_the_shipped_file_gives_and_explains_every_setting() -> None:
    path = Path(locations.default_config())
    document = strict_yaml.read(str(path))
    lines = path.read_text(encoding="utf-8").splitlines()
    for key in config.KEYS:
        line = document.line(key.split("."))
        assert lines[line - 1].strip().startswith(key.rpartition(".")[2])
        assert lines[line - 2].strip().startswith("#"), f"{key} has no comment"
    for variable in config.VARIABLES:
        assert f"({variable})" in path.read_text(encoding="utf-8")


def test_every_setting_has_a_sentence() -> None:
    source = Path(config.__file__).read_text(encoding="utf-8").split("class Config:")[1]
    spoken = Path(voice_settings.__file__).read_text(encoding="utf-8")
    for key in config.KEYS:
        group, _, name = key.rpartition(".")
        text = spoken if group == "voice" else source
        field = text.split(f"\n    {name}: ")[1].splitlines()[1].strip()
        assert field.startswith('"""'), key
        assert field.endswith('."""'), key


def test_later_layers_win(env: dict[str, str]) -> None:
    own_settings(env, "language: fr\ntheme: light\nanimation: false\n")
    env |= {"COMPANION_THEME": "terminal", "COMPANION_ANIMATION": "1", "COMPANION_EDITION": ""}
    found = config.load(env, options={"reader": "none", "edition": None})
    assert (found.language, found.theme, found.animation) == ("fr", "terminal", True)
    assert (found.reader, found.edition) == ("none", "classic_2016")


def test_one_folder_for_a_table(env: dict[str, str], tmp_path: Path) -> None:
    env["COMPANION_DATA"] = str(tmp_path)
    own_settings(env, "language: ru\npaths: {data: /elsewhere, chips: /decks/blue.yaml}\n")
    found = config.load(env)
    assert (tmp_path / "config.yaml").exists()
    assert (found.language, found.data) == ("ru", str(tmp_path))
    assert found.chips == "/decks/blue.yaml"


def test_paths_may_begin_at_home(env: dict[str, str]) -> None:
    own_settings(env, "paths:\n  data: ~/citadels\n")
    assert config.load(env).data == os.path.expanduser("~/citadels")


def test_all_mistakes_are_said_at_once(env: dict[str, str]) -> None:
    path = own_settings(
        env,
        "editon: classic_2016\nedition: clasic_2016\nanimation: yes\ndata: /x\nreader: simulatd\n"
        "theme: 5\npaths:\n  chip: x\n  data: true\n",
    )
    env |= {"COMPANION_SECRECY": "anounced", "COMPANION_LANGAUGE": "fr", "COMPANION_PLAIN": "maybe"}
    editions = ", ".join(config.EDITIONS)
    assert problems(env, language="eng") == (
        f"{path}:1: unknown key “editon”; did you mean “edition”?",
        f"{path}:2: edition: “clasic_2016” is not one of {editions}; did you mean “classic_2016”?",
        f"{path}:3: animation: “yes” is neither true nor false",
        f"{path}:4: unknown key “data”; write it indented below “paths:”",
        f"{path}:5: reader: “simulatd” is neither auto, none, simulated nor a path; "
        "did you mean “simulated”?",
        f"{path}:6: theme: 5 is not one of dark, light, high-contrast, terminal",
        f"{path}:8: unknown key “paths.chip”; did you mean “paths.chips”?",
        f"{path}:9: paths.data: true is not a path; quote it if it is",
        "COMPANION_SECRECY: “anounced” is not one of announced, secret; did you mean “announced”?",
        "“COMPANION_LANGAUGE” is not a known variable; did you mean “COMPANION_LANGUAGE”?",
        "COMPANION_PLAIN: “maybe” is neither true nor false",
        "--language: “eng” is not one of auto, en, fr, ru; did you mean “en”?",
    )


def test_another_program_may_own_a_variable(env: dict[str, str]) -> None:
    env["COMPANION_ADMIN_PASSWORD"] = "x"
    config.load(env)


@pytest.mark.parametrize("text", ["- a\n- b\n", "just text\n", "5\n"])
def test_settings_that_are_no_mapping(env: dict[str, str], text: str) -> None:
    path = own_settings(env, text)
    assert problems(env) == (f"{path}:1: settings are lines of “key: value”",)


def test_a_group_that_holds_a_value(env: dict[str, str]) -> None:
    path = own_settings(env, "paths: /x\n")
    assert problems(env) == (f"{path}:1: “paths” holds further keys, indented below it",)


def test_broken_yaml_and_a_folder_in_its_place(env: dict[str, str]) -> None:
    path = own_settings(env, "language: fr\nlanguage: ru\n*x : 1\n")
    assert [line.rpartition(path)[2].split(":")[1] for line in problems(env)] == ["2", "3"]
    os.unlink(path)
    os.mkdir(path)
    assert problems(env) == (f"{path}: cannot be read: it is a folder",)


def test_empty_settings_are_fine(env: dict[str, str]) -> None:
    own_settings(env, "# language: fr\n")
    assert config.load(env).language == "en"
    own_settings(env, "paths:\n")
    assert config.load(env).language == "en"


@pytest.mark.parametrize(
    ("variables", "spoken"),
    [
        ({"LANG": "fr_FR.UTF-8"}, "fr"),
        ({"LANG": "fr_FR.UTF-8", "LC_MESSAGES": "ru_RU"}, "ru"),
        ({"LANG": "fr_FR.UTF-8", "LC_ALL": "C.UTF-8", "LANGUAGE": "ru"}, "en"),
        ({"LANG": "de_DE.UTF-8", "LANGUAGE": "de:ru:fr"}, "ru"),
        ({"LANG": "de_DE.UTF-8"}, "en"),
        ({"LANG": "fr_FR.UTF-8", "COMPANION_LANGUAGE": "ru"}, "ru"),
        ({}, "en"),
    ],
)
def test_the_languages_of_the_system_are_followed_in_their_order(
    env: dict[str, str], variables: dict[str, str], spoken: str
) -> None:
    assert config.load(env | variables).language == spoken


def test_wrong_settings_are_told_in_the_systems_language(env: dict[str, str]) -> None:
    own_settings(env, "theme: pink\n")
    with pytest.raises(ConfigError) as caught:
        config.load(env | {"LANG": "fr_FR.UTF-8"})
    assert caught.value.language == "fr"


def test_a_hostile_value_is_shown_harmless(env: dict[str, str]) -> None:
    env["COMPANION_THEME"] = "\x1b]0;x\x07\u202e"
    assert "\x1b" not in problems(env)[0]
    assert "\u202e" not in problems(env)[0]


@pytest.mark.parametrize(
    "word",
    [
        "auto",
        "none",
        "simulated",
        "/dev/ttyUSB0",
        "usb",
        "usb:072f:2200",
        "COM3",
        "usb:1:5",
        "tty:USB0:pn532",
    ],
)
def test_readers(env: dict[str, str], word: str) -> None:
    env["COMPANION_READER"] = word
    assert config.load(env).reader == word


@pytest.mark.parametrize("word", ["simulatd", "tty:USB0:pn53", "usb:x:y", "5"])
def test_no_readers(env: dict[str, str], word: str) -> None:
    env["COMPANION_READER"] = word
    (said,) = problems(env)
    assert said.startswith("COMPANION_READER: ")


def test_the_editions_may_be_told(env: dict[str, str]) -> None:
    env["COMPANION_EDITION"] = "tiny"
    assert config.load(env, editions=["tiny", "classic_2016"]).edition == "tiny"


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere platformdirs is asked")
@pytest.mark.parametrize("value", [None, "", "  ", "/somewhere"])
@pytest.mark.parametrize("kind", ["config", "data", "cache"])
def test_our_folders_are_those_of_platformdirs(
    kind: str, value: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    variable = f"XDG_{kind.upper()}_HOME"
    monkeypatch.delenv(variable)
    monkeypatch.delenv("COMPANION_DATA")
    if value is not None:
        monkeypatch.setenv(variable, value)
    expected = getattr(platformdirs, f"user_{kind}_dir")(locations.APP, appauthor=False)
    assert locations._user_folder(kind, os.environ) == expected


def test_settings_load_without_heavy_modules(env: dict[str, str]) -> None:
    """Once read, the settings come from the cache: no YAML parser, nothing that costs a start."""
    config.load(env)
    code = (
        "import sys; from companion import config; config.load()\n"
        "print(*{'yaml', 'platformdirs', 'dataclasses', 'inspect', 'typing', 'pathlib', 'difflib'}"
        " & set(sys.modules))"
    )
    environment = {**env, "PYTHONPATH": os.getcwd(), "PATH": os.environ["PATH"]}
    done = subprocess.run(
        [sys.executable, "-S", "-c", code],
        env=environment,
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.strip() == ""


def kept_file(env: dict[str, str]) -> Path:
    """The only file in the cache."""
    (found,) = (Path(locations.cache_dir(env)) / "compiled").iterdir()
    return found


def test_the_cache_notices_any_change(env: dict[str, str], tmp_path: Path) -> None:
    path = tmp_path / "a.yaml"
    for text in ("a: 1\n", "a: 2\n", "a: 1\n"):
        path.write_text(text)
        os.utime(path, (1, 1))  # same size, same time: only the contents tell
        assert compiled.read(str(path), env=env).data == strict_yaml.read(str(path)).data
        again = compiled.read(str(path), env=env)
        assert (again.data, again.marks) == ({"a": int(text[3])}, (1, {"a": 1}))


def test_the_cache_is_used(
    env: dict[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "a.yaml"
    path.write_text("a: 1\n")
    compiled.read(str(path), env=env)
    monkeypatch.delattr(strict_yaml, "parse_bytes")
    assert compiled.read(str(path), env=env).data == {"a": 1}


def test_problems_are_never_kept(env: dict[str, str], tmp_path: Path) -> None:
    path = tmp_path / "a.yaml"
    path.write_text("a: 1\na: 2\n")
    for _ in range(2):
        with pytest.raises(strict_yaml.YamlProblems, match="given twice"):
            compiled.read(str(path), env=env)


@given(data=st.data())
def test_a_damaged_cache_changes_nothing(
    data: st.DataObject, tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.mktemp("damaged")
    env = {"XDG_CACHE_HOME": str(folder / "cache")}
    path = folder / "a.yaml"
    path.write_text("a: [1, {b: c}]\n")
    expected = compiled.read(str(path), env=env)
    whole = kept_file(env).read_bytes()
    at = data.draw(st.integers(0, len(whole)))
    damaged = data.draw(
        st.sampled_from([whole[:at], whole[:at] + b"\xff" + whole[at + 1 :], whole + b"x", b""])
    )
    kept_file(env).write_bytes(damaged)
    found = compiled.read(str(path), env=env)
    assert (found.data, found.marks) == (expected.data, expected.marks)


def test_a_cache_that_others_may_write_is_not_trusted(
    env: dict[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "a.yaml"
    path.write_text("a: 1\n")
    compiled.read(str(path), env=env)
    assert kept_file(env).stat().st_mode & 0o777 == 0o600
    kept_file(env).chmod(0o666)
    monkeypatch.setattr(strict_yaml, "parse_bytes", lambda source, name: "read anew")
    monkeypatch.setattr(compiled, "_keep", lambda *_: None)
    assert compiled.read(str(path), env=env) == "read anew"


def test_no_cache_can_be_written(tmp_path: Path) -> None:
    path = tmp_path / "a.yaml"
    path.write_text("a: 1\n")
    assert compiled.read(str(path), env={"XDG_CACHE_HOME": "/dev/null/x"}).data == {"a": 1}


def test_the_link_of_chips_is_a_link_or_null(tmp_path: Path) -> None:
    assert config.load({"COMPANION_DATA": str(tmp_path)}).link is None
    given = {"COMPANION_DATA": str(tmp_path), "COMPANION_LINK": "https://example.org/c/"}
    assert config.load(given).link == "https://example.org/c/"
    with pytest.raises(config.ConfigError, match="begins like https"):
        config.load(given | {"COMPANION_LINK": "javascript:alert(1)"})
