"""`make check` names the tests that a change touches and it has not run."""

from __future__ import annotations

from pathlib import Path

import pytest

from scripts import change

ROOT = Path(__file__).parent.parent


@pytest.mark.documents
def test_every_room_has_its_folders_and_all_of_them_are_there() -> None:
    modules = ROOT.glob("companion/*/__init__.py")
    rooms = {path.parent.relative_to(ROOT).as_posix() for path in modules}
    assert rooms <= change.FOLDERS.keys()
    for room, folders in change.FOLDERS.items():
        assert (ROOT / room).is_dir()
        assert all(map(change.has_outer_tests, folders))


def test_a_change_of_words_names_the_screens_and_pages() -> None:
    changed = ["companion/locale/de/LC_MESSAGES/companion.po", "README.md", "tests/tags/rigs.py"]
    assert change.find_folders(changed) == ["tests/app", "tests/serving", "tests/tags"]
    assert change.find_folders(["README.md", "tests/engine/boxes.py"]) == []


@pytest.mark.documents
def test_an_extension_is_tried_in_the_folder_of_its_name() -> None:
    assert change.find_folders(["companion/extensions/club/web.py"]) == ["tests/club"]
    assert change.find_folders(["companion/extensions/patience/__init__.py"]) == []


def test_what_the_page_of_additions_names_touches_its_examples() -> None:
    for path in (
        "docs/dev/adding.md",
        "tests/games/characters/beggar.yaml",
        "engine/rules/characters/crown.py",
        "tests/labels/test_labels.py",
    ):
        assert change.is_on_page_of_additions(["README.md", path])
    assert not change.is_on_page_of_additions(["engine/table.py", "tests/app/test_table.py"])
