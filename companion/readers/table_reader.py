"""The readers of this table: opened as configured, their taps looked up in the mapping.

Nothing here blocks on a driver: each reader runs in a thread of its own (`tags.watch`). Without a
reader the simulated one takes its place, behind the same driver.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from dataclasses import replace
from typing import TYPE_CHECKING

from common.sentences import Sentence
from companion import chips, errors
from companion.chips import learning
from companion.chips.entries import Entry
from companion.readers.service import SharedReader, list_served, make_owner
from companion.settings.named_readers import SIMULATED, ReaderSetting
from tags.access import ChipError, Operation
from tags.readers import auto_reader
from tags.readers.gone_roads import find_replacement
from tags.readers.simulated import SimulatedReader
from tags.watch import Event, Lift, ReaderNotice, Tap, Watcher

if TYPE_CHECKING:
    from companion.chips.learning import KnownChips
    from companion.chips.registry import Registry
    from companion.settings.config import Config
    from engine.ruleset import Ruleset
    from tags.service import Own

RECORD_PATIENCE = 1.0
"""Seconds to read an unknown chip's own record."""

LOOK_EVERY = 1.0
"""Seconds between checks whether the mapping file has changed."""

STANDARD_INPUT = "file:-"


class TableReader:
    """The readers in use, real or simulated, and this table's chips."""

    def __init__(
        self,
        settings: Sequence[ReaderSetting],
        rules: Ruleset,
        known_chips: KnownChips,
        on_event: Callable[[Event], None],
        config: Config,
        *,
        own: Own,
    ) -> None:
        """Use `open`."""
        self._config = config
        self._known = known_chips
        self.simulator: SimulatedReader | None = None
        self.deck: chips.SimulatedDeck | None = None
        self.notices: list[Sentence] = []
        """What to say at every start: about the settings, and why `auto` has found no reader."""
        self.stands_in = False
        """Whether it is the simulated one because `auto` found none: nobody has to hear of it."""

        self.seats = {
            setting.name: setting.seat - 1 for setting in settings if setting.seat is not None
        }
        self._on_event = on_event
        self._laid: bytes | None = None
        self._lift_after: bytes | None = None
        self._started = False
        self._stopping = threading.Event()
        self._lying: dict[str, bytes] = {}
        self._records: dict[bytes, Future[bytes] | Entry] = {}
        self._sources = [self._use(setting, rules, own) for setting in settings]
        self.name = ", ".join(setting.name for setting in settings)

    @classmethod
    def open(
        cls,
        config: Config,
        rules: Ruleset,
        *,
        on_event: Callable[[Event], None],
        program: str = "companion play",
        over: bool = False,
    ) -> TableReader | None:
        """The configured readers, not started yet; None if the settings want none.

        `on_event` is called in each reader's own thread. `program` is the command that has the
        readers meanwhile; with `over` a game waits for it. Raises ChipsError for a broken mapping
        file and ValueError for an invalid reader.
        """
        errors.catch_logged()
        settings = list_wanted(config)
        if not settings:
            return None
        known_chips = learning.KnownChips.load(config.chips, config.deck or "")
        reader = cls(
            settings,
            rules,
            known_chips,
            on_event,
            config,
            own=make_owner(program, over=over),
        )
        reader.notices = list_gone(config)
        reader.stands_in = reader.simulated and settings[0] not in config.readers
        if reader.stands_in:
            reader.notices.append(auto_reader.explain_none())
        return reader

    def _use(self, setting: ReaderSetting, rules: Ruleset, own: Own) -> SharedReader | Watcher:
        """The reader of that setting, opened here or by the service."""
        if setting.path == SIMULATED:
            # A chip laid on by typing stays until it is lifted by typing.
            reader = self._simulate(setting, rules)
            return Watcher(reader, self._pass_on, confirm=self._is_unknown, dropout=0)

        return SharedReader(
            self._config.data,
            setting,
            self._pass_on,
            own=own,
            confirm=self._is_unknown,
        )

    def _simulate(self, setting: ReaderSetting, rules: Ruleset) -> SimulatedReader:
        self.simulator = SimulatedReader(setting.name)
        self.deck = chips.SimulatedDeck(rules)
        return self.simulator

    @property
    def registry(self) -> Registry:
        return self._known.registry

    def seat(self, event: Tap | Lift) -> int | None:
        """The seat whose reader this was; None at a shared reader."""
        return self.seats.get(event.reader)

    @property
    def lying(self) -> bytes | None:
        """The latest seen chip that has not been lifted."""
        return next(reversed(list(self._lying.values())), None)

    @property
    def simulated(self) -> bool:
        """Whether this is the simulated reader, with its known deck."""
        return self.simulator is not None

    def tell_ready(self, name: str) -> Sentence:
        if self.simulated:
            return Sentence("The simulated reader is ready.")
        return Sentence("Reader {name} is ready.", name=name)

    def start(self) -> None:
        """Start reading; idempotent."""
        if not self._started:
            self._started = True
            threading.Thread(target=self._keep_fresh, name="changes", daemon=True).start()
            for source in self._sources:
                source.start()

    def stop(self) -> None:
        """Stop reading; does not wait for the driver."""
        self._stopping.set()
        for source in self._sources:
            source.stop()

    def lookup(self, uid: bytes) -> Entry | None:
        """The chip's meaning: as learned at this table, else in the simulated deck, else from its
        own record."""
        entry, record = self._list(uid), self._records.get(uid)
        if entry is not None or record is None:
            return entry
        if isinstance(record, Future):
            try:
                record = learning.read_message(record.result(RECORD_PATIENCE))
            except Exception:  # lifted, or the reader is gone: unknown in any case
                return None
        return None if record is None else self.registry.complete(record)

    def _list(self, uid: bytes) -> Entry | None:
        entry = self.registry.lookup(uid)
        if entry is None and self.deck is not None:
            return self.deck.chips.get(uid)
        return entry

    def _is_unknown(self, uid: bytes) -> bool:
        """Whether the id must be read twice: a weak field can garble one, and a garbled id is
        nearly always unknown."""
        return self._list(uid) is None

    def perform(self, operation: Operation, uid: bytes, message: bytes = b"") -> Future[bytes]:
        """Do it with that chip; returns a future for the message read.

        The future fails with `ChipError` or `ReaderError`.
        """
        source = self._find_source(uid)
        if source is not None:
            return source.perform(operation, uid, message)
        future: Future[bytes] = Future()
        future.set_exception(ChipError("reader"))
        return future

    def signal(self, uid: bytes, is_accepted: bool | None) -> None:
        """Signal by sound whether that chip's tap was accepted. Silent for None, with sounds turned
        off, and while the service has the reader. Returns at once."""
        source = self._find_source(uid)
        if source is not None and is_accepted is not None and self._config.sounds:
            source.signal(is_accepted)

    def _find_source(self, uid: bytes) -> SharedReader | Watcher | None:
        """The reader on which that chip lies; the first one if it lies on none."""
        lying = list(self._lying.items())  # readers' threads change it meanwhile
        name = next((name for name, chip in lying if chip == uid), None)
        return next((one for one in self._sources if name in (one.name, None)), None)

    def learn(self, uid: bytes, entry: Entry) -> None:
        """Save a chip's meaning, keeping what other programs have learned in the meantime. Raises
        ValueError for what cannot be learned, and ChipsError if it cannot be saved."""
        self._note_changes()
        self._save(self.registry.with_chip(uid, entry))

    def forget(self, uid: bytes) -> None:
        """Remove a chip from the mapping. Raises ChipsError if that cannot be saved."""
        self._note_changes()
        self._save(self.registry.without(uid))

    def _save(self, registry: Registry) -> None:
        if self._known.learn(registry):
            self._on_event(ReaderNotice(chips.tell_copied(self._known.path)))

    def lay(self, uid: bytes) -> None:
        """Lay the simulated chip on the reader until it has been seen. Returns at once."""
        self._laid = self._lift_after = uid
        self._simulator.hold(uid)

    def hold(self, uid: bytes) -> None:
        self._laid, self._lift_after = uid, None
        self._simulator.hold(uid)

    def lift(self) -> None:
        self._lift_after = None
        self._simulator.lift()

    def unplug(self) -> None:
        self._simulator.unplug()

    def plug(self) -> None:
        self._simulator.plug()
        for source in self._sources:
            source.retry_now()

    @property
    def plugged(self) -> bool:
        """Whether the simulated reader is plugged in; a real one reports it by events."""
        return self.simulator is None or self.simulator.plugged

    @property
    def _simulator(self) -> SimulatedReader:
        if self.simulator is None:
            raise LookupError("only the simulated reader can be told what lies on it")
        return self.simulator

    def _keep_fresh(self) -> None:
        while not self._stopping.wait(LOOK_EVERY):
            self._note_changes()
            for source in self._sources:
                if not isinstance(source, Watcher):
                    source.look_for_service()

    def _note_changes(self) -> None:
        """Load changes of the mapping file, and report them."""
        text = self._known.refresh()
        if text is not None:
            self._on_event(ReaderNotice(text))

    def _pass_on(self, event: Event) -> None:
        if isinstance(event, Tap | Lift):
            self._lying.pop(event.reader, None)
        if isinstance(event, Tap):
            if event.uid == self._laid:  # typing is always deliberate
                event = replace(event, found=False, together=False, again=False)
            self._note_changes()
            self._lying[event.reader] = event.uid
            unknown = event.kind is None and self._list(event.uid) is None
            if unknown:
                self._records[event.uid] = record = self._read_own_record(event)
            if event.uid == self._lift_after:
                self._lift_after = None
                if unknown and isinstance(record, Future):
                    record.add_done_callback(lambda _: self._simulator.lift())
                else:
                    self._simulator.lift()
        self._on_event(event)

    def _read_own_record(self, tap: Tap) -> Future[bytes] | Entry:
        """The meaning of the name in its line, otherwise a future for the message on the chip."""
        entry = learning.read_text(tap.chip) if tap.chip is not None else None
        return self.perform("read", tap.uid) if entry is None else entry


def list_wanted(config: Config) -> tuple[ReaderSetting, ...]:
    """The configured readers; empty for none. Where any would do, those of a running service are
    taken, as where the configured ones are all on roads that are gone."""
    readers = tuple(one for one in config.readers if find_replacement(one.path) is None)
    if readers and readers[0].path != "auto":
        return tuple(one for one in readers if one.path != "none")
    if served := list_served(config.data):
        return tuple(ReaderSetting(name, state.path) for name, state in served.items())
    path = auto_reader.present() or SIMULATED
    return (ReaderSetting(path, path),)


def list_gone(config: Config) -> list[Sentence]:
    """What replaces the configured readers that are on a road which is gone; said at every
    start."""
    texts = (find_replacement(reader.path) for reader in config.readers)
    return [text for text in texts if text is not None]


def shares_input(config: Config) -> bool:
    """Whether standard input is a reader of this table as well as its keyboard."""
    return any(reader.path == STANDARD_INPUT for reader in config.readers)
