"""Asking in the line caller which characters and unique districts play, where a box has more."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion import setup
from companion.intent import typed
from companion.language import _, card, cards, listing, said
from companion.plain.asking import BACK, DONE, refusal, tell
from companion.wording import editions as wording
from engine import casts
from engine.problems import Inconsistent

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from companion.draft import Draft
    from companion.plain.asking import Questions


def ask_characters(draft: Draft, questions: Questions) -> str | None:
    """Ask until characters are chosen; the answer that was no cast is BACK. None at the end of the
    input."""

    def question() -> list[str]:
        offered = enumerate(_offered(draft), start=1)
        return [
            _("Which characters? A number, or their names with commas between. Enter is 1."),
            *(f"{number}: {label}" for number, (_name, label) in offered),
        ]

    def choose(answer: str) -> list[str]:
        offered = _offered(draft)
        if answer.isascii() and answer.isdecimal() and 1 <= int(answer[:4]) <= len(offered):
            answer = offered[int(answer) - 1][0]
        return _choose(draft, answer or setup.ORDINARY)

    return _until_chosen(question, choose, questions)


def ask_uniques(draft: Draft, questions: Questions) -> str | None:
    """Ask which unique districts are shuffled in; as `ask_characters`."""
    able = casts.uniques(draft.edition, draft.cast.playing(draft.edition, draft.size))

    def question() -> list[str]:
        return [
            _("Which unique districts? Names with commas between. Enter is the ordinary ones."),
            *wording.listed(_("There are: {cards}."), able),
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

    return _until_chosen(question, choose, questions)


def _until_chosen(
    question: Callable[[], list[str]], choose: Callable[[str], list[str]], questions: Questions
) -> str | None:
    while (answer := questions.ask(question)) not in (None, BACK):
        problems = choose(answer or "")
        if not problems:
            return DONE
        for problem in problems:
            tell(refusal(problem))
    return answer


def _offered(draft: Draft) -> list[tuple[str, str]]:
    """The casts to choose from: what each is called in `--cast`, and in a line."""
    edition, players = draft.edition, draft.size
    ordinary = edition.ordinary_cast(players)
    found = [
        (setup.ORDINARY, _("Ordinary: {cards}.").format(cards=cards(ordinary))),
        (setup.RANDOM, _("Random: one of each rank, as this table may use them.")),
    ]
    for cast in casts.printed(edition).values():
        fitted = casts.fitted(edition, cast, players)
        if fitted != casts.Cast(ordinary, edition.uniques):
            label = _("{title}: {cards}.").format(
                title=said(cast.title), cards=cards(fitted.characters)
            )
            found.append((cast.id, label))
    return found


def _choose(draft: Draft, answer: str) -> list[str]:
    """Take a cast by its name, or characters by theirs; what is wrong with them."""
    edition, players = draft.edition, draft.size
    able = [id_ for ids in casts.candidates(edition, players).values() for id_ in ids]
    chosen, problems = _read(answer, able, _("no character for this table is called {name}."))
    before = draft.cast
    if chosen and not problems:
        draft.cast = type(before)(characters=chosen)
    elif "," in answer or (problems and typed.named(answer, _known(able))):
        return problems
    else:
        word = answer.casefold().replace(" ", "_")
        try:
            setup.named_cast(word, edition, players, setup.chance)
        except Inconsistent as error:
            return [_("{problem}.").format(problem=said(p.text)) for p in error.problems]
        draft.cast = type(before)()
        draft.cast.choose(word, edition, players)
    problems = _problems(draft)
    if problems:
        draft.cast = before
    return problems


def _read(answer: str, able: Iterable[str], nobody: str) -> tuple[tuple[str, ...], list[str]]:
    """The cards that the names between the commas mean, and a sentence for each that means none
    or several."""
    known = _known(able)
    chosen, problems = [], []
    for word in filter(None, map(str.strip, answer.split(","))):
        found = typed.named(word, known)
        if len(found) == 1:
            chosen.append(found[0])
        elif found:
            sentence = _("{name} can be {cards}; say more of the name.")
            problems.append(
                sentence.format(name=word, cards=listing(map(card, found), joined="or"))
            )
        else:
            problems.append(nobody.format(name=word))
    return tuple(chosen), problems


def _known(able: Iterable[str]) -> dict[str, list[str]]:
    return {id_: typed.card_names(id_) for id_ in able}


def _problems(draft: Draft) -> list[str]:
    """What forbids a game as the draft stands."""
    try:
        draft.setup()
    except Inconsistent as error:
        return [_("{problem}.").format(problem=said(p.text)) for p in error.problems]
    return []
