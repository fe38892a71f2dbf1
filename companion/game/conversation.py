"""The flow of a game at the table: one conversation, drawn by every face in its own way.

A face hands over what a person did (`press`, `take`, `line`, `word`, `tap`) and draws `asked` and
what is said. Everything offered, explained or refused here is computed from what the whole table
may know; what is one person's alone is asked in a `PrivateMoment`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion import keys
from companion.game import asking, keypad, reading, secretly, typed_moves, words
from companion.game.asking import Offer, Row
from companion.game.laid import Chips
from companion.game.lists import Lists
from companion.game.playing import Playing, Told
from companion.game.privacy import may_show
from companion.game.sayings import Asked, Saying
from companion.language import _, said
from companion.store import StoreError
from companion.wording import editions, facts, prompts
from engine.refusals import Refused
from engine.views import awaiting

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from companion.game.ending import Part
    from companion.game.private import PrivateMoment
    from companion.game.sayings import Face, Kind
    from companion.session import Session
    from engine.moves import Move
    from engine.table import Table
    from tags.registry import Entry

_IN_PRIVATE = ("warrant", "expose")
"""Questions whose answer can depend on a secret of the one who is asked."""


class Conversation:
    """A game being played, as its faces know it."""

    def __init__(
        self,
        session: Session,
        face: Face,
        *,
        people: bool = True,
        plays_forced: bool = True,
        keys_of: Mapping[str, Sequence[str]] = keys.ACTIONS,
    ) -> None:
        """`people` are asked before they end a turn with their income untaken, and hear the scores
        part by part; a program is not. `plays_forced` plays steps that leave no choice."""
        self.session = session
        self.face = face
        self.people = people
        self.playing = Playing(session, with_forced=plays_forced)
        self.keys_of = keys_of
        self.refused: Refused | None = None
        self.lists = Lists()
        self.private: PrivateMoment | None = None
        self.chips = Chips()
        self.reading = reading.Listening()
        self.heard: list[Saying] = []  # the last answer, to be repeated
        self._saying: list[Saying] = []
        self.parts: list[Part] = []  # what is still to be told of the scores
        self._asked: tuple[Table, Asked] | None = None
        self._rows: tuple[Table, Offer] | None = None

    # -- what a face draws ------------------------------------------------------------------------

    @property
    def view(self) -> Table:
        """The table as everybody may know it."""
        return self.session.view

    @property
    def asked(self) -> Asked:
        """What is asked now."""
        if self._asked is None or self._asked[0] is not self.view:
            offer = self.offer
            asked = Asked(
                self._question(),
                self._seat(),
                offer,
                self.lists.visible(offer),
                self.lists.typed,
                private=self.private is not None or self.reading.own,
            )
            self._asked = self.view, asked
        return self._asked[1]

    @property
    def offer(self) -> Offer:
        """The rows of the list that is open last, or of this moment."""
        if self.private is not None:
            return self.private.offer(self.view)
        if self.lists.opened:
            return self.lists.opened[-1]
        if self._rows is None or self._rows[0] is not self.view:
            self._rows = self.view, self._moment()
        return self._rows[1]

    def _moment(self) -> Offer:
        moves = self.session.legal()
        if self.session.over:
            from companion.game import ending

            left = asking.agenda(self.view, moves, self.keys_of)  # a Secret Vault can be shown
            return left._replace(
                rows=(*ending.rows(self.parts), *asking.renumbered(left.rows, after=3))
            )
        if self.answers_in_private:
            return Offer("", (Row(_("Answer in private"), tuple(moves), 1, private=True),))
        return asking.agenda(self.view, moves, self.keys_of)

    def _question(self) -> str:
        if self.private is not None:
            return self.private.question()
        if self.reading.own:
            return _("Tap the card to be read to you alone.")
        if self.lists.opened:
            return self.lists.opened[-1].question or self.lists.opened[-1].title
        return prompts.question(self.view)

    def _seat(self) -> int | None:
        waiting = awaiting(self.view)
        return waiting[0] if waiting else None

    @property
    def answers_in_private(self) -> bool:
        """Whether the answer is asked of one person alone, since it may depend on a secret."""
        asked = self.view.questions
        return self.people and bool(asked) and asked[-1].kind in _IN_PRIVATE

    def may_show(self, text: str) -> bool:
        """Whether a line typed so far is known to hold no secret."""
        if self.private is not None or self.reading.own:
            return False
        return may_show(self.view, self.session.legal(), text)

    # -- what people do ---------------------------------------------------------------------------

    def press(self, key: str) -> bool:
        """A key of a keyboard: a digit, a letter, `enter`, `escape`, `backspace`. Whether it meant
        anything here; `enter` takes no marked row, which only a face knows."""
        self._listen()
        letter = key.lower() if len(key) == 1 else key
        match letter:
            case "enter":
                return self._enter()
            case "escape":
                return self.back()
            case "backspace":
                return self.lists.erase() or self.back()
        if letter.isascii() and letter.isdecimal():
            self._digit(letter)
        elif (row := self._row_of_key(letter)) is not None:
            self._take(row)
        elif self._is_text(letter):
            self.lists.type(letter)
        else:
            return False
        return True

    def take(self, row: Row) -> None:
        """A row was clicked, or Enter was pressed on it."""
        self._listen()
        self._take(row)

    def line(self, text: str, *, seen: bool = False) -> None:
        """A typed line, cleaned: keys of the keypad, a word, a question, a move, or nothing.

        `seen` says that others could read it: a private choice in it is asked for again unseen.
        """
        self._listen()
        if self.private is not None:
            secretly.answer(self, text, seen=seen)
        elif not text:
            self.reading.stop()
            self.tell_part()
        elif keypad.is_keys(text):
            self._keys(text)
        elif not words.answer(self, text):
            typed_moves.answer(self, text, seen=seen)

    def word(self, word: str, rest: str = "") -> bool:
        """Do what a word of the caller says, by its English name; whether it is one."""
        return words.run(self, word, rest)

    def tap(self, entry: Entry, uid: bytes = b"", seat: int | None = None) -> None:
        """A known chip was tapped, at the own reader of that seat or at one of all."""
        from companion.game import taps  # chips are imported with the first tap

        self._listen()
        taps.tapped(self, entry, uid, seat)

    def back(self) -> bool:
        """One step back: what was typed, the last list, a private moment, cards tapped so far."""
        self._asked = None
        if self.private is not None:
            secretly.leave(self)
            self.say("note", _("Nothing was chosen."))
            return True
        return self.lists.back() or self.chips.forget() or self.reading.stop()

    def _listen(self) -> None:
        """Begin a new answer."""
        self._asked = None
        if self._saying:
            self.heard, self._saying = self._saying, []

    def _is_text(self, letter: str) -> bool:
        if len(letter) != 1 or self.private is not None or not self.offer.filters:
            return False
        return letter.isalpha() or (bool(self.lists.letters) and letter in " -'’")

    def _row_of_key(self, letter: str) -> Row | None:
        if self.lists.letters or self.private is not None or not letter:
            return None
        return next((row for row in self.offer.rows if row.key == letter), None)

    def _digit(self, digit: str) -> None:
        if self.reading.card is not None:
            self.reading.go_to(self, int(digit))
            return
        found = self.lists.digit(self.offer, digit)
        if isinstance(found, Row):
            self._take(found)
        elif found is None:
            self._refuse_number(digit)

    def _enter(self) -> bool:
        if self.lists.digits:
            row = self.lists.whole_number(self.offer)
            if row is not None:
                self._take(row)
            return True
        if self.lists.letters and not self.asked.visible:
            sentence = _("No row has “{letters}” in its name.")
            self.say("refused", sentence.format(letters=self.lists.letters))
            return True
        return self.tell_part()

    def _number(self, number: int) -> None:
        self.lists.clear_typed()
        row = next((row for row in self.offer.rows if row.number == number), None)
        if row is None:
            self._refuse_number(str(number))
        else:
            self._take(row)

    def _refuse_number(self, number: str) -> None:
        if self.private is not None:
            secretly.refuse(self)
        else:
            self.say("refused", _("There is no choice {number} now.").format(number=number))

    def _keys(self, text: str) -> None:
        meant = keypad.meant(text)
        if meant is None:
            sentence = _("{keys} means nothing; *0 says what the keypad does.")
            self.say("refused", sentence.format(keys=text))
        elif isinstance(meant, str):
            self.word(*meant.partition(" ")[::2])
        elif self.reading.card is not None:
            self.reading.go_to(self, meant)
        else:
            self._number(meant)

    # -- rows -------------------------------------------------------------------------------------

    def _take(self, row: Row) -> None:
        """Take a row: play its move, ask on among its moves, or say why it cannot be taken."""
        self.lists.clear_typed()
        if self.private is not None:
            secretly.take(self, row)
        elif row.why is not None:
            self.say("refused", row.why())
        elif row.word:
            self.word(*row.word.partition(" ")[::2])
        elif row.private:
            secretly.ask(self, row.moves)
        elif len(row.moves) == 1:
            self.play(row.moves[0])
        else:
            self.ask_among(row.moves, row.label)

    def ask_among(self, moves: Sequence[Move], title: str = "") -> None:
        """Open a list that asks for the next word of these moves."""
        self.reading.stop()
        self.lists.open(asking.narrowed(self.view, moves, title or _("Which one?")))
        self.list_rows()

    def list_rows(self) -> None:
        """Say the rows that can be taken now, a line each."""
        self._asked = None
        rows = [row for row in self.offer.rows if row.why is None]
        lines = [f"{row.number}: {row.label}" for row in rows]
        self.say("list", *lines, private=self.private is not None)

    def forget(self) -> None:
        """Forget the lists, the cards tapped so far, and what was being read."""
        self._asked = None
        self.lists.clear()
        self.chips.forget()
        self.reading.stop()

    def relabel(self) -> None:
        """Ask anew what is asked, in the language now in force; open lists are put away."""
        self.forget()
        self._rows = None

    # -- moves ------------------------------------------------------------------------------------

    def play(self, move: Move | str, *, confirmed: bool = False) -> bool:
        """Play a move, with the steps that it leaves no choice about; whether it was accepted."""
        self.forget()
        if not confirmed and words.asks_before(self, move):
            return False
        try:
            told = self.playing.play(move)
        except Refused as error:
            self.refuse(error)
            return False
        except StoreError as error:
            self.say("refused", said(str(error)))
            return False
        self.tell_played(told)
        return True

    def tell_played(self, told: Told) -> None:
        """Tell what was played, and what comes of it."""
        self.refused = None
        self._asked = None
        self.say("told", *told.lines, brief=told.brief)
        self.teach()
        if self.session.over:
            self._tell_end()

    def refuse(self, error: Refused) -> None:
        """Say why a move is refused, as far as everybody may know."""
        self.refused = error
        self.say("refused", said(error.refusal.reason))

    # -- telling ----------------------------------------------------------------------------------

    def say(
        self,
        kind: Kind,
        *lines: str,
        title: str = "",
        private: bool = False,
        card: str = "",
        brief: tuple[str, ...] | None = None,
    ) -> None:
        """Say something; what is private is never repeated."""
        saying = Saying(kind, lines, title, private, card, brief)
        if not private:
            self._saying.append(saying)
        self.face.say(saying)

    def greet(self) -> None:
        """Say which game this is, what was done last, and what is taught of this moment."""
        lines = [_("Game {name}.").format(name=self.session.name), *editions.agreed(self.view)]
        if self.session.referee.moves:
            lines.append(_("Last: {what}").format(what=" ".join(self.session.last_told())))
        elif not self.session.over:
            lines += prompts.selection_steps(self.view)
        self.say("note", *lines)
        self.teach()

    def teach(self) -> None:
        """Explain this moment where the first round is taught and it has not been explained."""
        lesson = self.session.teacher.news()
        if lesson:
            self.say("told", *(_("Teaching: {sentence}").format(sentence=s) for s in lesson))

    def _tell_end(self) -> None:
        """The scores: for people part by part, for a program at once."""
        if self.people:
            from companion.game import ending

            self.parts = ending.parts(self.session)
            self.tell_part()
        else:
            self.say("answer", *facts.score(self.view))

    def tell_part(self) -> bool:
        """The next part of the scores; whether there was one."""
        if not self.parts:
            return False
        self._asked = self._rows = None
        part = self.parts.pop(0)
        self._rows = None
        self.say("answer", *part.lines, title=part.title)
        return True
