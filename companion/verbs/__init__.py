"""Every verb of the notation as users meet it: its label, questions, narration, speech and tap.

One `Verb` for each line of `engine.moves.GRAMMAR`; a new verb needs its record here and its typed
names in `locale/*/words.yaml`. Functions take a table and return sentences in the current language.

Which moves are private to one player is here too: never shown, spoken or written where others
notice.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from common.sentences import Sentence
from companion.language import _, begin_sentence, card, district_type, hand_cards
from companion.verbs import light, powers, selection, strikes, turn
from companion.verbs.verb import NO, YES, Verb
from engine.cards import DISTRICT_TYPES
from engine.explain import Refusal, Refused
from engine.moves import GRAMMAR, MARKS, Move
from engine.referee import judge

if TYPE_CHECKING:
    from engine.table import Table

__all__ = ["VERBS", "Verb"]

VERBS: Mapping[str, Verb] = {
    **selection.VERBS,
    **turn.VERBS,
    **selection.NAMING,
    **powers.VERBS,
    **strikes.VERBS,
    **light.VERBS,
}

ALWAYS_SECRET = tuple(verb for verb, record in VERBS.items() if record.private == "always")
"""Private at every table: choices, the signed warrant, the real threat."""

SECRET_TARGETS = tuple(verb for verb, record in VERBS.items() if record.private == "targets")
"""Told only to the companion if the table plays with secret targets."""

SECRET_REASON = Sentence("Something secret rules it out.")


def label(table: Table, move: Move) -> str:
    """The move in a few words, for the table at which it is legal."""
    return _add_marks(VERBS[move.verb].label(table, move.args), move)


def says_yes(verb: str) -> bool | None:
    """Whether the verb says yes, or no, to the one question that it answers; None for neither."""
    return {YES: True, NO: False}.get(VERBS[verb].number)


def fold_label(table: Table, verb: str, moves: Sequence[Move]) -> str:
    """The row that holds all these moves of the verb; it names no target."""
    fold = VERBS[verb].fold
    return label(table, moves[0]) if fold is None else fold(table, len(moves))


def tell(before: Table, move: Move, after: Table) -> str:
    return VERBS[move.verb].told(before, move.args, after)


def describe_power(move: Move) -> str:
    """The power that the move uses, in two or three words: `murder`, `use the Smithy`."""
    words = VERBS[move.verb].does
    return move.verb if words is None else words(move.args)


def ask(verb: str, place: int, player: str) -> str:
    """The question to that player for the word at that place (from 0) of the move."""
    questions = VERBS[verb].asks()
    return questions[min(place, len(questions) - 1)].format(player=player)


def describe_rests(table: Table, moves: Sequence[Move], place: int = 0) -> list[str]:
    """What differs in each of these moves of one verb from the word at `place` on: `Tavern, 1`."""
    verb = VERBS[moves[0].verb]
    if verb.rests is None:
        return [_describe_rest(table, verb, move, place) for move in moves]
    texts = verb.rests(table, [move.args for move in moves], place)
    return [_add_marks(text, move) for text, move in zip(texts, moves, strict=True)]


def _describe_rest(table: Table, verb: Verb, move: Move, place: int) -> str:
    names = [
        word_label(table, move.verb, at, word)
        for at, word in enumerate(move.args[place:], start=place)
        if not (_is_fixed(move.verb, at, word) and at + 1 < len(move.args))
    ]
    if not names:
        return label(table, move)
    if verb.price is not None:
        names.append(str(verb.price(table, move.args) or _("free")))
    return ", ".join(names)


def word_label(table: Table, verb: str, place: int, word: str) -> str:
    """The row of the moves of a verb that have `word` at `place` (from 0)."""
    record, kinds = VERBS[verb], _kinds(verb, place)
    if "P" in kinds and word in table.rules.seat_of:
        return word
    if "T" in kinds and word in DISTRICT_TYPES:
        return str(district_type(word))
    if not kinds.isdisjoint("CD") and (
        word in table.rules.characters or word in table.rules.districts
    ):
        return str(card(word))
    if word.isdecimal():
        if verb == "count" and not place:  # gold or a rank, as is asked
            return str(record.label(table, (word,)))
        kinds_before = _kinds(verb, place - 1) if place else frozenset()
        return hand_cards(int(word)) if "cards" in kinds_before else record.unit(int(word))
    if record.of_fixed is not None:
        return record.of_fixed()
    return _find_fixed_words().get(word, word)


def hints(legal: Iterable[Move]) -> list[str]:
    verbs = {move.verb for move in legal}
    records = [record for verb, record in VERBS.items() if verb in verbs]
    return [record.hint() for record in records if record.hint is not None]


def keys(chosen_keys: Mapping[str, Sequence[str]]) -> Mapping[str, Sequence[str]]:
    """The keys of every verb: the table's own, else its letter."""
    letters = {verb: (record.key,) for verb, record in VERBS.items() if record.key}
    return {**letters, **{verb: chosen_keys[verb] for verb in chosen_keys if verb in VERBS}}


_MARKS = frozenset(MARKS)


def _add_marks(text: str, move: Move) -> str:
    """The words of a move, with which of several districts of that name is meant."""
    if not _MARKS.intersection(move.args):
        return text
    sentences = {
        "plain": _("{move}, the plain one"),
        "decorated": _("{move}, the decorated one"),
        "under": _("{move}, the one with cards under it"),
    }
    for mark in move.words("M"):
        text = sentences[mark].format(move=text)
    return text


def _kinds(verb: str, place: int) -> frozenset[str]:
    """What may be at that place in the verb's forms: P, C, D, M, T, N, or a fixed word."""
    possible = set()
    for form in GRAMMAR[verb]:
        kinds = form.split()
        if kinds and place < len(kinds):
            possible.add(kinds[place].removesuffix("..."))
        elif kinds and kinds[-1].endswith("..."):
            possible.add(kinds[-1].removesuffix("..."))
    return frozenset(possible)


def _is_fixed(verb: str, place: int, word: str) -> bool:
    return len(word) > 1 and word in _kinds(verb, place)


def _find_fixed_words() -> dict[str, str]:
    """What each fixed word means, if moves differ in it."""
    return {
        "over": _("In place of a district"),
        "from": _("With another player's gold"),
        "cards": _("Paid with cards from your hand"),
        "gold": _("Gold"),
        "card": _("A card"),
        "nothing": begin_sentence(_("nothing")),
        "nobody": _("Nobody"),
        "plain": _("The plain one"),
        "decorated": _("The decorated one"),
        "under": _("The one with cards under it"),
        "real": _("It's real"),
        "fake": _("It's fake"),
    }


def is_private(table: Table, verb: str) -> bool:
    """Whether others must not notice a move of that verb."""
    return verb in ALWAYS_SECRET or (table.rules.secret and verb in SECRET_TARGETS)


def asks_for_secret(table: Table) -> bool:
    """Whether the answer asked for now may depend on a secret of the player asked."""
    return bool(table.questions) and table.questions[-1].kind in ("warrant", "expose")


def may_be_named(view: Table, legal: Sequence[Move]) -> bool:
    """Whether the next words or tap may name a secret target."""
    return view.rules.secret and any(move.verb in SECRET_TARGETS for move in legal)


def refuse_publicly(view: Table, move: Move) -> Refusal | None:
    """Why the move is refused, as far as is public; None if that is secret.

    `view` is the public view: only what it forbids without the secrets is told.
    """
    return None if is_private(view, move.verb) else refusal_seen(view, move)


def find_known_refusal(view: Table, move: Move) -> Refusal:
    """The refusal of a move as seen by the reader of `view`: the view's own reason if it refuses
    the move, else that the reason is secret, without a rule."""
    return refusal_seen(view, move) or Refusal("", SECRET_REASON, Sentence("Notation, Moves"), None)


def refusal_seen(view: Table, move: Move) -> Refusal | None:
    """Why the view alone refuses the move; None if it does not.

    The true table may refuse it for another reason, or with other words in the same reason.
    """
    try:
        judge(view, move)
    except Refused as error:
        return error.refusal
    return None
