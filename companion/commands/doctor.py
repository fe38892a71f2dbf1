"""`companion doctor`: which readers are there, what is wrong with each, and what mends it."""

from __future__ import annotations

import platform
import sys
from importlib import metadata
from typing import TYPE_CHECKING

from companion.commands import DONE, REFUSED, CommandError, settings
from companion.commands.output import answer, complain
from companion.commands.parsing import Parser
from tags.readers import finding

if TYPE_CHECKING:
    from collections.abc import Iterator

    from companion.config import Config
    from tags.readers.finding import Computer, Finding

MOST_TAPS = 1000
_PACKAGES = ("nfcpy", "pyserial", "libusb1", "pyscard", "evdev")


def run(words: list[str], computer: Computer | None = None) -> int:
    """Examine the readers; 0 when there is one and none is broken. `computer` is for tests."""
    parser = Parser("doctor", "Which readers are there, what is wrong with them, what mends it.")
    parser.add_argument(
        "--tap", type=int, metavar="TAPS", help="test the reader with that many taps"
    )
    parser.add_argument("--reader", metavar="READER", help="for --tap: simulated, or a path")
    parser.add_argument(
        "--report", action="store_true", help="also name versions, to be sent in with a problem"
    )
    given = parser.parse_args(words)
    if given.tap is not None and not 1 <= given.tap <= MOST_TAPS:
        raise CommandError(f"companion doctor: --tap takes a number from 1 to {MOST_TAPS}")
    config = settings.load({"reader": given.reader})
    if given.report:
        answer(_versions())
    if given.tap is None or given.report:
        found = finding.find(computer)
        answer(_told(found))
    if given.tap is None:
        return _verdict(found)
    return _tap(config, given.tap)


def _told(found: list[Finding]) -> Iterator[str]:
    if all(one.state == finding.UNKNOWN for one in found):
        yield "No reader was found; the game goes on by keyboard, or with --reader simulated."
    for one in found:
        yield f"{one.path}: {one.what}: {one.said}"
        if one.mend:
            yield f"  {one.mend}"


def _verdict(found: list[Finding]) -> int:
    broken = [one for one in found if one.state == finding.BROKEN]
    usable = [one for one in found if one.state == finding.USABLE]
    return REFUSED if broken or not usable else DONE


def _tap(config: Config, taps: int) -> int:
    """Test the first reader that the settings ask for."""
    from companion.reader_settings import SIMULATED
    from companion.readers import wanted
    from companion.tap_test import TapTest
    from tags.readers.factory import reader_for

    asked = wanted(config, served={})
    if not asked:
        raise CommandError("companion doctor: no reader is set; use --reader simulated or usb")
    test = TapTest(taps)
    if asked[0].path == SIMULATED:
        from tags.simulator import SimulatedReader

        with SimulatedReader() as simulated:
            passed = test.run_simulated(simulated)
    else:
        passed = test.run(
            reader_for(asked[0].path, asked[0].name),
            lambda number: complain([f"Tap {number} of {taps}: lay a chip on, take it away."]),
        )
    answer([f"{asked[0].name}: {test.summary()}"])
    if not passed:
        answer([test.problem])
    return DONE if passed else REFUSED


def _versions() -> Iterator[str]:
    from companion import __version__

    yield f"companion {__version__}, Python {platform.python_version()}, {sys.platform}"
    yield f"{platform.system()} {platform.release()} {platform.machine()}"
    for package in _PACKAGES:
        try:
            yield f"{package} {metadata.version(package)}"
        except metadata.PackageNotFoundError:
            yield f"{package} is not installed"
