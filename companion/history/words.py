"""The words of a conversation that look back: at this game, and at earlier ones."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.history import looking_back, played

if TYPE_CHECKING:
    from companion.history.asking import Command

COMMANDS: dict[str, Command] = {**looking_back.COMMANDS, **played.COMMANDS}
"""The commands by their English words."""
