"""The notation of moves: its grammar, parsing and formatting.

`GRAMMAR` lists every verb with its words. Whether a move is legal is decided by `engine.rules`. Ids
and literal words must be exact; player names are case-insensitive; a name that is not a plain word
is put in double quotes, with a backslash before a quote or a backslash inside it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping
from functools import lru_cache

from common.clean import clean_text
from common.problems import find_nearest_few
from engine import datafiles
from engine.cards import DISTRICT_TYPES

MARKS = ("plain", "decorated", "under")
"""What distinguishes districts of one name in a city: nothing, the Artist's gold, cards beneath.

Positions use the same words. A move has a mark only where such districts differ.
"""

# P player, C character, D district, M mark of the district before it, T district type, N number (0
# or more), ... one or more of the last; any other word is literal.
GRAMMAR: dict[str, tuple[str, ...]] = {
    "faceup": ("C...",),
    "choose": ("P C",),
    "call": ("",),
    "reveal": ("P",),
    "nobody": ("",),
    "unmask": ("nobody", "P"),
    "gold": ("",),
    "cards": ("",),
    "bonus": ("",),
    "income": ("", "gold N cards N", "N"),
    "build": ("D", "D from P", "D over D", "D over D M", "D cards N", "D cards N from P", "N"),
    "pay": ("N", "to P N", "P N"),
    "gain": ("N", "from P N", "P N"),
    "complete": ("P",),
    "kill": ("C",),
    "rob": ("C",),
    "bewitch": ("C",),
    "warrants": ("C C C",),
    "threats": ("C C",),
    "signed": ("C",),
    "real": ("C",),
    "swap": ("P",),
    "redraw": ("N",),
    "take": ("P", "P D", "P D over D", "P D over D M", "P D cards N", "P N"),
    "spy": ("P T N",),
    "divine": ("",),
    "study": ("",),
    "navigate": ("gold", "cards"),
    "crown": ("P gold", "P card", "P nothing"),
    "tithe": ("", "P"),
    "collect": ("",),
    "destroy": ("P D", "P D M"),
    "exchange": ("D P D", "D P D M", "D M P D", "D M P D M"),
    "seize": ("P D", "P D M"),
    "decorate": ("D...",),
    "use": ("D", "D P D", "D P D M", "D P"),
    "forfeit": ("",),
    "end": ("",),
    "rescue": ("P",),
    "leave": ("",),
    "confiscate": ("",),
    "spare": ("",),
    "bribe": ("",),
    "refuse": ("",),
    "expose": ("", "real", "fake"),
    "vault": ("P",),
    "city": ("P D...",),
    "count": ("D N", "N"),
    "counted": ("",),
    "confirm": ("",),
    "recount": ("",),
    "late": ("",),
    "early": ("",),
    # verbs of cards with files of their own
    **{
        verb: tuple(forms)
        for verbs in datafiles.load_of_cards("moves").values()
        for verb, forms in verbs.items()
    },
}

_KINDS = frozenset("PCDMTN")
MAX_MOVE_LENGTH = 1000  # characters; far longer than any real move, still cheap to parse

_WORD = re.compile(r'"((?:[^"\\]|\\.)*)"(?=\s|$)|([^\s"]+)(?=\s|$)')
_PLAIN = re.compile(r"[^\s\"\\]+")
_NUMBER = re.compile(r"0|[1-9][0-9]{0,5}")


class Move:
    """One move: a verb and its words, players by their names as at set-up."""

    __slots__ = ("args", "text", "verb")

    def __init__(self, verb: str, args: tuple[str, ...] = (), text: str | None = None) -> None:
        self.verb = verb
        self.args = args
        self.text = " ".join((verb, *args)) if text is None else text

    def words(self, kind: str) -> list[str]:
        """The words whose place is of that kind (a player may be called `king`)."""
        pairs = zip(kinds_of(self), self.args, strict=False)
        return [word for place, word in pairs if place == kind]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Move) and self.text == other.text

    def __hash__(self) -> int:
        return hash(self.text)

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"Move({self.text!r})"


class UnknownMove(ValueError):
    """Text that is not a move."""

    def __init__(self, text: str, find_nearest: Callable[[], list[str]] = list) -> None:
        """`find_nearest` is called only when `nearest` is read."""
        super().__init__(text)
        self.text = text
        self._find_nearest = find_nearest

    @property
    def nearest(self) -> list[str]:
        """The moves that were probably meant."""
        return self._find_nearest()


class Vocabulary:
    """The ids and names that a move may use at one table."""

    def __init__(
        self, players: Iterable[str], characters: Collection[str], districts: Collection[str]
    ) -> None:
        self.players: Mapping[str, str] = {fold(name): name for name in players}
        self._names: dict[str, Collection[str]] = {
            "C": characters,
            "D": districts,
            "M": MARKS,
            "T": DISTRICT_TYPES,
        }

    def read(self, kind: str, word: str) -> str | None:
        """The word as an argument of that kind, or None if it is not one."""
        if kind == "P":
            return self.players.get(fold(word))
        if kind == "N":
            return word if _NUMBER.fullmatch(word) else None
        if kind in self._names:
            return word if word in self._names[kind] else None
        return word if word == kind else None

    def find_nearest(self, kind: str, word: str) -> list[str]:
        """Words of that kind similar to this one, best first."""
        if kind == "P":
            close = find_nearest_few(fold(word), self.players, most=2)
            return [quote(self.players[key]) for key in close]
        if kind == "N":
            return ["0", "1", "2"]
        return find_nearest_few(word, self._names.get(kind, (kind,)), most=3)


def kinds_of(move: Move) -> tuple[str, ...]:
    """The kind of each word of the move: P, C, D, T, N, or the word itself if literal."""
    for form in GRAMMAR[move.verb]:
        kinds = _kinds(form, len(move.args))
        if kinds and all(map(_fits, kinds, move.args)):
            return kinds
    return ()


def find_player_places(form: str) -> tuple[int, ...]:
    """The places of players among the words of a form of the grammar."""
    return tuple(place for place, kind in enumerate(form.split()) if kind == "P")


def _fits(kind: str, word: str) -> bool:
    """Whether the word fits a place of that kind."""
    if kind not in _KINDS:
        return kind == word
    if kind == "P":
        return True
    return (kind == "N") == word.isdecimal() and (kind == "M") == (word in MARKS)


def fold(name: str) -> str:
    """The name normalized for comparison: cleaned and case-folded."""
    return clean_text(name).casefold()


def quote(name: str) -> str:
    """The name, quoted for a move if necessary."""
    if _PLAIN.fullmatch(name):
        return name
    return '"' + name.replace("\\", "\\\\").replace('"', '\\"') + '"'


def split(text: str) -> list[str] | None:
    """The words of a line, without quotes; None if a quote is left open or misplaced."""
    words, place = [], 0
    text = text.strip()
    while place < len(text):
        match = _WORD.match(text, place)
        if match is None:
            return None
        quoted_word, plain = match.groups()
        words.append(plain if plain is not None else re.sub(r"\\(.)", r"\1", quoted_word))
        place = match.end()
        while place < len(text) and text[place].isspace():
            place += 1
    return words


def make(verb: str, *args: str, player_places: tuple[int, ...] = ()) -> Move:
    """A move from its words; names of players are in these places among `args`."""
    written = args
    if player_places:
        written = tuple([quote(a) if i in player_places else a for i, a in enumerate(args)])
    return Move(verb, args, " ".join((verb, *written)))


def parse(text: str, vocabulary: Vocabulary) -> Move:
    """Parse a move. Raises UnknownMove, with the nearest moves."""
    words = split(text) if len(text) <= MAX_MOVE_LENGTH else None
    if not words:
        raise UnknownMove(text)
    verb, given = words[0], words[1:]
    forms = GRAMMAR.get(verb)
    if forms is None:
        raise UnknownMove(text, lambda: _nearest_verbs(verb, given, vocabulary))
    for form in forms:
        kinds = _kinds(form, len(given))
        args = _read_all(kinds, given, vocabulary)
        if kinds is not None and args is not None:
            places = tuple(i for i, kind in enumerate(kinds) if kind == "P")
            return make(verb, *args, player_places=places)
    raise UnknownMove(text, lambda: _nearest_forms(verb, given, vocabulary))


@lru_cache(1000)  # forms are few, but a line can have any number of words
def _kinds(form: str, count: int) -> tuple[str, ...] | None:
    """The kinds of `count` words in this form, or None if it takes a different number."""
    kinds = form.split()
    if kinds and kinds[-1].endswith("..."):
        repeated = kinds.pop()[:-3]
        kinds += [repeated] * max(1, count - len(kinds))
    return tuple(kinds) if len(kinds) == count else None


def _read_all(
    kinds: Iterable[str] | None, words: list[str], vocabulary: Vocabulary
) -> list[str] | None:
    if kinds is None:
        return None
    read = [vocabulary.read(kind, word) for kind, word in zip(kinds, words, strict=True)]
    return None if any(word is None for word in read) else [word for word in read if word]


def _nearest_verbs(verb: str, words: list[str], vocabulary: Vocabulary) -> list[str]:
    """Verbs similar to this one; if the other words fit any of them, only those."""
    close = find_nearest_few(verb, GRAMMAR, most=3)
    if words:
        close = [near for near in close if _takes(near, words, vocabulary)] or close
    return [" ".join((near, *map(quote, words))) for near in close]


def _takes(verb: str, words: list[str], vocabulary: Vocabulary) -> bool:
    kinds = (_kinds(form, len(words)) for form in GRAMMAR[verb])
    return any(_read_all(form, words, vocabulary) is not None for form in kinds)


def _nearest_forms(verb: str, words: list[str], vocabulary: Vocabulary) -> list[str]:
    """The forms of a known verb, filled with the words that could be understood."""
    offers = []
    for form in GRAMMAR[verb]:
        kinds = _kinds(form, len(words))
        if kinds is None:
            offers.append(f"{verb} {form}".strip())
            continue
        filled = []
        for kind, word in zip(kinds, words, strict=True):
            right = vocabulary.read(kind, word)
            near = [quote(right)] if right is not None else vocabulary.find_nearest(kind, word)
            filled.append(near[0] if near else kind)
        offers.append(" ".join((verb, *filled)))
    return offers
