"""What every test of the companion leaves behind: the language and the cards it found."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from companion import language
from engine import datafiles


@pytest.fixture(autouse=True)
def as_found() -> Iterator[None]:
    """A command run inside a test sets the language, and a table's own cards, for the process."""
    yield
    language.use("en")
    language.print_as("")
    datafiles.stand_in({})
