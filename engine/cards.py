"""The cards: what is printed on them, per printing, read from `engine/data`.

An id is the card's English 2016 name in lower snake case (shared by all printings). Costs are in
gold, copies count cards in the box. Texts are in our own words, with their source.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from engine import datafiles

DISTRICT_TYPES = ("noble", "religious", "trade", "military", "unique")


class Character(NamedTuple):
    id: str
    rank: int
    income: str | None
    build_limit: int
    takes_crown: bool
    players: tuple[int, ...] | None
    printings: tuple[str, ...]
    effects: dict[str, Any]


class District(NamedTuple):
    """One kind of district card as one printing has it; the box holds `copies` of it."""

    id: str
    type: str
    cost: int
    copies: int
    effects: dict[str, Any]


class CardText(NamedTuple):
    """What a card does, in our words: the text, the source of the rule, and our ruling if any."""

    text: str
    source: str
    ruling: str | None
    usually: str | None
    """What most people do with a character."""


@datafiles.keep
def characters() -> dict[str, Character]:
    """Every character of every printing, by id, in rank order."""
    return {
        id_: Character(
            id=id_,
            rank=facts["rank"],
            income=facts.get("income"),
            build_limit=facts.get("build_limit", 1),
            takes_crown=facts.get("takes_crown", False),
            players=tuple(facts["players"]) if "players" in facts else None,
            printings=tuple(facts["printings"]),
            effects=facts.get("effects", {}),
        )
        for id_, facts in datafiles.load("characters").items()
    }


def adapt_to_printing(character: Character, printing: str) -> Character:
    """The character with its effects in `printing`."""
    effects = {name: _pick_printing(value, printing) for name, value in character.effects.items()}
    return character._replace(effects={k: v for k, v in effects.items() if v is not None})


@datafiles.keep
def districts(printing: str) -> dict[str, District]:
    """The district cards in this printing's box, by id, in the order of the data."""
    return {
        id_: District(
            id=id_,
            type=facts["type"],
            cost=_pick_printing(facts.get("cost", 0), printing),
            copies=facts["copies"][printing],
            effects={
                effect: _pick_printing(value, printing)
                for effect, value in facts.get("effects", {}).items()
                if _pick_printing(value, printing) is not None
            },
        )
        for id_, facts in datafiles.load("districts").items()
        if printing in facts["copies"]
    }


@datafiles.keep
def district_ids() -> frozenset[str]:
    """The ids of all districts of all printings."""
    return frozenset(datafiles.load("districts"))


def text_of(
    card_id: str, edition_id: str, language: str = "en", *, secret: bool = True
) -> CardText:
    """The card's rules in that edition and language; `secret` adds the text for secret targets."""
    texts = (datafiles.load(f"texts.{code}") for code in (language, "en"))
    facts = next((text[card_id] for text in texts if card_id in text), None)
    if facts is None:  # a custom card includes its text (engine.own_cards)
        facts = datafiles.load("districts")[card_id]["said"]
    text: str = facts.get("by_edition", {}).get(edition_id, facts["text"])
    return CardText(
        text=f"{text} {facts['secret']}" if secret and "secret" in facts else text,
        source=facts.get("by_edition_source", {}).get(edition_id, facts["source"]),
        ruling=facts.get("ruling"),
        usually=facts.get("usually"),
    )


def _pick_printing(value: Any, printing: str) -> Any:
    return value.get(printing) if isinstance(value, dict) else value
