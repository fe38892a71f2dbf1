"""The symbols of the district types, for everything that is drawn; always shown with a word."""

from __future__ import annotations

SHAPES = {"noble": "♦", "religious": "†", "trade": "●", "military": "▲", "unique": "★"}
"""The symbol of each district type."""
