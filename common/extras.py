"""The extras of pyproject.toml that the program uses: whether each is installed, and the command
that installs it here."""

from __future__ import annotations

import os
import shlex
import sys
from importlib.util import find_spec
from typing import TYPE_CHECKING, Literal

from common.sentences import Sentence

if TYPE_CHECKING:
    Extra = Literal["club", "labels", "pcsc", "speech", "tls", "wedge"]


MODULES: dict[Extra, tuple[str, ...]] = {
    "club": ("paho",),
    "labels": ("reportlab", "ttf_opensans"),
    "pcsc": ("smartcard",),
    "speech": ("prism",),
    "tls": ("cryptography",),
    "wedge": ("evdev",),
}
"""The modules without which nothing of an extra works."""

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
"""The checkout, or the folder that an installed companion is in."""


def is_installed(extra: Extra) -> bool:
    return all(find_spec(module) is not None for module in MODULES[extra])


def explain(name: str, extra: Extra) -> Sentence:
    """The sentence that a command, reader or voice of that name needs the extra, with the command
    that installs it."""
    return Sentence(
        "{name} needs the extra “{extra}”; install it with {install}",
        name=name,
        extra=extra,
        install=find_install(extra),
    )


def find_install(extra: Extra) -> str:
    """The command that adds the extra to this installation: a checkout's `.venv` made by make, an
    application of pipx, or any other environment."""
    if os.path.exists(os.path.join(ROOT, ".venv", ".place")):
        elsewhere = [] if os.getcwd() == ROOT else ["-C", ROOT]
        return shlex.join(["make", *elsewhere, "extras", f"ARGS={extra}"])
    if os.path.exists(os.path.join(sys.prefix, "pipx_metadata.json")):
        program = ["pipx", "inject", "citadels-companion"]
    elif find_spec("pip") is not None:
        program = [sys.executable, "-m", "pip", "install"]
    else:
        program = ["uv", "pip", "install", "--python", sys.executable]
    words = [*program, *list_requirements(extra)]
    if sys.platform == "win32":
        return " ".join(f'"{word}"' if {*word} & {*" <>"} else word for word in words)
    return shlex.join(words)


def list_requirements(extra: Extra) -> list[str]:
    """What the extra consists of, as in `reportlab<6,>=4.2`; empty where nothing is installed."""
    from importlib import metadata  # reads mail headers: a third of the shortest start

    try:
        listed = metadata.requires("citadels-companion") or []
    except metadata.PackageNotFoundError:
        return []
    split = [requirement.partition(";") for requirement in listed]
    return [
        requirement.strip()
        for requirement, _semicolon, marker in split
        if f"extra == '{extra}'" in marker.replace('"', "'")
    ]
