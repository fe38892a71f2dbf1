"""Fixtures of other folders."""

from __future__ import annotations

from tests.companion.conftest import begin, log
from tests.end_to_end.conftest import terminal

__all__ = ["begin", "log", "terminal"]
