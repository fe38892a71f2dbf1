"""What a person typed, as a move: names in the table's language and beginnings of words.

A line in the notation itself always means what the notation says. Anything else is matched word
by word against the grammar: verbs and ids by their beginning, cards also by their printed names.
"""

from __future__ import annotations

from difflib import get_close_matches
from functools import lru_cache
from itertools import islice
from typing import TYPE_CHECKING

from companion import language, untracked, vocabulary
from companion.game import verbs
from companion.intent.gathering import SETS
from companion.privacy import is_private
from companion.vocabulary import plain
from engine import cards, explain
from engine.moves import GRAMMAR, MARKS, UnknownMove, fold, kinds_of, make, parse, quoted, split
from engine.rules import offered
from engine.words import is_anothers, printed_names

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from engine.moves import Move
    from engine.refusals import Refusal
    from engine.table import Table

_LONGEST_NAME = 5  # words in the longest card name of any language
_MOST_READINGS = 200  # of one line; nobody wants to choose among more
_FEW = 9  # moves that are offered to somebody who named none of them
_LONGEST_LINE = 40  # words
_LONGEST_NEAR = 60  # letters that are compared with what could have been meant
_NEAR = 0.7  # how alike a mistyped line and a move are, from 0 to 1

Names = dict[str, list[str]]  # an argument's word in a move -> the names people may type for it


def understand(text: str, t: Table, legal: Sequence[Move]) -> list[Move]:
    """The moves that the line may mean: one, several where it is ambiguous, none where unknown.

    Of several, those that are legal now are meant; if none is, those whose verb belongs to this
    moment; else all of them.
    """
    try:
        return _of_moment(untracked.of_build(t, parse(text, t.rules.vocabulary)), legal)
    except UnknownMove:
        words = _words(text)
    if not words or len(words) > _LONGEST_LINE:
        return []
    called = _called(text, t, legal)
    if called:
        return called
    names = _known_names(t)
    readings = list(islice(_readings(words, names), _MOST_READINGS))
    readings = readings or list(islice(_answered(words, t, names, legal), _MOST_READINGS))
    moves = list(dict.fromkeys(untracked.of_build(t, move) for move in readings))
    allowed = [move for move in moves if move in legal]
    return allowed or [move for move in moves if move.verb in offered(t).by_verb] or moves


def _of_moment(move: Move, legal: Sequence[Move]) -> list[Move]:
    """The move; `nobody` also answers whose the murdered character was."""
    unmasked = [own for own in legal if own.verb == "unmask" and own.args == (move.verb,)]
    return [move] if move in legal else unmasked or [move]


def _called(text: str, t: Table, legal: Sequence[Move]) -> list[Move]:
    """The legal moves that a row with these words plays, or stands for."""
    wanted = plain(text)
    by_verb: dict[str, list[Move]] = {}
    for move in legal:
        by_verb.setdefault(move.verb, []).append(move)
    for verb, moves in by_verb.items():
        if len(moves) > 1 and plain(verbs.fold_label(t, verb, moves)) == wanted:
            return moves
    return [move for move in legal if plain(verbs.label(t, move)) == wanted]


def _answered(
    words: list[str], t: Table, names: dict[str, Names], legal: Sequence[Move]
) -> Iterator[Move]:
    """The moves that names alone make: the player, where the question is who a character is; the
    districts, where it is which stand in a city."""
    players = named(" ".join(words), names["P"])
    for move in legal:
        if move.verb in ("reveal", "unmask") and move.args[0] in players:
            yield move
    yield from _of_asked_city(words, t, names)


def _of_asked_city(words: list[str], t: Table, names: dict[str, Names]) -> Iterator[Move]:
    """Districts alone, while a city is counted: they stand in that one."""
    player = untracked.counted_player(t)
    if player is None:
        return
    if vocabulary.verbs(words[0], GRAMMAR) == ["city"]:
        words = words[1:]
        if named(" ".join(words), names["P"]):  # `city Anna` asks
            return
    for districts in _arguments(["D..."], words, names, set()):
        yield make("city", player, *districts, players=(0,))


def begun(text: str, t: Table, legal: Sequence[Move]) -> list[Move]:
    """The legal moves that the line begins: those of its verb, with the words that it says. None
    where it begins no verb, or several."""
    words = _words(text)
    meant = vocabulary.verbs(words[0], dict.fromkeys(move.verb for move in legal)) if words else []
    if len(meant) != 1 or len(words) > _LONGEST_LINE:
        return []
    of_verb = [move for move in legal if move.verb == meant[0]]
    if len(words) == 1:
        return of_verb
    names = _known_names(t)
    forms = (form.split() for form in GRAMMAR[meant[0]])
    beginnings = (kinds[:count] for kinds in forms for count in range(1, len(kinds)))
    read = (args for kinds in beginnings for args in _arguments(kinds, words[1:], names, set()))
    said = set(islice(read, _MOST_READINGS))
    return [move for move in of_verb if any(_goes_on(move, args) for args in said)]


def _goes_on(move: Move, args: tuple[str, ...]) -> bool:
    """Whether the move begins with these words; a set does with any of its cards."""
    return set(args) <= set(move.args) if move.verb in SETS else move.args[: len(args)] == args


def near(text: str, t: Table, legal: Sequence[Move]) -> list[Move]:
    """Legal moves to offer for a line that is none: those that it begins, else those that are
    written most alike, else those of its verb where they are few."""
    going_on = begun(text, t, legal)
    if going_on:
        return going_on
    close = _alike(text, legal)
    of_verb = begun(" ".join(_words(text)[:1]), t, legal)
    return close or (of_verb if len(of_verb) <= _FEW else [])


def unknown(text: str, t: Table, legal: Sequence[Move]) -> Refusal:
    """The refusal of words that are not a move; it offers what can be done now, in the words of the
    table's language, and nothing that is only one player's affair."""
    public = [move for move in legal if not is_private(t, move.verb)]
    return explain.unknown(UnknownMove(text, [in_words(move) for move in _alike(text, public)]))


def _alike(text: str, legal: Sequence[Move]) -> list[Move]:
    """Up to three moves that are written most like the text, the nearest first."""
    ways = {plain(words): move for move in legal for words in _ways(move)}
    ways.pop("", None)
    close = get_close_matches(plain(text)[:_LONGEST_NEAR], ways, n=3, cutoff=_NEAR)
    return list(dict.fromkeys(ways[way] for way in close))


def _ways(move: Move) -> list[str]:
    """What may have been meant to be typed for the move: all its words, or the names alone."""
    _verb, _blank, names = in_words(move).partition(" ")
    whole = [f"{verb} {names}" for verb in vocabulary.all_typed(move.verb)]
    return [*whole, move.text, names]


def in_words(move: Move) -> str:
    """The move as it is typed in the table's language: `build Tavern`, `bâtir Taverne`."""
    kinds = kinds_of(move)
    names = [
        language.card(word)
        if kind in ("C", "D")
        else language.district_type(word)
        if kind == "T"
        else vocabulary.small(word)
        if kind not in ("P", "N")
        else quoted(word)
        for word, kind in zip(move.args, kinds, strict=False)
    ]
    return " ".join([vocabulary.typed(move.verb), *names])


def closed(text: str, t: Table) -> Refusal | None:
    """Why the verb that the line begins with cannot be used at all now; None if it can, or if the
    line begins with none."""
    words = _words(text) or [""]
    meant = vocabulary.verbs(words[0], GRAMMAR)
    if len(meant) != 1:
        return None
    action = offered(t).by_verb.get(meant[0])
    rule = explain.misplaced(t, meant[0]) if action is None else action.closed(t)
    return explain.refusal(t, make(meant[0]), rule) if rule is not None else None


def _words(text: str) -> list[str]:
    """The words of a line; commas between names are no part of them."""
    return split(text.replace(",", " ")) or []


def _readings(words: list[str], names: dict[str, Names]) -> Iterator[Move]:
    for verb in vocabulary.verbs(words[0], GRAMMAR):
        for form in GRAMMAR[verb]:
            kinds = form.split()
            for args in _arguments(kinds, words[1:], names, set()):
                spots = (i for i, kind in enumerate(_spread(kinds, len(args))) if kind == "P")
                yield make(verb, *args, players=tuple(spots))


def _spread(kinds: list[str], count: int) -> list[str]:
    if not kinds or not kinds[-1].endswith("..."):
        return kinds
    return kinds[:-1] + [kinds[-1][:-3]] * (count - len(kinds) + 1)


def _arguments(
    kinds: list[str],
    words: list[str],
    names: dict[str, Names],
    dead: set[tuple[int, int]],
) -> Iterator[tuple[str, ...]]:
    """Every way to read all the words as arguments of these kinds.

    `dead` keeps how many kinds and words were left where no way was found, so that a long line
    of short words is not read in every way there is.
    """
    if not kinds or not words:
        if not kinds and not words:
            yield ()
        return
    if (len(kinds), len(words)) in dead:
        return
    found = False
    repeats = kinds[0].endswith("...")
    kind = kinds[0].removesuffix("...")
    for taken in range(1, min(len(words), _LONGEST_NAME) + 1):
        rest = words[taken:]
        later = kinds if repeats and rest else kinds[1:]
        for arg in _match(kind, " ".join(words[:taken]), names):
            for tail in _arguments(later, rest, names, dead):
                found = True
                yield (arg, *tail)
    if not found:
        dead.add((len(kinds), len(words)))


def _match(kind: str, typed: str, names: dict[str, Names]) -> list[str]:
    """The arguments of that kind that the typed words name, exactly or by their beginning."""
    if kind == "N":
        return [typed] if typed.isascii() and typed.isdecimal() and len(typed) < 6 else []
    if kind not in names:
        return [kind] if vocabulary.is_small_word(typed, kind) else []
    return named(typed, names[kind])


def named(typed: str, names: Names) -> list[str]:
    """The keys whose names the typed words are, or else begin."""
    wanted = plain(typed)
    if not wanted:
        return []
    exact = [key for key, known in names.items() if wanted in known]
    return exact or [
        key for key, known in names.items() if any(name.startswith(wanted) for name in known)
    ]


def _known_names(t: Table) -> dict[str, Names]:
    return {
        "P": player_names(t.rules.player_names),
        "C": {id_: card_names(id_) for id_ in t.rules.cast},
        "D": {id_: card_names(id_) for id_ in t.rules.districts},
        "M": {mark: [plain(word) for word in vocabulary.small_words(mark)] for mark in MARKS},
        "T": {type_: type_names(type_) for type_ in cards.DISTRICT_TYPES},
    }


def player_names(players: Iterable[str]) -> Names:
    """What may be typed for each player (`Jose` for José, unless both sit there)."""
    return {name: [fold(name), plain(name)] for name in players}


def card_names(card_id: str) -> list[str]:
    """What may be typed for a card: its id, in words too, and every name and form of a name that a
    printing in the table's language has for it. The Russian `Порт` is the Docks and the French
    `Port` the Harbor, so the names of other languages are none of it."""
    here = language.current()
    printed = (
        name
        for code, name in printed_names(card_id)
        if code == here and not is_anothers(name, card_id, code)
    )
    return [plain(name) for name in (card_id, *printed, *language.card(card_id).forms())]


@lru_cache(maxsize=512)
def search_names(card_id: str) -> tuple[str, ...]:
    """Every name of a card in any language and printing, and its id, as typing looks for it."""
    printed = (name for _language, name in printed_names(card_id))
    return tuple(dict.fromkeys(map(plain, (card_id, *printed))))


def type_names(type_: str) -> list[str]:
    """What may be typed for a type of districts."""
    return [plain(name) for name in (type_, *language.district_type(type_).forms())]
