"""Asks in the line caller which characters and unique districts play, if a box has more."""

from __future__ import annotations

from typing import TYPE_CHECKING

from common.problems import Problems
from companion import setup
from companion.language import _, card, cards, end_sentence, listing, number_entry
from companion.language.names import names_of_cards
from companion.language.vocabulary import match_names
from companion.plain.asking import BACK, DONE, refusal, tell
from companion.wording import editions as wording
from engine import casts

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from companion.plain.asking import Questions
    from companion.setup.draft import Draft


def ask_characters(draft: Draft, questions: Questions) -> str | None:
    """Ask until characters are chosen. BACK if the answer was no cast; None at end of input."""

    def question() -> list[str]:
        offered = enumerate(_list_offered(draft), start=1)
        return [
            _(
                "Which characters? Type a number, or their names with commas between "
                "them. Enter: 1."
            ),
            *(number_entry(number, label) for number, (_name, label) in offered),
        ]

    def choose(answer: str) -> list[str]:
        offered = _list_offered(draft)
        if answer.isascii() and answer.isdecimal() and 1 <= int(answer[:4]) <= len(offered):
            answer = offered[int(answer) - 1][0]
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
        chosen, problems = _read(answer, able, _("no unique district here is called {name}."))
        if problems:
            return problems
        before = draft.cast
        draft.cast.choose_districts(chosen or None, draft.edition, draft.size)
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
            return DONE
        for problem in problems:
            tell(refusal(problem))
    return answer


def _list_offered(draft: Draft) -> list[tuple[str, str]]:
    """The casts to choose from: each one's name for `--cast`, and its line."""
    edition, players = draft.edition, draft.size
    ordinary = edition.ordinary_cast(players)
    found = [
        (setup.ORDINARY, _("Ordinary: {cards}.").format(cards=cards(ordinary))),
        (setup.RANDOM, _("Random: one of each rank, as allowed for this number of players.")),
    ]
    for named in setup.list_named(edition, players):
        characters = tuple(id_ for able in named.ranks for id_ in able)
        if named.by_lot:
            found.append((named.name, end_sentence(named.title)))
        elif characters != ordinary or named.districts != edition.uniques:
            sentence = _("{title}: {cards}.")
            found.append((named.name, sentence.format(title=named.title, cards=cards(characters))))
    return found


def _choose(draft: Draft, answer: str) -> list[str]:
    """Set a cast by its name, or by the characters' names; return the problems."""
    edition, players = draft.edition, draft.size
    able = [id_ for ids in casts.candidates(edition, players).values() for id_ in ids]
    chosen, problems = _read(
        answer, able, _("no character for this number of players is called {name}.")
    )
    before = draft.cast
    if chosen and not problems:
        draft.cast = type(before)(characters=chosen)
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
    known = names_of_cards(able)
    chosen, problems = [], []
    for word in filter(None, map(str.strip, answer.split(","))):
        found = match_names(word, known)
        if len(found) == 1:
            chosen.append(found[0])
        elif found:
            sentence = _("{name} could be {cards}; type more of the name.")
            problems.append(
                sentence.format(name=word, cards=listing(map(card, found), joined="or"))
            )
        else:
            problems.append(nobody.format(name=word))
    return tuple(chosen), problems


def _problems(draft: Draft) -> list[str]:
    """Why the draft makes no game yet."""
    try:
        draft.setup()
    except Problems as error:
        return [end_sentence(p.text) for p in error.problems]
    return []
