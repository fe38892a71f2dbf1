"""`companion doctor`: lists the readers, what is wrong with each, and how to fix it."""

from __future__ import annotations

import os
import platform
import re
import subprocess
import sys
from contextlib import ExitStack
from importlib import metadata
from typing import TYPE_CHECKING, Any

from common.sentences import Sentence, locate
from companion.commands import (
    DONE,
    REFUSED,
    CommandError,
    daemon_install,
    load_settings,
    make_reader_error,
)
from companion.commands.parsing import Parser
from companion.errors.output import answer, answer_json, print_error
from companion.files import locations
from companion.language import _, plural, vocabulary
from companion.wording import diagnosis
from tags.readers import finding
from tags.readers.finding import Cause, Computer, Finding, systems

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable, Iterable, Iterator

    from companion.settings.config import Config
    from companion.settings.services import ReaderSetting
    from tags.simulator import SimulatedReader
    from tags.watch import Event, ReaderSource


MOST_TAPS = 1000
_PACKAGES = ("nfcpy", "pyserial", "libusb1", "pyscard", "evdev")

# The serial number comes last in a port's name, and in brackets in a PC/SC name.
_SERIAL = re.compile(r"_[^_/ ]*(?=-(?:if\d\d|event))|(?<=usbserial-)\S+|(?<=usbmodem)\S+|\([^)]*\)")

FIXED: frozenset[Cause] = frozenset(
    (
        *("kernel", "libusb", "permission", "port-permission", "input-permission", "pcscd"),
        *("no-pcscd", "no-driver", "refused", "pyscard", "evdev", "brltty", "modem-manager"),
        "no-linger",
    )
)
"""Causes whose command can be run here; the others restart the computer, or only try a reader."""

_SUDO = re.compile(r"\bsudo ")


def run(words: list[str], computer: Computer | None = None) -> int:
    """Diagnose the readers; 0 if there is one and none is broken. `computer` is for tests."""
    options = _parse(words)
    config = load_settings({"reader": options.reader})
    if options.checklist:
        return _checklist(config, options.save)
    if options.report:
        answer(_versions())
    if options.tap is not None and not options.report:
        return _tap(config, options.tap)
    here = computer or finding.Computer()
    findings, names = _look(here), _find_served(config)
    if options.fix:

        def look_again() -> int:
            findings, names = _look(here), _find_served(config)
            answer(_tell(findings, names, private=True))
            return _verdict(findings, names)

        answer(_tell(findings, names, private=True))
        return mend(findings, look_again, agreed=options.yes)
    if options.json:
        answer_json([_as_data(one) for one in findings])
    else:
        answer(_tell(findings, names, private=not options.report))
    return (
        _verdict(findings, names)
        if options.tap is None
        else _tap(config, options.tap, private=False)
    )


def make_parser() -> Parser:
    """The command's options."""
    parser = Parser("doctor", "Which readers there are, what is wrong with them and how to fix it.")
    parser.add_argument("--tap", type=int, metavar="N", help="test the reader with N taps")
    parser.add_argument(
        "--checklist", action="store_true", help="test the reader step by step, for a report"
    )
    parser.add_argument("--save", metavar="FILE", help="with --checklist: save the report in FILE")
    parser.add_setting("reader", help="with --tap or --checklist: simulated, or a path")
    parser.add_argument(
        "--report", action="store_true", help="include version numbers, for a bug report"
    )
    parser.add_argument(
        "--fix", action="store_true", help="fix what is wrong, after a question, with sudo"
    )
    parser.add_argument("--yes", action="store_true", help="with --fix: do not ask")
    parser.add_argument("--json", action="store_true", help="what was found, as JSON")
    return parser


def _parse(words: list[str]) -> argparse.Namespace:
    options = make_parser().parse_args(words)
    if options.tap is not None and not 1 <= options.tap <= MOST_TAPS:
        raise CommandError(
            Sentence("companion doctor: --tap takes a number from 1 to {most}", most=MOST_TAPS)
        )
    for first, second in (
        *(("json", "report"), ("json", "tap"), ("checklist", "tap")),
        *(("fix", other) for other in ("json", "report", "tap", "checklist")),
    ):
        if getattr(options, first) and getattr(options, second):
            raise CommandError(
                Sentence(
                    "companion doctor: --{first} and --{second} cannot be combined",
                    first=first,
                    second=second,
                )
            )
    if options.yes and not options.fix:
        raise CommandError(Sentence("companion doctor: --yes needs --fix"))
    if options.save and not options.checklist:
        raise CommandError(Sentence("companion doctor: --save needs --checklist"))
    return options


def _look(here: Computer) -> list[Finding]:
    return [*systems.find(here), *daemon_install.find_lingering(here)]


def _find_served(config: Config) -> list[str]:
    """The paths of the readers that a running service has."""
    from companion.readers.service import list_served
    from tags.service.hub import IN_USE

    readers = list_served(config.data).values()
    return [one.path for one in readers if one.state == "ready" or one.reason == IN_USE]


def _tell(findings: list[Finding], names: list[str], *, private: bool) -> Iterator[str]:
    """The findings, with serial numbers only if `private`."""
    lines = [diagnosis.describe_served(path) for path in names]
    if not names and all(one.state == finding.UNKNOWN for one in findings):
        possible = sum(one.cause in finding.POSSIBLE for one in findings)
        yield diagnosis.count_possible(possible) if possible else diagnosis.say_nothing_found()
    for one in findings:
        lines += [diagnosis.sentence(one), *[f"  {mend}" for mend in [one.mend] if mend]]
    yield from lines if private else (_SERIAL.sub("…", line) for line in lines)


def _as_data(one: Finding) -> dict[str, str]:
    return {
        "path": one.path,
        "name": one.name,
        "state": one.state,
        "cause": one.cause,
        "mend": one.mend,
        "text": diagnosis.sentence(one),
    }


def _verdict(findings: list[Finding], names: list[str]) -> int:
    states = {one.state for one in findings}
    usable = bool(names) or any(
        one.state == finding.USABLE or one.cause in finding.POSSIBLE for one in findings
    )
    return DONE if usable and finding.BROKEN not in states else REFUSED


# -- with a reader -----------------------------------------------------------------------------


def _find_wanted(config: Config) -> ReaderSetting:
    """The first configured reader. Raises CommandError."""
    from companion.readers.table_reader import find_served, list_wanted

    readers = list_wanted(config, served=find_served(config))
    if not readers:
        raise make_reader_error("companion doctor")
    return readers[0]


def _simulate(setting: ReaderSetting, stack: ExitStack) -> SimulatedReader | None:
    """The simulated reader, if it is that one."""
    from companion.settings.services import SIMULATED
    from tags.simulator import SimulatedReader

    return stack.enter_context(SimulatedReader()) if setting.path == SIMULATED else None


def _bus(setting: ReaderSetting) -> str:
    """The reader's connection, safe to include in a report."""
    from companion.settings.services import SIMULATED
    from tags.readers.paths import parse_place

    return SIMULATED if setting.path == SIMULATED else parse_place(setting.path).bus


def _tap(config: Config, taps: int, *, private: bool = True) -> int:
    """Time `taps` taps; the reader is identified only if `private`."""
    from companion.commands.doctor.checklist import TapTest
    from companion.readers.service import SharedReader

    setting, test = _find_wanted(config), TapTest(taps)
    with ExitStack() as stack:
        if (simulated_reader := _simulate(setting, stack)) is not None:
            is_passed = test.run_simulated(simulated_reader)
        else:
            source = SharedReader(config.data, setting, test.on_event, private=True)
            is_passed = test.run(source, lambda number: print_error([_ask_for_tap(number, taps)]))
    name = setting.name if private else _bus(setting)
    answer([locate(name, test.summary())])
    if not is_passed:
        answer([test.problem.replace(setting.name, name)])
    return DONE if is_passed else REFUSED


def _ask_for_tap(number: int, taps: int) -> str:
    return _("Tap {number} of {taps}: put a chip on the reader, then take it away.").format(
        number=number, taps=taps
    )


def _checklist(config: Config, save: str | None) -> int:
    """Run the checklist, print the report, and write it to `save` too."""
    from companion import terminal
    from companion.commands.doctor.checklist import FAILED, SKIPPED, Checklist, report
    from companion.readers.service import SharedReader
    from tags.watch import Watcher

    if save is not None and os.path.exists(save):
        raise CommandError(
            Sentence("companion doctor: {file} already exists; name another file", file=save)
        )
    terminal.use_utf8()
    setting = _find_wanted(config)
    with ExitStack() as stack:
        simulated_reader = _simulate(setting, stack)
        options: dict[str, Any] = {"dropout": 0, "backoff": (0.5, 2.0)}

        def open_source(on_event: Callable[[Event], None]) -> ReaderSource:
            if simulated_reader is not None:
                return Watcher(simulated_reader.reader(), on_event, **options)
            return SharedReader(config.data, setting, on_event, private=True, **options)

        print_error([_("Each step follows automatically. Enter skips a step, quit stops.")])
        checklist = Checklist(
            open_source, lambda line: print_error([line]), simulated=simulated_reader
        )
        results = checklist.run()
    text = list(report([*_versions(), f"reader: {_bus(setting)}"], results))
    answer(text)
    if save is not None:
        _keep(save, text)
    # skipping a step is no failure; skipping all is
    entries = [one for one in results if one.verdict != SKIPPED]
    return REFUSED if not entries or any(one.verdict == FAILED for one in entries) else DONE


def _keep(path: str, text: list[str]) -> None:
    """Write the report to a new file. Raises CommandError."""
    try:
        with open(path, "x", encoding="utf-8") as file:
            file.writelines(f"{line}\n" for line in text)
    except OSError as error:
        raise CommandError(locations.cannot_be_saved(path, error)) from None
    print_error([_("The report is in {file}; please send it to us.").format(file=path)])


def _versions() -> Iterator[str]:
    from companion import __version__

    yield f"companion {__version__}, Python {platform.python_version()}, {sys.platform}"
    yield f"{platform.system()} {platform.release()} {platform.machine()}"
    for package in _PACKAGES:
        try:
            yield f"{package} {metadata.version(package)}"
        except metadata.PackageNotFoundError:
            yield f"{package} is not installed"


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
