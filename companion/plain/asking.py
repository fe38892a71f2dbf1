"""Questions before a game in the line caller, with typed answers: also which characters and unique
districts play, if a box has more. Each of them also accepts help, a language and quitting."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import starmap
from typing import TYPE_CHECKING

from common.problems import Problems
from companion import language, setup
from companion.files.clean import clean_text, printable
from companion.language import (
    _,
    card,
    cards,
    end_sentence,
    list_offered,
    listing,
    number_entry,
    put_after_colon,
    translate,
    vocabulary,
)
from companion.language.names import names_of_cards
from companion.language.vocabulary import match_names
from companion.terminal import lines
from companion.wording import editions as wording
from companion.wording.editions import language_called, language_name
from engine import casts

if TYPE_CHECKING:
    Question = Callable[[], Iterable[str]]
    from collections.abc import Callable, Iterable

    from companion.setup.draft import Draft


NEXT, BACK = "", "back"
"""How a question may end; None is end of input."""


def tell(*lines: str) -> None:
    """Print lines of a question and flush them."""
    for line in lines:
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
            if answer is None or answer in (NEXT, BACK):
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
    code = language_called(rest)
    if code is not None:
        language.use(code)
    elif rest:
        return False  # names of players
    current = language_name(language.current())
    tell(_("Language: {language}.").format(language=current))
    return True


def ask_characters(draft: Draft, questions: Questions) -> str | None:
    """Ask until characters are chosen. BACK if the answer was no cast; None at end of input."""

    def question() -> list[str]:
        options = enumerate(_list_offered(draft), start=1)
        return [
            _(
                "Which characters? Type a number, or their names with commas between "
                "them. Enter: 1."
            ),
            *(number_entry(number, label) for number, (_name, label) in options),
        ]

    def choose(answer: str) -> list[str]:
        options = _list_offered(draft)
        if answer.isascii() and answer.isdecimal() and 1 <= int(answer[:4]) <= len(options):
            answer = options[int(answer) - 1][0]
        return _choose(draft, answer or setup.ORDINARY)

    return _ask_until_chosen(question, choose, questions)


def ask_uniques(draft: Draft, questions: Questions) -> str | None:
    """Ask which unique districts are shuffled in; as `ask_characters`."""
    able = casts.uniques(draft.edition, draft.cast.playing(draft.edition, draft.size))

    def question() -> list[str]:
        return [
            _(
                "Which unique districts? Type their names with commas between them. "
                "Enter: the ordinary ones."
            ),
            *wording.list_cards(_("Choose from: {cards}."), able),
        ]

    def choose(answer: str) -> list[str]:
        districts, problems = _read(answer, able, _("no unique district here is called {name}."))
        if problems:
            return problems
        before = draft.cast
        draft.cast.choose_districts(districts or None, draft.edition, draft.size)
        problems = _problems(draft)
        if problems:
            draft.cast = before
        return problems

    return _ask_until_chosen(question, choose, questions)


def _ask_until_chosen(
    question: Callable[[], list[str]], choose: Callable[[str], list[str]], questions: Questions
) -> str | None:
    while (answer := questions.ask(question)) not in (None, BACK):
        problems = choose(answer or "")
        if not problems:
            return NEXT
        for problem in problems:
            tell(refusal(problem))
    return answer


def _list_offered(draft: Draft) -> list[tuple[str, str]]:
    """The casts to choose from: each one's name for `--cast`, and its line."""
    edition, players = draft.edition, draft.size
    ordinary = edition.ordinary_cast(players)
    options = [
        (setup.ORDINARY, _("Ordinary: {cards}.").format(cards=cards(ordinary))),
        (setup.RANDOM, _("Random: one of each rank, as allowed for this number of players.")),
    ]
    for cast in setup.list_named(edition, players):
        characters = tuple(id_ for able in cast.ranks for id_ in able)
        if cast.by_lot:
            options.append((cast.name, end_sentence(cast.title)))
        elif characters != ordinary or cast.districts != edition.uniques:
            sentence = _("{title}: {cards}.")
            options.append((cast.name, sentence.format(title=cast.title, cards=cards(characters))))
    return options


def _choose(draft: Draft, answer: str) -> list[str]:
    """Set a cast by its name, or by the characters' names; return the problems."""
    edition, players = draft.edition, draft.size
    able = [id_ for ids in casts.candidates(edition, players).values() for id_ in ids]
    picks, problems = _read(
        answer, able, _("no character for this number of players is called {name}.")
    )
    before = draft.cast
    if picks and not problems:
        draft.cast = type(before)(characters=picks)
    elif "," in answer or (problems and match_names(answer, names_of_cards(able))):
        return problems
    else:
        word = answer.casefold().replace(" ", "_")
        try:
            setup.find_cast(word, edition, players)
        except Problems as error:
            return [end_sentence(p.text) for p in error.problems]
        draft.cast = type(before)()
        draft.cast.choose(word, edition, players)
    problems = _problems(draft)
    if problems:
        draft.cast = before
    return problems


def _read(answer: str, able: Iterable[str], nobody: str) -> tuple[tuple[str, ...], list[str]]:
    """The cards that the comma-separated names mean, and a sentence for each name that means none
    or several."""
    names = names_of_cards(able)
    picks, problems = [], []
    for word in filter(None, map(str.strip, answer.split(","))):
        matches = match_names(word, names)
        if len(matches) == 1:
            picks.append(matches[0])
        elif matches:
            sentence = _("{name} could be {cards}; type more of the name.")
            problems.append(
                sentence.format(name=word, cards=listing(map(card, matches), joined="or"))
            )
        else:
            problems.append(nobody.format(name=word))
    return tuple(picks), problems


def _problems(draft: Draft) -> list[str]:
    """Why the draft makes no game yet."""
    try:
        draft.setup()
    except Problems as error:
        return [end_sentence(p.text) for p in error.problems]
    return []
