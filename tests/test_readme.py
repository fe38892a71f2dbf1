"""The documents are correct: examples run, names exist, links work.

A `console` block is a session in a folder of its own: lines after `$ ` are commands (`> ` goes on),
the rest is what they print, where a line `...` is any lines and `...` in a line any words. A `yaml`
block that begins with a file name is that file.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest

from common import strict_yaml
from companion import verbs
from companion.chips import load as load_chips
from companion.commands import cli
from companion.commands.names import list_names
from companion.game.session import Listener
from companion.log.records import play, read
from companion.settings.all_settings import VARIABLES
from companion.settings.keys import ACTIONS
from companion.settings.setting import list_brought
from scripts.pages import PAGES, list_translations

ROOT = Path(__file__).resolve().parent.parent
DOCS = ROOT / "docs"
pytestmark = pytest.mark.documents

DOCUMENTS = [ROOT / name for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md")] + sorted(
    DOCS.rglob("*.md")
)


def name_page(path: Path) -> str:
    """The name of a page: `fr/plain.md` for a translation, `docs/README.md` for the index."""
    if path == DOCS / "README.md":
        return "docs/README.md"
    within = path.relative_to(DOCS) if path.is_relative_to(DOCS) else path.relative_to(ROOT)
    return within.as_posix()


TEXTS = {name_page(path): path.read_text(encoding="utf-8") for path in DOCUMENTS}
FOR_PLAYERS = "\n".join(
    TEXTS[name] for name in (*(f"{page}.md" for page in PAGES), "reference/commands.md")
)


class Command(NamedTuple):
    """One command of an example and the lines it should print."""

    text: str
    printed: list[str]


def blocks(text: str, language: str) -> list[str]:
    """The fenced blocks in that language."""
    return re.findall(rf"^ *```{language}\n(.*?)^ *```$", text, re.MULTILINE | re.DOTALL)


def files(text: str) -> dict[str, str]:
    """The files that a document shows, by name."""
    results = {}
    for block in blocks(text, "yaml"):
        name = re.match(r"# (\S+\.yaml)\n", block)
        assert name, f"a yaml block without a name: {block[:40]}"
        results[name[1]] = block
    return results


def commands(text: str) -> list[Command]:
    """Every command of the console blocks, in order."""
    matches: list[Command] = []
    for line in "".join(blocks(text, "console")).splitlines():
        if line.startswith("$ "):
            matches.append(Command(line[2:], []))
        elif line.startswith("> "):
            matches[-1] = Command(f"{matches[-1].text}\n{line[2:]}", matches[-1].printed)
        else:
            matches[-1].printed.append(line)
    return matches


def fits(targets: list[str], printed: list[str]) -> bool:
    """Whether the lines are the wanted ones, `...` standing for any."""
    pattern = ""
    for line in targets:
        if line == "...":
            pattern += r"(?:.*\n)*?"
        else:
            pattern += ".*".join(map(re.escape, line.split("..."))) + r"\n"
    return re.fullmatch(pattern, "".join(f"{line}\n" for line in printed)) is not None


def lay_out(text: str, folder: Path) -> None:
    """Put the document's files and a `companion` into the folder."""
    for name, content in files(text).items():
        (folder / name).write_text(content, encoding="utf-8")
    command = folder / "bin" / "companion"
    command.parent.mkdir()
    command.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m companion "$@"\n')
    command.chmod(0o755)


OLD = {name_page(one.path) for one in list_translations() if one.is_old}
"""Translations that lag behind their page: what the program prints may have changed since."""

WITH_EXAMPLES = [name for name, text in TEXTS.items() if commands(text) and name not in OLD]
IN_THE_SOAK = ("fr/", "ru/")
"""Translations whose examples, which are those of the German and the English pages, are run in the
soak alone, also in the short one."""


@pytest.mark.outer
@pytest.mark.skipif(sys.platform == "win32", reason="the sessions are for a POSIX shell")
@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=pytest.mark.soak if name[:3] in IN_THE_SOAK else ())
        for name in WITH_EXAMPLES
    ],
)
def test_the_examples_print_what_the_document_says(name: str, tmp_path: Path) -> None:
    lay_out(TEXTS[name], tmp_path)
    env = {name: value for name, value in os.environ.items() if not name.startswith("COMPANION_")}
    env |= {
        "COMPANION_DATA": str(tmp_path / "data"),
        "PATH": f"{tmp_path / 'bin'}{os.pathsep}{env['PATH']}",
        "PYTHONPATH": str(ROOT),
        "PYTHONIOENCODING": "utf-8",
        "COMPANION_LANGUAGE": name[:2] if name[2:3] == "/" else "en",
    }
    for example in commands(TEXTS[name]):
        result = subprocess.run(
            ["sh", "-c", example.text], cwd=tmp_path, env=env, capture_output=True, timeout=60
        )
        word = result.stdout.decode() if result.stdout else result.stderr.decode()
        word = re.sub("[\u00a0\u202f]", " ", word)  # pages have plain spaces
        assert fits(example.printed, word.splitlines()), f"$ {example.text}\n{word}"
        is_stopped = "isn't allowed" in word  # by a file's move: a played one may be tried again
        assert result.returncode == (1 if is_stopped else 0), f"$ {example.text}\n{word}"


def test_the_examples_are_found() -> None:
    assert set(WITH_EXAMPLES) >= {"boxes.md", "plain.md", "readers.md", "reference/commands.md"}


RECORDS = {
    name: content
    for text in TEXTS.values()
    for name, content in files(text).items()
    if "\nplayers:" in content
}


@pytest.mark.parametrize("name", RECORDS)
def test_the_records_shown_are_records(name: str, tmp_path: Path) -> None:
    file = tmp_path / name
    file.write_text(RECORDS[name], encoding="utf-8")
    refusal = play(read(str(file)).record).refused
    assert refusal is None or f"“{refusal.move}” isn't allowed" in TEXTS["reference/commands.md"]


def test_the_mapping_shown_is_a_mapping(tmp_path: Path) -> None:
    file = tmp_path / "tags.yaml"
    file.write_text(files(TEXTS["reference/readers.md"])["tags.yaml"], encoding="utf-8")
    assert len(load_chips(str(file))) == 5


@pytest.mark.parametrize("document", DOCUMENTS, ids=name_page)
def test_every_link_leads_somewhere(document: Path) -> None:
    text = re.sub(r"`[^`\n]*`", "", document.read_text(encoding="utf-8"))
    for target in re.findall(r"\]\(([^)]+)\)", text):
        path, _, heading = target.partition("#")
        there = document.parent / path if path else document
        assert there.exists(), target
        if not heading:
            continue
        titles = re.findall(r"^#+ (.+)$", there.read_text(encoding="utf-8"), re.MULTILINE)
        anchors = {re.sub(r"[^\w -]", "", title.lower()).replace(" ", "-") for title in titles}
        assert heading in anchors, target


@pytest.mark.parametrize("document", DOCUMENTS, ids=name_page)
def test_every_path_and_make_target_that_is_named_exists(document: Path) -> None:
    text = document.read_text(encoding="utf-8")
    targets = set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    assert set(re.findall(r"(?:`|^)make ([a-z]+)", text, re.MULTILINE)) <= targets
    word = r"`((?:engine|tags|companion|tests|scripts|docs)/[\w./*-]+)`"
    for path in re.findall(word, text):
        assert list(ROOT.glob(path.rstrip("/"))), path


def test_the_architecture_has_a_sentence_for_each_room() -> None:
    text = (ROOT / "docs" / "dev" / "architecture.md").read_text(encoding="utf-8")
    table = text.partition("| room | what it is |")[2].partition("\n\n")[0]
    rows = [row.split("|")[1] for row in table.splitlines() if row]
    named = [name for row in rows for name in re.findall(r"`(\w+)`", row)]
    # a room that has moved leaves its compiled modules behind
    rooms = [
        path.name
        for path in ROOT.glob("companion/[a-z]*")
        if {file.suffix for file in path.rglob("*.*")} - {".pyc"}
    ]
    assert sorted(named) == sorted([*rooms, "common", "engine", "tags"])


def test_the_drawing_of_the_architecture_has_every_call_of_a_listener() -> None:
    text = (ROOT / "docs" / "dev" / "architecture.md").read_text(encoding="utf-8")
    told = re.findall(r"\btell_\w+", text.partition("└─▶ listeners")[2].partition("```")[0])
    assert sorted(told) == sorted(name for name in vars(Listener) if name.startswith("tell_"))


def test_every_command_box_and_dependency_is_told_to_players() -> None:
    names = set(re.findall(r"(?:`|^\$ )companion ([a-z]+)\b", FOR_PLAYERS, re.MULTILINE))
    assert names == {name for name in list_names() if " " not in name}
    pyproject = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    word = pyproject.partition("dependencies = [")[2].partition("\n]")[0]
    for package in re.findall(r'^ +"([A-Za-z-]+)', word, re.MULTILINE):
        assert package.lower() in FOR_PLAYERS.lower(), package


@pytest.mark.parametrize("document", DOCUMENTS, ids=name_page)
def test_every_option_that_is_named_exists(
    document: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = document.read_text(encoding="utf-8")
    lines = re.findall(r"(?:`|^\$ |^)companion ([^`\n]+)", text, re.MULTILINE)
    for line in lines:
        words = line.split("#")[0].split()
        names = [word for word in words[:2] if re.fullmatch(r"[a-z]+", word)]
        options = {word.partition("=")[0] for word in words if re.match(r"--[a-z]", word)}
        command = names[:1] if names and names[0] in list_names() else ["play"]
        if command in (["tags"], ["club"]):
            command = names
        cli.main([*command, "--help"])
        missing = options - set(re.findall(r"--[a-z-]+", capsys.readouterr().out)) - {"--version"}
        assert not missing, f"companion {line}"


def test_every_extra_that_is_named_exists() -> None:
    pyproject = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    extras = re.findall(r"^(\w+) = \[$", pyproject.partition("optional-dep")[2], re.MULTILINE)
    way = r"make extras ARGS=\"?([\w ]+)|install (?:-e )?'\.\[([\w,]+)\]'"
    for document in DOCUMENTS:
        for result in re.findall(way, document.read_text(encoding="utf-8")):
            assert {*re.findall(r"\w+", " ".join(result))} <= {*extras}, document.name


def test_the_keys_that_are_named_are_those_of_the_screen() -> None:
    """The keys that these pages give for an action are its keys."""
    for key, action in (
        *(("f10", "language"), ("f12", "theme"), ("f7", "voice"), ("u", "undo"), ("q", "leave")),
        *(("h", "help"), ("z", "large"), ("v", "cities"), ("j", "journal"), ("t", "tray")),
        *(("g", "gold"), ("c", "cards"), ("i", "income")),
        *(("n", "nobody"), ("a", "call"), ("ctrl+e", "teach")),
    ):
        label = key.upper().replace("CTRL+", "Ctrl+") if len(key) > 1 else f"`{key}`"
        assert label in FOR_PLAYERS, key
        assert key in {**verbs.keys({}), **ACTIONS}[action], action


NOT_OURS = ("COMPANION_TWINS", "COMPANION_LAMP")
"""Variables of the tests, and of the extension that a page shows."""


def test_every_variable_and_setting_that_is_named_exists() -> None:
    known = {*VARIABLES, *(one.variable for one in list_brought()), *NOT_OURS}
    for document in DOCUMENTS:
        text = document.read_text(encoding="utf-8")
        for variable in re.findall(r"COMPANION_[A-Z]+\b", text):
            assert variable in known, f"{document.name}: {variable}"
    data = strict_yaml.read(str(ROOT / "config.yaml")).data
    assert {"plain", "reader", "paths"} <= set(data)
