"""One input travels no farther through our code than now: counts do not depend on the machine."""

from __future__ import annotations

import pytest

from tests.tools import walks
from tests.tools.walks import Walk

pytestmark = pytest.mark.outer


def test_a_typed_line_crosses_no_more_files() -> None:
    assert exceeding(walks.walk_line().walk, Walk(calls=1000, files=40, crossings=313)) == []


async def test_a_key_on_the_full_screen_makes_no_more_calls() -> None:
    assert (
        exceeding((await walks.walk_key()).walk, Walk(calls=2260, files=55, crossings=1020)) == []
    )


def test_a_list_of_games_imports_no_more_modules() -> None:
    modules = walks.list_history_modules()
    assert "companion.history.games" in modules
    assert len(modules) <= 65


def exceeding(walk: Walk, limit: Walk) -> list[str]:
    """What goes beyond the limit."""
    return [
        f"{name}: {count}, at most {most}"
        for name, count, most in zip(Walk._fields, walk, limit, strict=True)
        if count > most
    ]
