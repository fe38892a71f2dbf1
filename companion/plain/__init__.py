"""The line caller, `companion play --plain`: moves and answers are lines."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from companion.phones.serving.where import Where
    from companion.settings.config import Config
    from companion.setup import PlayOptions


def run(options: PlayOptions, config: Config, where: Where | None = None) -> int:
    """Play in lines until the input ends, with phones connecting to `where`. Return the exit
    code."""
    from companion.plain.caller import play

    return play(options, config, where)
