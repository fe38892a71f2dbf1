"""Edits a mapping file line by line, so that people's comments between the chips are kept.

Works only for files with the companion's layout, one chip per line; the caller must rewrite any
other file.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from tags.uids import parse_uid

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

_CHIP = re.compile(
    r"""(\s+["']?)([0-9A-Fa-f:]+)(["']?\s*:\s+)([^#"'\n]*[^#"'\s])(\s*(?:\s\#.*)?)"""
)


def change(text: str, chips: Mapping[bytes, str], means: Callable[[str], str | None]) -> str | None:
    """The text with exactly these chips; None for any other layout.

    `means` translates an entry as somebody wrote it.
    """
    lines = text.splitlines()
    heads = [place for place, line in enumerate(lines) if re.fullmatch(r"chips:\s*(#.*)?", line)]
    if len(heads) != 1:
        return None
    kept = lines[: heads[0] + 1]
    missing, end, indent = dict(chips), len(kept), "  "
    for place, line in enumerate(lines[heads[0] + 1 :], start=heads[0] + 1):
        if line and not line[0].isspace() and not line.startswith("#"):
            kept += lines[place:]
            break
        chip = _CHIP.fullmatch(line)
        if chip is None:
            kept.append(line)
            continue
        try:
            uid = parse_uid(chip[2])
        except ValueError:
            return None
        if uid in missing:
            entry = missing.pop(uid)
            same = means(chip[4]) == entry
            kept.append(line if same else f"{chip[1]}{chip[2]}{chip[3]}{entry}{chip[5]}")
            end, indent = len(kept), re.sub(r"\S.*", "", line)
    new = [f"{indent}{uid.hex().upper()}: {entry}" for uid, entry in missing.items()]
    return "\n".join([*kept[:end], *new, *kept[end:]]) + "\n"
