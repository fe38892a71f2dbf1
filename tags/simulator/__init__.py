"""A reader and chips for tables without hardware, moved by the caller or by typed commands."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

from common.sentences import Sentence
from tags.links import is_random, parse_uid
from tags.readers import Reader, ReaderError
from tags.simulator.chips import Chip, ChipFile, Ntag, Phone, PlainChip
from tags.type2 import ChipSilent, Transceive, UnsuitableChip

log = logging.getLogger(__name__)

TAP_SIGHTINGS = 5
"""Consecutive sightings without other commands to the chip: a driver reads an unknown chip twice to
confirm it, and may then read its content."""

AWAY = 1.0
"""Seconds that a lifted chip stays away: longer than any dropout time."""

PATIENCE = 60.0
"""Seconds after which an unread tap or an unnoticed lift ends anyway."""

_UNPLUGGED = Sentence("The simulated reader is unplugged; plug it in again.")


class Antenna:
    """The chips in a reader's field.

    ``field`` may be replaced, never changed in place, from any thread. ``sightings`` and ``misses``
    count the searches that found a chip and those that found none, ``exchanges`` the commands to
    chips.
    """

    def __init__(self) -> None:
        self.field: tuple[Chip, ...] = ()
        self.sightings = 0
        self.misses = 0
        self.exchanges = 0

    def lay(self, *chips: Chip) -> None:
        """Replace the chips in the field with these."""
        for chip in chips:
            chip.field_off()
        self.field = chips

    def find(self, most: int, uid: bytes = b"") -> list[Chip]:
        """Select up to ``most`` chips that answer a search; ``uid`` is an id or empty."""
        chips = [chip for chip in self.field if uid in (b"", chip.uid)][:most]
        for chip in chips:
            chip.select()
        self.sightings += bool(chips)
        self.misses += not chips
        return chips

    def switch_off(self) -> None:
        """Switch the field off; every chip loses power."""
        for chip in self.field:
            chip.field_off()


class DirectReader:
    """A ``Reader`` of ``antenna``, without a bus or a driver."""

    def __init__(self, antenna: Antenna, name: str) -> None:
        self.plugged = True
        self._antenna = antenna
        self._name = name

    @property
    def name(self) -> str:
        """This reader's display name."""
        return self._name

    def open(self) -> None:
        """Open it. Raises ``ReaderError`` while the reader is unplugged."""
        if not self.plugged:
            raise ReaderError(_UNPLUGGED, "missing")

    def poll(self) -> Sequence[bytes]:
        """The uids of the first two chips. Raises ``ReaderError``."""
        self.open()
        uids = tuple(chip.uid for chip in self._antenna.find(2))
        self._antenna.switch_off()
        return uids

    @contextmanager
    def select(self, uid: bytes) -> Iterator[Transceive | None]:
        """Select exactly the chip ``uid``, or None if it is not there. Raises ``ReaderError``."""
        self.open()
        chips = self._antenna.find(1, uid)
        if not chips:
            yield None
            return
        (chip,) = chips

        def exchange(command: bytes) -> bytes:
            self.open()
            if chip.sel_res != b"\x00":
                raise UnsuitableChip("unsupported")
            self._antenna.exchanges += 1
            answer = chip.command(command) if chip in self._antenna.field else None
            if answer is None:
                raise ChipSilent
            return answer

        yield exchange
        self._antenna.switch_off()

    def close(self) -> None:
        """Nothing to close."""


class SimulatedReader:
    """A reader, initially plugged in, and chips to lay on it.

    Chips keep their memory as long as this object, or permanently in the file ``kept``: the same
    uid is the same chip. All methods but those of typed commands are quick; all are for one thread;
    the reader from ``reader`` may be used in another.
    """

    def __init__(
        self, *, name: str = "simulated", kept: str | None = None, antenna: Antenna | None = None
    ) -> None:
        """Raises ``ValueError`` with one sentence for an invalid file ``kept``."""
        self.name = name
        self.antenna = antenna or Antenna()
        self._file = ChipFile(kept) if kept is not None else None
        self._chips: dict[bytes, Chip] = {}
        self._reader = DirectReader(self.antenna, name)

    def reader(self) -> Reader:
        """The driver of this reader; only one may be open at a time."""
        return self._reader

    def hold(self, uid: bytes, ndef: bytes = b"") -> None:
        """Lay the chip ``uid`` on the reader, replacing any others.

        ``ndef`` is the message on it when this uid is laid on for the first time; later it keeps
        what was written since. An id of 7 bytes is an NTAG213, 4 bytes that begin with 08 a phone,
        any other 4 or 10 bytes a chip with only a readable id. Raises ``ValueError`` for other
        lengths, or a message that does not fit.
        """
        self._lay(self._chip(uid, ndef))

    def add(self, uid: bytes) -> None:
        """Lay the chip ``uid`` on the reader beside any others. Raises ``ValueError``."""
        chip = self._chip(uid, b"")
        if chip not in self.antenna.field:
            self.antenna.field = (*self.antenna.field, chip)

    def lift(self) -> None:
        """Take all chips off the reader; no-op if there are none."""
        self._lay()

    def _chip(self, uid: bytes, ndef: bytes) -> Chip:
        """The chip ``uid``, with that message if it is new."""
        if uid not in self._chips:
            self._chips[uid] = self._make_chip(uid, ndef)
        return self._chips[uid]

    def _make_chip(self, uid: bytes, ndef: bytes) -> Chip:
        if is_random(uid):
            return Phone(uid)
        if len(uid) != 7:
            return PlainChip(uid)
        return self._file.chip(uid, ndef) if self._file is not None else Ntag(uid, ndef)

    def _lay(self, *chips: Chip) -> None:
        before = self.antenna.field
        self.antenna.lay(*chips)
        self._save(before)

    def _save(self, chips: tuple[Chip, ...]) -> None:
        """Save the chips that have left the reader to the file, if there is one."""
        for chip in chips:
            if self._file is not None and isinstance(chip, Ntag):
                try:
                    self._file.save(chip)
                except (OSError, ValueError) as error:
                    log.warning("a simulated chip could not be kept: %s", error)

    @property
    def sightings(self) -> int:
        """The number of polls so far that saw a chip: grows once a held chip is noticed."""
        return self.antenna.sightings

    @property
    def misses(self) -> int:
        """The number of polls so far that saw no chip."""
        return self.antenna.misses

    @property
    def plugged(self) -> bool:
        """Whether the reader is plugged in."""
        return self._reader.plugged

    def unplug(self) -> None:
        """Pull the reader's cable; chips stay where they are."""
        self._reader.plugged = False

    def plug(self) -> None:
        """Plug the cable in again."""
        self._reader.plugged = True

    def close(self) -> None:
        """Unplug permanently, and save the chips."""
        self.unplug()
        self._save(self.antenna.field)

    def __enter__(self) -> SimulatedReader:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()

    @property
    def commands(self) -> dict[str, Callable[[str], None]]:
        """The typed commands; each gets the rest of its line, and may raise ``ValueError``."""
        return {
            "hold": self._hold_typed,
            "tap": self._tap_typed,
            "add": lambda words: self.add(parse_uid(words)),
            "away": lambda _words: self._take_away(),
            "lift": lambda _words: self.lift(),
            "unplug": lambda _words: self.unplug(),
            "plug": lambda _words: self.plug(),
        }

    def obey(self, line: str) -> str:
        """Carry out a typed command; returns ``ok`` and the second on this computer's performance
        counter at which it took effect, or ``error`` and a sentence.

        ``hold UID [TEXT]`` lays a chip on the reader, with the text on it when it is new; ``tap``
        is the same, and lifts it once it has been read; ``away`` lifts the chips and returns once
        the reader must have noticed.
        """
        word, _, words = line.strip().partition(" ")
        if word not in self.commands:
            return f"error: {word!r} is none of {', '.join(self.commands)}, quit"
        try:
            self.commands[word](words)
        except ValueError as error:
            return f"error: {error}"
        return f"ok {time.perf_counter():.6f}"

    def _hold_typed(self, words: str) -> None:
        uid, _, text = words.partition(" ")
        self.hold(parse_uid(uid), text_message(text) if text else b"")

    def _tap_typed(self, words: str) -> None:
        sightings, end = self.sightings, time.monotonic() + PATIENCE
        exchanges = self.antenna.exchanges
        self._hold_typed(words)
        while self.sightings < sightings + TAP_SIGHTINGS and time.monotonic() < end:
            time.sleep(0.005)
            if self.antenna.exchanges != exchanges:
                sightings, exchanges = self.sightings, self.antenna.exchanges
        self.lift()

    def _take_away(self) -> None:
        self.lift()
        end = time.monotonic() + PATIENCE
        time.sleep(AWAY)
        misses = self.misses
        while self.misses < misses + 2 and time.monotonic() < end:
            time.sleep(0.005)


def text_message(text: str) -> bytes:
    """An NDEF message with ``text`` (at most 250 bytes) as its one English text record."""
    payload = b"\x02en" + text.encode()
    return b"\xd1\x01" + bytes((len(payload),)) + b"T" + payload
