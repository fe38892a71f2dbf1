"""The conversation about a game at the table: what is asked of whom, what is answered and what is
said. Each face renders it in its own way.

A face passes on user input (`press`, `take`, `line`, `word`, `tap`) and renders `asked` and what is
said. What only input needs is imported with the first of it: nobody waits for it to see the table.
Everything offered, explained or refused here is computed from public knowledge; private choices are
asked in a `PrivateMoment`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from common.sentences import Sentence
from companion import verbs
from companion.game import CurrentQuestion, Face, Kind, Message, asking, shortcuts
from companion.game.asking import Offer, Row
from companion.game.picks import Lists, is_known, is_offered_alone, list_own
from companion.game.playing import Playing
from companion.game.privacy import may_show
from companion.game.teaching import ReadingState
from companion.language import _, number_entry, translate
from companion.log.store import StoreError
from companion.settings.keys import ACTIONS, select_verbs
from companion.wording import state
from engine.explain import Refusal, Refused
from engine.views import find_awaited

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from companion.chips.entries import Entry
    from companion.game.ending import Part
    from companion.game.private_input import PrivateMoment
    from companion.game.session import Session
    from companion.wording.story import Narration
    from engine.moves import Move
    from engine.table import Table

    Command = Callable[["Conversation", str], None]


_IN_PRIVATE = ("warrant", "expose")
"""Questions whose answer can depend on a secret of the player asked."""


class Conversation:
    """A game in progress, as its faces see it."""

    def __init__(
        self,
        session: Session,
        face: Face,
        *,
        people: bool = True,
        plays_forced: bool = True,
        keys_of: Mapping[str, Sequence[str]] = ACTIONS,
        seat: int | None = None,
        handed_over: bool = True,
        more: Mapping[str, Command] | None = None,
    ) -> None:
        """`people` are asked before they end a turn with income untaken, and hear the scores part
        by part; a program is not. `plays_forced` plays forced steps.

        Unless it is `handed_over` to whoever is asked in private, it offers what is publicly
        possible, not what that player's secret leaves of it.

        `more` handles further commands, which need what this package does not know.

        A conversation with the one player in `seat` (from 0) uses that player's view and offers
        that player's own moves. What the crowned player does for the table is left to the
        conversation without a seat, the whole table's.
        """
        self.session = session
        self.face = face
        self.people = people
        self.seat = seat
        self.handed_over = handed_over
        self.more = more or {}
        self.playing = Playing(session, with_forced=plays_forced, viewer=seat)
        self.keys_of = keys_of
        self.verb_keys = verbs.keys(select_verbs(keys_of))
        self.last_refusal: Refused | None = None
        self.lists = Lists()
        self.private: PrivateMoment | None = None
        self.pending_chips: tuple[str, ...] = ()  # chips, for one move that needs several
        self.built_chips: dict[bytes, str] = {}  # districts, by the chips that built them
        self.private_round = 0  # the last round with a choice by chips in private
        self.reading = ReadingState()
        self.last_answer: list[Message] = []  # the last answer, to be repeated
        self._messages: list[Message] = []
        self.parts: list[Part] = []  # scores not told yet
        self._current: tuple[Table, CurrentQuestion] | None = None
        self._rows: tuple[Table, Offer] | None = None

    # -- what a face draws ------------------------------------------------------------------------

    @property
    def view(self) -> Table:
        """The table as everybody, or the one player, sees it."""
        return self.session.view_of(self.seat)

    @property
    def legal(self) -> list[Move]:
        """The moves that can be made here, as far as everybody, or the one player, can tell."""
        moves = self.session.legal(self.seat)
        return moves if self.seat is None else list_own(self.view, moves, self.seat)

    @property
    def asked(self) -> CurrentQuestion:
        """The current question."""
        self._catch_up()
        if self._current is None or self._current[0] is not self.view:
            offer, waiting = self.offer, find_awaited(self.view)
            question = CurrentQuestion(
                self._question(),
                waiting[0] if waiting else None,
                offer,
                self.lists.visible(offer),
                self.lists.typed,
                private=self.private is not None or self.reading.own,
            )
            self._current = self.view, question
        return self._current[1]

    @property
    def offer(self) -> Offer:
        """The rows of the top list, or of this moment."""
        if self.private is not None:
            return self.private.offer(self.view)
        if self.lists.stack:
            return self.lists.stack[-1]
        if self._rows is None or self._rows[0] is not self.view:
            self._rows = self.view, self._find_offer()
        return self._rows[1]

    def _find_offer(self) -> Offer:
        moves = self.legal
        if self.session.over and self.seat is None:
            from companion.game import ending

            left = self._agenda(moves)  # a Secret Vault can be shown
            return left._replace(rows=(*ending.rows(self.parts), *left.rows))
        if self.answers_in_private:
            number = verbs.VERBS["choose"].number
            return Offer("", (Row(_("Answer in private"), tuple(moves), number, private=True),))
        return self._agenda(moves)

    def _agenda(self, moves: Sequence[Move]) -> Offer:
        if self.seat is not None:
            moves = [move for move in moves if is_offered_alone(self.view, move, self.seat)]
        offer = asking.agenda(self.view, moves, self.verb_keys, alone=self.seat is not None)
        return shortcuts.add_to(self, offer)

    def _question(self) -> str:
        if self.private is not None:
            return self.private.question()
        if self.reading.own:
            return _("Tap the card to have it read to you alone.")
        if self.lists.stack:
            return self.lists.stack[-1].question or self.lists.stack[-1].title
        if self.parts:
            return _("Enter: the next part of the scores.")
        return (self.offer.question if self.seat is not None else "") or state.question(self.view)

    @property
    def answers_in_private(self) -> bool:
        """Whether the answer is asked of one player alone, since it may depend on a secret."""
        questions = self.view.questions
        among_others = self.people and self.seat is None and self.handed_over
        return among_others and bool(questions) and questions[-1].kind in _IN_PRIVATE

    @property
    def taps_are_secret(self) -> bool:
        """Whether the next tap may reveal a secret: others learn nothing about it, not even whether
        it was accepted."""
        if self.private is not None or self.reading.own:
            return True
        return self.seat is None and verbs.may_be_named(self.view, self.legal)

    def may_show(self, text: str) -> bool:
        """Whether the line typed so far is known to hold no secret."""
        if self.private is not None or self.reading.own:
            return False
        return may_show(self.view, self.legal, text)

    # -- input ------------------------------------------------------------------------------------

    def press(self, key: str) -> bool:
        """Handle a digit, a letter, `enter`, `escape` or `backspace`; return whether it meant
        anything. `enter` ignores the highlighted row, which only the face knows."""
        from companion.game import keys

        self.listen()
        return keys.press(self, key)

    def take(self, row: Row) -> None:
        """Handle a row that was clicked or picked with Enter."""
        from companion.game import words

        self.listen()
        words.take(self, row)

    def line(self, text: str, *, in_public: bool = False) -> None:
        """Handle a typed, sanitized line: keypad keys, a command, a question, a move, nothing, or a
        scanned chip code, which counts as a tap.

        `in_public` means that others could read it: a private choice is then asked for again
        unseen.
        """
        from companion.game import keys

        if " " in text.strip():  # as in the short name of each chip
            from companion.game import taps

            if taps.take_line(self, text, in_public=in_public):
                return
        self.listen()
        keys.answer_line(self, text, in_public=in_public)

    def word(self, word: str, rest: str = "") -> bool:
        """Run a command by its English name; return whether it is one."""
        from companion.game import words

        return words.run(self, word, rest)

    def tap(self, entry: Entry, uid: bytes = b"", seat: int | None = None) -> bool | None:
        """Handle a tap of a known chip at the reader of `seat`, or at a shared one. Return whether
        it was accepted; None if it only showed something, or if the result is secret."""
        from companion.game import taps

        secret = self.taps_are_secret
        self.listen()
        taps.tap(self, entry, uid, seat)
        kinds = {message.kind for message in self._messages}
        if secret or (kinds == {"note"} and not (self.pending_chips or self.lists.digits)):
            return None
        return "refused" not in kinds

    def go_back(self) -> bool:
        """Go one step back: typed text, the last list, a private moment, cards tapped so far."""
        from companion.game import words

        return words.go_back(self)

    # -- lists ------------------------------------------------------------------------------------

    def ask_among(self, moves: Sequence[Move], title: str = "") -> None:
        """Open a list that asks for the next word of these moves."""
        self.reading.stop()
        self.lists.open(asking.narrow(self.view, moves, title or _("Which one?")))
        self.list_rows()

    def list_rows(self, *, asked: bool = False) -> None:
        """Print the rows that can be taken now, one a line; those of a list that has just opened
        only if somebody who listens cannot know their numbers."""
        self.ask_anew()
        rows = [row for row in self.offer.rows if row.why is None]
        lines = [number_entry(row.number, row.label) for row in rows]
        private = self.private is not None
        was_known = not (asked or private) and all(is_known(self.view, row) for row in rows)
        self.say("list", *lines, private=private, known=was_known)

    def forget(self) -> None:
        """Discard the lists, the cards tapped so far, and what was being read."""
        self.ask_anew()
        self.lists.clear()
        self.forget_chips()
        self.reading.stop()

    def forget_chips(self) -> bool:
        """Forget the chips tapped so far for a move; return whether there were any."""
        before, self.pending_chips = self.pending_chips, ()
        return bool(before)

    def relabel(self) -> None:
        """Ask again in the current language; close open lists."""
        self.forget()
        self.renew()

    def renew(self) -> None:
        """Find the rows of the moment again: what they depend on besides the game has changed."""
        self._current = self._rows = None

    # -- moves ------------------------------------------------------------------------------------

    def play(self, move: Move | str, *, sure: bool = False) -> bool:
        """Play a move with the forced steps after it; return whether it was accepted."""
        sure = sure or any(row.word == shortcuts.END_ANYWAY for row in self.offer.rows)
        self.forget()
        is_end = str(move) == "end" and any(legal.text == "end" for legal in self.legal)
        if is_end and self.people and not sure:
            left = shortcuts.ask_before_end(self.view, self.legal)
            if left is not None:
                self.lists.open(left)
                self.list_rows()
                return False
        try:
            narration = self.playing.play(move)
        except Refused as error:
            self.refuse(error)
            return False
        except StoreError as error:
            self.say("refused", translate(str(error)))
            return False
        self.tell_played(narration)
        return True

    def tell_played(self, narration: Narration) -> None:
        """Tell what was played and its consequences."""
        self.last_refusal = None
        self.ask_anew()
        if self.people and self.session.over:
            from companion.wording import story  # lazy: the end comes once

            narration = story.keep_winners_back(narration, self.view)
        if narration.lines:
            self.say("told", *narration.lines, brief=narration.brief, shown=narration.shown)
        self.teach()
        if self.session.over:
            from companion.game import ending

            ending.tell(self)

    def refuse(self, error: Refused) -> None:
        """Say why a move is refused, as far as is public."""
        refusal = error.refusal
        self.say("refused", translate(refusal.reason), by_rule=refusal.is_by_rule)
        self.last_refusal = error

    # -- telling ----------------------------------------------------------------------------------

    def ask_anew(self) -> None:
        """Update after the question may have changed."""
        self._current = None

    def _catch_up(self) -> None:
        """Discard the choices that another face's move has made stale. Whoever reads a card, or was
        promised to hear the next one alone, still does: a number or a tap meant for that must not
        be played."""
        if self.playing.version == self.session.version:
            return
        self.playing.version = self.session.version
        if self.private is not None:
            questions = self.view.questions
            legal = {*self.legal, *(self.session.legal(questions[-1].seat) if questions else ())}
            if self.private.is_open(legal):
                return
            self.private = None
            self.face.keep_reader(alone=False)
        self.ask_anew()
        self.lists.clear()
        self.forget_chips()

    def listen(self) -> None:
        """Start a new answer; what was said so far becomes the last one."""
        self.ask_anew()
        self._catch_up()
        if self._messages:
            self.last_answer, self._messages = self._messages, []

    def say(self, kind: Kind, *lines: str, why: str = "", **marks: Any) -> None:
        """Say something, with the marks of a `Message`; private ones are never repeated. `why` is
        told to who asks why it is refused, if there is more to tell than the lines do."""
        message = Message(kind, lines, **marks)
        if kind == "refused":
            self.last_refusal = Refused("", Refusal("", why or " ".join(lines), Sentence("")))
        if not message.private:
            self._messages.append(message)
        self.face.say(message)

    def greet(self) -> None:
        """Say which game this is, its last move, and the lesson of this moment."""
        from companion.wording import editions  # lazy: a screen shows all this itself

        lines = [_("Game {name}.").format(name=self.session.name), *editions.tell_agreed(self.view)]
        if self.session.referee.moves:
            lines.append(_("Last move: {what}").format(what=" ".join(self.session.tell_last())))
        elif not self.session.over:
            lines += state.selection_steps(self.view)
        self.say("note", *lines)
        self.teach()

    def teach(self) -> None:
        """Teach this moment if the first round is guided and it was not taught yet."""
        lesson = self.session.teacher.find_news(self.view)
        if lesson:
            first, *others = lesson
            self.say("told", _("Lesson: {sentence}").format(sentence=first), *others)

    def tell_part(self) -> bool:
        """Tell the next part of the scores; return whether there was one."""
        if not self.parts:
            return False
        part = self.parts.pop(0)
        self.renew()
        self.say("answer", *part.lines, title=part.title)
        if not self.parts:
            self.list_rows(asked=True)  # what to do now: another game, a look back
        return True
