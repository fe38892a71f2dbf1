"""Add a table's custom cards to the built-in ones: districts that are not built in, and corrected
costs or numbers of copies (`engine.own_cards_file` checks the file).

`use` adds them to that edition's cards only, for the rest of the process, for every reader of the
card data.
"""

from __future__ import annotations

from typing import Any

from engine import datafiles

Own = dict[str, dict[str, dict[str, Any]]]  # edition -> card -> its facts in the table's file


def use(own: Own) -> None:
    """Add these custom cards to the known cards, replacing any added before."""
    districts = {id_: dict(facts) for id_, facts in datafiles.load_shipped("districts").items()}
    characters = {id_: dict(facts) for id_, facts in datafiles.load_shipped("characters").items()}
    editions = {id_: dict(facts) for id_, facts in datafiles.load_shipped("editions").items()}
    for edition, entries in own.items():
        if entries:
            printing = editions[edition]["printing"]
            editions[edition]["printing"] = new = f"{edition}, with own cards"
            for facts in (*districts.values(), *characters.values()):
                _print_anew(facts, printing, new)
            for id_, fields in entries.items():
                districts[id_] = _apply(districts.get(id_), fields, new)
    is_changed = any(own.values())
    names = {"districts": districts, "characters": characters, "editions": editions, "own": own}
    datafiles.stand_in(names if is_changed else {})


def find_in_use(edition: str) -> dict[str, dict[str, Any]]:
    """The table's custom facts about that edition's cards; empty if there are none."""
    results: dict[str, dict[str, Any]] = datafiles.load_own().get(edition, {})
    return results


def _print_anew(facts: dict[str, Any], printing: str, new: str) -> None:
    """Copy the card's facts from one printing to a new one."""
    for key in ("copies", "cost"):
        if isinstance(facts.get(key), dict) and printing in facts[key]:
            facts[key] = {**facts[key], new: facts[key][printing]}
    if printing in facts.get("printings", ()):
        facts["printings"] = [*facts["printings"], new]
    facts["effects"] = {
        effect: {**value, new: value[printing]}
        if isinstance(value, dict) and printing in value
        else value
        for effect, value in facts.get("effects", {}).items()
    }


def _apply(facts: dict[str, Any] | None, fields: dict[str, Any], printing: str) -> dict[str, Any]:
    """The card's facts, updated with the table's own for its printing."""
    if facts is None:
        names = fields["names"]
        words = fields.get("text", "A district of this table's own.")
        facts = {
            "type": fields["type"],
            "cost": {},
            "copies": {},
            "names": {**names, "en": names.get("en") or next(iter(names.values()))},
            "effects": {"points": fields["points"]} if "points" in fields else {},
            "said": {"text": words, "source": "this table's own cards"},
        }
    model = printing  # the printing whose facts are the defaults
    if printing not in facts["copies"] and facts["copies"]:
        model = list(facts["copies"])[-1]
    copies = facts["copies"] | ({printing: fields["copies"]} if "copies" in fields else {})
    cost = facts.get("cost", 0)
    costs = cost if isinstance(cost, dict) else dict.fromkeys(copies, cost)
    costs = {printing: costs.get(model, 0)} | costs
    if "cost" in fields:
        costs |= {printing: fields["cost"]}
    effects = {
        effect: {printing: value[model], **value}
        if isinstance(value, dict) and model in value
        else value
        for effect, value in facts.get("effects", {}).items()
    }
    return {**facts, "copies": copies, "cost": costs, "effects": effects}
