"""Typed input as a move: names in the table's language and prefixes of words.

A line in notation always means what the notation says. Anything else is matched word by word
against the grammar: verbs and ids by prefix, cards also by their printed names.
"""

from __future__ import annotations

from functools import partial
from itertools import chain, islice
from typing import TYPE_CHECKING

from common.clean import read_number
from common.problems import find_nearest_few
from companion import language, verbs
from companion.game import picks
from companion.game.picks import SETS
from companion.language import Names, vocabulary
from companion.language.grammar import read_arguments
from companion.verbs import is_private
from engine import cards, explain
from engine.moves import (
    GRAMMAR,
    MARKS,
    Move,
    UnknownMove,
    find_player_places,
    kinds_of,
    make,
    parse,
    quote,
    split,
)
from engine.rules import find_menu

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from engine.explain import Refusal
    from engine.table import Table

_MOST_READINGS = 200  # of one line; nobody wants to choose from more
_FEW = 9  # moves offered to a player who named none
_LONGEST_LINE = 40  # words
_NEAR = 0.7  # how similar a mistyped line and a move are, from 0 to 1


def understand(text: str, table: Table, legal: Sequence[Move]) -> list[Move]:
    """The moves that the line may mean: one, several if ambiguous, none if unknown.

    Of several, the legal ones are meant; if none is legal, those whose verb fits the moment; else
    all.
    """
    try:
        return _adapt_to_moment(
            picks.shorten_build(table, parse(text, table.rules.vocabulary)), legal
        )
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
    adapted = (_adapt_to_moment(picks.shorten_build(table, move), legal) for move in readings)
    moves = list(dict.fromkeys(chain.from_iterable(adapted)))
    legal_moves = [move for move in moves if move in legal]
    return legal_moves or [move for move in moves if move.verb in find_menu(table).by_verb] or moves


def _adapt_to_moment(move: Move, legal: Sequence[Move]) -> list[Move]:
    """The move, or what it means now: `nobody` also answers who the murdered character was."""
    if move in legal:
        return [move]
    meant = [
        other
        for other in legal
        if move.text in verbs.VERBS[other.verb].instead and other.args in ((), (move.text,))
    ]
    return meant or [move]


def _find_called(text: str, table: Table, legal: Sequence[Move]) -> list[Move]:
    """The legal moves behind the row with this label."""
    typed = vocabulary.simplify(text)
    by_verb: dict[str, list[Move]] = {}
    for move in legal:
        by_verb.setdefault(move.verb, []).append(move)
    for verb, moves in by_verb.items():
        if len(moves) > 1 and typed in vocabulary.spellings(verbs.fold_label(table, verb, moves)):
            return moves
    return [move for move in legal if typed in vocabulary.spellings(verbs.label(table, move))]


def _read_answers(
    words: list[str], table: Table, names: dict[str, Names], legal: Sequence[Move]
) -> Iterator[Move]:
    """The legal moves made by names alone: the player, when asked who a character is; the
    districts, when asked which are in a city."""
    players = vocabulary.match_names(" ".join(words), names["P"])
    for move in legal:
        if move.verb in ("reveal", "unmask") and move.args[0] in players:
            yield move
    if table.phase == "calling":  # also of a rank that nobody can answer, to be told why
        yield from (make("reveal", name, player_places=(0,)) for name in players)
    yield from _read_asked_city(words, table, names)


def _read_asked_city(words: list[str], table: Table, names: dict[str, Names]) -> Iterator[Move]:
    """Districts named alone while a city is counted: they are in that city."""
    player = picks.find_counted_player(table)
    if player is None:
        return
    if vocabulary.verbs(words[0], GRAMMAR) == ["city"]:
        words = words[1:]
        if vocabulary.match_names(" ".join(words), names["P"]):  # `city Anna` asks
            return
    for districts in read_arguments(["D..."], words, partial(_match, names)):
        yield make("city", player, *districts, player_places=(0,))


def find_begun(text: str, table: Table, legal: Sequence[Move]) -> list[Move]:
    """The legal moves that the line begins: those of its verb that contain its words. None if it
    begins no verb, or several."""
    words = _words(text)
    begun = vocabulary.verbs(words[0], dict.fromkeys(move.verb for move in legal)) if words else []
    if len(begun) != 1 or len(words) > _LONGEST_LINE:
        return []
    of_verb = [move for move in legal if move.verb == begun[0]]
    if len(words) == 1:
        return of_verb
    match = partial(_match, _list_names(table))
    forms = (form.split() for form in GRAMMAR[begun[0]])
    beginnings = (kinds[:count] for kinds in forms for count in range(1, len(kinds)))
    read = (args for kinds in beginnings for args in read_arguments(kinds, words[1:], match))
    readings = set(islice(read, _MOST_READINGS))
    return [move for move in of_verb if any(_begins_with(move, args) for args in readings)]


def _begins_with(move: Move, args: tuple[str, ...]) -> bool:
    """Whether the move begins with these words; a set begins with any of its cards."""
    return set(args) <= set(move.args) if move.verb in SETS else move.args[: len(args)] == args


def find_near(text: str, table: Table, legal: Sequence[Move]) -> list[Move]:
    """Legal moves to suggest for a line that is none: those that it begins, else the most similar,
    else those of its verb if they are few."""
    going_on = find_begun(text, table, legal)
    if going_on:
        return going_on
    close = _find_similar(text, table, legal)
    of_verb = find_begun(" ".join(_words(text)[:1]), table, legal)
    return close or (of_verb if len(of_verb) <= _FEW else [])


def refuse_unknown(text: str, table: Table, legal: Sequence[Move]) -> Refusal:
    """Refuse words that are not a move; suggest what can be done now, in the table's language,
    without anything private."""
    public = [move for move in legal if not is_private(table, move.verb)]
    return explain.refuse_unknown(
        UnknownMove(text, lambda: [spell_move(move) for move in _find_similar(text, table, public)])
    )


def find_garbled(text: str, table: Table, legal: Sequence[Move]) -> str:
    """The first of several names with commas between them that is no district, while a city is
    counted; otherwise the whole text."""
    names = [part for part in map(str.strip, text.split(",")) if part]
    if picks.find_counted_player(table) is None or len(names) < 2:
        return text
    return next((name for name in names if not understand(name, table, legal)), text)


def _find_similar(text: str, table: Table, legal: Sequence[Move]) -> list[Move]:
    """Up to three moves most similar to the text, best first; a district alone is one of the city
    that is counted."""
    typed = vocabulary.simplify(text)
    if picks.find_counted_player(table) is not None:
        listed = (move for move in picks.select_listed(table, legal) if move.verb == "city")
        alone = {vocabulary.simplify(language.card(move.args[1])): move for move in listed}
        if close := find_nearest_few(typed, alone, most=3, cutoff=_NEAR):
            return [alone[name] for name in close]
    ways = {vocabulary.simplify(words): move for move in legal for words in _ways(move)}
    ways.pop("", None)
    close = find_nearest_few(typed, ways, most=3, cutoff=_NEAR)
    return list(dict.fromkeys(ways[way] for way in close))


def _ways(move: Move) -> list[str]:
    """What may have been typed for the move: all its words, or the names alone."""
    _verb, _blank, names = spell_move(move).partition(" ")
    whole = [f"{verb} {names}" for verb in vocabulary.list_typed(move.verb)]
    return [*whole, move.text, names]


def spell_move(move: Move) -> str:
    """The move as typed in the table's language: `build Tavern`, `bâtir Taverne`."""
    kinds = kinds_of(move)
    names = [
        language.card(word)
        if kind in ("C", "D")
        else language.district_type(word)
        if kind == "T"
        else vocabulary.pick_small_word(word)
        if kind not in ("P", "N")
        else quote(word)
        for word, kind in zip(move.args, kinds, strict=False)
    ]
    return " ".join([vocabulary.find_typed(move.verb), *names])


def refuse_closed(text: str, table: Table) -> Refusal | None:
    """Why the verb that the line begins with cannot be used now; None if it can, or if the line
    begins with no verb."""
    words = _words(text) or [""]
    begun = vocabulary.verbs(words[0], GRAMMAR)
    if len(begun) != 1:
        return None
    action = find_menu(table).by_verb.get(begun[0])
    rule = explain.find_rule_of_moment(table, begun[0]) if action is None else action.closed(table)
    return explain.refuse(table, make(begun[0]), rule) if rule is not None else None


def _words(text: str) -> list[str]:
    """The words of a line, without commas between names."""
    return split(text.replace(",", " ")) or []


def _readings(words: list[str], names: dict[str, Names]) -> Iterator[Move]:
    for verb in vocabulary.verbs(words[0], GRAMMAR):
        for form in GRAMMAR[verb]:
            kinds = form.split()
            places = find_player_places(form)
            for args in read_arguments(kinds, words[1:], partial(_match, names)):
                yield make(verb, *args, player_places=places)


def _match(names: dict[str, Names], kind: str, text: str) -> list[str]:
    """The arguments of that kind that the typed words name, in full or by prefix."""
    if kind == "N":
        return [] if read_number(text, 5) is None else [text]
    if kind not in names:
        return [kind] if vocabulary.is_small_word(text, kind) else []
    return vocabulary.match_names(text, names[kind])


def _spellings(words: Sequence[str]) -> list[str]:
    return [one for word in words for one in vocabulary.spellings(word)]


def _list_names(table: Table) -> dict[str, Names]:
    return {
        "P": vocabulary.player_names(table.rules.player_names),
        "C": vocabulary.names_of_cards(table.rules.cast),
        "D": vocabulary.names_of_cards(table.rules.districts),
        "M": {mark: _spellings(vocabulary.list_small_words(mark)) for mark in MARKS},
        "T": {type_: vocabulary.type_names(type_) for type_ in cards.DISTRICT_TYPES},
    }
