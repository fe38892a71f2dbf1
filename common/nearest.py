"""Find the known words most similar to a mistyped one."""

from __future__ import annotations

TYPE_CHECKING = False  # imported at every start, and `typing` is slow to import
if TYPE_CHECKING:
    from collections.abc import Iterable

_ALIKE = 0.5
"""The least similarity, from 0 to 1, for a word to be suggested for another."""

_LONGEST = 60
"""The number of letters compared, which bounds the time."""


def find_nearest(word: object, known: Iterable[str], *, cutoff: float = _ALIKE) -> str | None:
    """The known word most similar to this one, or None if none is similar enough."""
    return next(iter(find_nearest_few(word, known, most=1, cutoff=cutoff)), None)


def find_nearest_few(
    word: object, known: Iterable[str], *, most: int, cutoff: float = _ALIKE
) -> list[str]:
    """Known words similar to this one, most similar first; case does not matter."""
    from difflib import get_close_matches

    lowered = {known_word.lower(): known_word for known_word in known}
    close = get_close_matches(str(word).lower()[:_LONGEST], lowered, n=most, cutoff=cutoff)
    return [lowered[found] for found in close]
