"""`companion card NAME`: what a card does, in the table's language and according to its edition."""

from __future__ import annotations

from companion.commands import DONE, CommandError, load_settings, prefix_command
from companion.commands.card_names import Unclear, find, printings_of
from companion.errors.output import answer
from companion.language import _, amount, coins, district_type, listing, translate
from companion.language import card as card_name
from engine import cards, datafiles
from engine.editions import editions
from engine.words import printed_names

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from companion.commands.parsing import Parser
    from engine.editions import Edition


def run(words: list[str]) -> int:
    """Print the card that the words name, or one for each word."""
    names, options = words, None
    if not words or any(word.startswith("-") for word in words):
        names, options = _parse(words)
    config = load_settings(options)
    edition = editions()[config.edition]
    try:
        ids = _find_all(names, edition.printing, config.language)
    except Unclear as error:
        raise CommandError(
            prefix_command("companion card", str(error)), *error.candidates
        ) from None
    for card_id in ids:
        answer(describe(card_id, edition, config.language))
    return DONE


def _parse(words: list[str]) -> tuple[list[str], dict[str, Any] | None]:
    """Split the words into cards' names and the settings that the options change (None without
    options)."""
    parser = make_parser()
    args = parser.parse_args(words)
    return args.name, parser.settings(args)


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


def make_parser() -> Parser:
    """The command's options."""
    from companion.commands.parsing import Parser

    parser = Parser("card", "Explain a card, in the table's language.")
    parser.add_argument(
        "name",
        metavar="NAME",
        nargs="+",
        help="the card's name in any language, its id, or the start of either",
    )
    parser.add_setting("edition", help="explain it as it works in this box")
    return parser


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
    lines += [text.text, _("Source: {place}").format(place=text.source)]
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
