"""A table of the club in words, for the wall: what its messages say, in the viewer's language."""

from __future__ import annotations

from contextlib import suppress
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

from common.sentences import Sentence, fill
from companion.extensions.club import messages
from companion.language import (
    _,
    amount,
    card,
    catalogues,
    coins,
    district_type,
    hand_cards,
    list_offered,
    listing,
    translate,
)
from companion.phones.page import Card, Player
from companion.wording import facts, state
from companion.wording.facts import DistrictFacts
from engine import cards
from engine.editions import editions
from engine.words import Name, any_district

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from companion.extensions.club.directory import ClubTable, TableDirectory
    from companion.language.catalogues import Catalogue

LONGEST_SENTENCE = 300
"""The most characters of a sentence about what happened last."""


class Picture(NamedTuple):
    """A table on the wall."""

    name: str
    status: str  # as in its message
    is_there: bool
    state: str  # the status in words, where it matters
    edition: str
    round: str
    moment: str
    is_last: bool  # its last round
    is_over: bool
    calls: tuple[str, ...]  # for a judge, the sentence of each
    players: tuple[Player, ...]
    winners: frozenset[str]
    told: tuple[str, ...]  # what happened last, a sentence each
    at: str  # when it last said something, by its own clock


def draw(directory: TableDirectory, table: ClubTable) -> Picture:
    view, fresh = table.view, directory.is_fresh
    is_over = view.get("phase") == "over"
    return Picture(
        name=table.name,
        status=table.status if fresh else messages.LOST,
        is_there=table.is_there and fresh,
        state=_describe_status(table.status, fresh=fresh),
        edition=_name_edition(view["edition"]) if view else "",
        round=_("Round {round}").format(round=view["round"]) if view else "",
        moment=_describe_moment(view),
        is_last=_is_last(view) and not is_over,
        is_over=is_over,
        calls=tuple(call["text"] for call in table.calls),
        players=tuple(
            _draw_player(view, seat, name) for seat, name in enumerate(view.get("players", ()))
        ),
        winners=frozenset(view["score"]["winners"] if view.get("score") else ()),
        told=tuple(_tell_all(table.state.get("told", ()))),
        at=table.state.get("at", "")[11:16],
    )


def _describe_status(status: str, *, fresh: bool) -> str:
    if not fresh:
        return _("The broker does not answer: this may be old.")
    words = {
        messages.ALERT: _("Calls a judge"),
        messages.LOST: _("No connection to this table"),
        messages.DISCONNECTED: _("This table has left"),
        "sleeping": _("This table sleeps"),
    }
    return words.get(status, "")


def _name_edition(id_: str) -> str:
    edition = editions().get(id_)
    return translate(edition.title) if edition is not None else id_


def _is_last(view: dict[str, Any]) -> bool:
    """Whether it is the last round, as far as the view tells: where a fallen Bell Tower lets the
    game go on, a city must still be complete."""
    if not view.get("first_complete"):
        return False
    edition = editions().get(view["edition"])
    goes_on = edition is not None and edition.switches.get("fallen_bell_tower") == "usual"
    return not goes_on or any(player["complete"] for player in view["players"].values())


def _describe_moment(view: dict[str, Any]) -> str:
    if not view:
        return _("No game yet")
    if view["phase"] == "over":
        return _("The game is over.")
    if _is_last(view):
        return _("The last round.")
    rank = view["called"]
    return _("Rank {rank} is called").format(rank=rank) if rank else _("Choosing characters")


def _tell_all(entries: Iterable[dict[str, Any]]) -> Iterator[str]:
    """What happened last, in the viewer's language. A table may send anything: only sentences that
    this program has are said, and each is cut: its fields may be long lists."""
    for entry in entries:
        with suppress(LookupError, ValueError, TypeError, ArithmeticError):
            text = translate(_read_sentence(entry["fields"]))
            is_long = len(text) > LONGEST_SENTENCE
            yield f"{text[: LONGEST_SENTENCE - 1]}…" if is_long else text


def _read_sentence(fields: dict[str, Any]) -> Sentence:
    """The sentence of a message. Raises LookupError, ValueError, TypeError or ArithmeticError for
    one that this program does not have, or that cannot be filled in."""
    template = fields["sentence"]
    values = {name: _read_field(one) for name, one in fields.items() if name != "sentence"}
    if template not in _load_sentences() or messages.list_fields(template) != values.keys():
        raise LookupError(template)
    return fill(template, values)


def _read_field(value: Any) -> Any:
    if not isinstance(value, dict):
        return value
    match value:
        case {"sentence": _}:
            return _read_sentence(value)
        case {"noun": noun, "number": number}:
            return amount(noun, number)
        case {"list": members, **rest}:
            return listing(map(_read_field, members), conjunction=rest.get("joined", "and"))
        case {"kind": "types", "name": name}:
            return district_type(name)
        case {"kind": "cards", "name": name}:
            return card(name) if _is_card(name) else name
    return any_district()


@cache
def _load_sentences() -> Catalogue:
    """The sentences of this program: those that a language other than English has."""
    return catalogues.load(next(code for code in list_offered() if code != "en"))


def _draw_player(view: dict[str, Any], seat: int, name: str) -> Player:
    player, awaiting, score = view["players"][name], view["awaiting"], view["score"]
    hand = player.get("hand")
    points = score["players"].get(name) if score else None
    return Player(
        name=name,
        seat=seat,
        gold=coins(player["gold"]),
        hand="" if hand is None else hand_cards(hand),
        crown=name == view["crown"],
        called=awaiting is not None and awaiting["player"] == name,
        complete=player.get("complete", False),
        size="" if hand is None else state.progress(len(player["city"]), view["city_size"]),
        points=facts.points(points["total"]) if points else "",
        shown=tuple(Card(one, name_card(one), ()) for one in player.get("revealed", ())),
        city=tuple(
            _draw_district(view, id_, decorated=id_ in player.get("decorated", ()))
            for id_ in player["city"]
        ),
    )


def _draw_district(view: dict[str, Any], id_: str, *, decorated: bool) -> DistrictFacts:
    edition = editions().get(view["edition"])
    district = cards.districts(edition.printing).get(id_) if edition is not None else None
    type_, cost = (district.type, district.cost) if district is not None else ("unique", 0)
    return DistrictFacts(id_, name_card(id_), type_, district_type(type_), cost, decorated, 0)


def find_sign(id_: str) -> str:
    """The sign of a card of any edition: a character's own, or its type's."""
    all_districts = (cards.districts(box.printing) for box in editions().values())
    return next((some[id_].type for some in all_districts if id_ in some), id_)


def name_card(id_: str) -> Name:
    """A card's name; of a card that this computer does not know, its id."""
    return card(id_) if _is_card(id_) else Name(id_)


def _is_card(id_: str) -> bool:
    return id_ in cards.characters() or id_ in cards.district_ids()
