"""The full-screen caller: what the crowned player sees, taps and types at.

Everything shown comes from `companion.game.session` and `companion.wording`; the rules are in
none of these modules. Textual is loaded by `run` alone.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from companion.phones.serving.where import Where
    from companion.settings.config import Config
    from companion.setup.options import PlayOptions


def run(options: PlayOptions, config: Config, where: Where | None = None) -> int:
    """Play on the whole screen until the caller is left, with phones that come to `where`. The exit
    code of the command."""
    from companion.app.opening import play

    return play(options, config, where)
