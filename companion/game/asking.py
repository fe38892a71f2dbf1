"""What is asked at one moment and the answers offered: rows with numbers, keys and reasons.

Everything here is computed from the public view of the table. At the top level each verb has a row;
the verb that the moment is about (who answers, what is built, which cards lie face up) has a row
for each of its answers instead. A row with several moves behind it opens a list that asks for the
next word: which player, which card, how many.
"""

from __future__ import annotations

from functools import partial
from itertools import count
from typing import TYPE_CHECKING, NamedTuple

from companion import verbs
from companion.game import Offer, Row, picks
from companion.game.picks import SETS, explain_move, explain_name
from companion.language import _, name_cards
from companion.language.vocabulary import list_initials
from companion.verbs import ALWAYS_SECRET, is_private
from companion.verbs.turn import price_districts
from companion.wording import state
from engine.moves import Move, kinds_of, make
from engine.rules.building import find_all_barred, list_prices, situation
from engine.rules.selection import find_no_answer
from engine.views import find_awaited

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Mapping, Sequence

    from engine.table import Table


_OPEN = ("reveal", "unmask", "faceup")
"""Verbs whose answers are top-level rows."""

_WHO = ("reveal", "unmask")
"""Verbs that say who has a character."""


_WITH_SEARCH = ("build", "city")
"""Verbs whose rows stand below the others and are searched by letters."""

_GATHERING = ("gold", "cards")

_IN_SETS = (*SETS, "decorate")
"""Verbs that name several cards in any order."""


# -- the rows of a moment -------------------------------------------------------------------------


def agenda(
    table: Table,
    legal: Sequence[Move],
    verb_keys: Mapping[str, Sequence[str]],
    *,
    alone: bool = False,
) -> Offer:
    """The top-level rows, from the moves that are legal in the public view; or, with `alone`, the
    rows for that one player, from whom nothing is hidden. `verb_keys` has the keys of each verb."""
    by_verb: dict[str, list[Move]] = {}
    for move in sorted(select_offered(table, legal), key=lambda move: move.verb in ALWAYS_SECRET):
        by_verb.setdefault(move.verb, []).append(move)
    if alone and len(by_verb) == 1:
        offer = narrow(table, [*by_verb.popitem()[1]], alone=True)
        return offer._replace(question="") if table.questions else offer  # the question asks it
    open_verb = _find_open_verb(table, by_verb)
    open_rows = _rows(table, by_verb.pop(open_verb), alone=alone) if open_verb else ()
    is_searched = open_verb in _WITH_SEARCH
    initials = _find_initials(table, open_rows) if is_searched else frozenset()
    nobody = _find_letter("nobody", verb_keys)
    open_rows = tuple(r._replace(key=nobody) if r.card == "nobody" else r for r in open_rows)
    rows = _verb_rows(table, by_verb, verb_keys, alone, initials)
    rows = (*rows, *open_rows) if is_searched else (*open_rows, *rows)
    return Offer("", rows, initials)


def _find_initials(table: Table, rows: Sequence[Row]) -> frozenset[str]:
    """The letters that start the search for a name: those with which the name of any district of
    this box, any character of this game or any player begins in the table's language, whichever the
    rows name; so a letter means the same through the whole evening."""
    rules, asked = table.rules, {row.card for row in rows}
    names: list[str] = []
    for ids in (rules.districts, rules.characters):
        if not asked.isdisjoint(ids):
            names += map(str, name_cards(ids))
    if not asked.isdisjoint(rules.seat_of):
        names += rules.seat_of
    return list_initials(tuple(names or [row.label for row in rows]))


def select_offered(table: Table, legal: Sequence[Move]) -> list[Move]:
    """The legal moves that are offered: all but a zero income, cities not asked for, and the name
    of the only richest player, which a tap may give but nobody has to choose."""
    choices = picks.select_listed(table, legal)
    unnamed_verbs = {move.verb for move in choices if move.text == "tithe"}
    return [
        move
        for move in choices
        if (move.verb != "income" or state.may_pay(table))
        and (move.verb not in unnamed_verbs or not move.args)
    ]


def _find_open_verb(table: Table, by_verb: Mapping[str, list[Move]]) -> str:
    """The verb whose answers get their own rows; "" if every verb has one row."""
    for verb in _OPEN:
        if verb in by_verb:
            return verb
    if table.turn is not None and not table.questions and "build" in by_verb:
        gathers = any(verb in by_verb for verb in _GATHERING)
        return "" if gathers or not table.rules.tracks_cities else "build"
    if not table.questions:
        return ""
    if "city" in by_verb:
        return "city"
    public_verbs = [verb for verb, moves in by_verb.items() if verb not in ALWAYS_SECRET]
    return public_verbs[0] if len(public_verbs) == 1 else ""


def _verb_rows(
    table: Table,
    by_verb: Mapping[str, list[Move]],
    keys_of: Mapping[str, Sequence[str]],
    alone: bool,
    initials: frozenset[str],
) -> tuple[Row, ...]:
    """A row for each verb, with the verb's number, and its key unless that is among the `initials`
    of the names awaited; the end of the turn comes first if it has none."""
    rows: list[Row] = []
    letters = set[str]()
    order = sorted(by_verb, key=lambda verb: verb not in _GATHERING)
    for verb in order:
        moves = tuple(by_verb[verb])
        letter = _find_letter(verb, keys_of, letters | initials)
        letters.add(letter)
        private = not alone and is_private(table, verb)
        several = private or len(moves) > 1
        label = verbs.fold_label(table, verb, moves) if several else verbs.label(table, moves[0])
        number = verbs.VERBS[verb].number or None
        row = Row(label, moves, number, letter, private=private, yes=_find_yes(table, verb))
        rows.insert(0 if verb == "end" and initials and not letter else len(rows), row)
    return tuple(rows)


def _find_yes(table: Table, verb: str) -> bool | None:
    """Whether the verb says yes, or no, to what is asked; None if that is no such question."""
    match verb:
        case "call":
            return True
        case "nobody":
            return bool(find_no_answer(table)) or None
        case "end":
            return state.asks_to_end(table) or None
    return verbs.says_yes(verb)


def _find_letter(
    verb: str, keys_of: Mapping[str, Sequence[str]], taken: Container[str] = ()
) -> str:
    return next((key for key in keys_of.get(verb, ()) if len(key) == 1 and key not in taken), "")


# -- word by word ---------------------------------------------------------------------------------


def narrow(table: Table, moves: Sequence[Move], title: str = "", *, alone: bool = False) -> Offer:
    """The list that asks for the next word of these moves of one verb; a row for each move if their
    verbs differ. `alone` leaves out the players who cannot be meant."""
    if len({move.verb for move in moves}) > 1:
        flat = list_flat(table, moves)
        return Offer(title, flat, _find_initials(table, flat))
    rows = _rows(table, moves, alone=alone)
    return Offer(title, rows, _find_initials(table, rows), _question(table, moves))


def _question(table: Table, moves: Sequence[Move]) -> str:
    """The question for the next word of these moves of one verb; "" if only one move is left."""
    waiting = find_awaited(table)
    if len(moves) < 2 or waiting is None or not verbs.VERBS[moves[0].verb].asks():
        return ""
    place = 0 if moves[0].verb in _IN_SETS else _place(moves)
    names = _find_common(moves) if moves[0].verb in _IN_SETS else []
    if names:
        of_whom = moves[0].verb in SETS
        sentence = _("{picked} Who else?") if of_whom else _("{picked} Which other one?")
        return sentence.format(picked=picks.tell_pending(moves, names))
    return verbs.ask(moves[0].verb, place, table.seats[waiting[0]].name)


def _find_common(moves: Sequence[Move]) -> list[str]:
    return [word for word in moves[0].args if all(word in move.args for move in moves)]


def _place(moves: Sequence[Move]) -> int:
    """The index of the first word in which the moves differ."""
    shortest = min(len(move.args) for move in moves)
    place = 0
    while place < shortest and len({move.args[place] for move in moves}) == 1:
        place += 1
    return place


def list_flat(table: Table, moves: Sequence[Move]) -> tuple[Row, ...]:
    return tuple(Row(verbs.label(table, m), (m,), n) for n, m in enumerate(moves, start=1))


def _rows(table: Table, moves: Sequence[Move], *, alone: bool = False) -> tuple[Row, ...]:
    verb = moves[0].verb
    groups = _group_set(moves) if verb in _IN_SETS else _group_by_word(moves)
    apart = _find_apart(groups)
    listed = [group for group in groups if group not in apart]
    rows = _list_rows(table, verb, listed)
    if apart:
        label = verbs.VERBS[verb].of_another()
        rows.append(Row(label, tuple(move for group in apart for move in group.moves)))
    if len(moves) == 1 and (alone or verb not in _WHO):  # the last who may is not known to be it
        number = rows[0].number or verbs.VERBS[verb].number or None
        rows = [rows[0]._replace(label=verbs.label(table, moves[0]), number=number)]
    place = groups[0].place
    of_player = [group.moves[0] for group in listed if group.kind == "P"]
    if of_player or apart:
        free_numbers = count(_APART)
        rows = [r if r.number is not None else r._replace(number=next(free_numbers)) for r in rows]
    if of_player and not alone:
        rows += _list_absent_players(table, of_player[0], place, [row.card for row in rows])
    of_character = [group.moves[0] for group in listed if group.kind == "C"]
    if of_character and not alone:
        rows += _list_absent_characters(table, of_character[0], [row.card for row in rows])
    if verb == "build" and place == 0 and table.rules.tracks_cities:
        rows += _list_unbuildable(table, {group.word for group in groups})
    numbered_rows = _number_rows(rows)
    if of_player:  # in the order of their seats
        return numbered_rows
    return tuple(sorted(numbered_rows, key=lambda row: row.why is not None))


_APART = 91
"""The first number of rows that are neither a player nor an amount, in lists of those."""


class _Group(NamedTuple):
    """The moves behind one row: all have `word` at `place` (from 0), or name it if they are of
    `_IN_SETS`. The word is "" if they end before it, and its kind is that of `kinds_of`."""

    place: int
    word: str
    moves: Sequence[Move]
    kind: str


def _group(place: int, moves_by_word: Mapping[str, Sequence[Move]]) -> list[_Group]:
    groups = []
    for word, moves in moves_by_word.items():
        kinds = kinds_of(moves[0])
        groups.append(_Group(place, word, moves, kinds[place] if place < len(kinds) else ""))
    return groups


def _find_apart(groups: Sequence[_Group]) -> list[_Group]:
    """The groups of players in a list that also has amounts, whose numbers are the same."""
    kinds = {group.kind for group in groups}
    return [group for group in groups if group.kind == "P"] if {"P", "N"} <= kinds else []


def _group_by_word(moves: Sequence[Move]) -> list[_Group]:
    """Moves of one verb, grouped by the first word in which they differ; a single one, and those
    that say who it is, by the first word, whose number it keeps."""
    place = 0 if len(moves) == 1 or moves[0].verb in _WHO else _place(moves)
    by_word: dict[str, list[Move]] = {}
    for move in moves:
        word = move.args[place] if place < len(move.args) else ""
        by_word.setdefault(word, []).append(move)
    return _group(place, by_word)


def _group_set(moves: Sequence[Move]) -> list[_Group]:
    """Moves that name cards in any order, grouped by each card that only some of them name; plus
    the move that names no further card."""
    common_words = {*_find_common(moves)}
    words = dict.fromkeys(word for move in moves for word in move.args if word not in common_words)
    if not words:
        return _group(0, {"": moves})
    complete = [move for move in moves if set(move.args) == common_words]
    by_word = {word: [move for move in moves if word in move.args] for word in words}
    return [*_group(len(common_words), {"": complete} if complete else {}), *_group(0, by_word)]


def _list_rows(table: Table, verb: str, groups: Sequence[_Group]) -> list[Row]:
    """A row for each group of a verb, labelled by what differs from the others. Labels of one kind
    are made together, as there may be forty."""
    in_sets = verb in _IN_SETS
    single = {g.word: g for g in groups if len(g.moves) == 1 and not (g.word and in_sets)}
    priced = [g.word for g in groups if g.word not in single and _is_priced(g)]
    labels = dict(zip(priced, price_districts(table, priced), strict=True))
    if single:
        moves, place = [g.moves[0] for g in single.values()], groups[0].place
        labels |= zip(single, verbs.describe_rests(table, moves, place), strict=True)
    rows = [
        Row(
            labels.get(g.word) or verbs.word_label(table, verb, g.place, g.word),
            tuple(g.moves),
            _number(table, g),
            card=g.word,
        )
        for g in groups
    ]
    return [
        row._replace(label=state.mark_face_up(table, row.card, row.label)) if g.kind == "C" else row
        for g, row in zip(groups, rows, strict=True)
    ]


def _number(table: Table, group: _Group) -> int | None:
    """The number that this kind of word has everywhere; None if it has none."""
    word = group.word
    if word == "nobody":
        return verbs.VERBS["nobody"].number
    match group.kind:
        case "P":
            return table.rules.seat_of[word] + 1
        case "C":
            return table.rules.characters[word].rank
        case "T":
            return picks.find_type_number(word)
        case "N":
            return int(word)
        case "D":
            owner = _owner(table, group)
            if owner is None:
                return picks.number_districts(table.rules).get(word)
            return picks.find_in_city(table.seats[owner], word)
    return None


_FOR_GOLD = ("build", "take")  # whose first district costs gold
_FROM_THE_HAND = (*_FOR_GOLD, "city", "count")  # whose first district is not in a city yet


def _owner(table: Table, group: _Group) -> int | None:
    """The player in whose city the group's district lies; None for one in a hand."""
    move, words = group.moves[0], group.moves[0].args[: group.place]
    replaces = "over" in words
    if move.verb in _FROM_THE_HAND and not replaces:
        return None
    players = [w for w, kind in zip(words, kinds_of(move), strict=False) if kind == "P"]
    if players and not replaces:
        return table.rules.seat_of[players[-1]]
    return table.turn.seat if table.turn is not None else None


def _is_priced(group: _Group) -> bool:
    """Whether the group's district is built for gold."""
    move = group.moves[0]
    return move.verb in _FOR_GOLD and group.kind == "D" and "over" not in move.args[: group.place]


def _list_absent_players(table: Table, move: Move, place: int, present: Sequence[str]) -> list[Row]:
    """Rows for players that no move names: they keep their numbers; picking one says why not."""
    return [
        Row(
            name,
            (),
            seat + 1,
            card=name,
            why=partial(explain_name, table, move, place, name),
        )
        for seat, name in enumerate(table.rules.player_names)
        if name not in present
    ]


def _list_absent_characters(table: Table, move: Move, present: Sequence[str]) -> list[Row]:
    """Rows for the characters that may not be named; picking one says why not."""
    others = [id_ for id_ in table.rules.cast if id_ not in present and id_ not in move.args[:-1]]
    moves = {id_: make(move.verb, *move.args[:-1], id_) for id_ in others}
    return [
        Row(
            state.mark_face_up(table, id_),
            (),
            table.rules.characters[id_].rank,
            card=id_,
            why=partial(explain_move, table, moves[id_]),
        )
        for id_ in others
        if verbs.refusal_seen(table, moves[id_]) is not None
    ]


def _list_unbuildable(table: Table, listed_ids: set[str]) -> list[Row]:
    others = [id_ for id_ in table.rules.districts if id_ not in listed_ids]
    labels, prices = price_districts(table, others), list_prices(table, others)
    gold, barred = (
        table.acting.gold,
        find_all_barred(table.rules, situation(table, table.acting.city)),
    )
    return [
        Row(
            label,
            (),
            picks.number_districts(table.rules).get(id_),
            card=id_,
            why=partial(explain_move, table, make("build", id_)),
            short=0 if id_ in barred else max(0, price - gold),
        )
        for id_, label, price in zip(others, labels, prices, strict=True)
    ]


def _number_rows(rows: Iterable[Row]) -> tuple[Row, ...]:
    """The rows in numerical order, those without a number last."""
    rows = sorted(rows, key=lambda row: (row.number is None, row.number or 0))
    result: list[Row] = []
    for row in rows:
        last = result[-1].number or 0 if result else 0
        clashes = row.number is None or (result and row.number <= last)
        result.append(row._replace(number=last + 1) if clashes else row)
    return tuple(result)
