"""The configured keys: as Textual binds them, as the screen shows them, and as they are typed.

Keys are identified by the character they type, whatever the alphabet, digit row, Shift or Caps
Lock; typed text is left unchanged. A terminal delivers several keys at once when somebody types
fast or the line is slow. Each waits until the one before is fully handled, since it is meant for
what that key opens. There is no time limit: on a busy computer it may open late.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING
from unicodedata import name

from textual.binding import Binding, BindingType
from textual.events import Key
from textual.keys import KEY_NAME_REPLACEMENTS

from companion.language import _
from companion.settings.keys import list_actions, list_usual

if TYPE_CHECKING:
    from textual.app import App
    from textual.message_pump import MessagePump


_RUSSIAN = "йцукенгшщзхъфывапролджэячсмитьбюё"
_LATIN = "qwertyuiop[]asdfghjkl;'zxcvbnm,.`"
_RUSSIAN_SIGNS = {"Ж": ":", ".": "/", ",": "?"}  # where the Russian layout has other characters
_AZERTY = "&é\"'(-è_çà"  # the digit row without Shift, 1 to 9 and 0

_BY_SIGN = (
    dict(zip(_RUSSIAN, _LATIN, strict=True))
    | dict(zip(_RUSSIAN.upper(), _LATIN.upper(), strict=True))
    | _RUSSIAN_SIGNS
    | dict(zip(_AZERTY, "1234567890", strict=True))
)


def translate_key(event: Key, is_text: Callable[[str], bool]) -> Key:
    """The intended key, if keys are commands and choices.

    A capital is its letter's key unless it has an action of its own. A letter of any
    alphabet for which `is_text` holds is text; the characters of a digit row are numbers even then.
    """
    sign = event.character or ""
    latin = _BY_SIGN.get(sign, sign)
    if sign.isalpha() and is_text(sign):
        return event
    if latin.isupper() and latin not in _all_keys:
        latin = latin.lower()
    return event if latin == sign else Key(_name_sign(latin), latin)


def _name_sign(sign: str) -> str:
    """Textual's name of the key that types this character."""
    if sign.isalnum():
        return sign
    key = name(sign, sign).lower().replace("-", "_").replace(" ", "_")
    return KEY_NAME_REPLACEMENTS.get(key, key)


class TypeAhead:
    """The queued keys of an app."""

    def __init__(self, app: App[int], hand_on: Callable[[Key], Awaitable[None]]) -> None:
        """`hand_on` passes a key to whatever has the focus at that moment."""
        self._app = app
        self._hand_on = hand_on
        self._waiting: deque[Key] = deque()
        self._handling = False  # whether a dispatched key is not fully handled yet
        self._held = False  # whether nothing can take a key yet

    async def take(self, key: Key) -> None:
        """Dispatch a typed key, now or in its turn."""
        self._waiting.append(key)
        if not self._handling:
            await self._dispatch_next()

    def hold(self) -> None:
        """Dispatch no key until `release`: what they are meant for is not open yet."""
        self._held = True

    def drop(self) -> bool:
        """Drop the keys that wait; return whether there were any."""
        were_any = bool(self._waiting)
        self._waiting.clear()
        return were_any

    async def release(self) -> None:
        self._held = False
        if not self._handling:
            await self._dispatch_next()

    async def _dispatch_next(self) -> None:
        self._handling = bool(self._waiting) and not self._held
        if self._handling:
            path = self._find_path()
            await self._hand_on(self._waiting.popleft())
            await self._follow(path, path, again=True)

    def _find_path(self) -> Sequence[MessagePump]:
        """What a key bubbles through now: from the focused widget, or the screen, up to the app."""
        return list((self._app.focused or self._app.screen).ancestors_with_self)

    async def _follow(
        self, path: Sequence[MessagePump], rest: Sequence[MessagePump], again: bool
    ) -> None:
        """Dispatch the next key once each of `rest` has processed its queue; one that is closing
        processes nothing more.

        A key can cause messages, which bubble behind it, and they can open a screen: the path is
        followed `again`, and once more if it has become another one meanwhile.
        """
        for place, pump in enumerate(rest, start=1):
            if pump.call_later(self._follow, path, rest[place:], again):
                return
        now = self._find_path()
        if again or now != path:
            await self._follow(now, now, again=now != path)
        else:
            await self._dispatch_next()


Keys = Mapping[str, Sequence[str]]

_in_force: Keys = {}
_all_keys: frozenset[str] = frozenset()


def use(keys: Keys) -> None:
    """Use these keys wherever a sentence names a key."""
    global _in_force, _all_keys
    _in_force = keys
    _all_keys = frozenset(key for of_action in keys.values() for key in of_action)


use(list_usual())


def key(action: str) -> str:
    """The first key of that action, as the screen shows it."""
    return label(_in_force[action][0])


def bindings(actions: Iterable[str] = ()) -> list[BindingType]:
    """A binding for each of those actions, or for all, with its default keys; its id is the
    action."""
    usual = list_usual()
    names = actions or usual
    return [Binding(_join_keys(usual[name]), action(name), id=name) for name in names]


_OF_APP = frozenset(each.name for each in list_actions() if each.of_app)
_SAID = frozenset(each.name for each in list_actions() if each.says)


def action(name: str) -> str:
    """Textual's name for that action: the application's, or the table screen's."""
    if name in _SAID:
        return f"say({name!r})"
    return f"app.{name}" if name in _OF_APP else name


def keymap(keys: Keys) -> dict[str, str]:
    """The argument for `App.set_keymap`: the actions whose keys are not the defaults."""
    return {
        action: _join_keys(keys[action])
        for action, usual in list_usual().items()
        if keys[action] != usual
    }


def label(key: str) -> str:
    """A key as the screen shows it: `U`, `Ctrl+Z`, `F1`."""
    return key.upper() if len(key) == 1 else "+".join(map(_name_key, key.split("+")))


def _name_key(part: str) -> str:
    """The label of that key, if keyboards of the language have their own word for it."""
    if len(part) == 1:
        return part.upper()
    name = _NAMES.get(part)
    return part.capitalize() if name is None else name()


_NAMES: dict[str, Callable[[], str]] = {
    "ctrl": lambda: _("Ctrl"),
    "shift": lambda: _("Shift"),
    "insert": lambda: _("Ins"),
    "delete": lambda: _("Del"),
    "home": lambda: _("Home"),
    "end": lambda: _("End"),
    "pageup": lambda: _("PgUp"),
    "pagedown": lambda: _("PgDn"),
    "backspace": lambda: _("Backspace"),
}


def labels(keys: Sequence[str]) -> str:
    return ", ".join(map(label, keys))


def _join_keys(keys: Iterable[str]) -> str:
    """Keys by Textual's names, comma-separated."""
    return ",".join(_name_sign(key) if len(key) == 1 else key for key in keys)
