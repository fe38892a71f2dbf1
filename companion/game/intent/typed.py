"""What a person typed, as a move: names in the table's language and beginnings of words.

A line in the notation itself always means what the notation says. Anything else is matched word
by word against the grammar: verbs and ids by their beginning, cards also by their printed names.
"""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

from common.nearest import find_nearest_few
from companion import language, verbs
from companion.game import untracked
from companion.game.intent.gathering import SETS
from companion.language import vocabulary
from companion.language.names import names_of_cards, player_names, type_names
from companion.language.vocabulary import match_names, plain, spellings
from companion.verbs.private import is_private
from engine import cards, explain
from engine.moves import GRAMMAR, MARKS, UnknownMove, kinds_of, make, parse, quote, split
from engine.rules import find_menu

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from companion.language.vocabulary import Names
    from engine.moves import Move
    from engine.refusals import Refusal
    from engine.table import Table

_LONGEST_NAME = 5  # words in the longest card name of any language
_MOST_READINGS = 200  # of one line; nobody wants to choose among more
_FEW = 9  # moves that are offered to somebody who named none of them
_LONGEST_LINE = 40  # words
_NEAR = 0.7  # how alike a mistyped line and a move are, from 0 to 1


def understand(text: str, table: Table, legal: Sequence[Move]) -> list[Move]:
    """The moves that the line may mean: one, several where it is ambiguous, none where unknown.

    Of several, those that are legal now are meant; if none is, those whose verb belongs to this
    moment; else all of them.
    """
    try:
        return _of_moment(untracked.of_build(table, parse(text, table.rules.vocabulary)), legal)
    except UnknownMove:
        words = _words(text)
    if not words or len(words) > _LONGEST_LINE:
        return []
    called = _find_called(text, table, legal)
    if called:
        return called
    names = _list_names(table)
    readings = list(islice(_readings(words, names), _MOST_READINGS))
    readings = readings or list(islice(_read_answers(words, table, names, legal), _MOST_READINGS))
    moves = list(dict.fromkeys(untracked.of_build(table, move) for move in readings))
    allowed = [move for move in moves if move in legal]
    return allowed or [move for move in moves if move.verb in find_menu(table).by_verb] or moves


def _of_moment(move: Move, legal: Sequence[Move]) -> list[Move]:
    """The move; `nobody` also answers whose the murdered character was."""
    unmasked = [own for own in legal if own.verb == "unmask" and own.args == (move.verb,)]
    return [move] if move in legal else unmasked or [move]


def _find_called(text: str, table: Table, legal: Sequence[Move]) -> list[Move]:
    """The legal moves that a row with these words plays, or stands for."""
    wanted = plain(text)
    by_verb: dict[str, list[Move]] = {}
    for move in legal:
        by_verb.setdefault(move.verb, []).append(move)
    for verb, moves in by_verb.items():
        if len(moves) > 1 and wanted in spellings(verbs.fold_label(table, verb, moves)):
            return moves
    return [move for move in legal if wanted in spellings(verbs.label(table, move))]


def _read_answers(
    words: list[str], table: Table, names: dict[str, Names], legal: Sequence[Move]
) -> Iterator[Move]:
    """The moves that names alone make: the player, where the question is who a character is; the
    districts, where it is which are in a city."""
    players = match_names(" ".join(words), names["P"])
    for move in legal:
        if move.verb in ("reveal", "unmask") and move.args[0] in players:
            yield move
    yield from _read_asked_city(words, table, names)


def _read_asked_city(words: list[str], table: Table, names: dict[str, Names]) -> Iterator[Move]:
    """Districts alone, while a city is counted: they are in that one."""
    player = untracked.find_counted_player(table)
    if player is None:
        return
    if vocabulary.verbs(words[0], GRAMMAR) == ["city"]:
        words = words[1:]
        if match_names(" ".join(words), names["P"]):  # `city Anna` asks
            return
    for districts in _arguments(["D..."], words, names, set()):
        yield make("city", player, *districts, players=(0,))


def find_begun(text: str, table: Table, legal: Sequence[Move]) -> list[Move]:
    """The legal moves that the line begins: those of its verb, with the words that it says. None
    where it begins no verb, or several."""
    words = _words(text)
    meant = vocabulary.verbs(words[0], dict.fromkeys(move.verb for move in legal)) if words else []
    if len(meant) != 1 or len(words) > _LONGEST_LINE:
        return []
    of_verb = [move for move in legal if move.verb == meant[0]]
    if len(words) == 1:
        return of_verb
    names = _list_names(table)
    forms = (form.split() for form in GRAMMAR[meant[0]])
    beginnings = (kinds[:count] for kinds in forms for count in range(1, len(kinds)))
    read = (args for kinds in beginnings for args in _arguments(kinds, words[1:], names, set()))
    said = set(islice(read, _MOST_READINGS))
    return [move for move in of_verb if any(_goes_on(move, args) for args in said)]


def _goes_on(move: Move, args: tuple[str, ...]) -> bool:
    """Whether the move begins with these words; a set does with any of its cards."""
    return set(args) <= set(move.args) if move.verb in SETS else move.args[: len(args)] == args


def find_near(text: str, table: Table, legal: Sequence[Move]) -> list[Move]:
    """Legal moves to offer for a line that is none: those that it begins, else those that are
    written most alike, else those of its verb where they are few."""
    going_on = find_begun(text, table, legal)
    if going_on:
        return going_on
    close = _alike(text, legal)
    of_verb = find_begun(" ".join(_words(text)[:1]), table, legal)
    return close or (of_verb if len(of_verb) <= _FEW else [])


def refuse_unknown(text: str, table: Table, legal: Sequence[Move]) -> Refusal:
    """The refusal of words that are not a move; it offers what can be done now, in the words of the
    table's language, and nothing that is only one player's affair."""
    public = [move for move in legal if not is_private(table, move.verb)]
    return explain.refuse_unknown(
        UnknownMove(text, lambda: [in_words(move) for move in _alike(text, public)])
    )


def _alike(text: str, legal: Sequence[Move]) -> list[Move]:
    """Up to three moves that are written most like the text, the nearest first."""
    ways = {plain(words): move for move in legal for words in _ways(move)}
    ways.pop("", None)
    close = find_nearest_few(plain(text), ways, most=3, cutoff=_NEAR)
    return list(dict.fromkeys(ways[way] for way in close))


def _ways(move: Move) -> list[str]:
    """What may have been meant to be typed for the move: all its words, or the names alone."""
    _verb, _blank, names = in_words(move).partition(" ")
    whole = [f"{verb} {names}" for verb in vocabulary.list_typed(move.verb)]
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
        else quote(word)
        for word, kind in zip(move.args, kinds, strict=False)
    ]
    return " ".join([vocabulary.find_typed(move.verb), *names])


def refuse_closed(text: str, table: Table) -> Refusal | None:
    """Why the verb that the line begins with cannot be used at all now; None if it can, or if the
    line begins with none."""
    words = _words(text) or [""]
    meant = vocabulary.verbs(words[0], GRAMMAR)
    if len(meant) != 1:
        return None
    action = find_menu(table).by_verb.get(meant[0])
    rule = explain.find_rule_of_moment(table, meant[0]) if action is None else action.closed(table)
    return explain.refuse(table, make(meant[0]), rule) if rule is not None else None


def _words(text: str) -> list[str]:
    """The words of a line; commas between names do not belong to them."""
    return split(text.replace(",", " ")) or []


def _readings(words: list[str], names: dict[str, Names]) -> Iterator[Move]:
    for verb in vocabulary.verbs(words[0], GRAMMAR):
        for form in GRAMMAR[verb]:
            kinds = form.split()
            players = tuple(place for place, kind in enumerate(kinds) if kind == "P")
            for args in _arguments(kinds, words[1:], names, set()):
                yield make(verb, *args, players=players)


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
    return match_names(typed, names[kind])


def _spellings(words: Sequence[str]) -> list[str]:
    return [one for word in words for one in spellings(word)]


def _list_names(table: Table) -> dict[str, Names]:
    return {
        "P": player_names(table.rules.player_names),
        "C": names_of_cards(table.rules.cast),
        "D": names_of_cards(table.rules.districts),
        "M": {mark: _spellings(vocabulary.small_words(mark)) for mark in MARKS},
        "T": {type_: type_names(type_) for type_ in cards.DISTRICT_TYPES},
    }
