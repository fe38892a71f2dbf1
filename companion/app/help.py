"""The help: every current key with its action, and the keys of the bottom line."""

from __future__ import annotations

from collections.abc import Collection

from textual.content import Content

from companion import verbs
from companion.app.display import SHEET_WIDTH, lines, paint, type_mark
from companion.app.keymap import Keys, label, labels
from companion.app.keymap import action as textual_action
from companion.app.widgets.players import indent
from companion.language import _, district_type
from companion.settings.keys import select_verbs
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


def bottom_line(
    keys_of: Keys,
    *,
    typing: bool,
    tray: bool,
    phones: bool = False,
    taken: Collection[str] = (),
) -> list[tuple[str, str, str]]:
    """A key of each of the most wanted actions, its label, and the action. While `typing`, only
    keys that are no letters, and none that is `taken` by the text field. The `tray` is among them
    if the reader is simulated, `phones` if they can join."""
    wanted = [
        ("undo", _("undo")),
        ("why", _("why")),
        ("help", _("help")),
        *([("phones", _("phones"))] if phones else []),
        ("leave", _("quit")),
        ("line", _("type")),
        *([("tray", _("tray"))] if tray else []),
        ("journal", _("events")),
        ("redo", _("redo")),
        ("scores", _("scores")),
        ("card_texts", _("cards")),
        ("cities", _("cities")),
        ("large", _("large")),
        ("voice", _("voice")),
        ("rules", _("rules")),
        ("language", _("language")),
        ("theme", _("colours")),
    ]
    found = []
    for action, text in wanted:
        own = [key for key in keys_of[action] if key not in taken]
        key = next((key for key in own if not (typing and _is_letter(key))), "")
        if key:
            found.append((label(key), text, textual_action(action)))
    return found


def _is_letter(key: str) -> bool:
    return len(key) == 1 and key.isalpha()


def _groups(own: Keys) -> list[tuple[str, list[tuple[str, str]]]]:
    """The keys, grouped by purpose."""
    keys_of = {**verbs.keys(select_verbs(own)), **own}

    def rows(*wanted: tuple[str, str]) -> list[tuple[str, str]]:
        return [(labels(keys_of[action]), text) for action, text in wanted]

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
                *rows(
                    ("gold", _("take gold")),
                    ("cards", _("draw cards")),
                    ("income", _("take the income")),
                    ("bonus", _("the Merchant's or Architect's bonus")),
                    ("kill", _("murder a character, place threats")),
                    ("rob", _("rob a character")),
                    ("destroy", _("destroy, seize, swap hands: a list opens")),
                    ("pay", _("pay gold, where cities aren't tracked")),
                    ("end", _("end the turn")),
                    ("call", _("everybody has chosen")),
                    ("nobody", _("nobody answers")),
                    ("faceup", _("discard face up")),
                    ("redraw", _("replace cards")),
                    ("choose", _("record a choice in private")),
                    ("line", _("type a move; also tap CARD, lift, unplug, plug")),
                ),
            ],
        ),
        (
            _("The game"),
            rows(
                ("undo", _("undo the last move")),
                ("redo", _("redo it")),
                ("why", _("why the last move wasn't allowed; otherwise this help")),
                ("scores", _("the scores so far")),
                ("cities", _("every city as cards; a click on a player shows theirs")),
                ("journal", _("what happened earlier")),
                ("card_texts", _("the cards with their texts")),
                ("rules", _("the rules of this game: box, cards, every house rule")),
                ("results", _("the games of this table")),
                ("stats", _("statistics: players, cards, boxes and records")),
                ("teach", _("turn the lessons of the first round on or off")),
                ("look", _("read the next card to one person only")),
                ("help", _("this help")),
                ("new_game", _("a new game")),
                ("leave", _("leave; the game is saved")),
            ),
        ),
        (
            _("The screen"),
            rows(
                ("large", _("the call in large letters; press again for the table")),
                ("language", _("another language")),
                ("theme", _("other colours")),
                ("phones", _("the address for phones, and who has one")),
                ("put_out", _("remove the phone that joined last")),
            ),
        ),
        (
            _("The voice"),
            rows(
                ("voice", _("turn the voice on or off")),
                ("repeat", _("say it again")),
                ("slower", _("speak slower")),
                ("faster", _("speak faster")),
            ),
        ),
        (
            _("Chips"),
            rows(
                ("tray", _("the tray: chips to put on the simulated reader")),
                ("learn", _("say what an unknown chip is")),
            ),
        ),
        (
            _("District types"),
            [(type_mark(type_), district_type(type_)) for type_ in DISTRICT_TYPES],
        ),
    ]
