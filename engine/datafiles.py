"""The engine's own YAML files, read once and kept compiled the way Python keeps its modules.

Parsing YAML costs several times the start of the interpreter, and `companion card` is asked for
between two turns. So the parsed data is kept beside the source in `__pycache__`.

A table may have cards of its own (engine.own_cards): `stand_in` replaces the data of a file.
Whatever is computed from the data and cached uses `keep`, so that it is then computed anew.
"""

from __future__ import annotations

import os
import sys
from collections import ChainMap
from functools import cache

from common import kept_yaml
from engine.languages import DATA_FOLDER

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any, TypeVar

    _Function = TypeVar("_Function", bound="Callable[..., Any]")

_KEPT = f".{sys.implementation.cache_tag}.marshal"
CARDS_FOLDER = os.path.join(DATA_FOLDER, "cards")
_MOST_VALUES = 20_000  # in a file of ours

_instead: dict[str, dict[str, Any]] = {}
_kept: list[Any] = []


def load(name: str) -> dict[str, Any]:
    """The data of `engine/data/NAME.yaml`, or what replaces it; callers must not change it.

    Raises OSError if the file is missing and Problems if it is not good YAML: both mean a broken
    installation.
    """
    found = _instead.get(name)
    return load_shipped(name) if found is None else found


def stand_in(data: Mapping[str, dict[str, Any]]) -> None:
    """From now on use this data, by name, instead of that of the files, and nothing else."""
    _instead.clear()
    _instead.update(data)
    for function in _kept:
        function.cache_clear()


def load_own() -> dict[str, Any]:
    """What a table says of its own cards, by edition: see engine.own_cards."""
    return _instead.get("own", {})


def keep(function: _Function) -> _Function:
    """`functools.cache` for what is computed from the data."""
    keeper: Any = cache(function)
    _kept.append(keeper)
    result: _Function = keeper
    return result


@cache
def load_shipped(name: str) -> dict[str, Any]:
    """The data of the file itself, even if it has been replaced, with what cards add to it in
    files of their own."""
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
    """That part of each card's own file that has it, by the card's id: `names`, `fr`."""
    found: dict[str, Any] = _files_of_cards()
    for part in parts:
        found = {id_: inner[part] for id_, inner in found.items() if part in inner}
    return found


@cache
def _files_of_cards() -> dict[str, Any]:
    """What is in `engine/data/cards/ID.yaml`: a card whose facts and words, in every language,
    came in one file. docs/adding.md says how one is written."""
    files = os.listdir(CARDS_FOLDER) if os.path.isdir(CARDS_FOLDER) else []
    ids = sorted(file.removesuffix(".yaml") for file in files if file.endswith(".yaml"))
    return {id_: read(os.path.join(CARDS_FOLDER, f"{id_}.yaml")) for id_ in ids}


@cache
def read(source: str) -> dict[str, Any]:
    """The data of a YAML file of the program's own; its keys are text. Raises as `load` does."""
    folder, name = os.path.split(source)
    kept = os.path.join(folder, "__pycache__", name.removesuffix(".yaml") + _KEPT)
    data: dict[str, Any] = kept_yaml.read(source, kept, most=_MOST_VALUES, mode=0o644).data
    return data
