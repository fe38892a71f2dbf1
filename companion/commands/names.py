"""Every command and what it does, and what replaces those of former versions."""

from __future__ import annotations

from functools import cache

from common.sentences import N_
from companion import extending
from companion.extending import Command

COMMANDS = {
    "play": N_("play at the table (the default): full screen, or line by line with --plain"),
    "demo": N_("a demonstration game that plays itself"),
    "host": N_("a game for phones, on a computer that needs no screen"),
    "replay": N_("replay a record and show the table"),
    "score": N_("the scores of the last game, or of a file"),
    "card": N_("what a card does"),
    "editions": N_("the boxes you can play, and how two of them differ"),
    "record": N_("a game as a record file"),
    "players": N_("who has played here; renames players and merges two names"),
    "export": N_("exports games, names and chips as one file"),
    "import": N_("imports games or chips from a file, each once"),
    "tags": N_("the chips: learn, write, check, lock, list"),
    "tags learn": N_("go through a box: tap the chip of each card you are asked for"),
    "tags write": N_("write each card's link, record and name to its chip, or empty chips"),
    "tags check": N_("which chips are right, which cards are missing, which boxes you can play"),
    "tags lock": N_("make a chip read-only permanently"),
    "tags list": N_("what each chip is, and what the action and number chips do"),
    "doctor": N_("the readers and voices: which there are, what is wrong, and tests of them"),
    "daemon": N_("the reader service: lets several programs share the readers"),
    "completion": N_("completes commands and options in your shell"),
}
"""Every command of the core with its description; one with a space is below the other. Each is a
module of `companion.commands`, with `run`."""

_IN_FRONT = ("play", "host", "score", "card", "tags", "doctor")
"""The commands that the help describes; it names the others."""

GONE = {
    "voice": "companion doctor --voice",
    "daemon uninstall": "systemctl --user disable --now citadels-reader.service",
    "host uninstall": "systemctl --user disable --now citadels-host.service",
    "tags verify": "companion tags check",
    "tags inventory": "companion tags check",
    "tags erase": "companion tags write --empty",
    "tags key": "companion tags list",
    "tags export": "companion export --chips",
    "tags import": "companion import",
    "daemon --yes": "companion daemon install",
    "daemon --dry-run": "companion daemon install",
    "daemon --root": "companion daemon install",
    "demo --loop": "companion demo",
    "demo --speed": "companion demo",
    "demo --plain": "COMPANION_PLAIN=1 companion demo",
    "doctor --checklist": "companion doctor --tap 20 --report",
    "doctor --save": "companion doctor --report",
    "doctor --fix": "companion doctor",
    "doctor --json": "companion doctor --report",
    "host --yes": "companion host install",
    "host --dry-run": "companion host install",
    "host --root": "companion host install",
    "tags learn --deck": "COMPANION_DECK=NAME companion tags learn",
    "tags write --again": "companion tags write",
    "tags write --deck": "COMPANION_DECK=NAME companion tags write",
    "tags write --link": "COMPANION_LINK=HOST companion tags write",
}
"""Commands of former versions and their options, each with what replaces it."""


def find_command(name: str) -> Command | None:
    """The command of that name; extensions are looked for only if the core has none."""
    if name in COMMANDS:
        module = f"companion.commands.{name.replace(' ', '.')}"
        return Command(COMMANDS[name], module, name in _IN_FRONT)
    return _list_extensions_commands().get(name)


def describe(name: str) -> str:
    """What the command of that name does; "" without one."""
    command = find_command(name)
    return command.what if command else ""


def list_names() -> list[str]:
    """The commands of the core and of all extensions."""
    return [*dict.fromkeys((*COMMANDS, *_list_extensions_commands()))]


def list_below(group: str) -> list[str]:
    """The last words of the commands below that one."""
    names = COMMANDS if group in COMMANDS else _list_extensions_commands()
    start = f"{group} "
    return [name.removeprefix(start) for name in names if name.startswith(start)]


def find_instead(name: str) -> str | None:
    """What replaces a command of former versions, or an option after its command."""
    if name in GONE or name.partition(" ")[0] in COMMANDS:
        return GONE.get(name)
    return dict(extending.gather(lambda extension: extension.gone.items())).get(name)


@cache
def _list_extensions_commands() -> dict[str, Command]:
    return dict(extending.gather(lambda extension: extension.commands.items()))
