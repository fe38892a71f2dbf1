"""Shared by `engine`, `tags` and `companion`: sentences, problems with their places, files, YAML,
named tuples.

It imports nothing of the project. `NamedTuple` is, to the type checker, that of `typing`. But
`typing` and the `re` that it imports take half as long as the bare interpreter, and its
`NamedTuple` compiles the annotation of every field; a start makes a hundred of such classes.
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


if TYPE_CHECKING:
    from typing import NamedTuple as NamedTuple
else:

    class NamedTuple(metaclass=_Maker):
        """The base of a named tuple, of which no object is an instance."""
