"""The set-up of a game as a conversation: what is asked, which rows answer it, and what a line, a
number or a touch does. Screen, lines and pages draw `asked` and pass on what people do.

Every face has a `SetUpTalk` of its own over one `SetUp`, as at the table each has a conversation
over one session: what one changes, the others show.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from companion import language
from companion.files.clean import clean_text
from companion.language import (
    _,
    vocabulary,
)
from companion.setup.draft import CAST, PEOPLE, UNIQUES
from companion.setup.game import GamePages
from companion.setup.players import PlayerPages
from companion.setup.shared import (
    CROWN,
    FORMER,
    KEYPAD,
    NAMES,
    OVERVIEW,
    RENAME,
    REPEAT,
    RESUME,
    SEAT,
    SEATS,
    SetupPage,
    SetupRow,
    tell_how,
)
from companion.wording.editions import language_called, language_name, refuse_language

if TYPE_CHECKING:
    pass


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
        self.moves += 1
        choice.do()

    def line(self, text: str) -> None:
        """Answer with a typed line."""
        self.moves += 1
        text = clean_text(text).strip()
        text = KEYPAD.get(text, text)
        if text == "0" or vocabulary.match_word(text, REPEAT):
            return  # a face of lines asks again after every line
        if vocabulary.match_word(text, "back"):
            self.back()
        elif text == "?" or vocabulary.match_word(text, "help"):
            for sentence in tell_how():
                self.say("note", sentence)
        elif not self._change_language(text) and not self.asked.answer(text):
            self._take_number(text)

    def _take_number(self, text: str) -> None:
        entries = {str(row.number): row for row in self.asked.rows if row.number is not None}
        if text in entries:
            entries[text].do()
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
    FORMER: SetUpTalk._ask_former,
}
