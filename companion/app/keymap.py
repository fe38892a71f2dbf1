"""The configured keys, as Textual binds them and as the screen shows them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from textual.binding import Binding, BindingType
from textual.keys import _character_to_key

from companion.language import _
from companion.settings.keys import ACTIONS

Keys = Mapping[str, Sequence[str]]

_in_force: Keys = ACTIONS


def use(keys: Keys) -> None:
    """Use these keys wherever a sentence names a key."""
    global _in_force
    _in_force = keys


def key(action: str) -> str:
    """The first key of that action, as the screen shows it."""
    return label(_in_force[action][0])


def list_bound() -> frozenset[str]:
    """Every key with an action."""
    return frozenset(key for keys in _in_force.values() for key in keys)


def bindings(actions: Iterable[str] = ACTIONS) -> list[BindingType]:
    """A binding for each of those actions, with its default keys; its id is the action."""
    return [Binding(_join_keys(ACTIONS[name]), action(name), id=name) for name in actions]


_OF_APP = frozenset(
    {"language", "theme", "learn", "line", "leave", "new_game", "phones", "rematch"}
)


def action(name: str) -> str:
    """Textual's name for that action: the application's, or the main screen's."""
    return f"app.{name}" if name in _OF_APP else name


def keymap(keys: Keys) -> dict[str, str]:
    """The argument for `App.set_keymap`: the actions whose keys are not the defaults."""
    return {
        action: _join_keys(keys[action])
        for action, usual in ACTIONS.items()
        if keys[action] != usual
    }


def label(key: str) -> str:
    """A key as the screen shows it: `U`, `Ctrl+Z`, `F1`."""
    parts = [key] if len(key) == 1 else key.split("+")
    return "+".join(_name_key(part) for part in parts)


def _name_key(part: str) -> str:
    """The label of that key, if keyboards of the language have their own word for it."""
    names = {
        "ctrl": _("Ctrl"),
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


def _join_keys(keys: Iterable[str]) -> str:
    """Keys by Textual's names, comma-separated."""
    return ",".join(_character_to_key(key) if len(key) == 1 else key for key in keys)
