"""What a table writes of its own cards, checked like the built-in ones, every problem at once.

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
that have it describe it alike, but for cost and copies.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from engine import cards, datafiles, languages, words
from engine.moves import GRAMMAR
from engine.problems import Checker, Inconsistent, nearest
from engine.words import listing

if TYPE_CHECKING:
    from engine.own_cards import Own
    from engine.problems import Path

CORRECTIONS = ("cost", "copies")
KEYS = ("type", *CORRECTIONS, "names", "text", "points")
OWED = ("type", "cost", "copies", "names")  # by a card that no box known here has

MOST_COPIES = 20
DEAREST = 20  # gold
MOST_POINTS = 20
LONGEST_NAME = 40  # characters
LONGEST_TEXT = 1000
_ID = re.compile(r"[a-z][a-z0-9_]{1,39}")
_OTHER_WORDS = ("undo", "redo", "chip", "reference", "character", "district", "player", "action")


def read(data: object) -> Own:
    """The own cards that this data describes. Raises Inconsistent with every problem found."""
    check = Checker()
    editions = datafiles.shipped("editions")
    own: Own = {}
    for edition, entries in check.mapping(data, (), editions).items():
        own[edition] = _read_edition(check, entries, edition)
    _check_alike(check, own)
    if check.problems:
        raise Inconsistent(check.problems)
    return own


def _read_edition(check: Checker, data: object, edition: str) -> dict[str, dict[str, Any]]:
    printing = datafiles.shipped("editions")[edition]["printing"]
    known = datafiles.shipped("districts")
    if data is not None and not isinstance(data, dict):
        check.say(
            (edition,),
            "{edition} holds cards, each with its facts indented below it",
            edition=edition,
        )
        return {}
    found = {}
    for id_, facts in (data or {}).items():
        path: Path = (edition, id_)
        if not isinstance(facts, dict) or not facts:
            check.say(path, "“{id}” needs facts, such as copies: 2", id=id_)
        elif id_ in known:
            here = printing in known[id_]["copies"]
            found[id_] = _read_known(check, facts, path, here=here)
        elif _is_id(check, id_, path, facts):
            found[id_] = _read_new(check, facts, path)
            _check_names(check, found[id_].get("names", {}), (*path, "names"), data or {}, id_)
    return found


def _read_known(check: Checker, facts: dict[str, Any], path: Path, *, here: bool) -> dict[str, Any]:
    """A printed card: its cost and copies may be corrected, and another box's card added."""
    for key in facts:
        if key in KEYS and key not in CORRECTIONS:
            check.say(
                (*path, key),
                "the {key} of “{id}” is known; only cost and copies may differ",
                key=key,
                id=path[-1],
            )
        elif key not in KEYS:
            check.say(
                (*path, key), "unknown key “{key}”", key=key, near=nearest(str(key), CORRECTIONS)
            )
    if not here and "copies" not in facts:
        check.say(
            path, "“{id}” is a card of another box; say how many copies this one has", id=path[-1]
        )
    return _numbers(check, facts, path)


def _read_new(check: Checker, facts: dict[str, Any], path: Path) -> dict[str, Any]:
    said = check.mapping(facts, path, KEYS)
    missing = [key for key in OWED if key not in said]
    if missing:
        near = nearest(str(path[-1]), datafiles.shipped("districts"))
        check.say(
            path,
            "a card of your own needs {keys}",
            keys=listing(missing),
            near=near,
        )
    found = _numbers(check, said, path)
    if "type" in said:
        found["type"] = check.known(
            said["type"], (*path, "type"), cards.DISTRICT_TYPES, "{data} is no type of districts"
        )
    if "names" in said:
        found["names"] = _names(check, said["names"], (*path, "names"))
    if "text" in said:
        found["text"] = _words(check, said["text"], (*path, "text"), LONGEST_TEXT)
    if "points" in said:
        found["points"] = check.number(said["points"], (*path, "points"), most=MOST_POINTS)
        if found.get("type") != "unique":
            check.say((*path, "points"), "only a unique district brings points of its own")
    return found


def _is_id(check: Checker, id_: object, path: Path, facts: dict[str, Any]) -> bool:
    """Whether the word can name a card of the table's own."""
    if id_ in datafiles.shipped("characters"):
        check.say(path, "“{id}” is a character; only districts can be added or corrected", id=id_)
    elif not isinstance(id_, str) or not _ID.fullmatch(id_):
        check.say(path, "“{id}” is no id: small letters, digits and _ such as “new_tower”", id=id_)
    elif id_ in GRAMMAR or id_ in _OTHER_WORDS:
        check.say(path, "“{id}” is a word of the notation; choose another id", id=id_)
    elif set(facts) <= set(CORRECTIONS):
        near = nearest(id_, datafiles.shipped("districts"))
        if near:
            check.say(path, "“{id}” is no known card", id=id_, near=near)
        else:
            check.say(
                path,
                "“{id}” is no known card; one of your own needs {keys}",
                id=id_,
                keys=listing(OWED),
            )
    else:
        return True
    return False


def _numbers(check: Checker, facts: dict[str, Any], path: Path) -> dict[str, Any]:
    found = {}
    if "cost" in facts:
        found["cost"] = check.number(facts["cost"], (*path, "cost"), most=DEAREST)
    if "copies" in facts:
        found["copies"] = check.number(
            facts["copies"], (*path, "copies"), least=1, most=MOST_COPIES
        )
    return found


def _names(check: Checker, data: object, path: Path) -> dict[str, str]:
    said = check.mapping(data, path, languages.named())
    names = {
        language: _words(check, name, (*path, language), LONGEST_NAME)
        for language, name in said.items()
    }
    if not names and isinstance(data, dict | None):
        check.say(path, "a card needs a name in one language at least, such as en: New Tower")
    return names


def _words(check: Checker, data: object, path: Path, longest: int) -> str:
    text = " ".join(str(data).split()) if isinstance(data, str) else ""
    if not text:
        check.say(path, "“{key}” must be words", key=".".join(map(str, path)))
    elif len(text) > longest:
        check.say(
            path,
            "“{key}” has at most {most} characters",
            key=".".join(map(str, path)),
            most=longest,
        )
    return text


def _check_names(
    check: Checker, names: dict[str, str], path: Path, table: dict[str, Any], id_: str
) -> None:
    """No two cards may be called alike in one language: people could not tell which is meant."""
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
                "“{id}” is called “{name}” already",
                id=taken[name.casefold()],
                name=name,
            )


def _check_alike(check: Checker, own: Own) -> None:
    """One id is one card, in whichever editions it stands."""
    first: dict[str, tuple[str, dict[str, Any]]] = {}
    for edition, entries in own.items():
        for id_, said in entries.items():
            facts = {key: value for key, value in said.items() if key not in CORRECTIONS}
            where, known = first.setdefault(id_, (edition, facts))
            if known != facts:
                check.say(
                    (edition, id_),
                    "“{id}” is described otherwise under {edition}",
                    id=id_,
                    edition=where,
                )
