"""What people can meet is listed, and the list is current."""

from __future__ import annotations

import os

import pytest

from companion.settings.all_settings import SETTINGS
from scripts import change, surface


@pytest.mark.documents
def test_the_list_of_what_people_meet_is_current(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "environ", {**os.environ})
    same = surface.PAGE.read_text(encoding="utf-8") == surface.write()
    assert same, "docs/dev/surface.md is not what the program says; run make surface"
    same = surface.COMMANDS_PAGE.read_text(encoding="utf-8") == surface.write_commands()
    assert same, "docs/reference/commands.md is not what the program says; run make surface"


def test_every_command_option_and_setting_is_in_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "environ", {**os.environ})
    text = surface.write()
    for word in ("`companion tags check`", "`--players`", "companion doctor", "wedge", "/seat"):
        assert word in text
    assert all(f"- {key}\n" in text for key in SETTINGS)


@pytest.mark.outer
@pytest.mark.needs("git")
def test_lines_are_counted_by_room() -> None:
    rooms = change.count_lines()
    assert {"common", "companion/commands", "engine", "tags", "tests"} <= {*rooms}
    assert change.count_sentences() > 1000
