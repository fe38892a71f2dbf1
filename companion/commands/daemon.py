"""`companion daemon`: the reader service, and its automatic start."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import signal
import socket
import sys
from argparse import Namespace
from collections.abc import Iterator

from common.sentences import Sentence
from companion import errors
from companion.chips.learning import KnownChips
from companion.commands import DONE, REFUSED, CommandError, systemd
from companion.commands.declared import Answer, arg, command, wrong
from companion.errors.output import flatten, print_error
from companion.language import _
from companion.readers.service import endpoint
from companion.settings import checks as setting_checks
from companion.settings.config import Config
from companion.settings.named_readers import SIMULATED, ReaderSetting
from tags.readers.auto_reader import reader_for
from tags.readers.gone_roads import find_replacement
from tags.service.endpoint import CannotServe
from tags.service.server import Service


def _take_reader(word: str) -> str:
    if problem := setting_checks.reader(word):
        raise wrong(problem)
    return word


@command(
    "daemon",
    arg(
        "--reader",
        metavar="READER",
        action="append",
        type=_take_reader,
        default=[],
        help="usb, or a reader's path; repeat it for several readers",
    ),
    systemd.INSTALL,
)
def run(config: Config, args: Namespace) -> Answer | int:
    """Serve this table's readers until stopped, or write the unit that does."""
    if args.command == "install":
        readers = [word for reader in args.reader for word in ("--reader", reader)]
        return systemd.install("daemon", readers)
    return _serve(config, _readers(config, args.reader))


def _readers(config: Config, words: list[str]) -> tuple[ReaderSetting, ...]:
    """The readers to serve: those given, or else those of the settings. Raises CommandError."""
    reader_settings = tuple(ReaderSetting(path, path) for path in words) or config.readers
    gone = [text for one in reader_settings if (text := find_replacement(one.path)) is not None]
    print_error(gone)
    service_settings = tuple(
        dict.fromkeys(
            one
            for one in reader_settings
            if one.path not in ("none", SIMULATED) and find_replacement(one.path) is None
        )
    )
    if not service_settings and gone:
        return (ReaderSetting("auto", "auto"),)
    if not service_settings:
        raise CommandError(
            Sentence(
                "companion daemon: there is no reader to serve (the setting is "
                "{path}); name one with --reader usb, or --reader and its path",
                path=reader_settings[0].path,
            )
        )
    return service_settings


def _serve(config: Config, reader_settings: tuple[ReaderSetting, ...]) -> int:
    known_chips = KnownChips(config.chips)

    def is_known(uid: bytes) -> bool:
        known_chips.refresh()
        return uid in known_chips.registry

    try:
        service = Service(
            [reader_for(one.path, one.name, is_known) for one in reader_settings],
            paths={one.name: one.path for one in reader_settings},
            confirm=lambda uid: not is_known(uid),
        )
        place = endpoint(config.data)
        with place.listen() as listening, _log_to_stderr():
            asyncio.run(_serve_until_told(service, listening, place.socket_path))
    except (CannotServe, ValueError) as error:
        raise CommandError.of("companion daemon", str(error), code=REFUSED) from None
    _narrate(_("The reader service has stopped."))
    return DONE


async def _serve_until_told(service: Service, listening: socket.socket, place: str) -> None:
    """Serve at `place` until Ctrl-C or a termination signal."""
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        try:
            loop.add_signal_handler(number, stop.set)
        except NotImplementedError:  # Windows
            signal.signal(number, lambda *_: loop.call_soon_threadsafe(stop.set))
    _narrate(_("The reader service is listening at {place}.").format(place=place))
    await service.run(listening, stop)


@contextlib.contextmanager
def _log_to_stderr() -> Iterator[None]:
    """Log the service's messages to standard error in the block, a line each."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(_Line())
    errors.catch_logged()
    log = logging.getLogger("tags")
    log.addHandler(handler)
    log.setLevel(logging.INFO)
    try:
        yield
    finally:
        log.removeHandler(handler)


class _Line(logging.Formatter):
    """One line without control characters; exceptions are reported elsewhere."""

    def format(self, record: logging.LogRecord) -> str:
        return flatten(record.getMessage())


def _narrate(text: str) -> None:
    print(flatten(text), file=sys.stderr, flush=True)
