"""The set-up of a game as a conversation: each page that it may ask is a mode.

Every face has a `SetUpTalk` of its own over one `SetUp`, as at the table each has a conversation
over one session: what one changes, the others show. A row more, for every face, is a `Row` more in
the `offer` of its page; one with answers to choose from is a choice more in the draft.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from typing import TYPE_CHECKING, Any

from common.clean import clean_text
from common.problems import find_nearest
from companion import language, setup
from companion.game import Kind, Message, Offer, Row
from companion.game.keypad import read_keypad
from companion.game.talk import Mode, Talk
from companion.language import _, begin_sentence, listing, plural, translate, vocabulary
from companion.setup import casting
from companion.setup.draft import CAST, COUNT, DOORS, MORE, PEOPLE, UNIQUES, read_names
from companion.setup.shared import format_row, tell_how
from companion.wording.editions_told import language_called, language_name, refuse_language
from engine.moves import fold

if TYPE_CHECKING:
    from companion.chips.entries import Entry
    from companion.setup.shared import SetUp

    Doing = tuple[str, Callable[[], object]]

_KEYPAD = {
    "next": "",
    **dict.fromkeys(("back", "undo"), "back"),
    **dict.fromkeys(("repeat", "moves"), "repeat"),
    **dict.fromkeys(("why", "help keypad"), "help"),
}
"""What the keys of a keypad do here, by what they do in a game."""


def _number(doings: Iterable[Doing]) -> tuple[Row, ...]:
    return tuple(Row(label, number=n, do=do) for n, (label, do) in enumerate(doings, start=1))


class SetUpTalk(Talk):
    """One face's part of the set-up."""

    def __init__(
        self,
        set_up: SetUp,
        hear: Callable[[Message], object],
        *,
        steps: bool = False,
    ) -> None:
        """`hear` gets what is said. With `steps`, one question after the other is asked, for a face
        of lines; otherwise everything is on the overview."""
        super().__init__()
        self.set_up, self.draft, self._hear = set_up, set_up.draft, hear
        self.overview, self.seats = OverviewPage(self), SeatsPage(self)
        self.steps: list[Page] = [self.overview]
        if steps:
            first = [ResumePage(self)] if set_up.unfinished is not None else []
            people = [PeoplePage(self)] if self.draft.before else []
            self.steps = [*first, NamesPage(self), *people, CastPage(self), CrownPage(self)]
        self._at = 0

    @property
    def base(self) -> Mode:
        """The question whose turn it is."""
        return self.steps[self._at]

    @property
    def top(self) -> Mode:
        """What is asked now; without what another face has closed."""
        self.catch_up()
        return super().top

    @property
    def stage(self) -> str:
        return "set-up"

    @property
    def can_go_back(self) -> bool:
        """Whether a list is open, or a question was asked before."""
        return self.top is not self.steps[0]

    def go_back(self) -> bool:
        """Close the last list, or go back to the question before; from the first one, leave."""
        if not super().go_back():
            self.top.leave()
        return True

    def step_back(self) -> None:
        """Go back to the question before; from the first one, leave."""
        before = [at for at in range(self._at) if self.steps[at].is_due()]
        self._at = before[-1] if before else 0
        if not before:
            self.set_up.go_back()

    def advance(self) -> None:
        """Close the list, or go on to the next question; after the last one, begin."""
        later = [at for at in range(self._at + 1, len(self.steps)) if self.steps[at].is_due()]
        if self.stack:
            self.close()
        elif later:
            self._at = later[0]
        else:
            self.begin()

    def begin(self) -> bool:
        """Start the game; says what is wrong with it otherwise."""
        return not self.refuse(self.set_up.begin())

    def resume(self) -> bool:
        """Continue the unfinished game; says why it cannot be."""
        return not self.refuse(self.set_up.resume())

    def edit(self, change: Callable[[], object]) -> None:
        change()
        if self.stack:
            self.close()
        self.set_up.note_change()

    def add(self, text: str) -> None:
        """Seat the players of these names. Of words without commas, which may have been meant as
        one name, all are seated or none."""
        draft = self.draft
        names, before = read_names(text), ([*draft.players], draft.crown)
        problems = [*dict.fromkeys(filter(None, map(self.set_up.seat, names)))]
        if len(names) > 1 and not setup.is_list(text) and not text.isdecimal():
            hint = _("Each word is a player; a name with spaces needs quotes.")
            if problems:
                draft.players, draft.crown = before
                problems.append(hint)
            else:
                self.say("note", hint)
        self.set_up.note_change()
        self.refuse(problems)

    def seat(self, name: str) -> None:
        """Seat the player of that name, which may have spaces."""
        problem = self.set_up.seat(name)
        self.set_up.note_change()
        self.refuse(filter(None, [problem]))

    def choose_mode(self, text: str) -> bool:
        """Take a word that chooses a way to play; return whether it is one."""
        told = self.draft.choose_by_word(text)
        if told:
            self.set_up.note_change()
            self.say("told", told)
        return bool(told)

    def list_doors(self) -> tuple[Row, ...]:
        """The ways to begin, the chosen one marked."""
        now = self.draft.door
        return tuple(
            Row(translate(label), word=door, do=partial(self.choose_door, door), is_in=door == now)
            for door, label in DOORS.items()
        )

    def choose_door(self, door: str) -> None:
        self.draft.choose_door(door)
        self.set_up.note_change()

    # -- telling ----------------------------------------------------------------------------------

    def say(self, kind: Kind, *lines: str, why: str = "", **marks: Any) -> None:
        """Say something; why it is refused at once, since nobody can ask."""
        self._hear(Message(kind, (why,) if why else lines, **marks))

    def refuse(self, problems: Iterable[str]) -> bool:
        """Say what is wrong; returns whether anything is."""
        problems = list(problems)
        if problems:
            self.say("refused", *problems)
        return bool(problems)

    def is_possible(self) -> bool:
        """Whether the draft makes a game; says what is wrong with it."""
        return not self.refuse(self.draft.list_problems())

    def tell_players(self) -> None:
        count, names = len(self.draft.players), listing(self.draft.players)
        told = plural("{number} player: {names}.", "{number} players: {names}.", count, names=names)
        self.say("told", told)

    @property
    def row_of_players(self) -> Doing:
        names = listing(self.draft.players) or "-"
        return format_row(_("Players"), names), partial(self.open, self.seats)


class Page(Mode):
    """A page of the set-up. The title of its offer is its heading, the question the whole question
    for somebody who reads or hears only lines."""

    talk: SetUpTalk

    def is_due(self) -> bool:
        """Whether there is anything to ask when its turn has come."""
        return True

    @property
    def is_step(self) -> bool:
        """Whether it is one of the questions asked in turn, not one opened from another."""
        return self in self.talk.steps

    def holds(self) -> bool:
        """Whether what it is about is still there."""
        return True

    def leave(self) -> None:
        """Close it; from one of the steps, go back to the one before."""
        if self.is_step:
            self.talk.step_back()
        else:
            super().leave()

    # -- what is put in ---------------------------------------------------------------------------

    def letter(self, key: str) -> bool:
        """No letter means anything."""
        return False

    def tap(self, entry: Entry, uid: bytes, seat: int | None) -> None:
        """No chip means anything before a game."""

    def take(self, row: Row) -> None:
        if row.do is not None:
            row.do()

    def line(self, text: str, *, in_public: bool) -> None:
        """A word, a row's number or the beginning of its label, or a text that answers."""
        text = clean_text(text).strip()
        command = read_keypad(text)
        if isinstance(command, str) and command not in _KEYPAD:
            sentence = _("{keys} does nothing; *0 explains the keypad.")
            self.talk.say("refused", sentence.format(keys=text))
            return
        text = _KEYPAD[command] if isinstance(command, str) else text
        if vocabulary.match_word(text, "repeat"):
            return  # a face of lines asks again after every line
        if vocabulary.match_word(text, "back"):
            self.talk.go_back()
        elif text == "?" or vocabulary.match_word(text, "help"):
            for sentence in tell_how():
                self.talk.say("note", sentence)
        elif not self._change_language(text):
            row = self.find_row(text)
            if not (row and text.isdecimal()) and self.answer(text):
                return
            if row is not None:
                self.talk.take_row(row)
            elif text:
                self.refuse_number(text)
            else:
                self.talk.go_back()

    def answer(self, text: str) -> bool:
        """Take a text that is no row's number, "" for what is suggested; return whether it means
        anything."""
        return False

    def find_row(self, text: str) -> Row | None:
        """The row with that number, or the only one whose label begins with the text."""
        rows = [row for row in self.offer().rows if str(row.number) == text]
        if not text.isdecimal():
            rows = [row for row in self.list_named(text) if row.number is not None]
        return rows[0] if len(rows) == 1 else None

    def _change_language(self, text: str) -> bool:
        first, _space, rest = text.partition(" ")
        if not vocabulary.match_word(first, "language"):
            return False
        code = language_called(rest)
        if code is not None:
            language.use(code)
        elif rest and self.offer().field:
            return False  # names of players
        elif rest:
            self.talk.say("refused", refuse_language(rest))
            return True
        current = language_name(language.current())
        self.talk.say("note", _("Language: {language}.").format(language=current))
        return True

    def read_yes_or_no(self, text: str, *, default: bool) -> bool | None:
        """The answer; None, and a refusal, if it is neither yes nor no."""
        if not text:
            return default
        answer = {"1": True, "2": False}.get(text, vocabulary.match_yes_or_no(text))
        if answer is None:
            self.talk.say("refused", _("Type yes or no."))
        return answer


# -- the game --------------------------------------------------------------------------------------


class ResumePage(Page):
    """Whether to continue the unfinished game."""

    def offer(self) -> Offer:
        question = _("Continue it? yes or no; Enter: yes.")
        return Offer(question, (), question="\n".join((*self.talk.set_up.describe(), question)))

    def answer(self, text: str) -> bool:
        is_wanted = self.read_yes_or_no(text, default=True)
        if is_wanted is False or (is_wanted and not self.talk.resume()):
            self.talk.advance()
        return True


class OverviewPage(Page):
    """What is played, who plays, and who has the crown; Enter continues."""

    def offer(self) -> Offer:
        talk, draft = self.talk, self.talk.draft
        rows = [(row.label, partial(self._change, row.name)) for row in draft.rows()]
        crown = format_row(_("First crown"), draft.crown or translate(draft.edition.first_crown))
        more = [talk.row_of_players]
        if draft.needs_crown:
            more.append((crown, lambda: talk.open(CrownPage(talk))))
        prompt = _("Set up the game. A number changes that line; Enter continues.")
        return Offer(_("The game"), _number([*rows, *more]), question=prompt)

    def answer(self, text: str) -> bool:
        if not text and self.talk.is_possible():
            self.talk.advance()
        return not text

    def _change(self, name: str) -> None:
        """Open the answers of a row, or change it to the other one if there are two."""
        draft = self.talk.draft
        if name == MORE or len(draft.answers(name)) == 2:
            draft.change(name)
            self.talk.set_up.note_change()
        elif name in _CARDS:
            self.talk.open(_CARDS[name](self.talk))
        else:
            self.talk.open(AnswersPage(self.talk, name))


class AnswersPage(Page):
    """The answers to one row of the draft, the current one marked."""

    def __init__(self, talk: SetUpTalk, name: str) -> None:
        super().__init__(talk)
        self.name = name

    def holds(self) -> bool:
        return any(row.name == self.name for row in self.talk.draft.rows())

    def offer(self) -> Offer:
        draft, name = self.talk.draft, self.name
        row = next(row for row in draft.rows() if row.name == name)
        now = draft.find_answer(name)
        rows = tuple(
            Row(label, number=n, do=partial(self._choose, value), is_in=value == now)
            for n, (value, label) in enumerate(draft.answers(name), start=1)
        )
        prompt = _("{row}. Enter keeps it.").format(row=format_row(row.what, row.answer))
        return Offer(row.what, rows, question=prompt)

    def _choose(self, value: object) -> None:
        self.talk.edit(partial(self.talk.draft.choose, self.name, value))


class PeoplePage(Page):
    """Whether the group stays the same, as a question of its own."""

    def offer(self) -> Offer:
        draft = self.talk.draft
        sentence = _("Do the same people play as in the last game? yes or no; Enter: {answer}.")
        stay = _("The same people keep their seats and the code; for others the code is new.")
        question = sentence.format(answer=dict(draft.answers(PEOPLE))[draft.is_same_group])
        return Offer(question, (), question=f"{stay}\n{question}")

    def answer(self, text: str) -> bool:
        same = self.read_yes_or_no(text, default=self.talk.draft.is_same_group)
        if same is not None:
            self.talk.draft.same_people = same
            self.talk.set_up.note_change()
            self.talk.advance()
        return True


class CardsPage(Page):
    """Which cards play: some whole choices, or cards one by one."""

    def done(self, problems: Iterable[str] = ()) -> None:
        if not self.talk.refuse(problems):
            self.talk.set_up.note_change()
            self.talk.advance()

    def list_cards(
        self, cards: Iterable[tuple[str, str, bool]], toggle: Callable[[str], object]
    ) -> list[Row]:
        """A row for each card, which adds it or takes it out."""

        def do(id_: str) -> None:
            toggle(id_)
            self.talk.set_up.note_change()

        return [Row(name, card=id_, do=partial(do, id_), is_in=is_in) for id_, name, is_in in cards]


class CastPage(CardsPage):
    """Which characters play."""

    def is_due(self) -> bool:
        return self.talk.draft.asks_cast and self.talk.draft.has(CAST)

    def offer(self) -> Offer:
        draft = self.talk.draft
        whole = [
            row._replace(number=n, do=partial(self.answer, row.word), word="")
            for n, row in enumerate(casting.list_casts(draft), start=1)
        ]
        toggle = partial(casting.choose_character, draft)
        rows = self.list_cards(casting.list_characters(draft), toggle)
        prompt = _(
            "Which characters? Type a number, or their names with commas between them. Enter: 1."
        )
        return Offer(_("Which characters?"), (*whole, *rows), question=prompt, field=_("Names"))

    def answer(self, text: str) -> bool:
        if text.isdecimal():
            return False
        self.done(casting.choose_cast(self.talk.draft, text or setup.ORDINARY))
        return True


class UniquesPage(CardsPage):
    """Which unique districts play."""

    def offer(self) -> Offer:
        draft = self.talk.draft
        districts = casting.list_uniques(draft)
        inside = sum(is_in for _id, _label, is_in in districts)
        heading = _("Unique districts: {number} of {wanted}").format(
            number=inside, wanted=draft.edition.uniques_played
        )
        ways = _number(
            [(begin_sentence(_("ordinary")), partial(self._use, None)), (_("Random"), self._draw)]
        )
        rows = self.list_cards(districts, partial(casting.toggle_unique, draft))
        prompt = "\n".join(casting.ask_for_uniques(draft))
        return Offer(heading, (*ways, *rows), question=prompt, field=_("Names"))

    def answer(self, text: str) -> bool:
        if text.isdecimal():
            return False
        self.done(casting.choose_uniques(self.talk.draft, text))
        return True

    def _use(self, districts: tuple[str, ...] | None) -> None:
        draft = self.talk.draft
        draft.cast = casting.with_districts(draft, districts)
        self.done()

    def _draw(self) -> None:
        self._use(casting.draw_uniques(self.talk.draft))


_CARDS = {CAST: CastPage, UNIQUES: UniquesPage}


# -- who plays, where, and who has the crown first -------------------------------------------------


class _NamesAsked(Page):
    """A question that a name answers, so that any word is one but yes and no."""

    def line(self, text: str, *, in_public: bool) -> None:
        if vocabulary.match_word(text, "no"):
            self.talk.say("refused", _("Type a name."))
        else:
            text = "" if vocabulary.match_word(text, "yes") else text
            super().line(text, in_public=in_public)


class NamesPage(_NamesAsked):
    """All names at once, for whoever answers one question after the other."""

    def offer(self) -> Offer:
        edition, again = self.talk.draft.edition, self._list_usual()
        others = [name for name in self.talk.set_up.offered if name not in again]
        who = _("Who plays? {fewest} to {most} names in seat order, clockwise.")
        prompt = [who.format(fewest=edition.min_players, most=edition.max_players)]
        if self._fits(again):
            prompt.append(_("Enter: {names}.").format(names=listing(again)))
        if others:
            prompt.append(_("Also known here: {names}.").format(names=listing(others)))
        field = _("Players in seat order, clockwise")
        return Offer(field, (), question="\n".join(prompt), field=field)

    def _list_usual(self) -> tuple[str, ...]:
        """Who plays if nobody says otherwise: who is there already, or played last."""
        draft, set_up = self.talk.draft, self.talk.set_up
        return tuple(draft.players) if set_up.stays and draft.players else set_up.again

    def _fits(self, names: tuple[str, ...]) -> bool:
        edition = self.talk.draft.edition
        return edition.min_players <= len(names) <= edition.max_players

    def answer(self, text: str) -> bool:
        talk, draft, again = self.talk, self.talk.draft, self._list_usual()
        if talk.choose_mode(text):
            return True
        here = {fold(name): name for name in draft.players} if talk.set_up.stays else {}
        names = list(again) if not text and self._fits(again) else read_names(text)
        names = [here.get(fold(name), name) for name in names]
        is_whole = here.keys() <= {*map(fold, names)} and len({*names}) == len(names)
        if text and here and not (is_whole and self._fits(tuple(names))):
            talk.add(text)  # beside those who have come with their phones
        elif text and not text.isdecimal() and len(names) < draft.edition.min_players:
            draft.players, draft.crown = [], ""
            talk.open(talk.seats)  # who types one name a line types the next one there
            talk.add(text)
        else:
            if names != draft.players:
                draft.players, draft.crown = names, ""
                talk.set_up.note_change()
            if names and talk.is_possible():
                talk.tell_players()
                talk.advance()
        return True


class SeatsPage(Page):
    """The players, one row each, and those of earlier games; Enter goes on."""

    def offer(self) -> Offer:
        talk, draft = self.talk, self.talk.draft
        rows: list[Doing] = []
        for name in draft.players:
            label = f"{name}  ({_('crown')})" if name == draft.crown else name
            rows.append((label, partial(talk.open, SeatPage(talk, name))))
        rows += [(name, partial(talk.seat, name)) for name in talk.set_up.offered]
        prompt = _("Type names to add players, or the number of a player. Enter continues.")
        heading = _("Players in seat order, clockwise")
        return Offer(heading, _number(rows), question=prompt, field=_("Names"))

    def answer(self, text: str) -> bool:
        talk = self.talk
        if text.isdecimal() or (not text and talk.base is talk.overview):
            return False
        if text:
            if not talk.choose_mode(text):
                talk.add(text)
        elif talk.is_possible():
            talk.close()
            if isinstance(talk.base, NamesPage):
                talk.advance()
        return True


class SeatPage(Page):
    """What can be changed about a player."""

    def __init__(self, talk: SetUpTalk, name: str) -> None:
        super().__init__(talk)
        self.name = name

    def holds(self) -> bool:
        return self.name in self.talk.draft.players

    @property
    def seat(self) -> int:
        """The seat of that player, from 0."""
        return self.talk.draft.players.index(self.name)

    def offer(self) -> Offer:
        talk, draft, name = self.talk, self.talk.draft, self.name
        rows: list[Doing] = [
            (_("First crown"), lambda: talk.edit(partial(draft.give_crown, name))),
            (_("Another name"), lambda: talk.open(RenamePage(talk, name))),
        ]
        if len(draft.players) > 1:
            rows.append((_("One seat up"), partial(self._move, -1)))
            rows.append((_("One seat down"), partial(self._move, 1)))
        rows.append((_("Does not play"), lambda: talk.edit(partial(draft.remove, self.seat))))
        prompt = _("{player}. Enter keeps the seat.").format(player=name)
        return Offer(name, _number(rows), question=prompt)

    def _move(self, by: int) -> None:
        self.talk.draft.move(self.seat, by)
        self.talk.set_up.note_change()


class RenamePage(SeatPage):
    """Another name for a player; Enter keeps the old one."""

    def offer(self) -> Offer:
        return Offer(_("What is {player} called?").format(player=self.name), (), field=_("Name"))

    def answer(self, text: str) -> bool:
        talk, seat = self.talk, self.seat
        problem = talk.draft.rename(seat, text) if text else ""
        if not talk.refuse(filter(None, [problem])):
            for page in talk.stack:
                if isinstance(page, SeatPage):
                    page.name = talk.draft.players[seat]
            talk.close()
            talk.set_up.note_change()
        return True


class CrownPage(_NamesAsked):
    """Who has the crown first; asked in turn, also what may be changed before."""

    def is_due(self) -> bool:
        return self.talk.draft.needs_crown

    def offer(self) -> Offer:
        talk, draft = self.talk, self.talk.draft
        who = translate(draft.edition.first_crown)
        sentence = _("Who starts with the crown? By the rules: {who}. Enter: {player}.")
        if draft.door == COUNT:
            sentence = _("Who has the crown at the end? Enter: {player}.")
        prompt = sentence.format(who=who, player=draft.crown or next(iter(draft.players), ""))
        rows: list[Doing] = [(name, partial(self._crown, name)) for name in draft.players]
        if self.is_step:
            change = _("change the box, characters or house rules first")
            rows.append((change, partial(talk.open, talk.overview)))
        if draft.door != COUNT:
            rows.append((_("draw the crown by lot"), self._draw))
        if self.is_step:
            rows.append(talk.row_of_players)
        return Offer(_("First crown: {who}.").format(who=who), _number(rows), question=prompt)

    def answer(self, text: str) -> bool:
        """Give the crown to the player named; whoever has come late plays too."""
        players = self.talk.draft.players
        by_name = {fold(name): name for name in players}
        name = by_name.get(fold(text)) if text else self.talk.draft.crown or next(iter(players), "")
        if name is None and (text.isdecimal() or self.find_row(text) is not None):
            return False
        if name is not None or find_nearest(text, players) is not None:
            self._crown(name or text)  # a misspelt name is refused
        else:
            self.talk.add(text)
            self.talk.tell_players()
        return True

    def _crown(self, name: str) -> None:
        before, self.talk.draft.crown = self.talk.draft.crown, name
        if self.talk.is_possible():
            self.talk.set_up.note_change()
            self.talk.advance()
        else:
            self.talk.draft.crown = before

    def _draw(self) -> None:
        draft = self.talk.draft
        if not self.talk.is_possible():
            return
        draft.draw_crown()
        text = _("{player} is drawn and gets the crown.").format(player=draft.crown)
        self.talk.say("told", text)
        self._crown(draft.crown)
