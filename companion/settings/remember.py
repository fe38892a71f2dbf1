"""Saves settings chosen during play: one line of the user's own file."""

from __future__ import annotations

import os
import re

from common import own_files
from companion.files import locations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping


def save(key: str, value: str, env: Mapping[str, str] = os.environ) -> None:
    """Write `key: value` into the user's settings; every other line is left unchanged.

    `key` is at the left edge of the file. Raises OSError; the file is then unchanged.
    """
    path = os.path.realpath(locations.user_config(env))
    lines = _lines(path)
    line = re.compile(rf"{re.escape(key)}\s*:")
    places = [place for place, text in enumerate(lines) if line.match(text)]
    if places:
        comment = re.search(r"\s+#.*$", lines[places[0]].rstrip("\n"))
        lines[places[0]] = f"{key}: {value}{comment.group() if comment else ''}\n"
    else:
        lines.append(f"{key}: {value}\n")
    try:
        mode = os.stat(path).st_mode & 0o777
    except OSError:
        mode = own_files.FILE
    own_files.replace(path, "".join(lines), mode=mode)


def _lines(path: str) -> list[str]:
    """The lines of the file, each with its newline; none if the file does not exist."""
    try:
        with open(path, encoding="utf-8", newline="") as file:
            text = file.read()
    except FileNotFoundError:
        return []
    if text and not text.endswith("\n"):
        text += "\n"
    return text.splitlines(keepends=True)
