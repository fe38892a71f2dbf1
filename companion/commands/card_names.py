"""Finding a card by printed name, id, prefix, or a near miss.

Cards of the table's box come before those of other boxes, and the table's language before the
others: `Port` is the Harbor in French, and `Порт` the Docks in Russian.
"""

from __future__ import annotations

from common.problems import find_nearest
from common.sentences import Sentence, suggest
from companion.language import card as card_name
from companion.language import district_type
from companion.language.vocabulary import WITHOUT_MARKS, spell_out
from engine import datafiles
from engine.editions import editions
from engine.words import is_anothers, printed_names

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any

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
    target = _fold(name)
    for fits in (str.__eq__, str.startswith, _has_word):
        matches = _find_in_circles(target, fits, printing, language) if target else []
        if len(matches) == 1:
            return matches[0]
        if matches:
            raise Unclear(
                Sentence("“{name}” could be several cards:", name=_shorten(name)),
                _candidates(matches),
            )
    raise Unclear(
        suggest(
            Sentence("there is no card called “{name}”", name=_shorten(name)), _find_nearest(target)
        )
    )


def _find_in_circles(
    target: str, fits: Callable[[str, str], bool], printing: str, language: str
) -> list[str]:
    """The matching cards of the first circle that has any: table's box and language, box, all."""
    fitting = [
        (id_, where)
        for id_, names in _names().items()
        for where, text, name in names
        if fits(text, target) and (where == "id" or not is_anothers(name, id_, where))
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
        import unicodedata

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


def _find_nearest(target: str) -> str | None:
    """Name and id of the card with the most similar name."""
    names = {text: id_ for id_, entries in _names().items() for _, text, _name in entries}
    close = find_nearest(target, names)
    if close is None:
        return None
    id_ = names[close]
    return Sentence("{card} ({id})", card=card_name(id_), id=id_)


def _shorten(name: str) -> str:
    return name if len(name) <= 60 else name[:59] + "…"
