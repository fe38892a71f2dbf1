"""The keys of the full screen: the keys of each action, and problems with a table's own choice.

A key is written as people write it: a letter, `?`, `f1`, `ctrl+z`. Letters mean the key of a Latin
keyboard; `companion.app.keymap` finds it on others.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Any

ACTIONS = {
    "undo": ("u", "ctrl+z"),
    "redo": ("r", "ctrl+y"),
    "why": ("?", "f1"),
    "help": ("h",),
    "scores": ("s", "f3"),
    "card_texts": ("k", "f2"),
    "cities": ("v", "f5"),
    "journal": ("j", "f6"),
    "rules": ("o", "f9"),
    "results": ("ctrl+g", "shift+f3"),
    "stats": ("ctrl+b", "shift+f5"),
    "large": ("z", "f8"),
    "teach": ("ctrl+e",),
    "look": ("ctrl+o",),
    "mine": ("ctrl+k",),
    "repeat": ("ctrl+r", "f11"),
    "voice": ("f7",),
    "slower": ("<", "shift+f6"),
    "faster": (">", "shift+f7"),
    "language": ("ctrl+l", "f10"),
    "theme": ("ctrl+t", "f12"),
    "phones": ("ctrl+f",),
    "put_out": ("ctrl+x",),
    "tray": ("t", "f4"),
    "learn": ("l",),
    "line": (":", "/"),
    "leave": ("q", "ctrl+q"),
    "new_game": ("ctrl+n",),
}
"""The actions available at any moment, and their default keys."""

_SIGNS = "?:/.,;!+*=<>#%$@~"
_NAMED = (
    *(f"f{number}" for number in range(1, 13)),
    *("insert", "delete", "home", "end", "pageup", "pagedown", "backspace", "tab"),
)
_LETTERS = "abcdefghijklmnopqrstuvwxyz"


def list_in_force(own: Mapping[str, Any] | None) -> dict[str, tuple[str, ...]]:
    """Every action with its keys, the table's own in place of defaults; of the verbs only those
    with keys of the table's own (`companion.verbs.keys` gives the others)."""
    return {**ACTIONS, **{action: _list(keys) for action, keys in (own or {}).items()}}


def select_verbs(keys: Mapping[str, Any]) -> dict[str, Any]:
    """The keys that belong to moves; `leave` is both an action and a move, and a table's own key
    for it is the action's."""
    return {name: own for name, own in keys.items() if name not in ACTIONS}


def are_apart(one: str, other: str) -> bool:
    """Whether the two are verbs that are never offered together, so that they may share a key."""
    from engine.rules import are_offered_together

    return one not in ACTIONS and other not in ACTIONS and not are_offered_together(one, other)


def problems(own: Any) -> Iterable[tuple[tuple[str, ...], str]]:
    """Every problem with a table's own keys, each with its place among them."""
    if not isinstance(own, dict):
        return
    from common.problems import find_nearest, quote_data
    from common.sentences import Sentence, suggest
    from companion import verbs

    usual = {**verbs.keys({}), **ACTIONS}
    entries = {action: keys for action, keys in own.items() if action in usual}
    for action, keys in own.items():
        if action not in usual:
            problem = Sentence("{word} is not an action", word=quote_data(action))
            yield (action,), suggest(problem, find_nearest(action, usual))
            continue
        for key in _list(keys):
            if not _is_key(key):
                problem = Sentence("{key} can't be used as a key", key=quote_data(key))
                is_named = isinstance(key, str) and len(key) > 1
                yield (action,), suggest(problem, find_nearest(key, _NAMED) if is_named else None)
    keys_of = {**usual, **list_in_force(entries)}
    for action in entries:
        for key in keys_of[action]:
            others = [
                other
                for other, keys in keys_of.items()
                if other != action and key in keys and not are_apart(action, other)
            ]
            if others:
                other = others[0]
                problem = Sentence(
                    "{key} is already the key for {action}", key=quote_data(key), action=other
                )
                yield (action,), problem


def _list(keys: Any) -> tuple[str, ...]:
    """One key, or a list of them."""
    return tuple(keys) if isinstance(keys, list) else (keys,)


def _is_key(key: Any) -> bool:
    if not isinstance(key, str):
        return False
    modifiers, _plus, last = key.rpartition("+")
    if not modifiers:
        return key in _NAMED or (len(key) == 1 and key in _LETTERS + _LETTERS.upper() + _SIGNS)
    return modifiers in ("ctrl", "shift", "alt") and (last in _NAMED or last in [*_LETTERS])
