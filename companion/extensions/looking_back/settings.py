"""The settings of looking back: what places are worth, and where people play."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from common.clean import clean_text
from common.problems import quote_data
from common.sentences import Sentence
from companion.settings import checks
from companion.settings.setting import Setting

if TYPE_CHECKING:
    from companion.settings.config import Config

MOST = 60
"""Characters in the name of a place."""


def _check_place(value: Any) -> str | None:
    if value is None:
        return None
    text = str(value)
    is_plain = bool(text) and not isinstance(value, bool) and clean_text(text) == text
    if is_plain and len(text) <= MOST:
        return None
    return Sentence(
        "{value} cannot be the name of a place; write 1 to {most} letters",
        value=quote_data(value),
        most=MOST,
    )


POINTS = Setting("points", "beaten", checks.points).describe(
    """What a place is worth in a season: beaten (one point for each player behind), or a number
    for first place, second place and so on, such as 10 6 3 1; later places get none. Players
    who share a place share the points of the places that they fill."""
)
PLACE = Setting("place", None, _check_place).describe(
    """Where you play, such as Home; BG Stats gets it with a game as its location. null means
    that it gets none."""
)


def find_points(config: Config) -> tuple[int, ...]:
    """What each place of a game is worth in a season (`checks.read_points`)."""
    return checks.read_points(config.extended.get(POINTS.key, POINTS.default))


def find_place(config: Config) -> str | None:
    place = config.extended.get(PLACE.key)
    return None if place is None else str(place)
