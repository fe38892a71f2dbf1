"""Generate `config.yaml`, the documented settings, from the table of settings.

make settings
"""

from __future__ import annotations

import inspect
import sys
import textwrap
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT))

from companion.settings.all_settings import SETTINGS  # noqa: E402
from companion.settings.keys import list_usual  # noqa: E402
from companion.settings.setting import Setting, list_brought  # noqa: E402
from tags.readers.roads import ROADS  # noqa: E402

WIDTH = 98  # columns
_HEAD = """\
# The settings of the Citadels companion, each with its default.
#
# To change some of them, put only those lines into a file of the same name in your settings
# folder (on Linux ~/.config/citadels-companion/) or, if COMPANION_DATA names a folder for
# this table, into that folder.
# For one start, use a variable: COMPANION_EDITION=deluxe_2016 companion
# Later ones win: this file, your file, COMPANION_… variables, options of the command.
"""


def document() -> str:
    """The text of `config.yaml`."""
    lines, group = [_HEAD], ""
    for setting in sorted((*SETTINGS.values(), *list_brought()), key=lambda one: bool(one.group)):
        if setting.group != group:
            group = setting.group
            lines.append(f"{group}:")
        indent = "  " if group else ""
        lines += [f"{indent}{line}" for line in _comment_on(setting)]
        lines.append(f"{indent}{setting.name}: {_value(setting.default)}\n")
    return "\n".join(lines)


def _comment_on(setting: Setting) -> Iterator[str]:
    """The comment on a setting, with its environment variable."""
    actions = textwrap.fill(" ".join(list_usual()), WIDTH - 6)
    roads = "\n".join(f"  {road.words}: {road.about}" for road in ROADS.values())
    text = inspect.cleandoc(setting.text).replace("{actions}", actions).replace("{roads}", roads)
    *lines, last = text.splitlines()
    if setting.variable:
        together = f"{last} ({setting.variable})"
        fits = len(together) < WIDTH - 4 and not last.startswith(" ")
        lines += [together] if fits else [last, f"({setting.variable})"]
    else:
        lines.append(last)
    return (f"# {line}" for line in lines)


def _value(value: Any) -> str:
    """A default value as YAML."""
    return str(value).lower().replace("none", "null") if value in (None, True, False) else value


if __name__ == "__main__":
    (ROOT / "config.yaml").write_text(document(), encoding="utf-8")
