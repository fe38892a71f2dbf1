"""`companion doctor`: the reader in the settings, the readers found, what is wrong with each, and
the voices; a test of one reader by taps."""

from __future__ import annotations

import platform
import queue
import random
import re
import statistics
import sys
import time
from argparse import Namespace
from collections.abc import Callable, Iterator
from importlib import metadata

from common.sentences import locate
from companion import __version__, extending
from companion.commands import DONE, REFUSED, make_reader_error
from companion.commands.declared import Answer, arg, command, setting, take_count
from companion.errors.output import answer, print_error
from companion.language import _, translate
from companion.readers.service import SharedReader, list_served, make_owner
from companion.readers.table_reader import list_wanted
from companion.settings.config import Config
from companion.settings.named_readers import SIMULATED, ReaderSetting
from companion.voice import trying
from tags import watch
from tags.presence import moment
from tags.readers import INTERVAL
from tags.readers.auto_reader import NOTHING, explain_none, reader_for
from tags.readers.faults import explain_error
from tags.readers.finding import FINE, Computer, Finding, find
from tags.readers.roads import parse_place
from tags.readers.simulated import SimulatedReader

MOST_TAPS = 1000
_PACKAGES = ("nfcpy", "pyserial", "libusb1", "pyscard", "evdev")

_PATIENCE = 30.0  # seconds to wait for a tap, and for its end

# The serial number comes last in a port's name, and in brackets in a PC/SC name.
_SERIAL = re.compile(r"_[^_/ ]*(?=-(?:if\d\d|event))|(?<=usbserial-)\S+|(?<=usbmodem)\S+|\([^)]*\)")


@command(
    "doctor",
    setting("reader", help="this one instead of the one in the settings"),
    arg("--tap", type=take_count(1, MOST_TAPS), metavar="N", help="test the reader with N taps"),
    arg("--voice", action="store_true", help="speak a sentence in each language"),
    arg("--report", action="store_true", help="with version numbers, for a bug report"),
)
def run(config: Config, args: Namespace) -> Answer | int:
    """Say what is found; 0 if the reader in the settings can be used."""
    if args.voice:
        return _speak(config)
    if args.report:
        answer(_list_versions())
    if args.tap is not None:
        return _tap(config, args.tap, private=not args.report)
    found = examine(config, Computer())
    lines = (_SERIAL.sub("…", line) if args.report else line for line in found.lines)
    return found._replace(lines=lines)


def examine(config: Config, here: Computer) -> Answer:
    """What is found on that computer."""
    served = [one.path for one in list_served(config.data).values() if one.state == "ready"]
    findings = [one for one in find(here) if not served or one.state != "possible"]
    lines, problems = _look_at_wanted(config, served)
    works = problems is not None and not any(problems)
    extending.gather(lambda extension: extension.settings)  # loads them
    lines += map(translate, extending.take_problems())
    if not findings and not served and "" not in (problems or ()):
        lines.append(translate(NOTHING))
    lines += [*_tell(findings, [] if works else served), *trying.tell(config)]
    is_well = works or (problems is None and _is_usable(findings, served))
    return Answer(lines, code=DONE if is_well else REFUSED)


# -- what is found -----------------------------------------------------------------------------


def _look_at_wanted(config: Config, served: list[str]) -> tuple[list[str], list[str] | None]:
    """What to say about the readers in the settings, and why each cannot be used, "" if it can;
    None where any reader would do."""
    lines, problems = [], []
    for one in config.readers:
        if one.path == "auto":
            return [_("Reader: auto, the first one found.")], None
        if one.path == "none":
            continue
        problem = "" if one.path in (SIMULATED, *served) else _try_to_open(one)
        if one.path in served:
            lines.append(_describe_served(one.path))
        else:
            state = translate(problem or FINE)
            name = one.path if one.name == one.path else f"{one.name}, {one.path}"
            text = _("Reader {name}: {state}")
            lines.append(text.format(name=name, state=state))
        problems.append(problem)
    return lines, problems


def _try_to_open(setting: ReaderSetting) -> str:
    """Why the reader cannot be opened; "" if it can."""
    try:
        reader = reader_for(setting.path, setting.name)
    except ValueError as error:
        return str(error)
    try:
        reader.open()
    except Exception as error:
        return str(explain_error(error, reader.name, reader.road))
    finally:
        reader.close()
    return ""


def _tell(findings: list[Finding], served: list[str]) -> Iterator[str]:
    """The findings, each with the command that helps."""
    yield from map(_describe_served, served)
    for one in findings:
        place = f"{one.path}, {one.name}" if one.name else one.path
        yield translate(locate(place, one.text))
        if one.mend:
            yield f"  {one.mend}"


def _describe_served(path: str) -> str:
    """The sentence about a reader that this user's reader service has."""
    return _("{path}: the reader service is using it.").format(path=path)


def _is_usable(findings: list[Finding], served: list[str]) -> bool:
    """Whether there is a reader, or what may be one, and none is broken."""
    return bool(served or findings) and all(one.state != "broken" for one in findings)


def _list_versions() -> Iterator[str]:
    yield f"companion {__version__}, Python {platform.python_version()}, {sys.platform}"
    yield f"{platform.system()} {platform.release()} {platform.machine()}"
    for package in _PACKAGES:
        try:
            yield f"{package} {metadata.version(package)}"
        except metadata.PackageNotFoundError:
            yield f"{package} is not installed"


def _speak(config: Config) -> int:
    """Name the voices and speak a sentence in each language; 0 if all were spoken."""
    answer(trying.tell(config))
    worked = True
    for code, text in trying.speak(config):
        worked = worked and bool(code)
        if code:
            answer([f"{code}: {text}"])
        else:
            print_error([text])
    return DONE if worked else REFUSED


# -- a test by taps ----------------------------------------------------------------------------


def _tap(config: Config, taps: int, *, private: bool) -> int:
    """Time `taps` taps; the reader is named only if `private`, else its kind."""
    readers = list_wanted(config)
    if not readers:
        raise make_reader_error("companion doctor")
    wanted = readers[0]
    simulated, test = wanted.path == SIMULATED, TapTest(taps)
    if simulated and wanted not in config.readers:
        print_error([explain_none()])
        return REFUSED
    name = wanted.name if private or simulated else parse_place(wanted.path).road
    try:
        if simulated:
            test.run_simulated(SimulatedReader())
        else:
            own = make_owner("companion doctor", over=True)
            test.run(SharedReader(config.data, wanted, test.on_event, own=own))
    finally:  # also when Ctrl-C ends it
        answer([locate(name, test.summary())])
    if test.problem:
        answer([test.problem.replace(wanted.name, name)])
    return REFUSED if test.problem else DONE


class TapTest:
    """`taps` taps on one reader."""

    def __init__(self, taps: int) -> None:
        self.taps = taps
        self.times: list[float] = []
        """Milliseconds per tap: from laying on to the event for simulated chips; otherwise the
        longest possible delay: one interval, and from the poll to the event."""
        self.problem = ""
        self._events: queue.SimpleQueue[tuple[watch.Event, float]] = queue.SimpleQueue()

    def run_simulated(self, simulated: SimulatedReader) -> None:
        """Lay chips on the simulated reader."""

        def lay(number: int) -> float:
            # at a random moment between two polls, as people do
            time.sleep(random.uniform(0, INTERVAL))
            start = moment()
            simulated.hold(bytes((4, 0, 0, 0, 0, number >> 8 & 0xFF, number & 0xFF)))
            return start

        source = watch.Watcher(simulated, self.on_event, interval=INTERVAL)
        self._run(source, lay, simulated.lift)

    def run(self, source: SharedReader) -> None:
        """Ask people to tap on a reader whose events go to `on_event`."""

        def ask(number: int) -> float:
            text = _("Tap {number} of {taps}: put a chip on the reader, then take it away.")
            print_error([text.format(number=number, taps=self.taps)])
            return -INTERVAL  # counted from the poll before the one that saw it

        self._run(source, ask, lambda: None)

    def on_event(self, event: watch.Event) -> None:
        """Receive an event of the reader; thread-safe."""
        self._events.put((event, moment()))

    def summary(self) -> str:
        """The results in a sentence."""
        if not self.times:
            return _("No tap was seen.")
        ranking = sorted(self.times)
        late = ranking[min(len(ranking) - 1, int(0.95 * len(ranking)))]
        return _("{seen} of {taps} taps seen; p50 {usual} ms, p95 {late} ms.").format(
            seen=len(ranking),
            taps=self.taps,
            usual=f"{statistics.median(ranking):.0f}",
            late=f"{late:.0f}",
        )

    def _run(
        self,
        source: watch.Watcher | SharedReader,
        lay: Callable[[int], float],
        lift: Callable[[], None],
    ) -> None:
        source.start()
        try:
            for number in range(1, self.taps + 1):
                start = lay(number)
                if (tap := self._wait(watch.Tap)) is None:
                    return
                event, now = tap
                if start < 0:
                    start += event.at if isinstance(event, watch.Tap) and event.at else now
                self.times.append(1000 * (now - start))
                lift()
                if self._wait(watch.Lift) is None:
                    return
        finally:
            source.stop()
            source.join(5.0)

    def _wait(self, kind: type) -> tuple[watch.Event, float] | None:
        """The next event of this kind and its time; None, with `problem` set, if none comes."""
        end = time.monotonic() + _PATIENCE
        while (left := end - time.monotonic()) > 0:
            try:
                event, when = self._events.get(timeout=left)
            except queue.Empty:
                break
            if isinstance(event, kind):
                return event, when
            if isinstance(event, watch.ReaderDisconnected):
                self.problem = translate(event.reason)
                return None
        sentence = _("No chip was taken away within {seconds} seconds.")
        if kind is watch.Tap:
            sentence = _("No chip was put on the reader within {seconds} seconds.")
        self.problem = sentence.format(seconds=f"{_PATIENCE:.0f}")
        return None
