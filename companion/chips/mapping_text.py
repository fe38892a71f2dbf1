"""Changing the text of a mapping file: people's own lines and comments stay."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from tags.uids import parse_uid

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

_CHIP = re.compile(
    r"""(\s+["']?)([0-9A-Fa-f:]+)(["']?\s*:\s+)([^#"'\n]*[^#"'\s])(\s*(?:\s\#.*)?)"""
)


def edit_mapping_text(
    text: str,
    decks: Mapping[str, Mapping[bytes, str]],
    means: Callable[[str], str | None],
) -> str | None:
    """The text with exactly these chips of each deck; None for any other layout.

    `means` translates an entry as somebody wrote it.
    """
    for deck, chips in decks.items():
        name = _edit_section(text, deck, chips, means)
        if name is None:
            return None
        text = name
    return text


def _edit_section(
    text: str, deck: str, chips: Mapping[bytes, str], means: Callable[[str], str | None]
) -> str | None:
    lines = text.splitlines()
    head = rf"""\s+["']?{re.escape(deck)}["']?""" if deck else "chips"
    heads = [n for n, line in enumerate(lines) if re.fullmatch(rf"{head}:\s*(#.*)?", line)]
    if len(heads) != 1:
        return None
    depth = _count_indent(lines[heads[0]])
    head_lines = lines[: heads[0] + 1]
    missing, end, indent = dict(chips), len(head_lines), " " * (depth + 2)
    for place, line in enumerate(lines[heads[0] + 1 :], start=heads[0] + 1):
        if line.strip() and _count_indent(line) <= depth and not line.lstrip().startswith("#"):
            head_lines += lines[place:]
            break
        chip = _CHIP.fullmatch(line)
        if chip is None:
            head_lines.append(line)
            continue
        try:
            uid = parse_uid(chip[2])
        except ValueError:
            return None
        if uid in missing:
            entry = missing.pop(uid)
            same = means(chip[4]) == entry
            head_lines.append(line if same else f"{chip[1]}{chip[2]}{chip[3]}{entry}{chip[5]}")
            end, indent = len(head_lines), re.sub(r"\S.*", "", line)
    new = [f"{indent}{uid.hex().upper()}: {entry}" for uid, entry in missing.items()]
    return "\n".join([*head_lines[:end], *new, *head_lines[end:]]) + "\n"


def _count_indent(line: str) -> int:
    return len(line) - len(line.lstrip())
