"""`NamedTuple` like that of `typing`, for what every start imports: `typing` and the `re` that it
imports take half as long as the bare interpreter.

A module names the one of `typing` for the type checker and takes this one:

    if TYPE_CHECKING:
        from typing import NamedTuple
    else:
        from common.named_tuples import NamedTuple
"""

from __future__ import annotations

from collections import namedtuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_OF_THE_CLASS = ("__module__", "__qualname__", "__annotations__")


class _Maker(type):
    """Makes the class from the annotations of its fields; defaults and methods are kept."""

    def __new__(cls, name: str, bases: tuple[type, ...], members: dict[str, Any]) -> Any:
        if not bases:
            return super().__new__(cls, name, bases, members)
        fields = members["__annotations__"]
        defaults = [members[field] for field in fields if field in members]
        result = namedtuple(name, fields, defaults=defaults, module=members["__module__"])  # type: ignore[misc]
        for key, value in members.items():
            if key not in fields and key not in _OF_THE_CLASS:
                setattr(result, key, value)
        result.__annotations__ = fields
        return result


class NamedTuple(metaclass=_Maker):
    """The base of a named tuple, of which no object is an instance."""
