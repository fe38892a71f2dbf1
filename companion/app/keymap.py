"""The keys of `companion.keys` as Textual binds them and as the screen shows them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from textual.binding import Binding, BindingType
from textual.keys import _character_to_key

from companion.keys import ACTIONS
from companion.language import _

Keys = Mapping[str, Sequence[str]]

_in_force: Keys = ACTIONS


def use(keys: Keys) -> None:
    """Name these keys from now on wherever a sentence names a key."""
    global _in_force
    _in_force = keys


def key(action: str) -> str:
    """The first key of that action, as the screen shows it."""
    return label(_in_force[action][0])


def bound() -> frozenset[str]:
    """Every key that has an action."""
    return frozenset(key for keys in _in_force.values() for key in keys)


def bindings(actions: Iterable[str] = ACTIONS) -> list[BindingType]:
    """A binding for each of those actions, with its usual keys; its id is the action."""
    return [Binding(_bound(ACTIONS[action]), action, id=action) for action in actions]


def keymap(keys: Keys) -> dict[str, str]:
    """What `App.set_keymap` takes, for the actions whose keys are not the usual ones."""
    return {
        action: _bound(keys[action]) for action, usual in ACTIONS.items() if keys[action] != usual
    }


def label(key: str) -> str:
    """A key as the screen shows it: `U`, `Ctrl+Z`, `F1`."""
    parts = [key] if len(key) == 1 else key.split("+")
    return "+".join(_named(part) for part in parts)


def _named(part: str) -> str:
    """What stands on that key, where the keyboards of a language write it in words of its own."""
    names = {
        "shift": _("Shift"),
        "insert": _("Ins"),
        "delete": _("Del"),
        "home": _("Home"),
        "end": _("End"),
        "pageup": _("PgUp"),
        "pagedown": _("PgDn"),
        "backspace": _("Backspace"),
    }
    return names.get(part) or (part.upper() if len(part) == 1 else part.capitalize())


def labels(keys: Sequence[str]) -> str:
    """Several keys of one action."""
    return ", ".join(map(label, keys))


def _bound(keys: Iterable[str]) -> str:
    """Keys in Textual's words, with commas."""
    return ",".join(_character_to_key(key) if len(key) == 1 else key for key in keys)
