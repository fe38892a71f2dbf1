"""`companion completion` in real shells."""

from __future__ import annotations

import argparse
import os
import re
import sys
from pathlib import Path

import pytest

from companion.commands import completion
from companion.commands.cli import main
from companion.commands.names import list_below, list_names
from tests.companion.past_games import text_of
from tests.end_to_end.typing import User

Capture = pytest.CaptureFixture[str]

SET_UP = {
    "bash": (["bash", "--norc", "--noprofile", "-i"], 'eval "$(companion completion bash)"'),
    "zsh": (
        ["zsh", "-f", "-i"],
        'autoload -U compinit; compinit -u; eval "$(companion completion zsh)"',
    ),
    "fish": (["fish", "--private"], "companion completion fish | source"),
}
"""How each shell is started, and the line of docs/reference/commands.md that sets completion up."""

TYPED = {
    "companion car": "companion card",
    "companion tags ch": "check",
    "companion labels --pap": "--paper",
    "companion record --view pu": "public",
}
"""What is typed before the Tab key, and what the line then ends with."""


def find_options(parser: argparse.ArgumentParser) -> set[str]:
    return {option for action in parser._actions for option in action.option_strings}


def find_below(parser: argparse.ArgumentParser) -> dict[str, argparse.ArgumentParser]:
    """The subcommands' parsers."""
    return next(
        action.choices
        for action in parser._actions
        if isinstance(action, argparse._SubParsersAction)
    )


def test_every_command_is_completed_with_the_options_of_its_help(capsys: Capture) -> None:
    parsers = find_below(completion.add_all(argparse.ArgumentParser()))
    assert [*parsers] == [name for name in list_names() if " " not in name]
    for group in [name for name in parsers if list_below(name)]:
        below = find_below(parsers.pop(group))
        assert [*below] == list_below(group)
        parsers |= {f"{group} {name}": parser for name, parser in below.items()}
    assert {*list_names()} - {*parsers} == {name for name in list_names() if list_below(name)}
    for name, parser in parsers.items():
        text = text_of(capsys, *name.split(), "--help")
        assert f"usage: companion {name}" in text
        helped = set(re.findall(r"(?<!\w)--?[a-z][a-z-]*", text))
        assert find_options(parser) <= helped, name


@pytest.mark.parametrize("shell", SET_UP)
def test_each_script_has_every_command(shell: str, capsys: Capture) -> None:
    script = text_of(capsys, "completion", shell)
    for name in list_names():
        assert re.search(rf"\b{name.split()[-1]}\b", script), name


def test_an_unknown_shell_is_refused(capsys: Capture) -> None:
    assert main(["completion", "tcsh"]) == 2
    assert "choose from" in capsys.readouterr().err


@pytest.mark.outer
@pytest.mark.parametrize(
    "shell", [pytest.param(name, marks=pytest.mark.needs(name)) for name in SET_UP]
)
def test_the_tab_key_completes_what_is_typed(shell: str, tmp_path: Path) -> None:
    command = tmp_path / "companion"
    command.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m companion "$@"\n')
    command.chmod(0o755)
    words, line = SET_UP[shell]
    env = {"PATH": f"{tmp_path}:{os.environ['PATH']}", "HOME": str(tmp_path), "LANG": "C.UTF-8"}
    user = User(size=(200, 24))
    user.start(words, env | {"TERM": "xterm"}, tmp_path)
    try:
        user.keys(f"{line}; echo re''ady\r")
        user.see("ready")
        for begun, completed in TYPED.items():
            user.answer(f"{begun}\t")
            user.see(completed)
            user.keys("\x15")  # empties the line
    finally:
        user.close()
