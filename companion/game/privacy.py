"""Which typed lines may be shown: a possibly private one stays hidden until it is known to be
public; and what everybody has seen of a game, which an undo makes nobody forget.

A secret kill becomes public when its character is called, a robbery when its victim is revealed.
If moves are undone after that, the name stays known for as long as the move that named it is in
force.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

from common.problems import find_nearest
from companion import language, verbs
from companion.language import _, card, load_words
from companion.language.catalogues import list_begun
from companion.language.vocabulary import simplify, spellings
from engine.moves import GRAMMAR, Move
from engine.words import printed_names

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from engine.ruleset import Ruleset
    from engine.table import Table


_KEYPAD = frozenset("0123456789+-*/.,? ")
_ALIKE = 0.7  # how similar a misspelt verb and a private one are, from 0 to 1


def may_show(table: Table, legal: Sequence[Move], text: str) -> bool:
    """Whether the line typed so far may be shown to everybody.

    A line that begins like a private verb, in any language, may never be. While a private move is
    legal, a line may be shown once it begins with a public word, which names no character: a
    misspelt verb is not known to be public. `table` is the public view.
    """
    words = [word for word in map(simplify, text.split()) if word]
    if not words or set(text) <= _KEYPAD:
        return set(text) <= _KEYPAD
    first = words[0]
    private = _list_private_words(table.rules.secret)
    if _begins(first, private):
        return False
    commands = _list_public_words(language.current(), table.rules.secret)
    if first in commands:
        return True
    if not any(verbs.is_private(table, move.verb) for move in legal):
        return _begins(first, commands) or not find_nearest(first, private, cutoff=_ALIKE)
    if _begins("".join(words), _characters(table.rules)):
        return False
    builds = any(move.verb in ("build", "city") for move in legal)
    names = _names(table.rules, language.current(), builds)
    return _begins(first, commands) or _begins("".join(words), names)


def may_be_private(table: Table, legal: Sequence[Move], text: str) -> bool:
    """Whether a line that is not a move may be a misspelt private one: it begins like a private
    verb, in any language, or is spelt nearly like one; while a private move is legal, also like a
    character. Otherwise a single letter tells nothing."""
    words = [word for word in map(simplify, text.split()) if word]
    if not words or words[0] in _list_public_words(language.current(), table.rules.secret):
        return False
    applies = any(verbs.is_private(table, move.verb) for move in legal)
    if _is_like(words[0], _list_private_words(table.rules.secret)):
        return applies or len("".join(words)) > 1
    return applies and _is_like("".join(words), _characters(table.rules))


def find_private_verb(table: Table, legal: Sequence[Move], text: str) -> str | None:
    """The private verb, legal now, that a garbled line begins with, whatever follows."""
    first = simplify(text.split()[0])
    candidates = dict.fromkeys(move.verb for move in legal if verbs.is_private(table, move.verb))
    alike = [verb for verb in candidates if _is_like(first, _names_of(verb))]
    return alike[0] if len(alike) == 1 else None


def _is_like(text: str, words: Sequence[str]) -> bool:
    return _begins(text, words) or find_nearest(text, words, cutoff=_ALIKE) is not None


def _begins(text: str, words: Iterable[str]) -> bool:
    return any(word.startswith(text) for word in words)


@lru_cache(maxsize=2)
def _list_private_words(secret: bool) -> tuple[str, ...]:
    """The names of private verbs in every language."""
    secret_verbs = [*verbs.ALWAYS_SECRET, *(verbs.SECRET_TARGETS if secret else ())]
    return tuple(dict.fromkeys(word for verb in secret_verbs for word in _names_of(verb)))


@cache
def _names_of(verb: str) -> tuple[str, ...]:
    """The names of a verb in every language."""
    vocabularies = (load_words(code, "verbs") for code in list_begun())
    return _spell(word for vocabulary in vocabularies for word in (verb, *vocabulary.get(verb, ())))


@lru_cache(maxsize=8)
def _list_public_words(code: str, secret: bool) -> frozenset[str]:
    """The first words of public lines, in English and in that language."""
    words_by_english = {verb: [verb] for verb in GRAMMAR}
    for other in list_begun():
        for kind in ("commands", "verbs", "answers"):
            for english, words in load_words(other, kind).items():
                words_by_english.setdefault(english, [english]).extend(
                    words if other == code else ()
                )
    private = _list_private_words(secret)
    spelt = _spell(word for words in words_by_english.values() for word in words)
    return frozenset(spelt).difference(private)


@lru_cache(maxsize=4)
def _characters(rules: Ruleset) -> tuple[str, ...]:
    """The characters of the game in every language."""
    names = (name for id_ in rules.cast for _code, name in printed_names(id_))
    return _spell((*rules.cast, *names))


@lru_cache(maxsize=16)
def _names(rules: Ruleset, code: str, builds: bool) -> tuple[str, ...]:
    """Names that form a line on their own: players, and districts if one can be built."""
    names = list(rules.player_names)
    for id_ in rules.districts if builds else ():
        card_names = (name for language_, name in printed_names(id_) if language_ in (code, "en"))
        names += (id_, *card_names)
    return _spell(names)


def _spell(names: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(one for name in names for one in spellings(name)))


_MARKS = {"killed": "kill", "robbed": "rob", "signed": "signed", "real": "real"}
"""The marks that a player knows alone, and the verb that sets each."""

_SHOWN = ("killed", "robbed")
"""Those that a later move of the round shows to everybody."""


class _Naming(NamedTuple):
    at: int  # the index of the move that named it
    round: int  # the round that it is named in: the next one hides its own


class Seal(NamedTuple):
    """What a seat that was freed no longer sees: what was secret up to the round in which it was,
    but for the moves of these `verbs` that were made there since."""

    round: int
    verbs: frozenset[str]


Seals = Mapping[int, Seal]
"""The seals of the seats that have one."""


def seal(own: Table, public: Table, viewer: int, played: frozenset[str]) -> Table:
    """The viewer's `own` view without what was secret before these verbs were `played`; `public` is
    the view of everybody."""
    hidden = {
        mark: getattr(public.marks, mark) for mark, verb in _MARKS.items() if verb not in played
    }
    own.marks = own.marks._replace(**hidden)
    if "choose" not in played:
        own.own_seat(viewer).chosen = ()
    return own


class Known:
    """The secrets of one game that everybody has seen, by the move that named them."""

    def __init__(self) -> None:
        self._namings: dict[str, _Naming] = {}

    def note_before_undo(self, view: Table, moves: Sequence[Move]) -> None:
        """Note what is public before the last move is undone."""
        if not view.rules.secret:
            return
        for mark in _SHOWN:
            if getattr(view.marks, mark) is not None:
                places = (at for at, move in enumerate(moves) if move.verb == _MARKS[mark])
                self._namings[mark] = _Naming(max(places, default=len(moves)), view.round)
        left = len(moves) - 1
        self._namings = {mark: naming for mark, naming in self._namings.items() if naming.at < left}

    def add_to(self, view: Table, table: Table) -> Table:
        """Add to `view`, a copy of the caller's, what everybody has seen of this table before."""
        seen: dict[str, Any] = {
            mark: getattr(table.marks, mark) for mark in self._list_marks(table)
        }
        view.marks = view.marks._replace(**seen)
        return view

    def tell(self, view: Table, hiding: Table) -> list[str]:
        """What is known only because it was seen before, a sentence each; `hiding` is the view
        without it."""
        sentences = {
            "killed": _("Everybody knows that the {character} was murdered."),
            "robbed": _("Everybody knows that the {character} will be robbed."),
        }
        return [
            sentences[mark].format(character=card(getattr(view.marks, mark)))
            for mark in self._list_marks(view)
            if getattr(hiding.marks, mark) is None
        ]

    def _list_marks(self, table: Table) -> list[str]:
        return [mark for mark, naming in self._namings.items() if naming.round == table.round]
