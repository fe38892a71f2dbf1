"""A table's own cards among the known ones: districts that its printing has besides those known
here, and costs or numbers of copies that differ in it (`engine.own_cards_file` says how they are
written and checks them).

`use` adds them to the cards of that edition only, from then on in this process: everything that
reads cards then reads these too.
"""

from __future__ import annotations

from typing import Any

from engine import datafiles

Own = dict[str, dict[str, dict[str, Any]]]  # edition -> card -> what the table says of it


def use(own: Own) -> None:
    """From now on these cards, and no others of a table's own, are among the known ones."""
    districts = {id_: dict(facts) for id_, facts in datafiles.load_shipped("districts").items()}
    characters = {id_: dict(facts) for id_, facts in datafiles.load_shipped("characters").items()}
    editions = {id_: dict(facts) for id_, facts in datafiles.load_shipped("editions").items()}
    for edition, entries in own.items():
        if entries:
            printing = editions[edition]["printing"]
            editions[edition]["printing"] = new = f"{edition}, with own cards"
            for facts in (*districts.values(), *characters.values()):
                _print_anew(facts, printing, new)
            for id_, said in entries.items():
                districts[id_] = _apply(districts.get(id_), said, new)
    changed = any(own.values())
    names = {"districts": districts, "characters": characters, "editions": editions, "own": own}
    datafiles.stand_in(names if changed else {})


def find_in_use(edition: str) -> dict[str, dict[str, Any]]:
    """What the table says of the cards of that edition: nothing if it has none of its own."""
    found: dict[str, dict[str, Any]] = datafiles.load_own().get(edition, {})
    return found


def _print_anew(facts: dict[str, Any], printing: str, new: str) -> None:
    """Give the card the same facts in the new printing as in the old one."""
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


def _apply(facts: dict[str, Any] | None, said: dict[str, Any], printing: str) -> dict[str, Any]:
    """The card's facts with what the table says of it in its printing."""
    if facts is None:
        names = said["names"]
        words = said.get("text", "A district of this table's own.")
        facts = {
            "type": said["type"],
            "cost": {},
            "copies": {},
            "names": {**names, "en": names.get("en") or next(iter(names.values()))},
            "effects": {"points": said["points"]} if "points" in said else {},
            "said": {"text": words, "source": "this table's own cards"},
        }
    model = printing  # the printing whose facts apply where the table says nothing
    if printing not in facts["copies"] and facts["copies"]:
        model = list(facts["copies"])[-1]
    copies = facts["copies"] | ({printing: said["copies"]} if "copies" in said else {})
    cost = facts.get("cost", 0)
    costs = cost if isinstance(cost, dict) else dict.fromkeys(copies, cost)
    costs = {printing: costs.get(model, 0)} | costs
    if "cost" in said:
        costs |= {printing: said["cost"]}
    effects = {
        effect: {printing: value[model], **value}
        if isinstance(value, dict) and model in value
        else value
        for effect, value in facts.get("effects", {}).items()
    }
    return {**facts, "copies": copies, "cost": costs, "effects": effects}
