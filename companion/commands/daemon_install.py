"""`companion daemon install` and `uninstall`: first shown, then done, and nothing as root.

What belongs to this user is written here; what needs root is printed as commands to be copied.
"""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass

from companion import locations, vocabulary
from companion.commands import DONE, REFUSED, CommandError
from companion.commands.output import answer, complain
from companion.language import _
from engine.sentences import Sentence, placed

UNIT = "citadels-reader.service"
RULES = "60-citadels-reader.rules"
BLACKLIST = "citadels-reader-blacklist.conf"

_SOURCES = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "system")
_MARK = "# Written by `companion daemon install`"


@dataclass(frozen=True)
class Plan:
    """What is to be done: the unit's file with its new text (None removes it), what is run
    afterwards as this user, and what only root can run."""

    unit: str
    text: str | None
    before: tuple[tuple[str, ...], ...]
    after: tuple[tuple[str, ...], ...]
    as_root: tuple[str, ...]


def install(readers: Sequence[str], root: str, *, agreed: bool) -> int:
    """Have the service start whenever this user logs in. The exit code."""
    _only_on_linux()
    plan = Plan(
        _unit_path(root),
        _unit_text(readers),
        (),
        (
            ("systemctl", "--user", "daemon-reload"),
            ("systemctl", "--user", "enable", UNIT),
            ("systemctl", "--user", "restart", UNIT),
        ),
        (
            f"sudo install -m 644 {_source(RULES)} {_system(root, 'udev/rules.d', RULES)}",
            f"sudo install -m 644 {_source(BLACKLIST)} {_system(root, 'modprobe.d', BLACKLIST)}",
            "sudo modprobe -r pn533_usb pn533 port100",
            "sudo udevadm control --reload",
            "sudo udevadm trigger --action=change --subsystem-match=usb",
        ),
    )
    return _show_and_do(plan, root, agreed=agreed)


def uninstall(root: str, *, agreed: bool) -> int:
    """Undo what `install` did. The exit code."""
    _only_on_linux()
    plan = Plan(
        _unit_path(root),
        None,
        (("systemctl", "--user", "disable", "--now", UNIT),),
        (("systemctl", "--user", "daemon-reload"),),
        (
            f"sudo rm -f {_system(root, 'udev/rules.d', RULES)}",
            f"sudo rm -f {_system(root, 'modprobe.d', BLACKLIST)}",
            "sudo udevadm control --reload",
        ),
    )
    return _show_and_do(plan, root, agreed=agreed)


def _show_and_do(plan: Plan, root: str, *, agreed: bool) -> int:
    there = _read(plan.unit)
    if there is not None and not there.startswith(_MARK):
        raise CommandError(
            Sentence("{unit} was not written by this program; move it away first", unit=plan.unit),
            code=REFUSED,
        )
    runs = not root and shutil.which("systemctl") is not None
    todo = _steps(plan, there, runs=runs)
    answer(todo or [_("For this user there is nothing to do.")])
    _tell_root(plan.as_root)
    if not todo:
        return DONE
    if not agreed and not _asked():
        complain([_("Nothing was done. Add --yes to do what is shown above for this user.")])
        return DONE
    return _do(plan, there, runs=runs)


def _steps(plan: Plan, there: str | None, *, runs: bool) -> list[str]:
    """What will be done for this user, a line each; nothing if all is as it should be."""
    commands = [
        _("Run: {command}").format(command=shlex.join(command))
        for command in (*plan.before, *plan.after)
    ]
    if plan.text is None:
        if there is None:
            return []
        before, after = commands[: len(plan.before)], commands[len(plan.before) :]
        remove = _("Remove {file}").format(file=plan.unit)
        return [*(before if runs else ()), remove, *(after if runs else ())]
    write = [
        _("Write {file}:").format(file=plan.unit),
        *(f"    {line}" for line in plan.text.splitlines()),
    ]
    if there == plan.text:
        write = [_("{file} is as it should be.").format(file=plan.unit)]
    return [*write, *(commands if runs else ())] if runs or there != plan.text else []


def _do(plan: Plan, there: str | None, *, runs: bool) -> int:
    try:
        for command in plan.before if runs and there is not None else ():
            _run(command)
        if plan.text is None:
            os.unlink(plan.unit)
        elif plan.text != there:
            _write(plan.unit, plan.text)
        done = [_run(command) for command in plan.after] if runs else []
    except OSError as error:
        raise CommandError(
            Sentence("companion daemon: {error}", error=error), code=REFUSED
        ) from None
    if not runs:
        complain([_("No systemd was told: start the service with companion daemon.")])
    return DONE if all(done) else REFUSED


def _run(command: tuple[str, ...]) -> bool:
    """Run it and say what went wrong; whether it went well."""
    ended = subprocess.run(command, capture_output=True, text=True, check=False)
    if ended.returncode:
        why = ended.stderr.strip() or _("it failed.")
        complain([placed(shlex.join(command), why)])
    return ended.returncode == 0


def _asked() -> bool:
    """Whether somebody at the keyboard agrees."""
    if sys.stdin is None or not sys.stdin.isatty():
        return False
    print(_("Do this for your user? yes or no; Enter is no."), end=" ", file=sys.stderr, flush=True)
    return vocabulary.word(sys.stdin.readline(), "yes", "y") is not None


def _tell_root(commands: Sequence[str]) -> None:
    answer(["", _("As root, for readers on USB (copy what you want; nothing of it is run here):")])
    answer(f"    {command}" for command in commands)


def _unit_text(readers: Sequence[str]) -> str:
    with open(os.path.join(_SOURCES, UNIT), encoding="utf-8") as file:
        text = file.read()
    words = [sys.executable, "-m", "companion", "daemon"]
    for reader in readers:
        words += ["--reader", reader]
    data = os.environ.get("COMPANION_DATA")
    line = ""
    if data:  # the same table as now
        line = f"Environment={_quoted(f'COMPANION_DATA={locations.absolute(data)}')}\n"
    command = " ".join(_quoted(word).replace("$", "$$") for word in words)
    return text.replace("@COMMAND@", command).replace("@ENVIRONMENT@\n", line)


def _quoted(word: str) -> str:
    """A word as systemd reads it back. Raises CommandError for one that no unit can hold."""
    if any(ord(letter) < 32 for letter in word):
        raise CommandError(
            Sentence("companion daemon: “{word}” cannot be written into a unit", word=word)
        )
    safe = word.replace("\\", "\\\\").replace('"', '\\"').replace("%", "%%")
    return f'"{safe}"'


def _unit_path(root: str) -> str:
    return root + os.path.join(locations.user_units(), UNIT)


def _system(root: str, folder: str, name: str) -> str:
    return shlex.quote(f"{root}/etc/{folder}/{name}")


def _source(name: str) -> str:
    return shlex.quote(os.path.join(_SOURCES, name))


def _read(path: str) -> str | None:
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            return file.read()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise CommandError(locations.cannot_be_read(path, error), code=REFUSED) from None


def _write(path: str, text: str) -> None:
    """Write the file, whole or not at all. Raises OSError."""
    os.makedirs(os.path.dirname(path), exist_ok=True)
    draft = f"{path}.{os.getpid()}.new"
    with open(draft, "w", encoding="utf-8") as file:
        file.write(text)
    os.replace(draft, path)


def _only_on_linux() -> None:
    if not sys.platform.startswith("linux"):
        raise CommandError(
            Sentence(
                "companion daemon install: only systemd can start the service by itself; "
                "elsewhere add companion daemon to what starts with your session"
            )
        )
