"""Words that people write as arguments of moves: names of several words, matched with the grammar
of the notation."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

Match = Callable[[str, str], list[str]]
"""The arguments of a kind (`engine.moves.GRAMMAR`) that a text may mean."""

_LONGEST_NAME = 5  # words in the longest card name of any language


def read_arguments(
    kinds: Sequence[str],
    words: Sequence[str],
    match: Match,
    dead: set[tuple[int, int]] | None = None,
) -> Iterator[tuple[str, ...]]:
    """Every way to read all the words as arguments of these kinds.

    `dead` caches the counts of kinds and words left that led nowhere, so that a long line of short
    words does not take exponential time.
    """
    dead = set() if dead is None else dead
    if not kinds or not words:
        if not kinds and not words:
            yield ()
        return
    if (len(kinds), len(words)) in dead:
        return
    has_match = False
    repeats = kinds[0].endswith("...")
    kind = kinds[0].removesuffix("...")
    for count in range(1, min(len(words), _LONGEST_NAME) + 1):
        rest = words[count:]
        later = kinds if repeats and rest else kinds[1:]
        for arg in match(kind, " ".join(words[:count])):
            for tail in read_arguments(later, rest, match, dead):
                has_match = True
                yield (arg, *tail)
    if not has_match:
        dead.add((len(kinds), len(words)))
