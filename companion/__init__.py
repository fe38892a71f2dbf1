"""The table companion: what people use (callers, commands, settings, the log of games)."""

from __future__ import annotations

__version__ = "0.1.0"
