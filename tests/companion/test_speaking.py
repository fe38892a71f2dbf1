"""Several languages at once: the table's, and a viewer's for a moment."""

from __future__ import annotations

import threading

from companion import language
from companion.language import _, card, plural
from tests.waiting import PATIENCE


def sample() -> tuple[str, str, str, str]:
    return (
        language.current(),
        _("Nothing to undo."),
        card("king"),
        plural("one card", "{number} cards", 2),
    )


def test_a_listener_is_told_in_his_own_language_and_the_table_in_its_own() -> None:
    english = sample()
    with language.speaking("fr"):
        french = sample()
        with language.speaking("de"):
            german = sample()
        assert sample() == french
    assert sample() == english
    language.use("fr")
    assert sample() == french
    assert len({french[1], german[1], english[1]}) == 3
    assert (french[2], german[2]) == ("Roi", "König")


def test_changing_the_table_s_language_leaves_a_listener_in_his_own() -> None:
    with language.speaking("de"):
        before = sample()
        language.use("ru")
        assert sample() == before
    assert language.current() == "ru"


def test_another_thread_hears_the_table_s_language() -> None:
    lines: list[str] = []
    with language.speaking("fr"):
        thread = threading.Thread(target=lambda: lines.append(language.current()))
        thread.start()
        thread.join(PATIENCE)
    assert lines == ["en"]


def test_a_listener_reads_what_the_box_in_play_prints() -> None:
    language.print_as("millennium_3e")
    with language.speaking("fr"):
        assert card("smithy") == "Manufacture"
        language.print_as("classic_2016")
        assert card("smithy") == "Forge"
