"""What `docs/trouble.md` tells of others' reports is held by a test for each, in every language."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from scripts import pages
from tests.starting import ROOT

HELD_BY = (
    "serving/test_cut_off.py::test_a_touch_in_the_silence_is_sent_again",
    "tags/test_wedge.py::test_a_burst_ends_with_any_end_key_or_with_the_pause_after_it",
    "tags/test_chip_lines.py::test_absence_is_no_chip",
    "tags/test_chip_lines.py::test_an_id_however_it_is_written",
    "tags/test_pcsc.py::test_a_chip_is_asked_once_and_seen_while_it_lies_there",
    "tags/test_pcsc.py::test_a_chip_that_cannot_be_powered_is_told",
    "companion/test_names_at_the_doors.py::test_a_record_is_read_with_clean_names_and_played_by_either",
    "app/test_setup.py::test_pasted_lines_are_as_many_players",
    "companion/test_names_at_the_doors.py::test_whatever_replay_plays_import_and_score_take",
    "app/test_phones.py::test_the_code_is_dark_on_light_with_its_margin",
    "serving/test_web.py::test_another_name_is_not_answered",
    "end_to_end/test_log_in_place.py::test_the_next_move_says_so_and_the_one_after_keeps_the_whole_game",
    "companion/test_store.py::test_a_full_disk_refuses_the_move_and_keeps_the_rest",
    "looking_back/test_bgstats.py::test_the_play_is_what_the_game_was",
)
"""The test of each row, in their order."""

PAGES = [pages.DOCS / "trouble.md", *pages.DOCS.glob("*/trouble.md")]


def list_rows(page: Path) -> list[str]:
    """The rows of the table of reports: the second of the page."""
    tables = re.findall(r"(?:^\|.*\n)+", page.read_text("utf-8"), re.MULTILINE)
    return str(tables[1]).splitlines()[2:]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.parent.name)
def test_every_report_is_told_in_every_language(page: Path) -> None:
    assert len(list_rows(page)) == len(HELD_BY)


@pytest.mark.documents
@pytest.mark.parametrize("test", HELD_BY)
def test_every_report_is_held_by_a_test(test: str) -> None:
    file, _colons, name = test.partition("::")
    assert f"def {name}(" in (ROOT / "tests" / file).read_text("utf-8")
