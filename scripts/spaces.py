"""The spaces that a language sets before or after signs: none at which a line may break.

`make messages` sets them in the catalogues and in the cards' own files, so that a translator can
type ordinary ones; `docs/dev/glossary.*.md` says what they are.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import yaml

_NARROW, _WIDE = "\u202f", "\u00a0"
_BREAKING = {
    "fr": (
        (r"(?<=[^\s\u00a0\u202f«|]) (?=[;!?])", _NARROW),
        (r"(?<=\S) (?=:(?:\s|$))", _WIDE),
        (r"(?<=«) ?(?=[^\s\u00a0])", _WIDE),
        (r"(?<=[^\s\u00a0]) ?(?=»)", _WIDE),
    ),
    "ru": (
        (r"(?<=\S) (?=—)", _WIDE),
        (r"(?<=\d) (?=[а-яё])", _WIDE),
    ),
}
"""By language: where an ordinary space is wrong, and the one that replaces it."""
_FOLDED = r"(?: |\n +)"  # a space in YAML, also where a line ends


def set_spaces(text: str, code: str, ordinary: str = " ") -> str:
    """The text with the no-break spaces of that language for those of the pattern `ordinary`."""
    for place, space in _BREAKING.get(code, ()):
        text = re.sub(place.replace(" ", ordinary), space, text)
    return text


def set_spaces_of_card(text: str) -> str:
    """The text of a card's own file with the no-break spaces of each language in its parts."""
    parts = [part for _name, part in yaml.compose(text).value if isinstance(part, yaml.MappingNode)]
    found = [
        (scalar, key.value) for part in parts for key, node in part.value for scalar in _walk(node)
    ]
    for scalar, code in sorted(found, key=lambda one: -one[0].start_mark.index):
        start, end = scalar.start_mark.index, scalar.end_mark.index
        text = text[:start] + set_spaces(text[start:end], code, _FOLDED) + text[end:]
    return text


def _walk(node: yaml.Node) -> Iterator[yaml.ScalarNode]:
    """The values of a node that are no lists or mappings."""
    if isinstance(node, yaml.ScalarNode):
        yield node
    elif isinstance(node, yaml.MappingNode):
        for _key, value in node.value:
            yield from _walk(value)
    else:
        for value in node.value:
            yield from _walk(value)
