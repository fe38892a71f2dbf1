"""What a conversation asks, each in a class: the moment, a choice, the scores, a card that is read
to all or to one. Only the private choice has a module of its own.

"What does a tap do while a card is read?" is one method of one class.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion import verbs
from companion.chips.entries import CALLER_ACTIONS, ActionChip, Entry, ReferenceChip
from companion.game import Offer, Row, asking, ending, picks, shortcuts, tap_meaning
from companion.game.commands import Commands
from companion.game.conversation import Modes
from companion.game.hand_telling import Telling
from companion.game.keypad import is_keypad
from companion.game.lines import Lines
from companion.game.private import Private
from companion.game.talk import Mode
from companion.game.taps import Taps
from companion.language import _, district_type
from companion.language.vocabulary import match_yes_or_no
from companion.wording import facts, state
from engine.cards import DISTRICT_TYPES
from engine.rules import find_menu, owners_of

if TYPE_CHECKING:
    from companion.game.conversation import Conversation
    from companion.game.teaching import Reading
    from engine.table import Table


class Moment(Mode):
    """What the game asks now."""

    talk: Conversation

    def __init__(self, talk: Conversation) -> None:
        super().__init__(talk)
        self.commands = Commands(talk)
        self.lines = Lines(talk)
        self.taps = Taps(talk)
        self._found: tuple[Table, Offer] | None = None  # the rows, and the view they are found from

    # -- what is asked ----------------------------------------------------------------------------

    def question(self) -> str:
        """What the table asks, or what its player is asked alone."""
        own = self.offer().question if self.talk.seat is not None else ""
        return own or state.question(self.talk.view)

    def offer(self) -> Offer:
        """The rows of the moment; found once for each view."""
        view = self.talk.view
        if self._found is None or self._found[0] is not view:
            self._found = view, self._find()
        return self._found[1]

    def renew(self) -> None:
        self._found = None

    def _find(self) -> Offer:
        talk, moves = self.talk, self.talk.legal
        if talk.answers_in_private:
            number = verbs.VERBS["choose"].number
            return Offer("", (Row(_("Answer in private"), tuple(moves), number, private=True),))
        view, seat = talk.view, talk.seat
        if seat is not None:
            own = [move for move in moves if picks.is_offered_alone(view, move, seat)]
            return asking.agenda(view, own, talk.verb_keys, alone=True)
        offer = asking.agenda(view, moves, talk.verb_keys)
        gathers = talk.people and talk.handed_over
        more = shortcuts.list_gatherings(view, moves) if gathers else ()
        return offer._replace(rows=(*offer.rows, *more))

    # -- what is put in ---------------------------------------------------------------------------

    def take(self, row: Row) -> None:
        """Run the row's command, play its move, ask on among its moves, or say why not."""
        if row.why is not None:
            self.talk.refuse(row.why())
        elif row.word:
            self.commands.run_row(row.word)
        elif row.private:
            self.talk.ask_in_private(row.moves)
        elif len(row.moves) == 1:
            self.talk.play(row.moves[0])
        else:
            self.talk.ask_among(row.moves, row.label)

    def letter(self, key: str) -> bool:
        """A letter searches the rows, or is a row's key or that of yes or no, or says why it does
        nothing."""
        if self.searches(key):
            self.digits = ""
            self.letters += key
            return True
        if self.take_key(key):
            return True
        if not self._is_of_face(key) and (row := self.find_yes_or_no(key)) is not None:
            self.talk.take_row(row)
            return True
        return self.refuse_key(key)

    def find_yes_or_no(self, text: str) -> Row | None:
        """What is asked of one player alone is asked in private, whichever of the two was said."""
        if self.talk.answers_in_private and match_yes_or_no(text) is not None:
            return next((row for row in self.offer().rows if row.private), None)
        return super().find_yes_or_no(text)

    def _is_of_face(self, key: str) -> bool:
        """Whether the key is one of the face's own."""
        return any(key in keys for keys in self.talk.keys_of.values())

    def _find_key(self, key: str) -> Row | None:
        rows = self.offer().rows if key and not self.letters else ()
        return next((row for row in rows if row.key == key), None)

    def take_key(self, key: str) -> bool:
        row = self._find_key(key)
        if row is not None:
            self.talk.take_row(row)
        return row is not None

    def refuse_key(self, key: str) -> bool:
        """Say why the verb of that key is not offered, or that the key does nothing."""
        if len(key) != 1 or not key.isprintable() or key.isspace():
            return False
        talk = self.talk
        names = [verb for verb, keys in talk.verb_keys.items() if key in keys]
        if not names and self._is_of_face(key):
            return False
        menu = find_menu(talk.view).by_verb
        in_menu = [verb for verb in names if verb in menu] or list(filter(self._may_occur, names))
        reasons = [reason for verb in in_menu if (reason := picks.explain_verb(talk.view, verb))]
        if len(reasons) == 1:
            talk.refuse(reasons[0])
        else:
            talk.say("refused", _("“{key}” does nothing now.").format(key=key))
        return True

    def _may_occur(self, verb: str) -> bool:
        """Whether anybody in this game could ever do it: some powers' characters are not in
        play."""
        owners, characters = owners_of(verb), self.talk.view.rules.characters
        return not owners or any(owner in characters for owner in owners)

    def goes_on(self, digits: str) -> bool:
        """Whether a district's number begins with them where districts are built."""
        view = self.talk.view
        builds = view.rules.tracks_cities and "build" in find_menu(view).by_verb
        if not builds or self.talk.stack:
            return False
        numbers = map(str, picks.number_districts(view.rules).values())
        return any(other.startswith(digits) and other != digits for other in numbers)

    def refuse_number(self, number: str) -> None:
        """Say why the verb of that number is not offered, or that no row has it."""
        if reason := picks.explain_number(self.talk.view, int(number)):
            self.talk.refuse(reason)
        else:
            super().refuse_number(number)

    def line(self, text: str, *, in_public: bool) -> None:
        """Keypad keys, a command, a question, a move, or nothing."""
        if not text:
            self.talk.stop_reading()
            self.talk.base.go_on()
        elif not is_keypad(text):
            self.lines.answer(text, in_public=in_public)
        elif (number := self.commands.run_keypad(text)) is not None:
            self.whole_number(number)

    def whole_number(self, number: int) -> None:
        """A number typed as a line: a row's, or that of a type of districts."""
        self.clear()
        offer = self.offer()
        meant = {number, offer.type_digit * 10 + number if number < 10 else number}
        row = next((row for row in offer.rows if row.number in meant), None)
        if row is not None:
            self.talk.take_row(row)
        elif not self._read_type(number):
            self.refuse_number(str(number))

    def _read_type(self, digit: int) -> bool:
        """Read the districts of the type with that digit, from which the next number picks; return
        whether the moment has any."""
        among = picks.select_type(self.talk.view, self.offer(), digit)
        if among is None:
            return False
        if any(row.why is None for row in among.rows):
            self.talk.open_list(among)
            return True
        sentence = _("No district of type {type} can be built now.")
        type_ = district_type(DISTRICT_TYPES[digit - 1])
        self.talk.say("refused", sentence.format(type=type_))
        if (reason := among.rows[0].why) is not None:
            self.talk.last_refusal = reason()
        return True

    def run(self, word: str, rest: str = "") -> bool:
        return self.commands.run(word, rest)

    def tap(self, entry: Entry, uid: bytes, seat: int | None) -> None:
        """A card for a told hand, a command, a step through the scores, or a move."""
        if Telling(self.talk).touch(entry, seat):
            return
        if isinstance(entry, ActionChip) and entry.name in CALLER_ACTIONS:
            self.taps.do_action(entry.name, seat)
        elif not self.talk.session.over:
            self.taps.play(entry, uid, seat)
        elif not self.talk.base.go_on():
            self.taps.explain(entry, tap_meaning.Meaning())


class Choice(Moment):
    """A list opened over the moment: which player, which card; or a question before a step."""

    def __init__(self, talk: Conversation, offer: Offer) -> None:
        super().__init__(talk)
        self._offer = offer

    def question(self) -> str:
        return Mode.question(self)

    def offer(self) -> Offer:
        return self._offer

    def refuse_number(self, number: str) -> None:
        Mode.refuse_number(self, number)


class Scores(Moment):
    """The end: the scores part by part, then what can be done after a game."""

    @property
    def left(self) -> int:
        """How many parts are still to be told here. A phone's page shows the part that is told at
        the table."""
        return self.talk.session.parts_left if self.talk.is_for_table else 0

    def begin(self) -> None:
        """Tell the scores: to people part by part, to a program at once."""
        if self.talk.is_for_table:
            self.talk.session.parts_left = len(ending.parts(self.talk.session))
            self.go_on()
        elif not self.talk.people:
            self.talk.say("answer", *facts.score(self.talk.view))

    def go_on(self) -> bool:
        if not self.left:
            return False
        part = ending.parts(self.talk.session)[-self.left]
        self.talk.say("answer", *part.lines, title=part.title)
        self.talk.session.tell_part(self.left - 1)
        if not self.left:
            self.talk.list_rows(asked=True)  # what to do now: another game, a look back
        return True

    def question(self) -> str:
        """That more parts follow, or who has won."""
        return _("Enter: the next part of the scores.") if self.left else super().question()

    def offer(self) -> Offer:
        """What can be done now; a Secret Vault can still be shown."""
        offer = self._find()
        if self.talk.seat is not None:
            return offer
        return offer._replace(
            rows=(*ending.rows(self.talk.list_more(), is_told=not self.left), *offer.rows)
        )


class ReadToAll(Moment):
    """A reference card that is read: numbers, next, back and its chip move in it; anything else
    ends it."""

    passes = True

    def __init__(self, talk: Conversation, reading: Reading) -> None:
        super().__init__(talk)
        self.reading = reading

    def question(self) -> str:
        return self.talk.base.question()

    def offer(self) -> Offer:
        return self.talk.base.offer()

    def holds(self) -> bool:
        """A number meant for an entry must not be played."""
        return True

    def begin(self) -> None:
        lines = self.reading.tell(self.talk.view)
        self.talk.say("answer", *lines)
        self.talk.face.voice.read(lines)

    def step(self, by: int) -> bool:
        self.reading = self.reading.move(by)
        self.begin()
        return True

    def digit(self, digit: str) -> None:
        self.whole_number(int(digit))

    def whole_number(self, number: int) -> None:
        last = len(self.reading.cards)
        if 1 <= number <= last:
            self.reading = self.reading._replace(place=number)
            self.begin()
        else:
            sentence = _("The card has entries 1 to {last}.")
            self.talk.say("refused", sentence.format(last=last))

    def tap(self, entry: Entry, uid: bytes, seat: int | None) -> None:
        """The card's chip reads on."""
        if isinstance(entry, ReferenceChip) and entry.number == self.reading.number:
            self.step(1)
        else:
            super().tap(entry, uid, seat)


class ReadToOne(Moment):
    """The next tapped card is read to one person."""

    secret = passes = True

    def question(self) -> str:
        return _("Tap the card to have it read to you alone.")

    def offer(self) -> Offer:
        return self.talk.base.offer()

    def holds(self) -> bool:
        """A tap meant for the ear must not be played."""
        return True

    def begin(self) -> None:
        self.talk.say("note", _("The next card you tap is read to one person only, not played."))

    def tap(self, entry: Entry, uid: bytes, seat: int | None) -> None:
        """Read the card to the private output or, without one, on the private screen."""
        talk = self.talk
        talk.stop_reading()
        card = tap_meaning.entry_card(entry)
        if card is None:
            talk.say("refused", _("That isn't a card."))
            return
        lines = facts.card_text(talk.view, card)
        if not talk.face.voice.speak_privately(*lines):
            talk.say("answer", *lines, private=True)


MODES = Modes(Moment, Scores, Choice, ReadToAll, ReadToOne, Private)
"""The modes of a game's conversation."""
