"""Settings: the layers in order, every mistake at once, and a cache that changes nothing."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from companion.commands.cli import main
from companion.errors import lines
from companion.files import locations
from companion.language import list_offered
from companion.settings import config
from companion.settings.all_settings import SETTINGS
from companion.settings.config import ConfigError, VoiceSettings
from companion.settings.setting import Setting, list_brought
from engine import datafiles
from scripts.settings import document

ROOT = Path(__file__).parents[2]


@pytest.fixture
def env(home: Path) -> dict[str, str]:
    """A separate environment, without any `COMPANION_…` variable."""
    return {}


def own_settings(env: dict[str, str], text: str) -> str:
    """Write the user's settings file; returns its path."""
    path = Path(locations.user_config(env))
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return str(path)


def problems(env: dict[str, str], **options: object) -> tuple[str, ...]:
    with pytest.raises(ConfigError) as exception_info:
        config.load(env, options=options)
    return exception_info.value.problems


def test_the_defaults(env: dict[str, str], home: Path) -> None:
    settings = config.load(env)
    assert (settings.edition, settings.language, settings.readers[0].path) == (
        "classic_2016",
        "en",
        "auto",
    )
    assert (settings.secrecy, settings.theme, settings.cursor) == ("announced", "dark", False)
    assert settings.plain is False
    assert settings.data == str(home / ".data" / "citadels-companion")
    assert settings.games == os.path.join(settings.data, "games.sqlite3")
    assert settings.chips == os.path.join(settings.data, "tags.yaml")


@pytest.mark.documents
def test_the_shipped_file_is_written_from_the_table() -> None:
    same = (ROOT / "config.yaml").read_text(encoding="utf-8") == document()
    assert same, "run make settings: config.yaml is not what all_settings.py says"


def test_every_attribute_of_the_settings_is_in_the_table() -> None:
    names = {setting.name for setting in SETTINGS.values()}
    fields = {*config.Config.__annotations__, *VoiceSettings.__annotations__}
    for name in fields - {"notices", "given", "extended", "voice"}:
        assert name in names, f"companion/settings/all_settings.py lacks {name}"


def test_the_shipped_file_says_what_is_in_force_without_one(
    env: dict[str, str], tmp_path: Path
) -> None:
    usual = config.load(env)
    shutil.copy(ROOT / "config.yaml", own_settings(env, ""))
    loaded = config.load(env)
    usual_brought = {setting.key: setting.default for setting in list_brought()}
    assert loaded.extended == usual_brought, "what extensions are told is what they assume"
    same: dict[str, object] = {"given": (), "extended": {}}
    assert vars(loaded) | same == vars(usual) | same


def test_settings_of_former_versions_are_told_with_what_replaces_them(env: dict[str, str]) -> None:
    gone = "season: 2026-09-01\ntags: {dropout: 0.5}\nvoice: {murmur: true}\n"
    file = own_settings(env, f"{gone}edition: deluxe_2016\n")
    loaded = config.load(env | {"COMPANION_SEASON": "2026-01-01"})
    assert loaded.edition == "deluxe_2016"
    assert [one.text for one in loaded.notices] == [
        f"{file}:1: “season”: this setting no longer exists; companion season --since DAY chooses "
        "the games",
        f"{file}:2: “tags.dropout”: this setting no longer exists; it is always 0.3 seconds",
        f"{file}:3: “voice.murmur”: this setting no longer exists; the voice says everything in "
        "words",
        "“COMPANION_SEASON”: this setting no longer exists; companion season --since DAY chooses "
        "the games",
    ]


def test_they_are_told_once_and_the_command_goes_on(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    own_settings(dict(os.environ), "season: 2026-09-01\n")
    for told in (True, False):
        assert main(["card", "tavern"]) == 0
        output = capsys.readouterr()
        assert output.out.startswith("Tavern\n")
        assert ("“season”: this setting no longer exists" in output.err) is told


@pytest.mark.parametrize("setting", SETTINGS.values(), ids=lambda setting: setting.key)
def test_every_setting_has_a_sentence_and_a_place(setting: Setting) -> None:
    assert setting.text[0].isupper() or setting.text.startswith("true "), "begins a sentence"
    assert setting.text.endswith((".", "}", "]")), "ends a sentence, or an example"
    assert setting.check(setting.default) is None, "its usual value is right"
    in_voice = setting.group == "voice"
    record = VoiceSettings if in_voice else config.Config
    where = f"companion/settings/{'voice' if in_voice else 'config'}.py"
    name = "readers" if setting.name == "reader" else setting.name  # one of several
    assert name in {*record.__annotations__, *vars(record)}, f"{where} lacks {name}"
    assert bool(setting.option) == bool(setting.help), "an option has help"


def test_later_layers_win(env: dict[str, str]) -> None:
    own_settings(env, "language: fr\ntheme: light\ncursor: false\n")
    env |= {"COMPANION_THEME": "terminal", "COMPANION_CURSOR": "1", "COMPANION_EDITION": ""}
    settings = config.load(env, options={"reader": "none", "edition": None})
    assert (settings.language, settings.theme, settings.cursor) == ("fr", "terminal", True)
    assert (settings.readers[0].path, settings.edition) == ("none", "classic_2016")


def test_one_folder_for_a_table(env: dict[str, str], tmp_path: Path) -> None:
    env["COMPANION_DATA"] = str(tmp_path)
    own_settings(env, "language: ru\npaths: {data: /elsewhere, chips: /decks/blue.yaml}\n")
    settings = config.load(env)
    assert (tmp_path / "config.yaml").exists()
    assert (settings.language, settings.data) == ("ru", str(tmp_path))
    assert settings.chips == "/decks/blue.yaml"


def test_paths_may_begin_at_home(env: dict[str, str]) -> None:
    own_settings(env, "paths:\n  data: ~/citadels\n")
    assert config.load(env).data == os.path.expanduser("~/citadels")


def test_all_mistakes_are_said_at_once(env: dict[str, str]) -> None:
    path = own_settings(
        env,
        "editon: classic_2016\nedition: clasic_2016\ncursor: yes\ndata: /x\nreader: simulatd\n"
        "theme: 5\npaths:\n  chip: x\n  data: true\nvoice: loud\n",
    )
    env |= {"COMPANION_SECRECY": "anounced", "COMPANION_LANGAUGE": "fr", "COMPANION_PLAIN": "maybe"}
    editions, languages = ", ".join(datafiles.load("editions")), ", ".join(list_offered())
    assert problems(env, language="eng") == (
        f"{path}:1: unknown key “editon”; did you mean “edition”?",
        f"{path}:2: edition: “clasic_2016” is not one of {editions}; did you mean “classic_2016”?",
        f"{path}:3: cursor: “yes” is neither true nor false",
        f"{path}:4: unknown key “data”; write it indented below “paths:”",
        f"{path}:5: reader: “simulatd” is neither auto, none, simulated nor a path; "
        "did you mean “simulated”?",
        f"{path}:6: theme: 5 is not one of dark, light, high-contrast, terminal",
        f"{path}:8: unknown key “paths.chip”; did you mean “paths.chips”?",
        f"{path}:9: paths.data: true is not a path; quote it if it is",
        f"{path}:10: “voice” has keys of its own, indented below it",
        "COMPANION_SECRECY: “anounced” is not one of announced, secret; did you mean “announced”?",
        "“COMPANION_LANGAUGE” is not a known variable; did you mean “COMPANION_LANGUAGE”?",
        "COMPANION_PLAIN: “maybe” is neither true nor false",
        f"--language: “eng” is not one of auto, {languages}; did you mean “en”?",
    )


def test_another_program_may_own_a_variable(env: dict[str, str]) -> None:
    env["COMPANION_ADMIN_PASSWORD"] = "x"
    config.load(env)


def test_broken_yaml_a_list_and_a_folder_in_its_place(env: dict[str, str]) -> None:
    path = own_settings(env, "language: fr\nlanguage: ru\n*x : 1\n")
    assert [line.rpartition(path)[2].split(":")[1] for line in problems(env)] == ["2", "3"]
    own_settings(env, "- a\n")
    assert problems(env) == (f"{path}:1: settings are lines of “key: value”",)
    os.unlink(path)
    os.mkdir(path)
    assert problems(env) == (f"{path}: cannot be read: it is a folder",)


@pytest.mark.parametrize("form", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le"])
@pytest.mark.parametrize(
    "text", ["language: de\r\n", '"language": "de"', "language:\u00a0de\n", "language\uff1ade"]
)
def test_a_setting_is_changed_in_a_file_of_any_encoding(
    text: str, form: str, env: dict[str, str]
) -> None:
    path = Path(own_settings(env, ""))
    path.write_bytes(f"{text}\n# ours: \u00e9\nedition: ffg_2005\n".encode(form))
    assert config.load(env).language == "de"
    config.save("language", "fr", env)  # with a mark the key was there twice, and nothing started
    config.save("theme", "light", env)
    settings = config.load(env)
    assert (settings.language, settings.theme, settings.edition) == ("fr", "light", "ffg_2005")
    assert "# ours: \u00e9" in path.read_text("utf-8")


@pytest.mark.parametrize("text", ['{language: "de"}', "language:\n  de\n", "  language: de\n"])
def test_a_file_that_is_not_of_lines_is_left_as_it_is(text: str, env: dict[str, str]) -> None:
    path = Path(own_settings(env, text))
    assert config.load(env).language == "de"
    with pytest.raises(OSError, match="lines") as error:  # else nothing started any more
        config.save("language", "fr", env)
    assert lines(error.value) == (f"{path}: settings are lines of “key: value”",)
    assert path.read_text() == text


def test_a_file_saved_meanwhile_in_another_encoding_is_left_as_it_is(env: dict[str, str]) -> None:
    path = Path(own_settings(env, ""))
    path.write_bytes(b"# B\xe9n's\nlanguage: de\n")
    with pytest.raises(OSError, match="UTF-8") as error:  # which the game shows, and goes on
        config.save("language", "fr", env)
    assert lines(error.value) == (f"{path}: this is not UTF-8 text; save it as UTF-8",)
    assert path.read_bytes() == b"# B\xe9n's\nlanguage: de\n"


@pytest.mark.skipif(getattr(os, "geteuid", lambda: 1)() != 0, reason="needs two users")
def test_settings_are_saved_through_a_link_of_the_same_user_alone(env: dict[str, str]) -> None:
    path = Path(own_settings(env, "language: fr\n"))
    real = path.rename(path.with_name("real.yaml"))
    path.symlink_to(real)
    config.save("language", "ru", env)
    assert path.is_symlink()
    assert real.read_text() == "language: ru\n"
    os.chown(real, 65534, 65534)
    with pytest.raises(OSError, match="symbolic links") as error:
        config.save("language", "de", env)
    assert error.value.filename == str(path)
    assert lines(error.value) == (
        f"{path}: it is a link that leads nowhere, or to another user's file",
    )
    assert real.read_text() == "language: ru\n"


@pytest.mark.parametrize(
    ("variables", "spoken"),
    [
        ({"LANG": "fr_FR.UTF-8"}, "fr"),
        ({"LANG": "fr_FR.UTF-8", "LC_MESSAGES": "ru_RU"}, "ru"),
        ({"LANG": "fr_FR.UTF-8", "LC_ALL": "C.UTF-8", "LANGUAGE": "ru"}, "en"),
        ({"LANG": "xx_XX.UTF-8", "LANGUAGE": "xx:ru:fr"}, "ru"),
        ({"LANG": "xx_XX.UTF-8"}, "en"),
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
    with pytest.raises(ConfigError) as exception_info:
        config.load(env | {"LANG": "fr_FR.UTF-8"})
    assert exception_info.value.language == "fr"


def test_a_hostile_value_is_shown_harmless(env: dict[str, str]) -> None:
    env["COMPANION_THEME"] = "\x1b]0;x\x07\u202e"
    assert "\x1b" not in problems(env)[0]
    assert "\u202e" not in problems(env)[0]


@pytest.mark.parametrize("word", ["simulatd", "tty:USB0:pn53", "usb:x:y", "5"])
def test_no_readers(env: dict[str, str], word: str) -> None:
    env["COMPANION_READER"] = word
    (text,) = problems(env)
    assert text.startswith("COMPANION_READER: ")


def test_the_link_of_chips_is_a_link_or_null(tmp_path: Path) -> None:
    assert config.load({"COMPANION_DATA": str(tmp_path)}).link is None
    options = {"COMPANION_DATA": str(tmp_path), "COMPANION_LINK": "https://example.org/c/"}
    assert config.load(options).link == "https://example.org/c/"
    with pytest.raises(config.ConfigError, match="must look like https"):
        config.load(options | {"COMPANION_LINK": "javascript:alert(1)"})
