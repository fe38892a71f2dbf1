"""Keys of keyboard, keypad and chips: digits pick rows by number, letters search them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion import verbs
from companion.game import asking, keypad, reading, secretly, words
from companion.game.asking import Row
from companion.language import _
from companion.settings.keys import select_verbs

if TYPE_CHECKING:
    from companion.game.talk import Talk


def press(talk: Talk, key: str) -> bool:
    """Handle a digit, a letter, `enter`, `escape` or `backspace`; return whether it was
    used."""
    letter = key.lower() if len(key) == 1 else key
    match letter:
        case "enter":
            return words.enter(talk)
        case "escape":
            return words.go_back(talk)
        case "backspace":
            return talk.lists.erase() or words.go_back(talk)
    if letter.isascii() and letter.isdecimal():
        _press_digit(talk, letter)
    elif (row := _row_of_key(talk, letter)) is not None:
        words.take(talk, row)
    elif _is_text(talk, letter):
        talk.lists.type(letter)
    else:
        return _refuse_letter(talk, letter)
    return True


def _refuse_letter(talk: Talk, letter: str) -> bool:
    """Say why a verb's letter means nothing now; return whether it is the letter of a verb."""
    if talk.private is not None:
        return False
    keys_of = verbs.keys(select_verbs(talk.keys_of))
    meant = [verb for verb, keys in keys_of.items() if letter in keys]
    if not meant:
        return False
    reasons = [reason for verb in meant if (reason := asking.explain_verb(talk.view, verb))]
    if len(reasons) == 1:
        talk.refuse(reasons[0])
    else:
        talk.say("refused", _("{key} does nothing now.").format(key=letter.upper()))
    return True


def answer(talk: Talk, line: str) -> None:
    """Answer a typed line of keypad keys."""
    command = keypad.translate_keys(line)
    if command is None:
        sentence = _("{keys} does nothing; *0 explains the keypad.")
        talk.say("refused", sentence.format(keys=line))
    elif isinstance(command, str):
        words.run(talk, *command.partition(" ")[::2])
    elif talk.reading.card is not None:
        reading.go_to(talk, command)
    else:
        _take_number(talk, command)


def _is_text(talk: Talk, letter: str) -> bool:
    if len(letter) != 1 or talk.private is not None or not talk.offer.filters:
        return False
    return letter.isalpha() or (bool(talk.lists.letters) and letter in " -'’")


def _row_of_key(talk: Talk, letter: str) -> Row | None:
    if talk.lists.letters or talk.private is not None or not letter:
        return None
    return next((row for row in talk.offer.rows if row.key == letter), None)


def _press_digit(talk: Talk, digit: str) -> None:
    if talk.reading.card is not None:
        reading.go_to(talk, int(digit))
        return
    choice = talk.lists.digit(talk.offer, digit)
    if isinstance(choice, Row):
        words.take(talk, choice)
    elif choice is None:
        _refuse_number(talk, digit)


def _take_number(talk: Talk, number: int) -> None:
    talk.lists.clear_typed()
    row = next((row for row in talk.offer.rows if row.number == number), None)
    if row is None:
        _refuse_number(talk, str(number))
    else:
        words.take(talk, row)


def _refuse_number(talk: Talk, number: str) -> None:
    if talk.private is not None:
        secretly.refuse(talk)
    else:
        talk.say("refused", _("There is no choice {number} now.").format(number=number))
