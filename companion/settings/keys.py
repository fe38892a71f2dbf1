"""The full screen's actions with their keys, and problems with a table's own choice of keys.

A key is written as people write it: a letter, `?`, `f1`, `ctrl+z`. Letters mean the key of a Latin
keyboard; `companion.app.keymap` finds it on others.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any, NamedTuple

from common.problems import find_nearest, quote_data
from common.sentences import Sentence, suggest
from companion import extending, verbs
from companion.settings.setting import is_mistake
from engine.rules import are_offered_together


class ScreenAction(NamedTuple):
    """An action of the full screen that is available at any moment.

    `does` tells in the help, under the heading of its `group`, what its `keys` do, and `hint` in
    the bottom line. What it `needs` is "reader" or "phones", if it makes no sense without. It is
    carried out by the method `action_NAME` of the table screen, or of the application if it is
    `of_app`; an extension's, which `says` its name, by its word.
    """

    group: str
    name: str
    keys: tuple[str, ...]
    does: str
    hint: str = ""
    needs: str = ""
    of_app: bool = False
    says: bool = False


SCREEN_ACTIONS = (
    ScreenAction(
        "moves",
        "line",
        (":", "/"),
        Sentence("type a move"),
        of_app=True,
    ),
    ScreenAction(
        "game",
        "undo",
        ("u", "ctrl+z"),
        Sentence("undo the last move"),
        hint=Sentence("undo"),
    ),
    ScreenAction("game", "redo", ("r", "ctrl+y"), Sentence("redo it"), hint=Sentence("redo")),
    ScreenAction(
        "game",
        "why",
        ("?", "f1"),
        Sentence("why the last move wasn't allowed; otherwise this help"),
        hint=Sentence("why"),
    ),
    ScreenAction(
        "game",
        "scores",
        ("s", "f3"),
        Sentence("the scores so far"),
        hint=Sentence("scores"),
    ),
    ScreenAction(
        "game",
        "cities",
        ("v", "f5"),
        Sentence("every city as cards; a click on a player shows theirs"),
        hint=Sentence("cities"),
    ),
    ScreenAction(
        "game",
        "journal",
        ("j", "f6"),
        Sentence("what happened earlier"),
        hint=Sentence("events"),
    ),
    ScreenAction(
        "game",
        "card_texts",
        ("k", "f2"),
        Sentence("the cards with their texts"),
        hint=Sentence("cards"),
    ),
    ScreenAction(
        "game",
        "rules",
        ("o", "f9"),
        Sentence("the rules of this game: box, cards, every house rule"),
        hint=Sentence("rules"),
    ),
    ScreenAction(
        "game", "teach", ("ctrl+e",), Sentence("turn the lessons of the first round on or off")
    ),
    ScreenAction(
        *("game", "look", ("ctrl+o",), Sentence("read the next card to one person only")),
        needs="reader",
    ),
    ScreenAction(
        *("game", "mine", ("ctrl+k",)),
        Sentence("read the cards noted on a phone, to one person only"),
        needs="phones",
    ),
    ScreenAction("game", "help", ("h",), Sentence("this help"), hint=Sentence("help")),
    ScreenAction("game", "new_game", ("ctrl+n",), Sentence("a new game"), of_app=True),
    ScreenAction(
        "game",
        "leave",
        ("q", "ctrl+q"),
        Sentence("leave; the game is saved"),
        hint=Sentence("quit"),
        of_app=True,
    ),
    ScreenAction(
        "screen",
        "large",
        ("z", "f8"),
        Sentence("the call in large letters; press again for the table"),
        hint=Sentence("large"),
    ),
    ScreenAction(
        "screen",
        "language",
        ("ctrl+l", "f10"),
        Sentence("another language"),
        of_app=True,
    ),
    ScreenAction(
        "screen",
        "theme",
        ("ctrl+t", "f12"),
        Sentence("other colours"),
        of_app=True,
    ),
    ScreenAction(
        "screen",
        "phones",
        ("ctrl+f",),
        Sentence("the address for phones, and who has one"),
        hint=Sentence("phones"),
        needs="phones",
        of_app=True,
    ),
    ScreenAction(
        *("screen", "put_out", ("ctrl+x",), Sentence("remove the phone that joined last")),
        needs="phones",
        of_app=True,
    ),
    ScreenAction(
        "voice",
        "voice",
        ("f7",),
        Sentence("turn the voice on or off"),
    ),
    ScreenAction("voice", "repeat", ("ctrl+r", "f11"), Sentence("say it again")),
    ScreenAction("voice", "slower", ("<", "shift+f6"), Sentence("speak slower")),
    ScreenAction("voice", "faster", (">", "shift+f7"), Sentence("speak faster")),
    ScreenAction(
        "chips",
        "tray",
        ("t", "f4"),
        Sentence("tap a card on the simulated reader, by its name"),
        hint=Sentence("tray"),
        needs="reader",
        of_app=True,
    ),
    ScreenAction(
        *("chips", "learn", ("l",), Sentence("say what an unknown chip is")),
        needs="reader",
        of_app=True,
    ),
)

ACTIONS = {action.name: action.keys for action in SCREEN_ACTIONS}
"""The default keys of each action of the core."""


@cache
def list_actions() -> tuple[ScreenAction, ...]:
    """The actions of the core, and those that extensions bring; a key that is in use stays what it
    is."""
    actions = [*SCREEN_ACTIONS]
    for name, word in extending.list_words().items():
        taken = {key for action in actions for key in action.keys}
        if keys := tuple(key for key in word.keys if key not in taken):
            actions.append(ScreenAction("game", name, keys, word.does, says=True))
    return tuple(actions)


@cache
def list_usual() -> dict[str, tuple[str, ...]]:
    return {action.name: action.keys for action in list_actions()}


_SIGNS = "?:/.,;!+*=<>#%$@~"
_NAMED = (
    *(f"f{number}" for number in range(1, 13)),
    *("insert", "delete", "home", "end", "pageup", "pagedown", "backspace", "tab"),
)
_LETTERS = "abcdefghijklmnopqrstuvwxyz"


def list_in_force(own: Mapping[str, Any] | None) -> dict[str, tuple[str, ...]]:
    """Every action with its keys, the table's own in place of defaults; of the verbs only those
    with keys of the table's own (`companion.verbs.keys` gives the others)."""
    return {**list_usual(), **{action: _list(keys) for action, keys in (own or {}).items()}}


def select_verbs(keys: Mapping[str, Any]) -> dict[str, Any]:
    """The keys that belong to moves; `leave` is both an action and a move, and a table's own key
    for it is the action's."""
    return {name: own for name, own in keys.items() if name not in ACTIONS}


def are_apart(one: str, other: str) -> bool:
    """Whether the two are verbs that are never offered together, so that they may share a key."""
    usual = list_usual()
    return one not in usual and other not in usual and not are_offered_together(one, other)


def problems(own: Any) -> Iterable[tuple[tuple[str, ...], str]]:
    """Every problem with a table's own keys, each with its place among them."""
    if own is None:
        return
    if not isinstance(own, dict):
        problem = Sentence(
            "{value} is not a list of keys; write an action and its key on each line below it",
            value=quote_data(own),
        )
        yield (), problem
        return
    usual = {**verbs.keys({}), **list_usual()}
    known = {action: keys for action, keys in own.items() if action in usual}
    for action, keys in own.items():
        if action not in usual and is_mistake(action, usual):
            problem = Sentence("{word} is not an action", word=quote_data(action))
            yield (action,), suggest(problem, find_nearest(action, usual))
        for key in _list(keys) if action in usual else ():
            if not _is_key(key):
                problem = Sentence("{key} can't be used as a key", key=quote_data(key))
                is_named = isinstance(key, str) and len(key) > 1
                yield (action,), suggest(problem, find_nearest(key, _NAMED) if is_named else None)
    keys_of = {**usual, **list_in_force(known)}
    for action in known:
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
    return tuple(keys) if isinstance(keys, list) else (keys,)


def _is_key(key: Any) -> bool:
    if not isinstance(key, str):
        return False
    modifiers, _plus, last = key.rpartition("+")
    if not modifiers:
        return key in _NAMED or (len(key) == 1 and key in _LETTERS + _LETTERS.upper() + _SIGNS)
    return modifiers in ("ctrl", "shift", "alt") and (last in _NAMED or last in [*_LETTERS])
