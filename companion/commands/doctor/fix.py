"""`companion doctor --fix`: says what it will do, asks once, and runs the commands that the doctor
names."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from typing import TYPE_CHECKING

from companion.commands import DONE, REFUSED
from companion.errors.output import answer, print_error
from companion.language import _, plural, vocabulary

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from tags.readers.finding import Cause, Finding

FIXED: frozenset[Cause] = frozenset(
    (
        *("kernel", "libusb", "permission", "port-permission", "input-permission", "pcscd"),
        *("no-pcscd", "no-driver", "refused", "pyscard", "evdev", "brltty", "modem-manager"),
        "no-linger",
    )
)
"""Causes whose command can be run here; the others restart the computer, or only try a reader."""

_SUDO = re.compile(r"\bsudo ")


def list_commands(found: Iterable[Finding], *, is_root: bool) -> list[str]:
    """The commands that fix these findings, each once; without sudo for root."""
    commands = dict.fromkeys(one.mend for one in found if one.mend and one.cause in FIXED)
    return [_SUDO.sub("", one) if is_root else one for one in commands]


def mend(found: list[Finding], look_again: Callable[[], int], *, agreed: bool) -> int:
    """Show the commands, ask, and run them in a shell; returns the exit code.

    They run in order; the first that fails ends it. After the last, `look_again` says how the
    readers are now, so that nobody has to ask.
    """
    is_root = hasattr(os, "geteuid") and os.geteuid() == 0
    commands = list_commands(found, is_root=is_root)
    if not commands:
        answer([_("There is nothing to fix here.")])
        return DONE
    answer(["", plural("This will run:", "This will run, in this order:", len(commands))])
    answer(f"    {command}" for command in commands)
    if not agreed and not _ask():
        print_error([_("Nothing was done. Add --yes to run them without a question.")])
        return REFUSED
    for command in commands:
        if _run(command) != 0:
            print_error([_("This failed: {command}").format(command=command)])
            return REFUSED
    answer(["", _("Done. The readers now:")])
    return look_again()


def _ask() -> bool:
    if sys.stdin is None or not sys.stdin.isatty():
        return False
    print(_("Run this? yes or no; Enter: no."), end=" ", file=sys.stderr, flush=True)
    return vocabulary.match_word(sys.stdin.readline(), "yes", "y") is not None


def _run(command: str) -> int:
    """Run it in a shell at this terminal, where sudo asks for the password; its exit code."""
    import getpass

    environment = {**os.environ, "USER": os.environ.get("USER") or getpass.getuser()}
    return subprocess.run(["sh", "-c", command], env=environment, check=False).returncode
