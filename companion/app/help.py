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
from companion.language import _, district_type
from companion.settings.keys import ACTIONS, select_verbs
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
    targets = [
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
    matches = []
    for action, text in targets:
        own = [key for key in keys_of[action] if key not in taken]
        key = next((key for key in own if not (typing and _is_letter(key))), "")
        if key:
            matches.append((label(key), text, textual_action(action)))
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
                *_list_letters(keys_of),
                (label(keys_of["line"][0]), _("type a move; also tap CARD, lift, unplug, plug")),
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
                ("mine", _("read the cards noted on a phone, to one person only")),
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
        (
            _("Signs in the line of ranks"),
            [(" ".join(explain_signs()), ", ".join(explain_signs().values()))],
        ),
    ]
