"""A typed line: keypad keys, a command, a move in words, or a row by its label."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion import verbs
from companion.game import asking, keys, private_input, shortcuts, words
from companion.game.asking import Offer, Row
from companion.game.intent import typed
from companion.game.privacy import find_private_verb, may_be_private
from companion.language import _
from companion.language.vocabulary import match_word, search_names, simplify, spellings
from companion.verbs import is_private
from engine import explain
from engine.explain import Refused
from engine.moves import UnknownMove

if TYPE_CHECKING:
    from companion.game.talk import Talk


def answer(talk: Talk, text: str, *, in_public: bool = False) -> None:
    """Handle a typed, sanitized line that is no chip's code, as `Conversation.line` says."""
    if talk.private is not None:
        private_input.answer(talk, text, in_public=in_public)
    elif not text:
        talk.reading.stop()
        talk.tell_part()
    elif keys.is_keypad(text):
        keys.answer(talk, text)
    elif not words.answer(talk, text):
        _answer_with_move(talk, text, in_public=in_public)


def _answer_with_move(talk: Talk, line: str, *, in_public: bool = False) -> None:
    """Play the move that the line means, ask on if it means several, or refuse it; a private one
    typed `in_public` is asked for again. A letter that begins no name is the key of that letter,
    where it does something now."""
    view, legal = talk.view, talk.legal
    if talk.people and (row := _find_yes_or_no(talk, line)) is not None:
        words.take(talk, row)
        return
    moves = typed.understand(line, view, legal)
    is_key = talk.people and len(line) == 1 and not any(move.args for move in moves)
    if is_key and keys.take_letter(talk, line.lower()):
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
        _refuse(talk, line)


_YES, _NO = (verbs.VERBS[verb].number for verb in ("confirm", "recount"))


def _find_yes_or_no(talk: Talk, line: str) -> Row | None:
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


def _is_refused_as_key(talk: Talk, letter: str) -> bool:
    """Whether the key says why it does nothing: where it is text, or a secret may begin with it,
    the line is answered in words."""
    is_text = talk.offer.filters or not talk.may_show(letter)
    return not is_text and keys.refuse_sign(talk, letter.lower())


def _find_row_by_label(talk: Talk, line: str) -> Row | None:
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


def _refuse(talk: Talk, line: str) -> None:
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


def _refuse_unheard(talk: Talk, line: str) -> None:
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
