"""Each extension alone beside the core: it needs neither of the others, nor the core them."""

from __future__ import annotations

import pytest

from tests.sizes import RING
from tests.tools import core

BELOW = [f"--ignore=tests/{name}" for name in ("common", "engine", "tags")]
"""Rooms that know nothing of the companion, and so of no extension."""


@pytest.mark.soak
@pytest.mark.timeout(7200)
@pytest.mark.parametrize("name", core.EXTENSIONS)
def test_an_extension_works_without_the_others(name: str) -> None:
    """In the short soak its own tests alone: `make oldest` runs the core's without extensions."""
    assert core.run([name], BELOW if RING == "soak" else [f"tests/{name}"]) == 0
