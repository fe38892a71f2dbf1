"""The full-screen caller: what the crowned player sees, taps and types at.

Everything shown comes from `companion.game.session` and `companion.wording`; none of these modules
contains rules. Only `run` imports Textual.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from companion.phones.serving.where import Where
    from companion.settings.config import Config
    from companion.setup import PlayOptions


def run(options: PlayOptions, config: Config, where: Where | None = None) -> int:
    """Play on the full screen until the user quits, with phones connecting to `where`. Return the
    exit code."""
    from companion.app.caller import play

    return play(options, config, where)
