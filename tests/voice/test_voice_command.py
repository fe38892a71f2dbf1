"""`companion doctor --voice`, and the typed settings of the voice."""

from __future__ import annotations

import os
import re
import shutil
import sys
from pathlib import Path

import pytest

from companion.language import list_offered
from companion.settings import config
from companion.voice import backends
from companion.voice.channel import Child, Command, Failed
from companion.voice.script import Audience, Manner, Utterance, make_speakable
from tests.companion.listening import companion
from tests.waiting import wait_until

pytestmark = pytest.mark.outer


def test_it_speaks_every_language(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    heard, program = tmp_path / "heard", tmp_path / "bin" / "espeak-ng"
    program.parent.mkdir()
    program.write_text(f"#!/bin/sh\ncat >>{heard}\necho >>{heard}\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{program.parent}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setenv("COMPANION_VOICE_TABLE", "espeak-ng")
    result = companion("doctor", "--voice")
    assert result.returncode == 0, result.stderr
    assert "Voice for the table: espeak-ng." in result.stdout
    assert len([line for line in result.stdout.splitlines() if line[2:4] == ": "]) == len(
        list_offered()
    )
    assert {"Roi", "Король"} <= {*re.findall(r"\w+", heard.read_text(encoding="utf-8"))}


def test_where_nothing_speaks_it_says_how_to_get_a_voice(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    result = companion("doctor", "--voice")
    assert result.returncode == 1
    assert "No voice was found on this computer" in result.stdout
    assert "espeak-ng" in result.stdout


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("table: espeek-ng", "did you mean “espeak-ng”?"),
        ("table: windows@left", "is not one of none, auto, espeak-ng"),
        ("ear: windows@left", "a device can be given only for espeak-ng and say"),
        ("speed: 1000", "is not a number from 50 to 300"),
    ],
)
def test_a_mistake_in_the_settings_is_told_with_its_place(text: str, sentence: str) -> None:
    data = Path(os.environ["COMPANION_DATA"])
    data.mkdir()
    (data / "config.yaml").write_text(f"voice:\n  {text}\n")
    with pytest.raises(config.ConfigError) as exception_info:
        config.load(os.environ)
    assert len(exception_info.value.problems) == 1
    assert exception_info.value.problems[0].startswith(str(data / "config.yaml") + ":2: voice.")
    assert sentence in exception_info.value.problems[0]


@pytest.mark.parametrize(
    ("text", "key", "value", "sentence"),
    [
        ("table: files:sounds", "table", "auto", "own voice speaks instead"),
        ("table: [sh, -c, cat]", "table", "auto", "own voice speaks instead"),
        ('table: ["@front", sh, -c, cat]', "table", "auto", "own voice speaks instead"),
        ("table: espeak-ng@front", "table", "auto", "own voice speaks instead"),
        ("ear: files:sounds", "ear", "none", "write espeak-ng@DEVICE instead"),
        ('ear: ["@headset", my-speaker]', "ear", "none", "so no secret is spoken"),
        ("sounds: true", None, None, "the voice says everything in words"),
        ("pause: 0.5", None, None, "it is always 0.3 seconds"),
        ("voices: {fr: mb-fr4}", None, None, "each language has the voice"),
    ],
)
def test_a_setting_of_before_is_told_and_an_ear_never_becomes_a_loudspeaker(
    text: str, key: str | None, value: str | None, sentence: str
) -> None:
    data = Path(os.environ["COMPANION_DATA"])
    data.mkdir()
    (data / "config.yaml").write_text(f"voice:\n  {text}\n")
    settings = config.load(os.environ)
    assert len(settings.notices) == 1
    assert sentence in settings.notices[0].text
    assert not settings.notices[0].at_every_start
    if key is not None:
        assert getattr(settings.voice, key) == value


SPEAKER = """#!/bin/sh
echo $$ > "$STARTED"
cat > "$HEARD"
"""


@pytest.mark.skipif(not Path("/proc/self/cmdline").exists(), reason="no process list here")
@pytest.mark.parametrize("name", backends.MAKERS)
def test_no_voice_gets_a_secret_where_the_process_list_shows_it(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    secret = "The-Merchant-whispered"
    program = tmp_path / "speaker"
    program.write_text(SPEAKER)
    program.chmod(0o755)
    path, answer = tmp_path / "started", tmp_path / "heard"
    monkeypatch.setenv("STARTED", str(path))
    monkeypatch.setenv("HEARD", str(answer))
    backend = backends.MAKERS[name]("")
    command = backend.command(Utterance(secret, "en", Audience.EAR), Manner())
    child = Child(command._replace(words=(str(program), *command.words[1:])))
    wait_until(lambda: path.exists() and path.read_text().strip())
    process = Path(f"/proc/{int(path.read_text())}")
    data = (process / "cmdline").read_bytes() + (process / "environ").read_bytes()
    child.wait(60)
    assert secret.encode() not in data
    assert answer.read_text().strip() == secret


def test_only_what_is_heard_at_the_same_place_stands_in_for_a_voice() -> None:
    if shutil.which("espeak-ng") and shutil.which("spd-say"):
        assert [one.name for one in backends.choose("spd-say")] == ["spd-say", "espeak-ng"]
        assert [one.name for one in backends.choose("auto")] == ["spd-say", "espeak-ng"]
    chosen = backends.choose("espeak-ng@front")
    assert {one.output for one in chosen} != {backends.DEFAULT_OUTPUT}
    assert len(chosen) <= 1


def test_the_screen_reader_is_asked_in_a_process_of_its_own() -> None:
    """On any machine the result is a sentence or sound, never code in this process."""
    assert "prism" not in sys.modules
    reason = ""
    child = Child(
        Command((sys.executable, "-m", "companion.voice.through_screen_reader"), "Hello.")
    )
    try:
        child.wait(60)
    except Failed as error:
        reason = str(error)
    assert not reason or any(word in reason for word in ("no screen reader", "extra", "finish"))
    assert "Traceback" not in reason
    assert "prism" not in sys.modules


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("Ben draws (3/8) cards.", "Ben draws, 3/8, cards."),
        ("“build palace” is refused (build.limit).", "build palace is refused, build.limit."),
        ("Name a victim in private…", "Name a victim in private."),
        ("[[h@'loU]] takes 2 gold.", "h@'loU takes 2 gold."),
        ("Ann\x1b]0;x\x07a → Ben", "Ann 0;xa, Ben"),
    ],
)
def test_a_voice_gets_words_alone(text: str, sentence: str) -> None:
    assert make_speakable(text) == sentence
