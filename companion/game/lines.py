"""What a typed line means: a command, a question, or a move in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.game import Offer, Row, asking, questions, shortcuts, typed
from companion.game.privacy import find_private_verb, may_be_private
from companion.language import _, vocabulary
from companion.language.vocabulary import match_yes_or_no
from companion.verbs import is_private
from engine import explain
from engine.explain import Refused
from engine.moves import GRAMMAR, UnknownMove, fold
from engine.referee import judge

if TYPE_CHECKING:
    from collections.abc import Sequence

    from companion.game.conversation import Conversation
    from engine.moves import Move

_WHILE_READING = ("next", "back", "repeat", "tap", "hold", "lift")
"""Commands after which a reference card is still being read; any other line ends it."""

_WORDS = {"scores": "score", "journal": "history", "leave": "quit"}
"""The words for actions of the full screen's keys that have another name in lines."""


class Lines:
    """The lines typed in one conversation."""

    def __init__(self, talk: Conversation) -> None:
        self.talk = talk

    def answer(self, line: str, *, in_public: bool) -> None:
        """Do what the line says; `in_public` others could read it."""
        word, _space, rest = map(str.strip, vocabulary.translate_line(line).partition(" "))
        word = fold(word)
        if word not in _WHILE_READING:
            self.talk.stop_reading()
        if self.talk.people and (row := self.talk.top.find_yes_or_no(line)) is not None:
            self.talk.take_row(row)
        elif self._is_no_command(line, word, rest) or not self._run(word, rest):
            self._play(line, in_public=in_public)

    def _is_no_command(self, line: str, word: str, rest: str) -> bool:
        """Whether the line runs no command, although a command may begin with it: it says yes where
        that is no answer, or makes a move."""
        says_yes = self.talk.people and len(line) > 1 and match_yes_or_no(line) is True
        return says_yes or self._is_move_now(line, word, rest)

    def _is_move_now(self, line: str, word: str, rest: str) -> bool:
        """Whether a command that is also a verb makes a legal move now: `city Ben temple`, when
        that city is counted."""
        if not rest or word not in GRAMMAR:
            return False
        legal = self.talk.legal
        is_verb = any(move.verb == word for move in legal)
        return is_verb and bool(typed.understand(line, self.talk.view, legal))

    def _run(self, word: str, rest: str) -> bool:
        """Run the line if it is a command or a question; return whether it was one."""
        if self.talk.word(word, rest):
            return True
        lines = questions.answer_instead(self.talk.view, word, rest)
        if lines is not None:
            self.talk.say("answer", *lines)
        return lines is not None

    def _play(self, line: str, *, in_public: bool) -> None:
        """Play the move that the line means, ask on if it means several, or refuse it; a private
        one that others could read is asked for again. A letter that begins no name is the key of
        that letter, where it does something now."""
        talk, view, legal = self.talk, self.talk.view, self.talk.legal
        moves = typed.understand(line, view, legal)
        if self._says_no_to(moves, line):
            talk.refuse(Refused(line, explain.refuse_unknown(UnknownMove(line))))
            return
        searches = talk.people and talk.top.searches(line.lower())
        named = [move for move in moves if move.args]
        moves = named if searches else moves
        is_key = talk.people and len(line) == 1 and not searches
        is_key = is_key and (bool(talk.offer.initials) or not named)
        if is_key and (talk.top.take_key(line.lower()) or self._run_key(line.lower())):
            return
        if not any(move in legal for move in moves):
            row = self._find_by_label(line)
            if row is not None and row.why is not None:
                talk.take_row(row)
                return
        secret = [move for move in moves if talk.seat is None and is_private(view, move.verb)]
        if secret:
            self._play_secret(secret, in_public=in_public)
        elif len(moves) == 1:
            talk.play(moves[0])
        elif moves and moves[0] in legal:
            talk.ask_among(moves)
        elif (row := self._find_by_label(line)) is not None:
            talk.take_row(row)
        elif not (is_key and self._is_refused_as_key(line)):
            self._refuse(line)

    def _says_no_to(self, moves: Sequence[Move], line: str) -> bool:
        """Whether the line says no, and these moves would say yes: “no” begins “nobody”."""
        if not self.talk.people or len(line) < 2 or match_yes_or_no(line) is not False:
            return False
        return any(row.yes and {*row.moves} & {*moves} for row in self.talk.offer.rows)

    def _run_key(self, letter: str) -> bool:
        """Run the word of the full screen's action with that key, if it is one of a line, too."""
        actions = [action for action, keys in self.talk.keys_of.items() if letter in keys]
        return any(self._run(_WORDS.get(action, action), "") for action in actions)

    def _is_refused_as_key(self, letter: str) -> bool:
        """Whether the key says why it does nothing: where it is text, or a secret may begin with
        it now, the line is answered in words."""
        talk, letter = self.talk, letter.lower()
        is_text = talk.top.searches(letter) or may_be_private(talk.view, talk.legal, letter)
        return not is_text and talk.top.refuse_key(letter)

    def _find_by_label(self, line: str) -> Row | None:
        """The one row with that label, or else that prefix; a program types moves in full. A row of
        several moves has to be named in full where the prefix also fits another."""
        talk = self.talk
        if not talk.people:
            return None
        in_full = may_be_private(talk.view, talk.legal, line)
        rows = talk.top.list_named(line, in_full=in_full)
        if len(rows) > 1:
            rows = [row for row in rows if not row.word.startswith(shortcuts.SEVERAL)]
        return rows[0] if len(rows) == 1 else None

    # -- private moves ----------------------------------------------------------------------------

    def _play_secret(self, moves: Sequence[Move], *, in_public: bool) -> None:
        """Play a private move typed in full; ask in private if it is incomplete or others have read
        it."""
        talk, (move, *others) = self.talk, moves
        if not others and not in_public:
            talk.forget()
            talk.attempt(lambda: talk.playing.play(move), lambda _reason: self._refuse_secret(move))
            return
        reason = self._find_public_reason(move)
        if reason is not None:
            talk.refuse(reason)
            return
        if not others:
            talk.moment.refuse_read()
        names = {move.args[0] for move in moves if move.verb == "choose"}
        of_verb = [other for other in talk.legal if other.verb == move.verb]
        talk.ask_in_private(
            [legal_move for legal_move in of_verb if not names or legal_move.args[0] in names]
        )

    def _refuse_secret(self, move: Move) -> None:
        reason = self._find_public_reason(move)
        if reason is None:
            self.talk.say("refused", _("You can't choose that; nothing has changed."))
        else:
            self.talk.refuse(reason)

    def _find_public_reason(self, move: Move) -> Refused | None:
        """Why it cannot be played, if the reason names nobody: the verb is not possible at all or,
        for a program, public knowledge forbids it."""
        reason = typed.refuse_closed(move.verb, self.talk.view)
        if reason is not None:
            return Refused(move.verb, reason)
        if not self.talk.people:
            try:
                judge(self.talk.view, move)
            except Refused as error:
                return error
        return None

    # -- refusing ---------------------------------------------------------------------------------

    def _refuse(self, line: str) -> None:
        """Refuse words that are not a move; suggest what they may mean, or say why they fail."""
        talk, view, legal = self.talk, self.talk.view, self.talk.legal
        talk.forget()
        if may_be_private(view, legal, line):
            self._refuse_unheard(line)
            return
        if (name := typed.find_garbled(line, view, legal)) != line:
            talk.refuse(Refused(line, typed.refuse_unknown(name, view, legal)))
            return
        candidates = typed.find_begun(line, view, legal)
        if len(candidates) > 1 and not any(is_private(view, move.verb) for move in candidates):
            talk.ask_among(candidates)
            return
        near = typed.find_near(line, view, legal)
        offers = [move for move in near if not is_private(view, move.verb)]
        if talk.people and not talk.may_show(line):
            talk.say("refused", _("I didn't understand that, and I won't repeat it."))
        elif offers:
            talk.refuse(Refused(line, explain.refuse_unknown(UnknownMove(line))))
            rows = asking.list_flat(view, offers)
            talk.open_list(Offer(_("Did you mean one of these?"), rows))
        else:
            reason = typed.refuse_closed(line, view)
            talk.refuse(Refused(line, reason or typed.refuse_unknown(line, view, legal)))

    def _refuse_unheard(self, line: str) -> None:
        """Answer a garbled private line by its verb alone: any answer to the rest could reveal the
        choice."""
        talk, view, legal = self.talk, self.talk.view, self.talk.legal
        verb = find_private_verb(view, legal, line)
        if verb is None:
            talk.say("refused", _("I didn't understand that, and I won't repeat it."))
            return
        said_so_far = " ".join((verb, *line.split()[1:2]))
        candidates = typed.find_begun(said_so_far, view, legal) if verb == "choose" else ()
        talk.ask_in_private(candidates or [move for move in legal if move.verb == verb])
