"""The set-up of a new game from what the command line and the settings say."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from companion.clean import clean_text
from engine import record

if TYPE_CHECKING:
    from companion.config import Config
    from companion.options import PlayOptions
    from engine.record import Setup


def from_options(options: PlayOptions, config: Config) -> Setup | None:
    """The set-up that the options describe; None if they name no players.

    Raises Inconsistent with every problem, each path naming the option.
    """
    if not options.players:
        return None
    data: dict[str, Any] = {
        "edition": options.edition or config.edition,
        "players": [clean_text(name) for name in options.players],
        "secrecy": options.secrecy or config.secrecy,
    }
    if options.crown:
        data["crown"] = clean_text(options.crown)
    if options.options:
        data["options"] = dict(options.options)
    return record.read_setup(data)
