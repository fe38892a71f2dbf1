"""The timeout of waits in tests."""

from __future__ import annotations

PATIENCE = 60.0
"""Seconds until a wait fails: generous, because a loaded machine is slow and a hang is forever."""
