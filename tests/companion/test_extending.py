"""Extensions are found through their entry points; one that does not work is named, and the others
go on."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.serving.hosting import Hosting
from tests.serving.local_table import SELECTED

ROOT = Path(__file__).parents[2]
pytestmark = pytest.mark.outer

GREETING = """
from companion.extending import Command, Extension

class Greeting(Extension):
    commands = {"greet": Command("greets", "greeting_command")}

EXTENSION = Greeting()
"""
COMMAND = """
from companion.commands.declared import Answer, arg, command

@command("greet", arg("names", nargs="*"))
def run(config, args):
    return Answer(["Hello."])
"""


def install(folder: Path, name: str, place: str, **modules: str) -> None:
    """What pip would put there for a package with that entry point."""
    facts = folder / f"{name}-1.dist-info"
    facts.mkdir()
    (facts / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1\n")
    entry = f"[citadels_companion.extensions]\n{name} = {place}\n"
    (facts / "entry_points.txt").write_text(entry)
    for module, text in modules.items():
        (folder / f"{module}.py").write_text(text)


def run(
    folder: Path, *words: str, lines: str = "", **variables: str
) -> subprocess.CompletedProcess[str]:
    env = {**os.environ, "PYTHONPATH": str(folder), "COMPANION_DATA": str(folder / "data")}
    return subprocess.run(
        [sys.executable, "-m", "companion", *words],
        cwd=ROOT,
        env=env | variables,
        input=lines,
        capture_output=True,
        text=True,
        check=False,
    )


def test_a_command_of_an_extension_is_one_like_any(tmp_path: Path) -> None:
    place = "greeting:EXTENSION"
    install(tmp_path, "greeting", place, greeting=GREETING, greeting_command=COMMAND)
    assert run(tmp_path, "greet").stdout == "Hello.\n"
    assert "greet" in run(tmp_path, "--help").stdout
    assert "did you mean “greet”?" in run(tmp_path, "gret").stderr


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("import a_module_that_nobody_has", "No module named 'a_module_that_nobody_has'"),
        ("EXTENSION = 1", "broken:EXTENSION is no Extension"),
        ("raise RuntimeError", "RuntimeError"),
    ],
)
def test_one_that_does_not_load_is_named_with_its_reason(
    text: str, reason: str, tmp_path: Path
) -> None:
    install(tmp_path, "broken", "broken:EXTENSION", broken=text)
    place = "greeting:EXTENSION"
    install(tmp_path, "greeting", place, greeting=GREETING, greeting_command=COMMAND)
    result = run(tmp_path, "greet")
    assert result.stdout == "Hello.\n"
    told = f"The extension broken does not work: {reason}"
    assert result.stderr == f"{told}\n"
    assert run(tmp_path, "grret").stderr.splitlines()[0] == told


def test_the_doctor_names_one_that_does_not_load(tmp_path: Path) -> None:
    install(tmp_path, "broken", "broken:EXTENSION", broken="raise RuntimeError")
    told = "The extension broken does not work: RuntimeError"
    assert told in run(tmp_path, "doctor").stdout.splitlines()


CLASH = """
from companion.extending import Extension
from companion.settings.setting import Setting

class Clash(Extension):
    settings = [Setting("clash", None, option="host", metavar="X", help="a clash")]

EXTENSION = Clash()
"""


def test_an_option_that_is_taken_costs_the_extension(tmp_path: Path) -> None:
    install(tmp_path, "clash", "clash:EXTENSION", clash=CLASH)
    result = run(tmp_path, "play", "--plain", "--players", "Ann,Bob,Cleo,Dan", lines="quit\n")
    told = "The extension clash does not work: companion play has another --host"
    assert told in (result.stdout + result.stderr).splitlines()
    assert result.returncode == 0


LAMP = """
import sys
from companion.extending import Extension, Onlooker
from companion.settings.setting import Setting

class Lamp(Onlooker):
    def see(self, seen):
        if "gold" in [one.about for one in seen.told]:
            raise RuntimeError("the lamp is broken")
        print("lamp:", seen.number, [one.about for one in seen.told], file=sys.stderr)

def check(url):
    return "no address" if url else None

class Lamps(Extension):
    settings = (Setting("lamp.url", None, check, option="lamp", metavar="URL", help="its address"),)

    def listen(self, settings, folder, tell):
        return Lamp() if settings["lamp.url"] is None else None

EXTENSION = Lamps()
"""
PLAY = ("play", "--plain", "--new", "--players", "Anna,Kurt,Ashley,Ben", "--crown", "Kurt")


def play(folder: Path, *lines: str, **variables: str) -> subprocess.CompletedProcess[str]:
    text = "".join(f"{line}\n" for line in lines)
    return run(folder, *PLAY, "--reader", "none", lines=text, **variables)


def test_an_onlooker_sees_the_game(tmp_path: Path) -> None:
    install(tmp_path, "lamp", "lamp:EXTENSION", lamp=LAMP)
    result = play(tmp_path, "faceup bishop merchant", "undo")
    seen = [line for line in result.stderr.splitlines() if line.startswith("lamp: ")]
    assert seen == ["lamp: 0 []", "lamp: 1 ['faceup']", "lamp: 2 []"]


BELL = """
from common.sentences import Sentence
from companion.extending import Extension, TableWord
from companion.language import _

class Bell(Extension):
    def list_words(self):
        return {"ring": TableWord(Sentence("ring: the bell rings."), self.ring, takes_text=True)}

    def ring(self, talk, rest):
        talk.say("answer", _("The bell rings {number} times.").format(number=rest))

EXTENSION = Bell()
"""
IN_FRENCH = """
msgid "ring: the bell rings."
msgstr "sonner: la cloche sonne."

msgid "The bell rings {number} times."
msgstr "La cloche sonne {number} fois."
"""


def test_an_extension_has_words_and_sentences_of_its_own_in_a_language(tmp_path: Path) -> None:
    install(tmp_path, "bell", "bell:EXTENSION", bell=BELL)
    folder = tmp_path / "locale" / "fr"
    (folder / "LC_MESSAGES").mkdir(parents=True)
    (folder / "LC_MESSAGES" / "companion.po").write_text(IN_FRENCH)
    (folder / "words.yaml").write_text("commands: {ring: [sonner]}\n")
    result = play(tmp_path, "aide partie", "sonner 2", COMPANION_LANGUAGE="fr")
    assert "sonner: la cloche sonne." in result.stdout
    assert "La cloche sonne 2 fois." in result.stdout.splitlines()

    for broken in ("commands: {\n", "commands: {ring: 5}\n"):
        (folder / "words.yaml").write_text(broken)
        result = play(tmp_path, "ring 2", "aide", COMPANION_LANGUAGE="fr")
        assert "L’extension bell ne fonctionne pas" in result.stdout + result.stderr
        assert result.stdout.count("Kurt. Écartez 2 personnages") == 3  # the game goes on


def test_an_onlooker_that_does_not_work_is_named_and_the_evening_goes_on(tmp_path: Path) -> None:
    install(tmp_path, "lamp", "lamp:EXTENSION", lamp=LAMP)
    lines = "faceup bishop merchant", "call", "kurt", "gold", "kill king"
    result = play(tmp_path, *lines)
    assert result.stderr.endswith("The extension lamp does not work: the lamp is broken\n")
    assert "Kurt murders the King." in result.stdout


HORN = """
from companion.errors import UserError
from companion.extending import Extension, TableWord

def refuse(talk, rest):
    raise UserError("There is no horn.")

class Horn(Extension):
    def list_words(self):
        return {
            "blow": TableWord(
                "blow: the horn sounds.", refuse, keys=("f9", "shift+f9"), does="blow the horn"
            ),
            "crack": TableWord("crack: the horn breaks.", lambda talk, rest: 1 // 0),
        }

EXTENSION = Horn()
"""


def test_a_word_that_does_not_work_is_refused_and_a_crash_has_a_report(tmp_path: Path) -> None:
    install(tmp_path, "horn", "horn:EXTENSION", horn=HORN)
    result = play(tmp_path, "blow", "crack", "faceup bishop merchant")
    assert "Refused: There is no horn." in result.stdout.splitlines()
    told = "The extension horn does not work: The companion has crashed (ZeroDivisionError)."
    assert told in result.stdout
    assert "ZeroDivisionError" in (tmp_path / "data" / "crash-report.txt").read_text()
    assert "Face up: Bishop and Merchant." in result.stdout  # the game goes on


def test_a_key_that_is_in_use_stays_what_it_is(tmp_path: Path) -> None:
    install(tmp_path, "horn", "horn:EXTENSION", horn=HORN)
    show = "from companion.settings.keys import list_usual as u; print(u()['rules'], u()['blow'])"
    env = os.environ | {"PYTHONPATH": str(tmp_path)}
    result = subprocess.run(
        [sys.executable, "-c", show], cwd=ROOT, env=env, capture_output=True, text=True, check=False
    )
    assert result.stdout == "('o', 'f9') ('shift+f9',)\n"


@pytest.mark.parametrize("text", ["lamp: {url: x}\n", "lamp:\n  url: x\n"])
def test_a_setting_of_an_extension_is_one_like_any(text: str, tmp_path: Path) -> None:
    install(tmp_path, "lamp", "lamp:EXTENSION", lamp=LAMP)
    (tmp_path / "data").mkdir()
    file = tmp_path / "data" / "config.yaml"
    file.write_text(text)
    assert "lamp.url: no address" in run(tmp_path, "editions").stderr
    file.write_text("lamp: {urll: x}\n")
    assert "unknown key “lamp.urll”" in run(tmp_path, "editions").stderr
    file.unlink()
    assert "--lamp: no address" in run(tmp_path, *PLAY, "--lamp", "x").stderr
    result = run(tmp_path, "editions", COMPANION_LAMP_URL="x")
    assert "COMPANION_LAMP_URL: no address" in result.stderr


@pytest.mark.parametrize(
    ("place", "told"),
    [
        ("companion.extensions.none_such:EXTENSION", ""),
        ("broken:EXTENSION", "The extension lamp does not work: RuntimeError\n"),
    ],
)
def test_settings_of_one_that_is_missing_are_passed_over(
    place: str, told: str, tmp_path: Path
) -> None:
    install(tmp_path, "lamp", place, broken="raise RuntimeError")
    (tmp_path / "data").mkdir()
    file = tmp_path / "data" / "config.yaml"
    file.write_text("lamp: {url: x}\nbulb: 40\nkeys: {glow: 4}\n")
    result = run(tmp_path, "editions", COMPANION_BULB="x")
    assert (result.returncode, result.stderr) == (0, told)
    file.write_text("hosue: public\nkeys: {jornal: f5}\n")
    errors = run(tmp_path, "editions").stderr
    assert "unknown key “hosue”" in errors
    assert "“jornal” is not an action" in errors


def test_a_command_that_needs_no_extension_looks_for_none(tmp_path: Path) -> None:
    install(tmp_path, "broken", "broken:EXTENSION", broken="import a_module_that_nobody_has")
    assert run(tmp_path, "editions").stderr == ""


def test_a_command_that_does_not_load_is_told_in_a_sentence(tmp_path: Path) -> None:
    install(tmp_path, "greeting", "greeting:EXTENSION", greeting=GREETING)
    result = run(tmp_path, "greet")
    assert result.returncode == 1
    assert result.stderr == (
        "The extension greeting does not work: No module named 'greeting_command'\n"
    )


PAGES = """
from starlette.responses import JSONResponse
from companion.extending import Extension

async def greet(site, request):
    return JSONResponse("Hello.")

class Pages(Extension):
    def list_pages(self):
        return {"/api/seat": greet, "/api/moves": greet, "/greet": greet}

EXTENSION = Pages()
"""


def test_a_page_of_an_extension_replaces_none_of_the_companion_s(
    tmp_path: Path, home: Path
) -> None:
    install(tmp_path, "pages", "pages:EXTENSION", pages=PAGES)
    with Hosting(env={"PYTHONPATH": str(tmp_path)}) as host:
        key = host.join(2)
        assert host.ask("greet") == (200, "Hello.")
        assert host.ask("api/moves", key, move=SELECTED)[0] == 200
        assert host.ask("api/seat", key)[1]["phase"] == "selection"
