"""`companion card NAME`: what a card does, in the table's language and according to its edition."""

from __future__ import annotations

import unicodedata
from argparse import Namespace
from collections.abc import Callable, Iterable
from typing import Any

from common.problems import find_nearest
from common.sentences import Sentence, locate, suggest
from companion.commands import CommandError
from companion.commands.declared import Answer, arg, command, setting
from companion.language import _, amount, coins, district_type, listing, translate
from companion.language import card as card_name
from companion.language.vocabulary import WITHOUT_MARKS, spell_out
from companion.settings.config import Config
from engine import cards, datafiles
from engine.editions import Edition, editions
from engine.words import is_anothers, printed_names


@command(
    "card",
    arg(
        "name",
        metavar="NAME",
        nargs="+",
        help="the card's name in any language, its id, or the start of either",
    ),
    setting("edition", help="explain it as it works in this box"),
)
def run(config: Config, args: Namespace) -> Answer:
    """The card that the words name, or one for each word."""
    edition = editions()[config.edition]
    try:
        ids = _find_all(args.name, edition.printing, config.language)
    except Unclear as error:
        raise CommandError(locate("companion card", str(error)), *error.candidates) from None
    return Answer([line for id_ in ids for line in describe(id_, edition, config.language)])


def _find_all(names: list[str], printing: str, language: str) -> list[str]:
    """The card whose name these words are, or else the card of each word."""
    try:
        return [find(" ".join(names), printing, language)]
    except Unclear:
        if len(names) == 1:
            raise
        try:
            return [find(name, printing, language) for name in names]
        except Unclear:
            pass
        raise


def describe(card_id: str, edition: Edition, language: str) -> list[str]:
    """The card in lines, one fact per line."""
    name = card_name(card_id)
    text = cards.text_of(card_id, edition.id, language)
    lines = [name, _kind(card_id, edition)]
    if edition.printing not in printings_of(card_id):
        away = _("Not in {edition}, only in: {boxes}")
        lines.append(
            away.format(
                edition=translate(edition.title),
                boxes=listing(translate(box.title) for box in _boxes(card_id)),
            )
        )
    lines += [text.text, _("Source: {place}.").format(place=text.source)]
    if own := datafiles.load_own().get(edition.id, {}).get(card_id):
        names = []
        if "cost" in own:
            names.append(_("cost {number}").format(number=own["cost"]))
        if "copies" in own:
            names.append(_("copies {number}").format(number=own["copies"]))
        lines.append(_("From this table's cards.yaml: {facts}").format(facts=listing(names)))
    if text.ruling:
        lines.append(_("Ruling: {ruling}").format(ruling=text.ruling))
    if others := ", ".join(_list_other_names(card_id, name)):
        lines.append(_("Other printed names: {names}").format(names=others))
    return [*lines, _("Id: {id}").format(id=card_id)]


def _kind(card_id: str, edition: Edition) -> str:
    """Rank and income of a character; type, cost and copies of a district."""
    character = cards.characters().get(card_id)
    if character is None:
        return _kind_of_district(card_id, edition)
    if character.income is None:
        return _("Character of rank {rank}").format(rank=character.rank)
    sentence = _("Character of rank {rank}, income from {type} districts")
    return sentence.format(rank=character.rank, type=district_type(character.income))


def _kind_of_district(card_id: str, edition: Edition) -> str:
    """In the table's box, or else in the newest box that has it."""
    here = edition.printing in printings_of(card_id)
    box = edition if here else _boxes(card_id)[-1]
    district = cards.districts(box.printing)[card_id]
    return _("District, {type}, costs {cost}, {copies} in {box}").format(
        type=district_type(district.type),
        cost=coins(district.cost),
        copies=amount("copy", district.copies),
        box=translate(box.title),
    )


def _boxes(card_id: str) -> list[Edition]:
    """The boxes that contain the card."""
    printings = printings_of(card_id)
    return [box for box in editions().values() if box.printing in printings]


def _list_other_names(card_id: str, text: str) -> list[str]:
    """All its other printed names, each with its languages; capitals make no other name."""
    names: dict[str, tuple[str, list[str]]] = {}
    for language, name in printed_names(card_id):
        where = names.setdefault(name.casefold(), (name, []))[1]
        if language not in where:
            where.append(language)
    names.pop(text.casefold(), None)
    return [f"{name} ({', '.join(where)})" for name, where in names.values()]


_MOST_CANDIDATES = 12  # lines that a person will read


class Unclear(ValueError):
    """A name that matches no card, or several; `candidates` are lines to choose from."""

    def __init__(self, message: str, candidates: Iterable[str] = ()) -> None:
        super().__init__(message)
        self.candidates = tuple(candidates)


def printings_of(card_id: str) -> tuple[str, ...]:
    """The boxes that contain the card, oldest first."""
    facts = _facts(card_id)
    return tuple(facts.get("printings") or facts["copies"])


def find(name: str, printing: str, language: str) -> str:
    """The id of the card called `name`. Raises Unclear if none or several match."""
    name = name.strip()
    if name in datafiles.load("characters") or name in datafiles.load("districts"):
        return name
    folded = _fold(name)
    for fits in (str.__eq__, str.startswith, _has_word):
        fitting = _find_in_circles(folded, fits, printing, language) if folded else []
        if len(fitting) == 1:
            return fitting[0]
        if fitting:
            raise Unclear(
                Sentence("“{name}” could be several cards:", name=_shorten(name)),
                _candidates(fitting),
            )
    raise Unclear(
        suggest(
            Sentence("there is no card called “{name}”", name=_shorten(name)), _find_nearest(folded)
        )
    )


def _find_in_circles(
    folded: str, fits: Callable[[str, str], bool], printing: str, language: str
) -> list[str]:
    """The matching cards of the first circle that has any: table's box and language, box, all."""
    fitting = [
        (id_, where)
        for id_, names in _names().items()
        for where, text, name in names
        if fits(text, folded) and (where == "id" or not is_anothers(name, id_, where))
    ]
    circles = (
        [id_ for id_, where in fitting if where in ("id", language) and _is_in(id_, printing)],
        [id_ for id_, where in fitting if _is_in(id_, printing)],
        [id_ for id_, _ in fitting],
    )
    return list(dict.fromkeys(next(filter(None, circles), [])))


def _has_word(name: str, beginning: str) -> bool:
    return f" {beginning}" in name


def _is_in(card_id: str, printing: str) -> bool:
    return printing in printings_of(card_id)


@datafiles.keep
def _names() -> dict[str, list[tuple[str, str, str]]]:
    """The names of every card: (language or `id`, folded name, name)."""
    ids = [*datafiles.load("characters"), *datafiles.load("districts")]
    return {
        id_: [
            ("id", _fold(id_), id_),
            *(
                (code, text, name)
                for code, name in printed_names(id_)
                for text in dict.fromkeys((_fold(name), _fold(spell_out(name))))
            ),
        ]
        for id_ in ids
    }


def _facts(card_id: str) -> dict[str, Any]:
    facts: dict[str, Any] = (
        datafiles.load("characters").get(card_id) or datafiles.load("districts")[card_id]
    )
    return facts


def _fold(name: str) -> str:
    """The name without case, accents, underscores and extra spaces."""
    if not name.isascii():
        apart = unicodedata.normalize("NFD", name.translate(WITHOUT_MARKS))
        name = "".join(mark for mark in apart if not unicodedata.combining(mark))
    return " ".join(name.casefold().replace("_", " ").replace("’", "'").split())


def _candidates(ids: list[str]) -> list[str]:
    lines: list[str] = [
        Sentence(
            "  {id}: {card}, {kind}, in {boxes}",
            id=id_,
            card=card_name(id_),
            kind=_tell_kind(id_),
            boxes=", ".join(_list_box_ids(id_)),
        )
        for id_ in ids[:_MOST_CANDIDATES]
    ]
    more = len(ids) - len(lines)
    return [*lines, Sentence("  and {number} more", number=more)] if more else lines


def _list_box_ids(card_id: str) -> list[str]:
    """The ids of the editions that have the card."""
    printings = printings_of(card_id)
    return [id_ for id_, edition in editions().items() if edition.printing in printings]


def _tell_kind(card_id: str) -> Sentence:
    facts = _facts(card_id)
    if "rank" in facts:
        return Sentence("rank {rank}", rank=facts["rank"])
    return Sentence("{type} district", type=district_type(facts["type"]))


def _find_nearest(folded: str) -> str | None:
    """Name and id of the card with the most similar name."""
    names = {text: id_ for id_, spellings in _names().items() for _, text, _name in spellings}
    close = find_nearest(folded, names)
    if close is None:
        return None
    id_ = names[close]
    return Sentence("{value} ({meaning})", value=card_name(id_), meaning=id_)


def _shorten(name: str) -> str:
    return name if len(name) <= 60 else name[:59] + "…"
