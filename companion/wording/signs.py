"""The signs of the district types, for whatever is drawn; each goes with a word."""

from __future__ import annotations

SHAPES = {"noble": "♦", "religious": "†", "trade": "●", "military": "▲", "unique": "★"}
"""The sign of each district type."""
