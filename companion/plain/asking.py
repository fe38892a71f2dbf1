"""Questions before a game, with typed answers; each of them also accepts help, a language and
quitting."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import starmap
from typing import TYPE_CHECKING

from companion import language
from companion.files.clean import clean_text, printable
from companion.language import _, list_offered, number_entry, put_after_colon, translate, vocabulary
from companion.terminal import lines
from companion.wording.editions import language_called, language_name

if TYPE_CHECKING:
    Question = Callable[[], Iterable[str]]

DONE, BACK = "", "back"
"""How a question may end; None is end of input."""


def tell(*told: str) -> None:
    """Print lines of a question and flush them."""
    for line in told:
        print(printable(translate(line)))
    print(end="", flush=True)


def refusal(reason: str, names: Iterable[str] = ()) -> str:
    """That something is refused, and why; `names` are those of the players."""
    return _("Refused: {reason}").format(reason=put_after_colon(reason, names))


class Questions:
    """Asks questions and reads answers."""

    def __init__(self, read: Callable[[], str | None]) -> None:
        """`read` returns the next typed line; None at end of input."""
        self._read = read

    def ask(self, question: Question) -> str | None:
        """The sanitized answer, or BACK; None at end of input, or if the user quits."""
        while True:
            tell(*question())
            line = self._read()
            if line is None:
                return None
            answer = clean_text(line, limit=lines.LONGEST)
            if vocabulary.match_word(answer, "quit", "exit"):
                return None
            if answer in (".", "-") or vocabulary.match_word(answer, BACK):
                return BACK
            if answer != "?" and not vocabulary.match_word(answer, "help"):
                if not _is_language(answer):
                    return answer
            else:
                tell(*_help())

    def choose(self, question: Question, choices: Callable[[], list[str]]) -> int | str | None:
        """The index of the choice whose number is the answer; else as `ask`."""

        def list_lines() -> list[str]:
            return [*question(), *starmap(number_entry, enumerate(choices(), start=1))]

        while True:
            answer = self.ask(list_lines)
            if answer is None or answer in (DONE, BACK):
                return answer
            last = len(choices())
            if answer.isascii() and answer.isdecimal() and 1 <= int(answer[:4]) <= last:
                return int(answer[:4]) - 1
            sentence = _("there is no choice {number}; choose {first} to {last}.")
            tell(refusal(sentence.format(number=answer, first=1, last=last)))


def offer_languages() -> str:
    """How to switch to another language, and the languages available."""
    sentence = _("language fr: switch to French. Available: {known}.")
    return sentence.format(known=", ".join(list_offered()))


def _help() -> list[str]:
    return [
        _("Type an answer or its number; Enter alone accepts the suggestion."),
        _("back: the previous question. quit, or Ctrl+D: leave."),
        offer_languages(),
    ]


def _is_language(answer: str) -> bool:
    """If the answer asks for another language, switch to it; return whether it did."""
    first, _space, rest = answer.partition(" ")
    if not vocabulary.match_word(first, "language"):
        return False
    wanted = language_called(rest)
    if wanted is not None:
        language.use(wanted)
    elif rest:
        return False  # names of players
    current = language_name(language.current())
    tell(_("Language: {language}.").format(language=current))
    return True
