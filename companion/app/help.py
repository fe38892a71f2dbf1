"""The help: every current key with its action, and the keys of the bottom line."""

from __future__ import annotations

from collections.abc import Callable, Collection
from functools import partial

from textual.content import Content

from companion import verbs
from companion.app.display import SHEET_WIDTH, indent, lines, paint, type_mark
from companion.app.keymap import Keys, label, labels
from companion.app.keymap import action as textual_action
from companion.app.widgets.status import explain_signs
from companion.game.shortcuts import KEYS
from companion.language import _, district_type, translate
from companion.settings.keys import ACTIONS, SCREEN_ACTIONS, select_verbs
from companion.verbs.verb import Verb
from engine.cards import DISTRICT_TYPES

_COLUMN = 16  # cells of the keys, before their actions


def keys(keys_of: Keys) -> Content:
    """Every key, and what can be typed."""
    parts: list[Content | str] = []
    for heading, rows in _groups(keys_of):
        parts += [paint(heading, "bold $gold")]
        for key, text in rows:
            parts += indent(f"  {key:<{_COLUMN - 1}} ", text, "", SHEET_WIDTH, mark_style="bold")
        parts.append("")
    return lines(parts[:-1])


_WITH_HINT = sorted((each for each in SCREEN_ACTIONS if each.hint), key=lambda each: each.rank)


def bottom_line(
    keys_of: Keys,
    *,
    typing: bool,
    tray: bool,
    phones: bool = False,
    reserved_keys: Collection[str] = (),
) -> list[tuple[str, str, str]]:
    """A key of each of the most wanted actions, its label, and the action. While `typing`, only
    keys that are no letters, and none of the text field's `reserved_keys`. The `tray` is among them
    if the reader is simulated, `phones` if they can join."""
    visibility = {"phones": phones, "tray": tray}
    matches = []
    for action in _WITH_HINT:
        if not visibility.get(action.name, True):
            continue
        own = [key for key in keys_of[action.name] if key not in reserved_keys]
        key = next((key for key in own if not (typing and _is_letter(key))), "")
        if key:
            matches.append((label(key), translate(action.hint), textual_action(action.name)))
    return matches


def _is_letter(key: str) -> bool:
    return len(key) == 1 and key.isalpha()


def _list_letters(keys_of: Keys) -> list[tuple[str, str]]:
    """Each letter of a move, once, with all that it can mean."""
    texts: dict[str, list[str]] = {}
    for verb, record in verbs.VERBS.items():
        if keys_of.get(verb) and verb not in ACTIONS:
            among = texts.setdefault(labels(keys_of[verb]), [])
            among += [text for text in [_describe_verb(verb, record)] if text not in among]
    return [(letter, "; ".join(of_letter)) for letter, of_letter in sorted(texts.items())]


def _describe_verb(verb: str, record: Verb) -> str:
    if record.number in _ANSWERS:
        return _ANSWERS[record.number]()
    if verb in _OTHER_VERBS:
        return _OTHER_VERBS[verb]()
    says = record.chip if record.does is None else partial(record.does, ())
    return says() if says is not None else ""


def _list_shortcuts() -> list[tuple[str, str]]:
    """The letters of rows that make several moves."""
    with_rest, then_end = (labels(keys) for keys in zip(*KEYS.values(), strict=True))
    return [
        (with_rest, _("gather gold or cards, with the income and the bonus")),
        (then_end, _("the same, then end the turn")),
        ("31 …", _("before gathering: take gold and build that district")),
    ]


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


def _groups(own: Keys) -> list[tuple[str, list[tuple[str, str]]]]:
    """The keys, grouped by purpose."""
    keys_of = {**verbs.keys(select_verbs(own)), **own}

    def rows(group: str) -> list[tuple[str, str]]:
        return [
            (labels(keys_of[each.name]), translate(each.does))
            for each in SCREEN_ACTIONS
            if each.group == group
        ]

    return [
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
                *_list_letters(keys_of),
                *_list_shortcuts(),
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
            [(" ".join(explain_signs()), ", ".join(explain_signs().values()))],
        ),
    ]
