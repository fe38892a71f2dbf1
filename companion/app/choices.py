"""The moves of this moment as the caller lists them: in order, with a number and a key each.

Made from the session's legal moves alone. What would fill the list is folded into one line that
opens a list of its own; what is secret is folded into one line that opens a private screen.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from string import ascii_lowercase
from typing import TYPE_CHECKING, NamedTuple

from companion import keys, untracked
from companion.game import verbs
from companion.language import _
from companion.privacy import ALWAYS_SECRET, is_private
from engine.rules.turn import paying_districts

if TYPE_CHECKING:
    from engine.moves import Move
    from engine.table import Table

ROOM = 9  # lines that can be numbered with one digit
NUMBERS = "123456789"

_FOLDED = frozenset(
    {"faceup", "build", "destroy", "redraw", "choose", "pay", "gain", "complete", "city"}
)
_USUAL = ("faceup", "call", "nobody", "leave", "gold", "bonus", "income", "build", "end")


class Choice(NamedTuple):
    """One line: a move, or several of one verb behind it."""

    number: str
    mnemonic: str
    label: str
    moves: tuple[Move, ...]
    private: bool = False

    @property
    def verb(self) -> str:
        """The verb of its moves."""
        return self.moves[0].verb

    @property
    def opens(self) -> bool:
        """Whether it opens a list (or the private screen) instead of being played at once."""
        return self.private or len(self.moves) > 1


def choices(
    t: Table, legal: Sequence[Move], own_keys: Mapping[str, Sequence[str]] = keys.ACTIONS
) -> list[Choice]:
    """The lines of the list at that table; `own_keys` are those of actions, and of verbs
    that have others than their usual ones."""
    by_verb: dict[str, list[Move]] = {}
    for move in sorted(
        untracked.worth_listing(t, legal), key=lambda move: move.verb in ALWAYS_SECRET
    ):
        by_verb.setdefault(move.verb, []).append(move)
    folded = {v for v, moves in by_verb.items() if is_private(t, v) or _is_folded(v, moves)}
    while _length(by_verb, folded) > ROOM and (wide := _widest(by_verb, folded)):
        folded.add(wide)
    lines: list[tuple[str, list[Move]]] = []
    for verb, moves in by_verb.items():
        if verb in folded:
            lines.append((fold_label(t, moves), moves))
        else:
            lines += [(verbs.label(t, move), [move]) for move in moves]
    return _numbered(t, lines, {**own_keys, **verbs.keys(own_keys)})


def usual(t: Table, found: Sequence[Choice]) -> int:
    """The place of the choice that is made most often here."""
    verbs = [choice.verb for choice in found]
    for verb in _USUAL:
        if verb == "income" and not _pays(t):
            continue
        if verb in verbs:
            return verbs.index(verb)
    return 0


def _pays(t: Table) -> bool:
    return t.turn is not None and paying_districts(t, t.turn.seat, t.turn.character) > 0


def fold_label(t: Table, moves: Sequence[Move]) -> str:
    """What the line is called behind which these moves of one verb lie."""
    verb = moves[0].verb
    if verb == "choose":
        return _("Record a choice in private…")
    if verb in ("signed", "real"):
        return _("Mark the true one in private…")
    if is_private(t, verb):
        return _("Name a victim in private…")
    return verbs.fold_label(t, verb, moves) + "…"


def _is_folded(verb: str, moves: Sequence[Move]) -> bool:
    return verb in _FOLDED and len(moves) > 1


def _length(by_verb: dict[str, list[Move]], folded: set[str]) -> int:
    return sum(1 if verb in folded else len(moves) for verb, moves in by_verb.items())


def _widest(by_verb: dict[str, list[Move]], folded: set[str]) -> str | None:
    open_ = [(len(moves), verb) for verb, moves in by_verb.items() if verb not in folded]
    most, verb = max(open_, default=(0, ""))
    return verb if most > 1 else None


def _numbered(
    t: Table, lines: Sequence[tuple[str, list[Move]]], keys_of: Mapping[str, Sequence[str]]
) -> list[Choice]:
    """The lines with their keys: a digit each, beyond the ninth a letter that nothing else has.

    A verb's letter belongs to the first of its lines.
    """
    used = {key for of_action in keys_of.values() for key in of_action}
    free = iter([*NUMBERS, *(letter for letter in ascii_lowercase if letter not in used)])
    taken: set[str] = set()
    found = []
    for label, moves in lines:
        verb = moves[0].verb
        letters = [key for key in keys_of.get(verb, ()) if len(key) == 1 and key not in taken]
        taken |= set(letters[:1])
        letter = letters[0] if letters else ""
        found.append(Choice(next(free, ""), letter, label, tuple(moves), is_private(t, verb)))
    return found
