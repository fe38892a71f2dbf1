"""How long tests wait for what must happen."""

from __future__ import annotations

PATIENCE = 60.0
"""Seconds until it counts as not happening: a machine under load is slow, a hang is for ever."""
