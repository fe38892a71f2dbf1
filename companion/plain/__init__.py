"""The line caller, `companion play --plain`: moves are read as lines, answers are lines."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from companion.config import Config
    from companion.options import PlayOptions


def run(options: PlayOptions, config: Config) -> int:
    """Play in lines until the input ends. The exit code of the command."""
    from companion.plain.caller import play

    return play(options, config)
