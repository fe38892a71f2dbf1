"""The set-up of a game as a conversation: what is asked, which rows answer it, and what a line, a
number or a touch does. Screen, lines and pages draw `asked` and pass on what people do.

Every face has a `SetUpTalk` of its own over one `SetUp`, as at the table each has a conversation
over one session: what one changes, the others show.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from common.problems import Problems
from companion import language, setup
from companion.files.clean import clean_text
from companion.language import (
    _,
    end_sentence,
    list_offered,
    listing,
    number_entry,
    plural,
    translate,
    vocabulary,
)
from companion.log.log_errors import StoreError
from companion.setup import casting
from companion.setup.draft import CAST, MORE, PEOPLE, UNIQUES
from companion.setup.options import PlayOptions
from companion.wording.editions import language_called, language_name, refuse_language
from engine.moves import fold, split

if TYPE_CHECKING:
    from companion.log.store import GameInfo
    from companion.setup.draft import Draft

    Say = Callable[[str, str], None]

RESUME, NAMES, CROWN, OVERVIEW = "resume", "names", "crown", "overview"
SEATS, SEAT, RENAME = "seats", "seat", "rename"

Place = tuple[str, int]
"""A page, and the seat or row that it is about."""


class Choice(NamedTuple):
    """A row: its label, what taking it does, the number that picks it (if it has one) and, in a
    list of which several are chosen, whether it `is_in`; `card` is its subject, `about` says more
    of it. A row that opens further rows `opens` them."""

    label: str
    do: Callable[[], object]
    number: int | None = None
    is_in: bool | None = None
    card: str = ""
    about: Callable[[], list[str]] = list
    opens: bool = False


class Asked(NamedTuple):
    """A page: its heading, its rows, and what a typed line answers it with, if it takes text.
    `prompt` is the whole question for somebody who reads or hears only lines; `field` is the label
    of the text, "" if there is none."""

    heading: str
    prompt: tuple[str, ...]
    rows: tuple[Choice, ...] = ()
    field: str = ""
    answer: Callable[[str], bool] = lambda _text: False
    """Take the text; False if it means nothing here."""


class SetUp:
    """What the faces share while a game is being set up."""

    def __init__(
        self,
        draft: Draft,
        begin: Callable[[Draft], object],
        *,
        known_names: Iterable[str] = (),
        again: tuple[str, ...] = (),
        unfinished: GameInfo | None = None,
        describe: Callable[[], list[str]] = list,
        resume: Callable[[], object] = lambda: None,
        leave: Callable[[], object] = lambda: None,
    ) -> None:
        """`begin` starts the game that was drafted, `resume` the `unfinished` one, of which
        `describe` tells; both may raise StoreError. `again` are the players of the game before,
        `leave` goes back to it."""
        self.draft = draft
        self.again = again
        self.unfinished = unfinished
        self.describe = describe
        self.leave = leave
        self.stays = False
        """Whether there is nothing to go back to: it is open on phones."""
        self._begin, self._resume = begin, resume
        self._known_names = tuple(known_names)
        self.listeners: list[Callable[[], object]] = []
        self.version = 0
        self.is_done = False

    @property
    def offered(self) -> list[str]:
        """Players of earlier games who are not seated yet, if there is a chair left."""
        draft = self.draft
        if len(draft.players) >= draft.edition.max_players:
            return []
        return [name for name in self._known_names if name not in draft.players]

    def note_change(self) -> None:
        """Have every face draw again."""
        self.version += 1
        for listener in tuple(self.listeners):
            listener()

    def begin(self) -> list[str]:
        """Start the game; returns what is wrong with it, in sentences."""
        if self.is_done:
            return []
        try:
            self.draft.setup()
            with language.speaking_to_table():
                self._begin(self.draft)
        except Problems as error:
            return [end_sentence(translate(problem.text)) for problem in error.problems]
        except StoreError as error:
            return [translate(str(error))]
        self._end()
        return []

    def resume(self) -> list[str]:
        """Continue the unfinished game; returns why it cannot be."""
        try:
            with language.speaking_to_table():
                self._resume()
        except StoreError as error:
            return [translate(str(error))]
        self._end()
        return []

    def go_back(self) -> None:
        """Leave the set-up."""
        if not self.stays:
            self._end()
            self.leave()

    def _end(self) -> None:
        self.is_done = True
        self.note_change()


class SetUpTalk:
    """One face's part of the set-up."""

    def __init__(self, shared: SetUp, say: Say, *, steps: bool = False, asks_cast: bool = True):
        """`say` gets a kind (`told`, `refused`, `note`) and a sentence. With `steps`, one question
        after the other is asked, for a face of lines; otherwise everything is on the overview."""
        self.shared = shared
        self.say = say
        self._stack: list[Place] = []
        self._asks_cast = asks_cast
        self._steps = self._list_steps() if steps else [OVERVIEW]
        self._at = 0
        self.moves = 0
        """Counts what was done here: with `SetUp.version` it names the moment of a page."""

    def _list_steps(self) -> list[str]:
        first = [RESUME] if self.shared.unfinished is not None else []
        people = [PEOPLE] if self.shared.draft.before else []
        return [*first, NAMES, *people, CAST, CROWN]

    @property
    def draft(self) -> Draft:
        """The set-up so far."""
        return self.shared.draft

    @property
    def place(self) -> Place:
        """The page that is open."""
        while self._stack and not self._exists(self._stack[-1]):
            self._stack.pop()  # somebody else has changed what it was about
        return self._stack[-1] if self._stack else (self._steps[self._at], 0)

    def _exists(self, place: Place) -> bool:
        name, at = place
        if name in (SEAT, RENAME):
            return at < len(self.draft.players)
        return name in _PAGES or any(row.name == name for row in self.draft.rows())

    @property
    def is_at_start(self) -> bool:
        """Whether no list is open."""
        return not self._stack and self._at == 0

    @property
    def asked(self) -> Asked:
        """The page that is open."""
        return self.page(*self.place)

    def page(self, name: str, at: int = 0) -> Asked:
        """A page; a face that has room draws several."""
        build = _PAGES.get(name)
        return build(self, at) if build is not None else self._ask_row(name)

    # -- what people do ---------------------------------------------------------------------------

    def take(self, choice: Choice) -> None:
        """Take a row."""
        self.moves += 1
        choice.do()

    def line(self, text: str) -> None:
        """Answer with a typed line."""
        self.moves += 1
        text = clean_text(text)
        if text in (".", "-") or vocabulary.match_word(text, "back"):
            self.back()
        elif text == "?" or vocabulary.match_word(text, "help"):
            for sentence in tell_how():
                self.say("note", sentence)
        elif not self._change_language(text) and not self.asked.answer(text):
            self._take_number(text)

    def _take_number(self, text: str) -> None:
        numbered = {str(row.number): row for row in self.asked.rows if row.number is not None}
        if text in numbered:
            numbered[text].do()
        elif not text:
            self.back()
        elif numbered:
            sentence = _("there is no choice {number}; choose {first} to {last}.")
            self.say("refused", sentence.format(number=text, first=1, last=len(numbered)))
        else:
            self.say("refused", _("there is nothing to choose."))

    def _change_language(self, text: str) -> bool:
        first, _space, rest = text.partition(" ")
        if not vocabulary.match_word(first, "language"):
            return False
        code = language_called(rest)
        if code is not None:
            language.use(code)
        elif rest and self.asked.field:
            return False  # names of players
        elif rest:
            self.say("refused", refuse_language(rest))
            return True
        current = language_name(language.current())
        self.say("note", _("Language: {language}.").format(language=current))
        return True

    def open(self, name: str, at: int = 0) -> None:
        """Open a page on top."""
        self._stack.append((name, at))

    def back(self) -> None:
        """Close the last list, or go back to the question before; from the first one, leave."""
        if self._stack:
            self._stack.pop()
        elif self._at > 0:
            self._at -= 1
            if self.place[0] == CAST and not self._has_cast_to_ask:
                self.back()
        else:
            self.shared.go_back()

    def advance(self) -> None:
        """Go on to the next question; after the last one, begin."""
        if self._stack:
            self._stack.pop()
            return
        if self._at + 1 == len(self._steps):
            self.begin()
            return
        self._at += 1
        if self.place[0] == CAST and not self._has_cast_to_ask:
            self.advance()

    @property
    def _has_cast_to_ask(self) -> bool:
        draft = self.draft
        return self._asks_cast and draft.cast.has_choice(draft.edition, draft.size)

    def begin(self) -> bool:
        """Start the game; says what is wrong with it otherwise."""
        return not self._refuse(self.shared.begin())

    def resume(self) -> bool:
        """Continue the unfinished game; says why it cannot be."""
        return not self._refuse(self.shared.resume())

    def _refuse(self, problems: Iterable[str]) -> bool:
        """Say what is wrong; returns whether anything is."""
        problems = list(problems)
        for problem in problems:
            self.say("refused", problem)
        return bool(problems)

    def _is_possible(self) -> bool:
        """Whether the draft makes a game; says what is wrong with it."""
        return not self._refuse(self.draft.list_problems())

    # -- players ----------------------------------------------------------------------------------

    def _ask_names(self, _at: int) -> Asked:
        """All names at once, for whoever answers one question after the other."""
        shared, edition = self.shared, self.draft.edition
        again = self._list_usual()
        others = [name for name in shared.offered if name not in again]
        fits = edition.min_players <= len(again) <= edition.max_players
        who = _("Who plays? {fewest} to {most} names in seat order, clockwise.")
        prompt = [who.format(fewest=edition.min_players, most=edition.max_players)]
        prompt += [_("Enter: {names}.").format(names=listing(again))] if fits else []
        if others:
            prompt.append(_("Also known here: {names}.").format(names=listing(others)))
        field = _("Players in seat order, clockwise")
        return Asked(field, tuple(prompt), (), field, partial(self._take_names, fits))

    def _take_names(self, fits: bool, text: str) -> bool:
        if self._choose_mode(text):
            return True
        names = read_names(text) if text or not fits else list(self._list_usual())
        if self.shared.stays and text:  # in addition to those who have come with their phones
            return self.add(text)
        if names != self.draft.players:
            self.draft.players, self.draft.crown = names, ""
            self.shared.note_change()
        if names and self._is_possible():
            self.say("told", plural("{number} player.", "{number} players.", len(names)))
            self.advance()
        return True

    def _list_usual(self) -> tuple[str, ...]:
        """Who plays if nobody says otherwise: who is there already, or played last."""
        draft, shared = self.draft, self.shared
        return tuple(draft.players) if shared.stays and draft.players else shared.again

    def _choose_mode(self, text: str) -> bool:
        """Take a word that chooses a way to play."""
        now = PlayOptions(options=self.draft.options, teach=self.draft.teach)
        change = setup.choose_by_word(text, now) if text else None
        if change is None:
            return False
        self.draft.options, self.draft.teach = dict(change[0].options or {}), change[0].teach
        self.shared.note_change()
        self.say("told", change[1])
        return True

    def _ask_seats(self, _at: int) -> Asked:
        """The players, one row each, and those of earlier games."""
        draft = self.draft
        seated = [
            Choice(
                f"{name}  ({_('crown')})" if name == draft.crown else name,
                partial(self.open, SEAT, seat),
                seat + 1,
                opens=True,
            )
            for seat, name in enumerate(draft.players)
        ]
        others = [
            Choice(name, partial(self.add, name), number)
            for number, name in enumerate(self.shared.offered, start=len(seated) + 1)
        ]
        prompt = _("Type names to add players, or the number of a player. Enter continues.")
        heading = _("Players in seat order, clockwise")
        return Asked(heading, (prompt,), (*seated, *others), _("Names"), self._add_or_number)

    def _add_or_number(self, text: str) -> bool:
        if not text or (text.isascii() and text.isdecimal()):
            return False
        return self._choose_mode(text) or self.add(text)

    def add(self, text: str) -> bool:
        """Seat the players of these names."""
        problems = [self.draft.add(name) for name in read_names(text)]
        self.shared.note_change()
        self._refuse(dict.fromkeys(filter(None, problems)))
        return True

    def _ask_seat(self, at: int) -> Asked:
        draft = self.draft
        name = draft.players[at]
        rows = [(_("First crown"), partial(self._edit, partial(draft.give_crown, name)))]
        rows += [(_("Another name"), partial(self.open, RENAME, at))]
        if len(draft.players) > 1:
            rows.append((_("One seat up"), partial(self._move, at, -1)))
            rows.append((_("One seat down"), partial(self._move, at, 1)))
        rows.append((_("Does not play"), partial(self._edit, partial(draft.remove, at))))
        choices = tuple(Choice(label, do, n) for n, (label, do) in enumerate(rows, start=1))
        return Asked(name, (_("{player}. Enter keeps the seat.").format(player=name),), choices)

    def _edit(self, change: Callable[[], object]) -> None:
        """Change the draft, and close the list."""
        change()
        if self._stack:
            self._stack.pop()
        self.shared.note_change()

    def _move(self, at: int, by: int) -> None:
        self._stack[-1:] = [(SEAT, self.draft.move(at, by))]
        self.shared.note_change()

    def _ask_rename(self, at: int) -> Asked:
        name = self.draft.players[at]
        question = _("What is {player} called?").format(player=name)
        return Asked(question, (question,), (), _("Name"), partial(self._rename, at))

    def _rename(self, at: int, text: str) -> bool:
        if text and not self._refuse(filter(None, [self.draft.rename(at, text)])):
            del self._stack[-1:]
            self.shared.note_change()
        elif not text:
            self.back()
        return True

    def _ask_crown(self, _at: int) -> Asked:
        draft = self.draft
        who = translate(draft.edition.first_crown)
        first = draft.crown or next(iter(draft.players), "")
        sentence = _("Who starts with the crown? By the rules: {who}. Enter: {player}.")
        prompt = sentence.format(who=who, player=first)
        seated = list(draft.players)
        rows = [Choice(name, partial(self._crown, name), n) for n, name in enumerate(seated, 1)]
        if (CROWN, 0) not in self._stack and self._steps[0] != OVERVIEW:
            change = _("change the box, characters or house rules first")
            rows.append(Choice(change, partial(self.open, OVERVIEW), len(rows) + 1, opens=True))
        rows.append(Choice(_("draw the crown by lot"), self._draw_crown, len(rows) + 1))
        heading = _("First crown: {who}").format(who=who)
        return Asked(heading, (prompt,), tuple(rows), "", self._take_crown)

    def _take_crown(self, text: str) -> bool:
        by_name = {fold(name): name for name in self.draft.players}
        name = by_name.get(fold(text)) if text else self.draft.crown or self.draft.players[0]
        is_number = any(str(row.number) == text for row in self.asked.rows)
        if name is None and is_number:
            return False
        self._crown(name or text)
        return True

    def _crown(self, name: str) -> None:
        before, self.draft.crown = self.draft.crown, name
        if self._is_possible():
            self.shared.note_change()
            self.advance()
        else:
            self.draft.crown = before

    def _draw_crown(self) -> None:
        self.draft.draw_crown()
        told = _("The lot gives the crown to {player}.").format(player=self.draft.crown)
        self.say("told", told)
        self._crown(self.draft.crown)

    # -- the game ---------------------------------------------------------------------------------

    def _ask_overview(self, _at: int) -> Asked:
        rows = [
            Choice(row.label, partial(self.change, row.name), n, opens=row.name != MORE)
            for n, row in enumerate(self.draft.rows(), start=1)
        ]
        names = listing(self.draft.players) or "-"
        more = [
            Choice(format_row(_("Players"), names), partial(self.open, SEATS), opens=True),
            Choice(
                format_row(_("First crown"), self.draft.crown or "-"),
                partial(self.open, CROWN),
                opens=True,
            ),
        ]
        rows += [row._replace(number=n) for n, row in enumerate(more, start=len(rows) + 1)]
        prompt = _("Set up the game. A number changes that line; Enter continues.")
        return Asked(_("The game"), (prompt,), tuple(rows), "", self._leave_overview)

    def _leave_overview(self, text: str) -> bool:
        """Enter continues once the game is possible."""
        if text:
            return False
        if self._is_possible():
            self.advance()
        return True

    def change(self, name: str) -> None:
        """Open the answers of a row, or switch it if that is all there is to it."""
        if name == MORE:
            self.draft.change(MORE)
            self.shared.note_change()
        else:
            self.open(name)

    def _ask_row(self, name: str) -> Asked:
        row = next(row for row in self.draft.rows() if row.name == name)
        now = self.draft.find_answer(name)
        rows = tuple(
            Choice(label, partial(self._answer, name, value), n, value == now, about=about)
            for n, (value, label, about) in enumerate(self.draft.list_answers(name), start=1)
        )
        told = _("{row}. Enter keeps it.").format(row=format_row(row.what, row.answer))
        return Asked(row.what, (told,), rows)

    def _answer(self, name: str, value: object) -> None:
        self._edit(partial(self.draft.choose, name, value))

    def _ask_people(self, _at: int) -> Asked:
        """Whether the group stays the same: a question of its own among the steps."""
        if self._stack:
            return self._ask_row(PEOPLE)
        usual = dict(self.draft.answers(PEOPLE))[self.draft.is_same_group]
        sentence = _("Do the same people play as in the last game? yes or no; Enter: {answer}.")
        stay = _("The same people keep their seats and the code; for others the code is new.")
        question = sentence.format(answer=usual)
        return Asked(question, (stay, question), (), "", self._take_people)

    def _take_people(self, text: str) -> bool:
        same = vocabulary.match_word(text, "yes", "no") if text else None
        if text and same is None:
            return False
        self.draft.same_people = same == "yes" if same else self.draft.is_same_group
        self.shared.note_change()
        self.advance()
        return True

    def _ask_resume(self, _at: int) -> Asked:
        question = _("Continue it? yes or no; Enter: yes.")
        told = self.shared.describe()
        return Asked(question, (*told, question), (), "", self._take_resume)

    def _take_resume(self, text: str) -> bool:
        if not text or vocabulary.match_word(text, "yes", "y", "1"):
            if not self.resume():
                self.advance()
        elif vocabulary.match_word(text, "no", "n", "2"):
            self.advance()
        return True

    # -- cards ------------------------------------------------------------------------------------

    def _ask_cast(self, _at: int) -> Asked:
        draft = self.draft
        whole = casting.list_casts(draft)
        rows = [
            Choice(label, partial(self._cast, name), n, about=about)
            for n, (name, label, about) in enumerate(whole, start=1)
        ]
        rows += [
            Choice(label, partial(self._toggle_character, id_), None, is_in, id_)
            for id_, label, is_in in casting.list_characters(draft)
        ]
        prompt = _(
            "Which characters? Type a number, or their names with commas between them. Enter: 1."
        )
        return Asked(_("Who plays?"), (prompt,), tuple(rows), _("Names"), self._take_cast)

    def _take_cast(self, text: str) -> bool:
        if text.isascii() and text.isdecimal():
            return False
        self._done_with_cards(casting.choose_cast(self.draft, text or setup.ORDINARY))
        return True

    def _cast(self, name: str) -> None:
        self._done_with_cards(casting.choose_cast(self.draft, name))

    def _toggle_character(self, id_: str) -> None:
        draft = self.draft
        draft.cast.choose_character(id_, draft.edition, draft.size)
        self.shared.note_change()

    def _ask_uniques(self, _at: int) -> Asked:
        draft = self.draft
        districts = casting.list_uniques(draft)
        inside = sum(is_in for _id, _label, is_in in districts)
        heading = _("Unique districts: {number} of {wanted}").format(
            number=inside, wanted=draft.edition.uniques_played
        )
        rows = [
            Choice(_("Ordinary"), partial(self._uniques, None), 1),
            Choice(_("Random"), self._draw_uniques, 2),
        ]
        rows += [
            Choice(label, partial(self._toggle_unique, id_), None, is_in, id_)
            for id_, label, is_in in districts
        ]
        prompt = casting.ask_for_uniques(draft)
        return Asked(heading, tuple(prompt), tuple(rows), _("Names"), self._take_uniques)

    def _take_uniques(self, text: str) -> bool:
        if text.isascii() and text.isdecimal():
            return False
        self._done_with_cards(casting.choose_uniques(self.draft, text))
        return True

    def _uniques(self, districts: tuple[str, ...] | None) -> None:
        draft = self.draft
        draft.cast.choose_districts(districts, draft.edition, draft.size)
        self._done_with_cards([])

    def _draw_uniques(self) -> None:
        self._uniques(casting.draw_uniques(self.draft))

    def _toggle_unique(self, id_: str) -> None:
        casting.toggle_unique(self.draft, id_)
        self.shared.note_change()

    def _done_with_cards(self, problems: list[str]) -> None:
        if not self._refuse(problems):
            self.shared.note_change()
            self.advance()


_PAGES: dict[str, Callable[[SetUpTalk, int], Asked]] = {
    RESUME: SetUpTalk._ask_resume,
    NAMES: SetUpTalk._ask_names,
    PEOPLE: SetUpTalk._ask_people,
    CAST: SetUpTalk._ask_cast,
    UNIQUES: SetUpTalk._ask_uniques,
    CROWN: SetUpTalk._ask_crown,
    OVERVIEW: SetUpTalk._ask_overview,
    SEATS: SetUpTalk._ask_seats,
    SEAT: SetUpTalk._ask_seat,
    RENAME: SetUpTalk._ask_rename,
}


def read_names(text: str) -> list[str]:
    """The names typed, separated by commas or spaces; a number alone means that many players, named
    after their seats."""
    if text.isascii() and text.isdecimal() and len(text) < 3:
        seats = range(1, int(text) + 1)
        return [_("Player {number}").format(number=seat) for seat in seats]
    names = text.split(",") if "," in text else split(text) or text.split()
    return [clean_text(name) for name in names if name.strip()]


def format_row(what: str, answer: str) -> str:
    """A row's subject and answer, as read aloud."""
    what, answer = what.rstrip("…"), answer.rstrip("…")
    if not answer:
        return what
    sentence = _("{question} {answer}") if what.endswith("?") else _("{question}: {answer}")
    return sentence.format(question=what, answer=answer)


def offer_languages() -> str:
    """How to switch to another language, and the languages available."""
    sentence = _("language fr: switch to French. Available: {known}.")
    return sentence.format(known=", ".join(list_offered()))


def tell_how() -> list[str]:
    """How the questions are answered."""
    return [
        _("Type an answer or its number; Enter alone accepts the suggestion."),
        _("back: the previous question. quit, or Ctrl+D: leave."),
        offer_languages(),
    ]


def print_page(asked: Asked) -> list[str]:
    """A page as lines: the question, then the rows that a number picks."""
    rows = [number_entry(row.number, row.label) for row in asked.rows if row.number is not None]
    return [*asked.prompt, *rows]
