"""The help: the keys with what they do, and the keys of the bottom line."""

from __future__ import annotations

from collections.abc import Callable, Collection, Container, Iterable, Sequence
from typing import TYPE_CHECKING

from textual.content import Content

from companion.app.display import SHEET_WIDTH, indent, lines, paint, type_mark
from companion.app.keymap import Keys, label, labels
from companion.app.keymap import action as textual_action
from companion.app.widgets.status import explain_signs
from companion.language import _, district_type, translate
from companion.settings.keys import list_actions
from engine.cards import DISTRICT_TYPES
from engine.rules import list_verbs

if TYPE_CHECKING:
    from companion.game import Row
    from engine.ruleset import Ruleset

_COLUMN = 16  # cells of the keys, before their actions


def keys(
    keys_of: Keys,
    rules: Ruleset,
    has: Container[str],
    rows_of_moves: Iterable[Row] = (),
    wanted: Sequence[str] = (),
) -> Content:
    """The keys of a game under these rules, whose table `has` a "reader" or "phones", or not: first
    those of the rows listed now, and of the actions those `wanted` now."""
    parts: list[Content | str] = []
    for heading, rows in _groups(keys_of, list_verbs(rules), has, rows_of_moves, wanted):
        parts += [paint(heading, "bold $gold")]
        for key, text in rows:
            parts += indent(f"  {key:<{_COLUMN - 1}} ", text, "", SHEET_WIDTH, mark_style="bold")
        parts.append("")
    return lines(parts[:-1])


MOST_KEYS = 7  # in the bottom line; the help has all of them

_HINTS = {each.name: each.hint for each in list_actions()}


def bottom_line(
    keys_of: Keys, wanted: Collection[str], *, is_text: Callable[[str], bool]
) -> list[tuple[str, str, str]]:
    """A key of each wanted action, its label, and the action, up to `MOST_KEYS` of them: no letter
    for which `is_text` holds. Where `h` is text, the key for the help is that of `why`, unless that
    tells why."""
    hints = []
    for name in wanted:
        keys = keys_of[name]
        if name == "help" and "why" not in wanted:
            keys = (*keys, *keys_of["why"])
        key = next((key for key in keys if not (_is_letter(key) and is_text(key))), "")
        if key:
            hints.append((label(key), translate(_HINTS[name]), textual_action(name)))
    return hints[:MOST_KEYS]


def _is_letter(key: str) -> bool:
    return len(key) == 1 and key.isalpha()


def _groups(
    keys_of: Keys,
    possible_verbs: Container[str],
    has: Container[str],
    rows_of_moves: Iterable[Row],
    wanted: Sequence[str],
) -> list[tuple[str, list[tuple[str, str]]]]:
    signs = explain_signs(possible_verbs)

    def rows(group: str) -> list[tuple[str, str]]:
        actions = [
            each
            for each in list_actions()
            if each.group == group and (not each.needs or each.needs in has)
        ]
        actions.sort(key=lambda each: each.name not in wanted)
        return [(labels(keys_of[each.name]), translate(each.does)) for each in actions]

    groups: list[tuple[str, list[tuple[str, str]]]] = [
        (
            _("Moves"),
            [
                ("1 … 9", _("the choice with that number")),
                (_("Enter, space"), _("the highlighted choice; ↑ ↓ move")),
                *[(label(row.key), row.label) for row in rows_of_moves if row.key],
                (
                    "7, 8, 9",
                    _("in every list: the power or bonus, the income, the end of the turn"),
                ),
                ("a … z", _("in a list: find a name by any part of it, in any language")),
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
