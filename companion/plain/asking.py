"""Questions before a game, with typed answers; in each of them help, another language and leaving
are understood."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from companion import language, vocabulary
from companion.clean import clean_text, printable
from companion.language import _, said
from companion.terminal import lines
from companion.wording.editions import language_called, language_name
from engine import languages

if TYPE_CHECKING:
    Question = Callable[[], Iterable[str]]

DONE, BACK = "", "back"
"""How a question may end; None is the end of the input."""


def tell(*told: str) -> None:
    """Print lines of a question, and let them out at once."""
    for line in told:
        print(printable(said(line)))
    print(end="", flush=True)


def refusal(reason: str) -> str:
    """That something is not done, and why."""
    reason = said(reason)
    return _("Refused: {reason}").format(reason=reason[:1].upper() + reason[1:])


class Questions:
    """Asks, and reads answers."""

    def __init__(self, read: Callable[[], str | None]) -> None:
        """`read` gives the next typed line; None at the end of the input."""
        self._read = read

    def ask(self, question: Question) -> str | None:
        """The answer, cleaned, or BACK; None at the end of the input, or where somebody leaves."""
        while True:
            tell(*question())
            line = self._read()
            if line is None:
                return None
            answer = clean_text(line, limit=lines.LONGEST)
            if vocabulary.word(answer, "quit", "exit"):
                return None
            if answer in (".", "-") or vocabulary.word(answer, BACK):
                return BACK
            if answer != "?" and not vocabulary.word(answer, "help"):
                if not _is_language(answer):
                    return answer
            else:
                tell(*_help())

    def choose(self, question: Question, choices: Callable[[], list[str]]) -> int | str | None:
        """The place, from 0, of the choice whose number is the answer; else as `ask`."""

        def asked() -> list[str]:
            numbered = enumerate(choices(), start=1)
            return [*question(), *(f"{number}: {label}" for number, label in numbered)]

        while True:
            answer = self.ask(asked)
            if answer is None or answer in (DONE, BACK):
                return answer
            last = len(choices())
            if answer.isascii() and answer.isdecimal() and 1 <= int(answer[:4]) <= last:
                return int(answer[:4]) - 1
            sentence = _("there is no choice {number}; choose {first} to {last}.")
            tell(refusal(sentence.format(number=answer, first=1, last=last)))


def _help() -> list[str]:
    return [
        _("Type an answer, or its number; Enter alone takes what is offered."),
        _("back: the question before. quit, or the end of the input: leave."),
        _("language fr: speak French from now on; there are: {known}.").format(
            known=", ".join(languages.complete())
        ),
    ]


def _is_language(answer: str) -> bool:
    """Whether the answer asks for another language, which is spoken from now on."""
    first, _space, rest = answer.partition(" ")
    if not vocabulary.word(first, "language"):
        return False
    wanted = language_called(rest)
    if wanted is not None:
        language.use(wanted)
    elif rest:
        return False  # names of players
    current = language_name(language.current())
    tell(_("Language: {language}.").format(language=current))
    return True
