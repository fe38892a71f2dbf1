"""What a person typed, as a move: names in the table's language and beginnings of words.

A line in the notation itself always means what the notation says. Anything else is matched word
by word against the grammar: verbs and ids by their beginning, cards also by their printed names.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion import language
from engine import cards
from engine.moves import GRAMMAR, UnknownMove, fold, make, parse, split

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from engine.moves import Move
    from engine.table import Table

_LONGEST_NAME = 5  # words in the longest card name of any language

Names = dict[str, list[str]]  # an argument's word in a move -> the names people may type for it


def understand(text: str, t: Table, legal: Sequence[Move]) -> list[Move]:
    """The moves that the line may mean: one, several where it is ambiguous, none where unknown.

    Of several, those that are legal now are meant.
    """
    try:
        return [parse(text, t.rules.vocabulary)]
    except UnknownMove:
        words = split(text)
    if not words:
        return []
    moves = list(dict.fromkeys(_readings(words, _known_names(t))))
    allowed = [move for move in moves if move in legal]
    return allowed or moves


def _readings(words: list[str], names: dict[str, Names]) -> Iterator[Move]:
    verb, rest = fold(words[0]), words[1:]
    exact = [known for known in GRAMMAR if known == verb]
    for known in exact or [known for known in GRAMMAR if known.startswith(verb)]:
        for form in GRAMMAR[known]:
            kinds = form.split()
            for args in _arguments(kinds, rest, names):
                spots = (i for i, kind in enumerate(_spread(kinds, len(args))) if kind == "P")
                yield make(known, *args, players=tuple(spots))


def _spread(kinds: list[str], count: int) -> list[str]:
    if not kinds or not kinds[-1].endswith("..."):
        return kinds
    return kinds[:-1] + [kinds[-1][:-3]] * (count - len(kinds) + 1)


def _arguments(
    kinds: list[str], words: list[str], names: dict[str, Names]
) -> Iterator[tuple[str, ...]]:
    """Every way to read all the words as arguments of these kinds."""
    if not kinds or not words:
        if not kinds and not words:
            yield ()
        return
    kind, later = kinds[0], kinds[1:]
    repeats = kind.endswith("...")
    kind = kind.removesuffix("...")
    for taken in range(1, min(len(words), _LONGEST_NAME) + 1):
        for arg in _match(kind, " ".join(words[:taken]), names):
            rest = words[taken:]
            if repeats and rest:
                tails: Iterable[tuple[str, ...]] = _arguments([f"{kind}..."], rest, names)
            else:
                tails = _arguments(later, rest, names)
            for tail in tails:
                yield (arg, *tail)


def _match(kind: str, typed: str, names: dict[str, Names]) -> list[str]:
    """The arguments of that kind that the typed words name, exactly or by their beginning."""
    if kind == "N":
        return [typed] if typed.isdecimal() and len(typed) < 6 else []
    if kind not in names:
        return [kind] if kind.startswith(typed) else []
    typed = fold(typed)
    exact = [arg for arg, known in names[kind].items() if typed in known]
    if exact:
        return exact
    return [
        arg for arg, known in names[kind].items() if any(name.startswith(typed) for name in known)
    ]


def _known_names(t: Table) -> dict[str, Names]:
    return {
        "P": {name: [fold(name)] for name in t.rules.player_names},
        "C": {id_: card_names(id_) for id_ in t.rules.cast},
        "D": {id_: card_names(id_) for id_ in t.rules.districts},
        "T": {type_: [type_] for type_ in cards.DISTRICT_TYPES},
    }


def card_names(card_id: str) -> list[str]:
    """The names a person may type for a card: its id, in words too, and its printed name."""
    printed = language.card(card_id)
    return [card_id, card_id.replace("_", " "), fold(printed)]
