"""The engine's own YAML files, read once and kept compiled the way Python keeps its modules.

Parsing YAML costs several times the start of the interpreter, and `companion card` is asked for
between two turns. So the parsed data is kept beside the source in `__pycache__`, stamped with the
source's size and time of change; a cache that is missing, stale or damaged is simply not used.

A table may have cards of its own (engine.own_cards): `stand_in` lets other data stand for a file's.
What is computed from the data and kept uses `kept`, so that it is computed anew then.
"""

from __future__ import annotations

import marshal
import os
import sys
from functools import cache
from typing import TYPE_CHECKING, Any, TypeVar

from engine.languages import DATA_FOLDER

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

_CACHE_SUFFIX = f".{sys.implementation.cache_tag}.marshal"


_Function = TypeVar("_Function", bound="Callable[..., Any]")

_instead: dict[str, dict[str, Any]] = {}
_kept: list[Any] = []


def load(name: str) -> dict[str, Any]:
    """The data of `engine/data/NAME.yaml`, or what stands in for it; callers must not change it.

    Raises OSError if the file is missing and yaml.YAMLError if it is not YAML: both mean a broken
    installation.
    """
    found = _instead.get(name)
    return shipped(name) if found is None else found


def stand_in(data: Mapping[str, dict[str, Any]]) -> None:
    """Let this data, by name, stand for that of the files from now on, and only this."""
    _instead.clear()
    _instead.update(data)
    for function in _kept:
        function.cache_clear()


def own() -> dict[str, Any]:
    """What a table says of its own cards, by edition: see engine.own_cards."""
    return _instead.get("own", {})


def kept(function: _Function) -> _Function:
    """`functools.cache` for what is computed from the data."""
    keeper: Any = cache(function)
    _kept.append(keeper)
    result: _Function = keeper
    return result


@cache
def shipped(name: str) -> dict[str, Any]:
    """The data of the file itself, whatever stands in for it."""
    return read(os.path.join(DATA_FOLDER, f"{name}.yaml"))


@cache
def read(source: str) -> dict[str, Any]:
    """The data of a YAML file of the program's own. Raises as `load` does."""
    status = os.stat(source)
    stamp = (status.st_size, status.st_mtime_ns)
    folder, name = os.path.split(source)
    cached = os.path.join(folder, "__pycache__", name.removesuffix(".yaml") + _CACHE_SUFFIX)
    data = _from_cache(cached, stamp)
    if data is None:
        data = _from_yaml(source)
        _keep(cached, stamp, data)
    return data


def _from_yaml(source: str) -> dict[str, Any]:
    import yaml

    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    with open(source, encoding="utf-8") as file:
        data: dict[str, Any] = yaml.load(file, Loader=loader)  # noqa: S506 - both are safe loaders
    return data


def _from_cache(path: str, stamp: tuple[int, int]) -> dict[str, Any] | None:
    try:
        with open(path, "rb") as file:
            kept_stamp, data = marshal.load(file)  # noqa: S302 - written by _keep, like a .pyc
    except (OSError, ValueError, EOFError, TypeError):
        return None
    return data if kept_stamp == stamp and isinstance(data, dict) else None


def _keep(path: str, stamp: tuple[int, int], data: dict[str, Any]) -> None:
    draft = f"{path}.{os.getpid()}"
    try:
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(draft, "wb") as file:
            marshal.dump((stamp, data), file)
        os.replace(draft, path)  # whole or not at all: another process may be reading
    except OSError:
        return  # a read-only installation works all the same, a little slower
