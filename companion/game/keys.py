"""Keys of keyboard, keypad and chips: digits pick rows by number, letters search them.

The numeric keypad is a complete keyboard, the same in every language: lines of nothing but digits
and the keys around them. Many countries' keypads have a comma for the point.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion import verbs
from companion.game import asking, picks, playing, private_input, shortcuts, teaching, typed, words
from companion.game.asking import Offer, Row
from companion.game.picks import explain_number, explain_verb
from companion.game.privacy import find_private_verb, may_be_private
from companion.language import _, district_type, listing
from companion.language.vocabulary import match_word, search_names, simplify, spellings
from companion.verbs import is_private
from engine import explain
from engine.cards import DISTRICT_TYPES
from engine.explain import Refused
from engine.moves import UnknownMove
from engine.referee import list_legal_moves, push_move
from engine.rules import find_menu, owners_of

if TYPE_CHECKING:
    from companion.game.conversation import Conversation


_KEYPAD_KEYS = frozenset("0123456789+-*/.")

KEYPAD = {
    "0": "repeat",
    "+": "next",
    "-": "undo",
    "--": "redo",
    ".": "back",
    "/": "moves",
    "*": "why",
    "*0": "help keypad",
    "*1": "gold?",
    "*2": "who",
    "*3": "cities",
    "*4": "characters",
    "*5": "score",
    "*6": "last",
    "*7": "history",
    "*8": "left",
    "*9": "rules",
    "**": "round",
    "*+": "called",
    "*-": "look",
    "*.": "mine",
    "*/": "phones out",
    "++": "new",
}
"""What the keys mean, as typed commands; a number alone picks a row."""

_KEYPAD_SEATS = {
    "*1": "gold?",
    "*3": "city",
    "*8": "left",
    "*.": "mine",
}  # followed by a seat: only that player


def is_keypad(line: str) -> bool:
    """Whether the line is nothing but keypad keys."""
    keys = _spell_keys(line)
    return bool(keys) and set(keys) <= _KEYPAD_KEYS


def read_keypad(line: str) -> int | str | None:
    """The number or the command that a line of keys stands for; None for meaningless keys."""
    keys = _spell_keys(line)
    if keys in KEYPAD:
        return KEYPAD[keys]
    if keys.isdecimal():
        return int(keys) if len(keys) < 6 else -1
    if keys[:1] == "/" and keys[1:].isdecimal():
        return f"reference {keys[1:]}"
    if keys[:2] in _KEYPAD_SEATS and keys[2:].isdecimal():
        return f"{_KEYPAD_SEATS[keys[:2]]} {keys[2:]}"
    return None


def _spell_keys(line: str) -> str:
    return line.replace(",", ".").replace(" ", "")


def press(talk: Conversation, key: str, *, is_tapped: bool = False) -> bool:
    """Handle a digit, a letter, `enter`, `escape` or `backspace`; return whether it was used. The
    digit of a chip that `is_tapped` answers no call that has not been made."""
    letter = key.lower() if len(key) == 1 else key
    match letter:
        case "enter":
            return words.enter(talk)
        case "escape":
            return words.go_back(talk)
        case "backspace":
            return talk.lists.erase() or words.go_back(talk)
    if letter.isascii() and letter.isdecimal():
        _press_digit(talk, letter, is_tapped=is_tapped)
    elif _row_of_key(talk, letter) is None and _is_text(talk, letter):
        talk.lists.type(letter)
    else:
        return take_letter(talk, letter) or refuse_sign(talk, letter)
    return True


def take_letter(talk: Conversation, letter: str) -> bool:
    """Take the row with that key, or answer a call ahead; return whether the key did something."""
    row = _row_of_key(talk, letter)
    if row is not None:
        words.take(talk, row)
    return row is not None or _answer_ahead(talk, key=letter)


def refuse_sign(talk: Conversation, letter: str) -> bool:
    """Say why a letter or another sign means nothing now; return False for a key that is the
    face's own."""
    if len(letter) != 1 or not letter.isprintable() or letter.isspace():
        return False
    if talk.private is not None:
        private_input.refuse(talk)
        return True
    names = [verb for verb, keys in talk.verb_keys.items() if letter in keys]
    if not names and any(letter in keys for keys in talk.keys_of.values()):
        return False
    now = find_menu(talk.view).by_verb
    here = [verb for verb in names if verb in now] or [v for v in names if _may_occur(talk, v)]
    reasons = [reason for verb in here if (reason := explain_verb(talk.view, verb))]
    if len(reasons) == 1:
        talk.refuse(reasons[0])
    else:
        talk.say("refused", _("{key} does nothing now.").format(key=letter.upper()))
    return True


def _may_occur(talk: Conversation, verb: str) -> bool:
    """Whether anybody in this game could ever do it: some powers' characters are not in play."""
    owners = owners_of(verb)
    return not owners or any(owner in talk.view.rules.characters for owner in owners)


def answer(talk: Conversation, line: str) -> None:
    """Answer a typed line of keypad keys."""
    command = read_keypad(line)
    if command is None:
        sentence = _("{keys} does nothing; *0 explains the keypad.")
        talk.say("refused", sentence.format(keys=line))
    elif isinstance(command, str):
        word, _space, rest = command.partition(" ")
        if not words.run(talk, word, rest):
            talk.say("refused", _("{keys} does nothing; *0 explains the keypad.").format(keys=line))
    elif talk.reading.card is not None:
        teaching.go_to(talk, command)
    else:
        _take_number(talk, command)


def _is_text(talk: Conversation, letter: str) -> bool:
    if len(letter) != 1 or talk.private is not None or not talk.offer.filters:
        return False
    return letter.isalpha() or (bool(talk.lists.letters) and letter in " -'’")


def _row_of_key(talk: Conversation, letter: str) -> Row | None:
    if talk.lists.letters or talk.private is not None or not letter:
        return None
    return next((row for row in talk.offer.rows if row.key == letter), None)


def _press_digit(talk: Conversation, digit: str, *, is_tapped: bool) -> None:
    if talk.reading.card is not None:
        teaching.go_to(talk, int(digit))
        return
    number = talk.lists.digits + digit
    choice = talk.lists.digit(talk.offer, digit)
    if isinstance(choice, Row):
        words.take(talk, choice)
    elif choice is None and (is_tapped or not _answer_ahead(talk, number=int(number))):
        _refuse_number(talk, number)


def _take_number(talk: Conversation, number: int) -> None:
    talk.lists.clear_typed()
    offer = talk.offer
    meaning = {number, offer.type_digit * 10 + number if number < 10 else number}
    row = next((row for row in offer.numbered if row.number in meaning), None)
    if row is not None:
        words.take(talk, row)
    elif not _read_type(talk, number) and not _answer_ahead(talk, number=number):
        _refuse_number(talk, str(number))


def _read_type(talk: Conversation, digit: int) -> bool:
    """Read the districts of the type with that digit, from which the next number picks; return
    whether the moment has any."""
    among = None if talk.private is not None else picks.select_type(talk.view, talk.offer, digit)
    if among is None:
        return False
    if any(row.why is None for row in among.rows):
        talk.lists.open(among)
        talk.list_rows()
        return True
    sentence = _("No district of type {type} can be built now.")
    talk.say("refused", sentence.format(type=district_type(DISTRICT_TYPES[digit - 1])))
    reason = among.rows[0].why
    if reason is not None:
        talk.last_refusal = reason()
    return True


def _answer_ahead(talk: Conversation, *, number: int = 0, key: str = "") -> bool:
    """Call the characters for whoever says who answers instead, by a seat's number or the key of
    nobody; return whether that was meant, even if it was refused."""
    call = next((move for move in talk.legal if move.verb == "call"), None)
    is_open = talk.private is None and not talk.lists.stack and talk.handed_over
    if call is None or not is_open or not talk.people or talk.session.waits_for_ranks():
        return False
    view = push_move(talk.view, call)
    legal = list_legal_moves(view)
    while talk.playing.with_forced and (forced := playing.step(view, legal)) is not None:
        view = push_move(view, forced)
        legal = list_legal_moves(view)
    rows = asking.agenda(view, legal, talk.verb_keys).rows
    answer = next((row for row in rows if row.number == number or (key and row.key == key)), None)
    if answer is None or answer.why is not None or len(answer.moves) != 1:
        return False
    with talk.session.together():
        if talk.play(call):
            talk.play(answer.moves[0])
    return True


def _refuse_number(talk: Conversation, number: str) -> None:
    if talk.private is not None:
        private_input.refuse(talk)
    elif not talk.lists.stack and (reason := explain_number(talk.view, int(number))):
        talk.refuse(reason)
    else:
        numbers = [str(row.number) for row in talk.offer.rows if row.why is None]
        sentence = _("There is no choice {number} now.").format(number=number)
        why = _("There is no choice {number} now, only {numbers}.")
        why = why.format(number=number, numbers=listing(numbers)) if numbers else ""
        talk.say("refused", sentence, why=why)


# -- typed lines -----------------------------------------------------------------------------------


def answer_line(talk: Conversation, text: str, *, in_public: bool = False) -> None:
    """Handle a typed, sanitized line that is no chip's code, as `Conversation.line` says."""
    if talk.private is not None:
        private_input.answer(talk, text, in_public=in_public)
    elif not text:
        talk.reading.stop()
        talk.tell_part()
    elif is_keypad(text):
        answer(talk, text)
    elif not words.answer(talk, text):
        _answer_with_move(talk, text, in_public=in_public)


def _answer_with_move(talk: Conversation, line: str, *, in_public: bool = False) -> None:
    """Play the move that the line means, ask on if it means several, or refuse it; a private one
    typed `in_public` is asked for again. A letter that begins no name is the key of that letter,
    where it does something now."""
    view, legal = talk.view, talk.legal
    if talk.people and (row := _find_yes_or_no(talk, line)) is not None:
        words.take(talk, row)
        return
    moves = typed.understand(line, view, legal)
    is_key = talk.people and len(line) == 1 and not any(move.args for move in moves)
    if is_key and take_letter(talk, line.lower()):
        return
    secret = [move for move in moves if talk.seat is None and is_private(view, move.verb)]
    if secret:
        private_input.play_typed(talk, secret, in_public=in_public)
    elif len(moves) == 1:
        talk.play(moves[0])
    elif moves and moves[0] in legal:
        talk.ask_among(moves)
    elif (row := _find_row_by_label(talk, line)) is not None:
        words.take(talk, row)
    elif not (is_key and _is_refused_as_key(talk, line)):
        _refuse_line(talk, line)


_YES, _NO = (verbs.VERBS[verb].number for verb in ("confirm", "recount"))


def _find_yes_or_no(talk: Conversation, line: str) -> Row | None:
    """The row that `yes` or `no` takes: of an offer, or of whether the turn really ends."""
    word = match_word(line, "yes", "no")
    if word is None:
        return None
    number = _YES if word == "yes" else _NO
    for row in talk.offer.rows:
        if row.moves and verbs.VERBS[row.moves[0].verb].number == number:
            return row
        if row.word in (shortcuts.END_ANYWAY, "rematch") and talk.lists.stack:
            return row if word == "yes" else Row("", word="back")
    return None


def _is_refused_as_key(talk: Conversation, letter: str) -> bool:
    """Whether the key says why it does nothing: where it is text, or a secret may begin with it,
    the line is answered in words."""
    is_text = talk.offer.filters or not talk.may_show(letter)
    return not is_text and refuse_sign(talk, letter.lower())


def _find_row_by_label(talk: Conversation, line: str) -> Row | None:
    """The one row with that label, or else that prefix; a program types moves in full. A row of
    several moves has to be named in full where the prefix also fits another."""
    target = simplify(line)
    if not talk.people or not target:
        return None
    names = {row: [*spellings(row.label), *search_names(row.card)] for row in talk.offer.numbered}
    is_whispered = may_be_private(talk.view, talk.legal, line)
    exact = [row for row, row_names in names.items() if target in row_names]
    matches = exact or [
        row
        for row, row_names in names.items()
        if any(name.startswith(target) for name in row_names) and not is_whispered
    ]
    if len(matches) > 1:
        matches = [row for row in matches if not row.word.startswith(shortcuts.SEVERAL)]
    return matches[0] if len(matches) == 1 else None


def _refuse_line(talk: Conversation, line: str) -> None:
    """Refuse words that are not a move; suggest what they may mean, or say why they fail."""
    view, legal = talk.view, talk.legal
    talk.forget()
    if may_be_private(view, legal, line):
        _refuse_unheard(talk, line)
        return
    candidates = typed.find_begun(line, view, legal)
    if len(candidates) > 1 and not any(is_private(view, move.verb) for move in candidates):
        talk.ask_among(candidates)
        return
    offers = [
        move for move in typed.find_near(line, view, legal) if not is_private(view, move.verb)
    ]
    if talk.people and not talk.may_show(line):
        talk.say("refused", _("I didn't understand that, and I won't repeat it."))
        return
    if offers:
        talk.refuse(Refused(line, explain.refuse_unknown(UnknownMove(line))))
        talk.lists.open(Offer(_("Did you mean one of these?"), asking.list_flat(view, offers)))
        talk.list_rows()
        return
    reason = typed.refuse_closed(line, view)
    talk.refuse(Refused(line, reason or typed.refuse_unknown(line, view, legal)))


def _refuse_unheard(talk: Conversation, line: str) -> None:
    """Answer a garbled private line by its verb alone: any answer to the rest could reveal the
    choice."""
    view, legal = talk.view, talk.legal
    verb = find_private_verb(view, legal, line)
    if verb is None:
        talk.say("refused", _("I didn't understand that, and I won't repeat it."))
        return
    said_so_far = " ".join((verb, *line.split()[1:2]))
    candidates = typed.find_begun(said_so_far, view, legal) if verb == "choose" else ()
    private_input.ask(talk, candidates or [move for move in legal if move.verb == verb])
