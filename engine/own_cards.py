"""A table's custom cards: districts that are not built in, corrected costs or numbers of copies.

`read` checks a file of them like the built-in ones, all problems at once:

    millennium_3e:
      palace: {copies: 3}          # a known card, corrected
      bastion:                     # a card of its own
        type: military
        cost: 4
        copies: 1
        names: {en: Bastion, fr: Bastion}
        text: Two points more at the end.   # optional, as `points`
        points: 2                           # unique districts only

A card of another box is added by its id and its number of copies. One id is one card: two editions
that have it must agree on everything but cost and copies.

`use` adds them to that edition's cards only, for the rest of the process, for every reader of the
card data.
"""

from __future__ import annotations

import re
from typing import Any

from common.problems import Checker, Path, Problems, find_nearest
from engine import cards, datafiles, words
from engine.moves import GRAMMAR
from engine.words import listing

Own = dict[str, dict[str, dict[str, Any]]]  # edition -> card -> its facts in the table's file


CORRECTIONS = ("cost", "copies")
KEYS = ("type", *CORRECTIONS, "names", "text", "points")
OWED = ("type", "cost", "copies", "names")  # required for a card that no known box has

MOST_COPIES = 20
DEAREST = 20  # gold
MOST_POINTS = 20
LONGEST_NAME = 40  # characters
LONGEST_TEXT = 1000
_ID = re.compile(r"[a-z][a-z0-9_]{1,39}")
_OTHER_WORDS = ("undo", "redo", "chip", "reference", "character", "district", "player", "action")


def use(own: Own) -> None:
    """Add these custom cards to the known cards, replacing any added before."""
    districts = {id_: dict(facts) for id_, facts in datafiles.load_shipped("districts").items()}
    characters = {id_: dict(facts) for id_, facts in datafiles.load_shipped("characters").items()}
    editions = {id_: dict(facts) for id_, facts in datafiles.load_shipped("editions").items()}
    for edition, own_cards in own.items():
        if own_cards:
            printing = editions[edition]["printing"]
            editions[edition]["printing"] = new = f"{edition}, with own cards"
            for facts in (*districts.values(), *characters.values()):
                _print_anew(facts, printing, new)
            for id_, fields in own_cards.items():
                districts[id_] = _apply(districts.get(id_), fields, new)
    is_changed = any(own.values())
    names = {"districts": districts, "characters": characters, "editions": editions, "own": own}
    datafiles.stand_in(names if is_changed else {})


def find_in_use(edition: str) -> dict[str, dict[str, Any]]:
    """The table's custom facts about that edition's cards; empty if there are none."""
    facts: dict[str, dict[str, Any]] = datafiles.load_own().get(edition, {})
    return facts


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
        text = fields.get("text", "A district of this table's own.")
        facts = {
            "type": fields["type"],
            "cost": {},
            "copies": {},
            "names": {**names, "en": names.get("en") or next(iter(names.values()))},
            "effects": {"points": fields["points"]} if "points" in fields else {},
            "said": {"text": text, "source": "this table's own cards"},
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


def read(data: object) -> Own:
    """Parse custom cards. Raises Problems with every problem found."""
    check = Checker()
    editions = datafiles.load_shipped("editions")
    own: Own = {}
    for edition, facts in check.read_mapping(data, (), editions).items():
        own[edition] = _read_edition(check, facts, edition)
    _check_alike(check, own)
    if check.problems:
        raise Problems(check.problems)
    return own


def _read_edition(check: Checker, data: object, edition: str) -> dict[str, dict[str, Any]]:
    printing = datafiles.load_shipped("editions")[edition]["printing"]
    shipped = datafiles.load_shipped("districts")
    if data is not None and not isinstance(data, dict):
        check.say(
            (edition,),
            "{edition} must list cards, each with its facts indented below it",
            edition=edition,
        )
        return {}
    own = {}
    for id_, facts in (data or {}).items():
        path: Path = (edition, id_)
        if not isinstance(facts, dict) or not facts:
            check.say(path, "“{id}” needs facts, such as copies: 2", id=id_)
        elif id_ in shipped:
            is_in_box = printing in shipped[id_]["copies"]
            own[id_] = _read_known(check, facts, path, here=is_in_box)
        elif _is_id(check, id_, path, facts):
            own[id_] = _read_new(check, facts, path)
            _check_names(check, own[id_].get("names", {}), (*path, "names"), data or {}, id_)
    return own


def _read_known(check: Checker, facts: dict[str, Any], path: Path, *, here: bool) -> dict[str, Any]:
    """Read a printed card: corrected cost and copies, or a card from another box."""
    for key in facts:
        if key in KEYS and key not in CORRECTIONS:
            check.say(
                (*path, key),
                "the {key} of “{id}” is fixed; only cost and copies can differ",
                key=key,
                id=path[-1],
            )
        elif key not in KEYS:
            check.say(
                (*path, key),
                "unknown key “{key}”",
                key=key,
                near=find_nearest(str(key), CORRECTIONS),
            )
    if not here and "copies" not in facts:
        check.say(path, "“{id}” is from another box; say how many copies this one has", id=path[-1])
    return _read_numbers(check, facts, path)


def _read_new(check: Checker, facts: dict[str, Any], path: Path) -> dict[str, Any]:
    fields = check.read_mapping(facts, path, KEYS)
    missing = [key for key in OWED if key not in fields]
    if missing:
        near = find_nearest(str(path[-1]), datafiles.load_shipped("districts"))
        check.say(
            path,
            "a card of your own needs {keys}",
            keys=listing(missing),
            near=near,
        )
    card = _read_numbers(check, fields, path)
    if "type" in fields:
        card["type"] = check.check_known(
            fields["type"],
            (*path, "type"),
            cards.DISTRICT_TYPES,
            "{data} is not a type of district",
        )
    if "names" in fields:
        card["names"] = _read_names(check, fields["names"], (*path, "names"))
    if "text" in fields:
        card["text"] = _read_words(check, fields["text"], (*path, "text"), LONGEST_TEXT)
    if "points" in fields:
        card["points"] = check.read_number(fields["points"], (*path, "points"), most=MOST_POINTS)
        if card.get("type") != "unique":
            check.say((*path, "points"), "only a unique district can score points of its own")
    return card


def _is_id(check: Checker, id_: object, path: Path, facts: dict[str, Any]) -> bool:
    """Whether the word can be the id of a custom card."""
    if id_ in datafiles.load_shipped("characters"):
        check.say(path, "“{id}” is a character; only districts can be added or corrected", id=id_)
    elif not isinstance(id_, str) or not _ID.fullmatch(id_):
        check.say(
            path,
            "“{id}” is not an id: use lower-case letters, digits and _, such as “new_tower”",
            id=id_,
        )
    elif id_ in GRAMMAR or id_ in _OTHER_WORDS:
        check.say(path, "“{id}” is a word of the notation; choose another id", id=id_)
    elif set(facts) <= set(CORRECTIONS):
        near = find_nearest(id_, datafiles.load_shipped("districts"))
        if near:
            check.say(path, "unknown card “{id}”", id=id_, near=near)
        else:
            check.say(
                path,
                "unknown card “{id}”; one of your own needs {keys}",
                id=id_,
                keys=listing(OWED),
            )
    else:
        return True
    return False


def _read_numbers(check: Checker, facts: dict[str, Any], path: Path) -> dict[str, Any]:
    numbers = {}
    if "cost" in facts:
        numbers["cost"] = check.read_number(facts["cost"], (*path, "cost"), most=DEAREST)
    if "copies" in facts:
        numbers["copies"] = check.read_number(
            facts["copies"], (*path, "copies"), least=1, most=MOST_COPIES
        )
    return numbers


def _read_names(check: Checker, data: object, path: Path) -> dict[str, str]:
    fields = check.read_mapping(data, path, datafiles.list_languages())
    names = {
        language: _read_words(check, name, (*path, language), LONGEST_NAME)
        for language, name in fields.items()
    }
    if not names and isinstance(data, dict | None):
        check.say(path, "a card needs a name in at least one language, such as en: New Tower")
    return names


def _read_words(check: Checker, data: object, path: Path, longest: int) -> str:
    text = " ".join(str(data).split()) if isinstance(data, str) else ""
    if not text:
        check.say(path, "“{key}” must be text", key=".".join(map(str, path)))
    elif len(text) > longest:
        check.say(
            path,
            "“{key}” can have at most {most} characters",
            key=".".join(map(str, path)),
            most=longest,
        )
    return text


def _check_names(
    check: Checker, names: dict[str, str], path: Path, table: dict[str, Any], id_: str
) -> None:
    """Check that no two cards share a name in one language, which would be ambiguous."""
    for language, name in names.items():
        taken = {
            facts["name"].casefold(): other
            for other, facts in words.language(language)["cards"].items()
        }
        for other, facts in table.items():
            if other != id_ and isinstance(facts, dict) and isinstance(facts.get("names"), dict):
                taken[str(facts["names"].get(language, "")).casefold()] = other
        if name and name.casefold() in taken:
            check.say(
                (*path, language),
                "“{id}” is already called “{name}”",
                id=taken[name.casefold()],
                name=name,
            )


def _check_alike(check: Checker, own: Own) -> None:
    """Check that an id describes the same card in every edition that has it."""
    first: dict[str, tuple[str, dict[str, Any]]] = {}
    for edition, own_cards in own.items():
        for id_, fields in own_cards.items():
            facts = {key: value for key, value in fields.items() if key not in CORRECTIONS}
            where, facts_before = first.setdefault(id_, (edition, facts))
            if facts_before != facts:
                check.say(
                    (edition, id_),
                    "“{id}” is described differently under {edition}",
                    id=id_,
                    edition=where,
                )
