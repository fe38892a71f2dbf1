"""The full-screen caller: what the crowned player sees, taps and types at.

Everything that is shown comes from `companion.session` and `companion.wording`; the rules are in
none of these modules. Textual is loaded by `run` alone.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from companion.config import Config
    from companion.options import PlayOptions


def run(options: PlayOptions, config: Config) -> int:
    """Play on the whole screen until the caller is left. The exit code of the command."""
    from companion.app.opening import play

    return play(options, config)
