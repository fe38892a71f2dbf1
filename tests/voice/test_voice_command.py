"""`companion voice`, and the typed settings of the voice."""

from __future__ import annotations

import os
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
from tests.voice.speaking import wait_until

pytestmark = pytest.mark.outer


def test_it_speaks_every_language_into_files(tmp_path: Path) -> None:
    result = companion("voice", "--into", str(tmp_path))
    assert result.returncode == 0, result.stderr
    script = (tmp_path / "table.txt").read_text(encoding="utf-8").splitlines()
    assert [line.split()[1] for line in script] == list_offered()
    fields = dict(zip(list_offered(), script, strict=True))
    assert "Roi" in fields["fr"]
    assert "Король" in fields["ru"]


def test_where_nothing_speaks_it_says_how_to_get_a_voice(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    result = companion("voice")
    assert result.returncode == 1
    assert "No voice was found on this computer" in result.stdout
    assert "espeak-ng" in result.stdout


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("table: espeek-ng", "did you mean “espeak-ng”?"),
        ("table: windows@left", "a device can be given only for espeak-ng and say"),
        ("ear: []", "a command is a list of words"),
        ('ear: ["@front"]', "write a device as @ and its name"),
        ('ear: ["@", sh]', "write a device as @ and its name"),
        ("speed: 1000", "is not a number from 50 to 300"),
        ("voices: {xx: Anna}", "“xx” is not one of"),
        ("voices: {fr: -w}", "the voice for fr is not a name"),
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


def test_a_command_of_ones_own_gets_the_text_and_its_fields(tmp_path: Path) -> None:
    path = tmp_path / "heard"
    script = f"echo $0 $1 >> {path}; cat >> {path}"
    (own,) = backends.choose(("sh", "-c", script, "{language}", "{speed}"))
    command = own.command(Utterance("Le Roi.", "fr"), Manner(120))
    assert isinstance(command, Command)
    Child(command).wait(60)
    assert path.read_text() == "fr 120\nLe Roi.\n"


def test_a_command_of_ones_own_may_say_where_it_is_heard() -> None:
    (own,) = backends.choose(("@headset", "sh", "-c", "cat"), Audience.EAR)
    assert (own.name, own.output) == ("sh", "device headset")
    command = own.command(Utterance("King.", "en"), Manner())
    assert isinstance(command, Command)
    assert command.words == ("sh", "-c", "cat")


SPEAKER = """#!/bin/sh
echo $$ > "$STARTED"
cat > "$HEARD"
"""


@pytest.mark.skipif(not Path("/proc/self/cmdline").exists(), reason="no process list here")
@pytest.mark.parametrize("name", [*backends.MAKERS, "own"])
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
    words = (str(program), "{language}")
    backend = backends.MAKERS[name]("") if name in backends.MAKERS else backends.choose(words)[0]
    command = backend.command(Utterance(secret, "en", Audience.EAR), Manner())
    assert isinstance(command, Command)
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
        assert [one.name for one in backends.choose("auto")] == ["espeak-ng", "spd-say"]
    for output in ("espeak-ng@front", ("sh", "-c", "cat"), "files:x"):
        matches = backends.choose(output, Audience.EAR)
        assert {one.output for one in matches} != {backends.DEFAULT_OUTPUT}
        assert len(matches) <= 1


def test_the_screen_reader_is_asked_in_a_process_of_its_own() -> None:
    """On any machine the result is a sentence or sound, never code in this process."""
    assert "prism" not in sys.modules
    reason = ""
    child = Child(Command((sys.executable, "-m", "companion.voice.screen_reader"), "Hello."))
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
