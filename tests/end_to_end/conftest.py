"""Fixtures for tests of whole programs: an emulated reader, and a service endpoint."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from companion import language
from companion.files import locations
from tags.service.endpoint import Endpoint
from tests.end_to_end.tmux import Terminal
from tests.rigs.simulator import EmulatedReader


@pytest.fixture
def emulator() -> Iterator[EmulatedReader]:
    with EmulatedReader(rf_delay=0, poll_time=0) as reader:
        yield reader


@pytest.fixture
def place() -> Endpoint:
    return Endpoint(locations.service_dir(locations.data_dir()))


@pytest.fixture
def terminal(tmp_path: Path) -> Iterator[Terminal]:
    made = Terminal(tmp_path)
    yield made
    made.end()


@pytest.fixture
def speech(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """The table's language, here and in every program started: a parameter of the test
    (indirect)."""
    code: str = request.param
    monkeypatch.setenv("COMPANION_LANGUAGE", code)
    language.use(code)
    return code
