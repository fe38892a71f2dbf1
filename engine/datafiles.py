"""The engine's own YAML files, each read once.

A table may have custom cards (engine.own_cards): `stand_in` replaces a file's data. Functions that
cache results computed from the data use `keep`, so that replacing clears them.
"""

from __future__ import annotations

import os
from collections import ChainMap
from collections.abc import Callable, Mapping
from functools import cache
from typing import TYPE_CHECKING, Any, TypeVar

from common import strict_yaml

if TYPE_CHECKING:
    _Function = TypeVar("_Function", bound="Callable[..., Any]")


DATA_FOLDER = os.path.join(os.path.dirname(__file__), "data")


def list_languages() -> list[str]:
    """The languages that have card names (`names.CODE.yaml`), English first."""
    return list(_find_all())


@cache
def _find_all() -> tuple[str, ...]:
    parts = (file.split(".") for file in os.listdir(DATA_FOLDER))
    codes = (p[1] for p in parts if len(p) == 3 and p[0] == "names" and p[2] == "yaml")
    return tuple(sorted(codes, key=lambda code: (code != "en", code)))


CARDS_FOLDER = os.path.join(DATA_FOLDER, "cards")
_MOST_VALUES = 20_000  # in one of our files

_instead: dict[str, dict[str, Any]] = {}
_kept: list[Any] = []


def load(name: str) -> dict[str, Any]:
    """The data of `engine/data/NAME.yaml`, or what replaces it; callers must not change it. Raises
    OSError if the file is missing and Problems if it is invalid YAML: both mean a broken
    installation."""
    replacement = _instead.get(name)
    return load_shipped(name) if replacement is None else replacement


def stand_in(data: Mapping[str, dict[str, Any]]) -> None:
    """Use this data, by file name, instead of the files' own; earlier replacements are dropped."""
    _instead.clear()
    _instead.update(data)
    for function in _kept:
        function.cache_clear()


def load_own() -> dict[str, Any]:
    """The table's custom cards, by edition: see engine.own_cards."""
    return _instead.get("own", {})


def keep(function: _Function) -> _Function:
    """`functools.cache`, cleared when the data is replaced."""
    keeper: Any = cache(function)
    _kept.append(keeper)
    result: _Function = keeper
    return result


@cache
def load_shipped(name: str) -> dict[str, Any]:
    """The data of the file itself, even if replaced, with the additions of cards that have their
    own files."""
    data = read(os.path.join(DATA_FOLDER, f"{name}.yaml"))
    kind, _, code = name.partition(".")
    if kind in ("characters", "districts"):
        return data | load_of_cards(kind.removesuffix("s"))
    if kind == "names":
        return data | {"cards": (data.get("cards") or {}) | load_of_cards(kind, code)}
    if kind == "texts":
        return data | load_of_cards(kind, code)
    if kind == "rules":
        return data | dict(ChainMap(*load_of_cards(kind).values()))
    return data


def load_of_cards(*parts: str) -> dict[str, Any]:
    """This part (`names`, `fr`) of each card file that has it, by the card's id."""
    parts_by_card: dict[str, Any] = _files_of_cards()
    for part in parts:
        parts_by_card = {id_: facts[part] for id_, facts in parts_by_card.items() if part in facts}
    return parts_by_card


@cache
def _files_of_cards() -> dict[str, Any]:
    """The contents of `engine/data/cards/ID.yaml`, each a card with its facts and words in every
    language. docs/dev/adding.md describes the format."""
    files = os.listdir(CARDS_FOLDER) if os.path.isdir(CARDS_FOLDER) else []
    ids = sorted(file.removesuffix(".yaml") for file in files if file.endswith(".yaml"))
    return {id_: read(os.path.join(CARDS_FOLDER, f"{id_}.yaml")) for id_ in ids}


@cache
def read(source: str) -> dict[str, Any]:
    """The data of one of the program's own YAML files; its keys are text. Raises as `load` does."""
    data: dict[str, Any] = strict_yaml.read(source, most=_MOST_VALUES).data
    return data
