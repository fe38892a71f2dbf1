"""The options of `companion play`, for the caller that plays (full screen or lines)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping


class PlayOptions(NamedTuple):
    """The options of `companion play`; None for those not given, to be asked for or looked up.

    Given options have been checked, each alone and, if the players are given, together.
    """

    new: bool = False
    """Begin a new game without asking whether to continue the last one."""

    edition: str | None = None
    """The id of the box on the table."""

    players: tuple[str, ...] | None = None
    """The names in seat order, clockwise."""

    crown: str | None = None
    """Who holds the crown first, spelled as among `players`."""

    options: Mapping[str, Any] | None = None
    """House options by name, as a record holds them."""

    cast: str | None = None
    """Which characters play: `ordinary`, `random`, or the id of a printed cast of the edition."""

    characters: tuple[str, ...] | None = None
    """The characters one by one, instead of a cast."""

    districts: tuple[str, ...] | None = None
    """The unique districts shuffled in, instead of those of the cast or the edition."""

    secrecy: str | None = None
    """`announced` or `secret`."""

    teach: bool = False
    """Explain each character in the first round, when it is called."""

    resume: bool = False
    """Continue a game without asking: `game`, or the last one."""

    game: str | None = None
    """The name of the game to continue."""

    reader: str | None = None
    """`auto`, `none`, `simulated`, or the path of a reader."""
