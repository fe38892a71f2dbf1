"""Asking in the line caller which characters play, where the box leaves a choice."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion import setup, typed
from companion.language import _, card
from companion.wording.editions import names
from engine import casts
from engine.editions import editions
from engine.problems import Inconsistent

if TYPE_CHECKING:
    from collections.abc import Callable

    from companion.options import PlayOptions
    from engine.editions import Edition

    Ask = Callable[..., str | None]
    Tell = Callable[..., None]


def asked(options: PlayOptions, edition_id: str, *, ask: Ask, tell: Tell) -> PlayOptions | None:
    """The options with the cast that was chosen; unchanged where there is nothing to choose.

    None at the end of the input.
    """
    edition, players = editions()[edition_id], len(options.players or ())
    given = options.cast or options.characters
    if given or not casts.has_choice(edition, players):
        return options
    offered = _offered(edition, players)
    tell(_("Which characters? A number, or their names with commas between. Enter is 1."))
    for number, (_name, label) in enumerate(offered, start=1):
        tell(f"{number}: {label}")
    while (answer := ask()) is not None:
        if not answer:
            return options
        if answer.isascii() and answer.isdecimal() and 1 <= int(answer[:4]) <= len(offered):
            return options._replace(cast=offered[int(answer) - 1][0])
        chosen = _typed(answer, options, edition, tell)
        if chosen is not None:
            return chosen
    return None


def _offered(edition: Edition, players: int) -> list[tuple[str, str]]:
    """The casts to choose from: what each is called in `--cast`, and in a line."""
    ordinary = edition.ordinary_cast(players)
    found = [
        (setup.ORDINARY, _("Ordinary: {cards}.").format(cards=names(ordinary))),
        (setup.RANDOM, _("Random: one of each rank, as this table may use them.")),
    ]
    for cast in casts.printed(edition).values():
        fitted = casts.fitted(edition, cast, players)
        if fitted != casts.Cast(ordinary, edition.uniques):
            label = _("{title}: {cards}.").format(
                title=_(cast.title), cards=names(fitted.characters)
            )
            found.append((cast.id, label))
    return found


def _typed(answer: str, options: PlayOptions, edition: Edition, tell: Tell) -> PlayOptions | None:
    """The options with a cast by its name, or characters by theirs; None, and the reason told, if
    the answer is neither."""
    players = len(options.players or ())
    able = [id_ for ids in casts.candidates(edition, players).values() for id_ in ids]
    known = {id_: typed.card_names(id_) for id_ in able}
    chosen = []
    for word in filter(None, map(str.strip, answer.split(","))):
        found = typed.named(word, known)
        if len(found) == 1:
            chosen.append(found[0])
            continue
        if not found and "," not in answer:
            return _named(answer, options, edition, tell)
        sentence = _("Refused: {name} can be {cards}; say more of the name.")
        if not found:
            sentence = _("Refused: no character for this table is called {name}.")
        tell(sentence.format(name=word, cards=", ".join(map(card, found))))
        return None
    return options._replace(characters=tuple(chosen))


def _named(answer: str, options: PlayOptions, edition: Edition, tell: Tell) -> PlayOptions | None:
    try:
        setup.named_cast(answer, edition, len(options.players or ()), setup.chance)
    except Inconsistent as error:
        tell(*(_("Refused: {reason}.").format(reason=problem.text) for problem in error.problems))
        return None
    return options._replace(cast=answer)
