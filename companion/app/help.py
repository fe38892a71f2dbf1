"""The help: every current key with its action, and the keys of the bottom line."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable
from typing import TYPE_CHECKING

from textual.content import Content

from companion import verbs
from companion.app.display import SHEET_WIDTH, indent, lines, paint, type_mark
from companion.app.keymap import Keys, label, labels
from companion.app.keymap import action as textual_action
from companion.app.widgets.status import explain_signs
from companion.game.shortcuts import KEYS
from companion.language import _, district_type, translate
from companion.settings.keys import ACTIONS, list_actions, select_verbs
from companion.verbs.verb import Verb
from engine.cards import DISTRICT_TYPES
from engine.rules import list_verbs

if TYPE_CHECKING:
    from engine.ruleset import Ruleset

_COLUMN = 16  # cells of the keys, before their actions


def keys(keys_of: Keys, rules: Ruleset, has: Container[str]) -> Content:
    """Every key of a game under these rules, whose table `has` a "reader" or "phones", or not."""
    parts: list[Content | str] = []
    for heading, rows in _groups(keys_of, list_verbs(rules), has):
        parts += [paint(heading, "bold $gold")]
        for key, text in rows:
            parts += indent(f"  {key:<{_COLUMN - 1}} ", text, "", SHEET_WIDTH, mark_style="bold")
        parts.append("")
    return lines(parts[:-1])


MOST_KEYS = 7  # in the bottom line; the help has all of them

_HINTS = {each.name: each.hint for each in list_actions()}


def bottom_line(
    keys_of: Keys, wanted: Iterable[str], *, is_text: Callable[[str], bool]
) -> list[tuple[str, str, str]]:
    """A key of each wanted action, its label, and the action, up to `MOST_KEYS` of them: no letter
    for which `is_text` holds. Where `h` is text, the key for the help is that of `why`."""
    hints = []
    for name in wanted:
        keys = (*keys_of[name], *(keys_of["why"] if name == "help" else ()))
        key = next((key for key in keys if not (_is_letter(key) and is_text(key))), "")
        if key:
            hints.append((label(key), translate(_HINTS[name]), textual_action(name)))
    return hints[:MOST_KEYS]


def _is_letter(key: str) -> bool:
    return len(key) == 1 and key.isalpha()


def _list_letters(keys_of: Keys, possible_verbs: Container[str]) -> list[tuple[str, str]]:
    """Each letter of a move, once, with all that it can mean."""
    texts: dict[str, list[str]] = {}
    for verb, record in verbs.VERBS.items():
        if keys_of.get(verb) and verb not in ACTIONS and verb in possible_verbs:
            among = texts.setdefault(labels(keys_of[verb]), [])
            among += [text for text in [_describe_verb(verb, record)] if text not in among]
    for verb, key in KEYS.items():
        does = _describe_verb(verb, verbs.VERBS[verb])
        sentence = _("{does}, with the income and the bonus").format(does=does)
        texts.setdefault(label(key), []).append(sentence)
    return [(letter, "; ".join(of_letter)) for letter, of_letter in sorted(texts.items())]


def _describe_verb(verb: str, record: Verb) -> str:
    if record.number in _ANSWERS:
        return _ANSWERS[record.number]()
    if verb in _OTHER_VERBS:
        return _OTHER_VERBS[verb]()
    return record.does(()) if record.does is not None else ""


_ANSWERS: dict[int, Callable[[], str]] = {
    verbs.VERBS["confirm"].number: lambda: _("yes"),
    verbs.VERBS["recount"].number: lambda: _("no"),
}
_OTHER_VERBS: dict[str, Callable[[], str]] = {
    "use": lambda: _("use a district"),
    "build": lambda: _("build a district"),
    "pay": lambda: _("pay gold, where cities aren't tracked"),
    "choose": lambda: _("record a choice in private"),
    "faceup": lambda: _("discard face up"),
    "signed": lambda: _("record the signed warrant"),
    "real": lambda: _("record the real threat"),
    "counted": lambda: _("the city is counted"),
}
"""What verbs without a text of their own do."""


def _groups(
    own: Keys, possible_verbs: Container[str], has: Container[str]
) -> list[tuple[str, list[tuple[str, str]]]]:
    """The keys, grouped by purpose."""
    signs = explain_signs(possible_verbs)
    keys_of = {**verbs.keys(select_verbs(own)), **own}

    def rows(group: str) -> list[tuple[str, str]]:
        return [
            (labels(keys_of[each.name]), translate(each.does))
            for each in list_actions()
            if each.group == group and (not each.needs or each.needs in has)
        ]

    groups: list[tuple[str, list[tuple[str, str]]]] = [
        (
            _("Moves"),
            [
                ("1 … 9", _("the choice with that number")),
                (
                    "7, 8, 9",
                    _("in every list: the power or bonus, the income, the end of the turn"),
                ),
                (_("Enter, space"), _("the highlighted choice; ↑ ↓ move")),
                ("a … z", _("in a list: find a name by any part of it, in any language")),
                *_list_letters(keys_of, possible_verbs),
                *rows("moves"),
            ],
        ),
        (_("The game"), rows("game")),
        (_("The screen"), rows("screen")),
        (_("The voice"), rows("voice")),
        (_("Chips"), rows("chips")),
        (
            _("District types"),
            [(type_mark(type_), district_type(type_)) for type_ in DISTRICT_TYPES],
        ),
        (
            _("Signs in the line of ranks"),
            [(" ".join(signs), ", ".join(signs.values()))],
        ),
    ]
    return [(heading, listed) for heading, listed in groups if listed]
