"""The set-up of a game as a conversation: what is asked, which rows answer it, and what a line, a
number or a touch does. Screen, lines and pages draw `asked` and pass on what people do.

Every face has a `SetUpTalk` of its own over one `SetUp`, as at the table each has a conversation
over one session: what one changes, the others show.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from companion import language, setup
from companion.files.clean import clean_text
from companion.language import _, translate, vocabulary
from companion.setup import casting
from companion.setup.draft import CAST, MORE, PEOPLE, UNIQUES
from companion.setup.players import PlayerPages, SetUpPages
from companion.setup.shared import PageName, SetupPage, SetupRow, format_row, tell_how
from companion.wording.editions import language_called, language_name, refuse_language

_REPEAT = "repeat"  # the word that only asks again

_KEYPAD = {"+": "", ".": "back", ",": "back", "-": "back", "*0": "help", "*": "help", "/": _REPEAT}
"""What the keys of a keypad mean here, beside numbers: those of the game, as far as there is
something for them to do. `0` repeats as well."""


class GamePages(SetUpPages):
    """What is played."""

    def _ask_overview(self, _at: int) -> SetupPage:
        rows = [
            SetupRow(row.label, partial(self.change, row.name), n, opens=row.name != MORE)
            for n, row in enumerate(self.draft.rows(), start=1)
        ]
        by_rule = translate(self.draft.edition.first_crown)
        rows.append(self._row_of_players(len(rows) + 1))
        crown = format_row(_("First crown"), self.draft.crown or by_rule)
        rows.append(SetupRow(crown, partial(self.open, PageName.CROWN), len(rows) + 1, opens=True))
        prompt = _("Set up the game. A number changes that line; Enter continues.")
        return SetupPage(_("The game"), (prompt,), tuple(rows), "", self._leave_overview)

    def _leave_overview(self, text: str) -> bool:
        """Enter continues once the game is possible."""
        if text:
            return False
        if self._is_possible():
            self.advance()
        return True

    def change(self, name: str) -> None:
        """Open the answers of a row, or change it to the other one if there are two."""
        if name == MORE or (name in self.draft.switchable and len(self.draft.answers(name)) == 2):
            self.draft.change(name)
            self.set_up.note_change()
        else:
            self.open(name)

    def _ask_row(self, name: str) -> SetupPage:
        row = next(row for row in self.draft.rows() if row.name == name)
        now = self.draft.find_answer(name)
        rows = tuple(
            SetupRow(label, partial(self._answer, name, value), n, value == now, about=about)
            for n, (value, label, about) in enumerate(self.draft.list_answers(name), start=1)
        )
        text = _("{row}. Enter keeps it.").format(row=format_row(row.what, row.answer))
        return SetupPage(row.what, (text,), rows)

    def _answer(self, name: str, value: object) -> None:
        self._edit(partial(self.draft.choose, name, value))

    def _ask_people(self, _at: int) -> SetupPage:
        """Whether the group stays the same: a question of its own among the steps."""
        if self._stack:
            return self._ask_row(PEOPLE)
        usual = dict(self.draft.answers(PEOPLE))[self.draft.is_same_group]
        sentence = _("Do the same people play as in the last game? yes or no; Enter: {answer}.")
        stay = _("The same people keep their seats and the code; for others the code is new.")
        question = sentence.format(answer=usual)
        return SetupPage(question, (stay, question), (), "", self._take_people)

    def _take_people(self, text: str) -> bool:
        same = self._read_yes_or_no(text, default=self.draft.is_same_group)
        if same is not None:
            self.draft.same_people = same
            self.set_up.note_change()
            self.advance()
        return True

    def _ask_resume(self, _at: int) -> SetupPage:
        question = _("Continue it? yes or no; Enter: yes.")
        lines = self.set_up.describe()
        return SetupPage(question, (*lines, question), (), "", self._take_resume)

    def _take_resume(self, text: str) -> bool:
        is_wanted = self._read_yes_or_no(text, default=True)
        if is_wanted is False or (is_wanted and not self.resume()):
            self.advance()
        return True

    def _read_yes_or_no(self, text: str, *, default: bool) -> bool | None:
        """The answer; None, and a refusal, if it is neither yes nor no."""
        if not text:
            return default
        if vocabulary.match_word(text, "yes", "y", "1"):
            return True
        if vocabulary.match_word(text, "no", "n", "2"):
            return False
        self.say("refused", _("Type yes or no."))
        return None

    # -- cards ------------------------------------------------------------------------------------

    def _ask_cast(self, _at: int) -> SetupPage:
        draft = self.draft
        whole = casting.list_casts(draft)
        rows = [
            SetupRow(title, partial(self._cast, name), n, about=about, line=line)
            for n, (name, title, line, about) in enumerate(whole, start=1)
        ]
        rows += [
            SetupRow(label, partial(self._toggle_character, id_), None, is_in, id_)
            for id_, label, is_in in casting.list_characters(draft)
        ]
        prompt = _(
            "Which characters? Type a number, or their names with commas between them. Enter: 1."
        )
        return SetupPage(
            _("Which characters?"), (prompt,), tuple(rows), _("Names"), self._take_cast
        )

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
        self.set_up.note_change()

    def _ask_uniques(self, _at: int) -> SetupPage:
        draft = self.draft
        districts = casting.list_uniques(draft)
        inside = sum(is_in for _id, _label, is_in in districts)
        heading = _("Unique districts: {number} of {wanted}").format(
            number=inside, wanted=draft.edition.uniques_played
        )
        rows = [
            SetupRow(_("Ordinary"), partial(self._uniques, None), 1),
            SetupRow(_("Random"), self._draw_uniques, 2),
        ]
        rows += [
            SetupRow(label, partial(self._toggle_unique, id_), None, is_in, id_)
            for id_, label, is_in in districts
        ]
        prompt = casting.ask_for_uniques(draft)
        return SetupPage(heading, tuple(prompt), tuple(rows), _("Names"), self._take_uniques)

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
        self.set_up.note_change()

    def _done_with_cards(self, problems: list[str]) -> None:
        if not self._refuse(problems):
            self.set_up.note_change()
            self.advance()


class SetUpTalk(PlayerPages, GamePages):
    """One face's part of the set-up."""

    @property
    def asked(self) -> SetupPage:
        """The page that is open."""
        return self.page(*self.place)

    def page(self, name: str, at: int = 0) -> SetupPage:
        """A page; a face that has room draws several."""
        build = _PAGES.get(name)
        return build(self, at) if build is not None else self._ask_row(name)

    # -- what people do ---------------------------------------------------------------------------

    def take(self, choice: SetupRow) -> None:
        """Take a row."""
        choice.do()

    def line(self, text: str) -> None:
        """Answer with a typed line."""
        text = clean_text(text).strip()
        text = _KEYPAD.get(text, text)
        if self.place[0] in (PageName.NAMES, PageName.CROWN):  # where any other word is a name
            if vocabulary.match_word(text, "no"):
                self.say("refused", _("Type a name."))
                return
            text = "" if vocabulary.match_word(text, "yes") else text
        if text == "0" or vocabulary.match_word(text, _REPEAT):
            return  # a face of lines asks again after every line
        if vocabulary.match_word(text, "back"):
            self.back()
        elif text == "?" or vocabulary.match_word(text, "help"):
            for sentence in tell_how():
                self.say("note", sentence)
        elif not self._change_language(text) and not self.asked.answer(text):
            self._take_number(text)

    def _take_number(self, text: str) -> None:
        entries = [row for row in self.asked.rows if row.number is not None]
        row = self.asked.find_row(text)
        if row is not None:
            row.do()
        elif not text:
            self.back()
        elif entries:
            sentence = _("there is no choice {number}; choose {first} to {last}.")
            self.say("refused", sentence.format(number=text, first=1, last=len(entries)))
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


_PAGES: dict[str, Callable[[SetUpTalk, int], SetupPage]] = {
    PageName.RESUME: SetUpTalk._ask_resume,
    PageName.NAMES: SetUpTalk._ask_names,
    PEOPLE: SetUpTalk._ask_people,
    CAST: SetUpTalk._ask_cast,
    UNIQUES: SetUpTalk._ask_uniques,
    PageName.CROWN: SetUpTalk._ask_crown,
    PageName.OVERVIEW: SetUpTalk._ask_overview,
    PageName.SEATS: SetUpTalk._ask_seats,
    PageName.SEAT: SetUpTalk._ask_seat,
    PageName.RENAME: SetUpTalk._ask_rename,
    PageName.FORMER: SetUpTalk._ask_former,
}
