"""`companion daemon install` and `companion host install`, and `uninstall` for both: the steps are
shown, then done; nothing runs as root.

Files of this user are written here; steps for root are printed as commands to copy.
"""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from common import own_files
from common.sentences import Sentence, locate
from companion.commands import DONE, REFUSED, CommandError
from companion.errors.output import answer, print_error
from companion.files import locations
from companion.language import _, vocabulary
from tags.readers.finding import Computer, Finding

UNITS = {"daemon": "citadels-reader.service", "host": "citadels-host.service"}
"""The systemd unit of each command that can start automatically."""

RULES = "60-citadels-reader.rules"
BLACKLIST = "citadels-reader-blacklist.conf"
PCSC = "60-citadels-pcsc.rules"

_OF_ROOT = {RULES: "udev/rules.d", BLACKLIST: "modprobe.d", PCSC: "polkit-1/rules.d"}
"""Files that only root can write, with their folder below `/etc`."""

_SOURCES = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "system")
_LINGER = "sudo loginctl enable-linger $USER"


@dataclass(frozen=True)
class Plan:
    """The steps for a command: its unit's path and new text (None removes it), the commands to run
    before and after as this user, and those for root, some only for a computer without a
    desktop."""

    command: str
    unit: str
    text: str | None
    before: tuple[tuple[str, ...], ...]
    after: tuple[tuple[str, ...], ...]
    as_root: tuple[str, ...]
    without_desktop: tuple[str, ...] = ()


def install(
    command: str, words: Sequence[str], root: str, *, has_consent: bool, dry: bool = False
) -> int:
    """Install a unit that runs the command with those words whenever this user logs in; `dry` only
    shows everything that belongs to it. Returns the exit code."""
    _refuse_elsewhere(command)
    unit = UNITS[command]
    of_root = () if command == "host" else _list_root_steps(root)
    groups = () if command == "host" else ("sudo usermod -aG dialout $USER",)
    plan = Plan(
        command,
        _unit_path(unit, root),
        _write_unit(command, words),
        (),
        (
            ("systemctl", "--user", "daemon-reload"),
            ("systemctl", "--user", "enable", unit),
            ("systemctl", "--user", "restart", unit),
        ),
        of_root,
        (*groups, _LINGER),
    )
    return _show_and_do(plan, root, has_consent=has_consent, dry=dry)


def _list_root_steps(root: str) -> tuple[str, ...]:
    """The steps for root that let this user open the readers."""
    return (
        *(
            f"sudo install -D -m 644 {_source(name)} {_system(root, folder, name)}"
            for name, folder in _OF_ROOT.items()
        ),
        "sudo modprobe -r pn533_usb pn533 port100",
        "sudo udevadm control --reload",
        "sudo udevadm trigger --action=change --subsystem-match=usb --subsystem-match=tty",
    )


def uninstall(command: str, root: str, *, has_consent: bool, dry: bool = False) -> int:
    """Undo `install` for that command; `dry` only shows how. Returns the exit code."""
    _refuse_elsewhere(command)
    unit = UNITS[command]
    names = (
        *(f"sudo rm -f {_system(root, folder, name)}" for name, folder in _OF_ROOT.items()),
        "sudo udevadm control --reload",
    )
    plan = Plan(
        command,
        _unit_path(unit, root),
        None,
        (("systemctl", "--user", "disable", "--now", unit),),
        (("systemctl", "--user", "daemon-reload"),),
        () if command == "host" else names,
    )
    return _show_and_do(plan, root, has_consent=has_consent, dry=dry)


def _show_and_do(plan: Plan, root: str, *, has_consent: bool, dry: bool) -> int:
    there = _read(plan.unit)
    mark = f"# Written by `companion {plan.command} install`"
    if there is not None and not there.startswith(mark):
        raise CommandError(
            Sentence(
                "{unit} was not written by this program; move it elsewhere first", unit=plan.unit
            ),
            code=REFUSED,
        )
    runs = not root and shutil.which("systemctl") is not None
    todo = _steps(plan, there, runs=runs)
    answer(todo or [_("There is nothing to do for this user.")])
    _show_root_steps(plan)
    if dry and plan.text is not None and plan.command == "daemon":
        _show_root_files(root)
    if dry or not todo:
        return DONE
    if not has_consent and not _ask():
        print_error([_("Nothing was done. Add --yes to do the above for this user.")])
        return DONE
    return _do(plan, there, runs=runs)


def _steps(plan: Plan, there: str | None, *, runs: bool) -> list[str]:
    """The steps for this user, a line each; empty if everything is in place."""
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
        write = [_("{file} is up to date.").format(file=plan.unit)]
    return [*write, *(commands if runs else ())] if runs or there != plan.text else []


def _do(plan: Plan, there: str | None, *, runs: bool) -> int:
    try:
        for command in plan.before if runs and there is not None else ():
            _run(command)
        if plan.text is None:
            os.unlink(plan.unit)
        elif plan.text != there:
            own_files.replace(plan.unit, plan.text, mode=0o644)
        results = [_run(command) for command in plan.after] if runs else []
    except OSError as error:
        raise CommandError.of(f"companion {plan.command}", str(error), code=REFUSED) from None
    if not runs:
        start = _("systemd could not be reached: start the service with {command}.")
        print_error([start.format(command=f"companion {plan.command}")])
    return DONE if all(results) else REFUSED


def _run(command: tuple[str, ...]) -> bool:
    """Run it and report errors; returns whether it succeeded."""
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    if result.returncode:
        why = result.stderr.strip() or _("it failed.")
        print_error([locate(shlex.join(command), why)])
    return result.returncode == 0


def _ask() -> bool:
    """Ask for agreement at the keyboard."""
    if sys.stdin is None or not sys.stdin.isatty():
        return False
    print(_("Do this for your user? yes or no; Enter: no."), end=" ", file=sys.stderr, flush=True)
    return vocabulary.match_word(sys.stdin.readline(), "yes", "y") is not None


def _show_root_steps(plan: Plan) -> None:
    if plan.as_root:
        answer(["", _("As root (copy what you want; none of it is run here):")])
        answer(f"    {command}" for command in plan.as_root)
    if plan.without_desktop:
        answer([_("On a computer without a desktop, or one that you use over ssh, also:")])
        answer(f"    {command}" for command in plan.without_desktop)


def _show_root_files(root: str) -> None:
    for name, folder in _OF_ROOT.items():
        with open(os.path.join(_SOURCES, name), encoding="utf-8") as file:
            answer(["", f"{root}/etc/{folder}/{name}:", *(f"    {line.rstrip()}" for line in file)])


def _write_unit(command: str, words: Sequence[str]) -> str:
    name = f"companion {command}"
    with open(os.path.join(_SOURCES, UNITS[command]), encoding="utf-8") as file:
        text = file.read()
    data = os.environ.get("COMPANION_DATA")
    line = ""
    if data:  # keep the current data folder
        line = f"Environment={_quote(f'COMPANION_DATA={locations.make_absolute(data)}', name)}\n"
    names = [sys.executable, "-m", "companion", command, *words]
    sentence = " ".join(_quote(word, name).replace("$", "$$") for word in names)
    return text.replace("@COMMAND@", sentence).replace("@ENVIRONMENT@\n", line)


def _quote(word: str, command: str) -> str:
    """Quote a word for systemd. Raises CommandError if no unit can contain it."""
    if any(ord(letter) < 32 for letter in word):
        raise CommandError(
            Sentence(
                "{command}: “{word}” cannot be written into a systemd unit",
                command=command,
                word=word,
            )
        )
    safe = word.replace("\\", "\\\\").replace('"', '\\"').replace("%", "%%")
    return f'"{safe}"'


def _unit_path(unit: str, root: str) -> str:
    return root + os.path.join(locations.user_units(), unit)


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


def _refuse_elsewhere(command: str) -> None:
    if not sys.platform.startswith("linux"):
        raise CommandError(
            Sentence(
                "{command} install: only systemd can start the service "
                "automatically; elsewhere, add {command} to the programs that "
                "start with your session",
                command=f"companion {command}",
            )
        )


def find_lingering(here: Computer) -> Iterator[Finding]:
    """Report a service that should start automatically on a computer where nobody logs in."""
    is_installed = os.path.exists(os.path.join(locations.user_units(), UNITS["daemon"]))
    lingers = (here.root / "var/lib/systemd/linger" / here.user()).exists()
    alone = here.platform.startswith("linux") and not here.has_desktop
    if is_installed and alone and not lingers:
        yield Finding("companion daemon", "no-linger", mend="sudo loginctl enable-linger $USER")
