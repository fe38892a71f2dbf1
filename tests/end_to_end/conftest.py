"""What the tests of whole programs share: an emulated reader, and a place for a service."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from companion import locations
from tags.service.endpoint import Endpoint
from tags.simulator import SimulatedReader


@pytest.fixture
def simulated() -> Iterator[SimulatedReader]:
    with SimulatedReader(rf_delay=0, poll_time=0) as reader:
        yield reader


@pytest.fixture
def place() -> Endpoint:
    """Where the service of this test is."""
    return Endpoint(locations.service_dir(locations.data_dir()))
