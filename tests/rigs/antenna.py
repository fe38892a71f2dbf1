"""Chips on an antenna, and a reader of them that has neither a bus nor a driver."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from common.sentences import Sentence
from tags.links import is_random
from tags.presence import POLLED
from tags.readers import Reader, ReaderError
from tags.type2 import ChipSilent, Transceive, UnsuitableChip
from tests.rigs.chips import Chip, Ntag, Phone, PlainChip


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


class Hand:
    """Lays chips on ``antenna`` and takes them away; the same uid is the same chip.

    All methods are quick, and for one thread.
    """

    def __init__(self, antenna: Antenna) -> None:
        self.antenna = antenna
        self._chips: dict[bytes, Chip] = {}

    def hold(self, uid: bytes, ndef: bytes = b"") -> None:
        """Lay the chip ``uid`` on the reader, replacing any others.

        ``ndef`` is the message on it when this uid is laid on for the first time; later it keeps
        what was written since. An id of 7 bytes is an NTAG213, 4 bytes that begin with 08 a phone,
        any other 4 or 10 bytes a chip with only a readable id. Raises ``ValueError`` for other
        lengths, or a message that does not fit.
        """
        self.antenna.lay(self.find_chip(uid, ndef))

    def add(self, uid: bytes) -> None:
        """Lay the chip ``uid`` on the reader beside any others. Raises ``ValueError``."""
        chip = self.find_chip(uid)
        if chip not in self.antenna.field:
            self.antenna.field = (*self.antenna.field, chip)

    def lift(self) -> None:
        """Take all chips off the reader; no-op if there are none."""
        self.antenna.lay()

    def find_chip(self, uid: bytes, ndef: bytes = b"") -> Chip:
        """The chip ``uid``, with that message if it is new. Raises ``ValueError``."""
        if uid not in self._chips:
            self._chips[uid] = self.make_chip(uid, ndef)
        return self._chips[uid]

    def make_chip(self, uid: bytes, ndef: bytes) -> Chip:
        """A new chip of the kind that has such an id. Raises ``ValueError``."""
        if is_random(uid):
            return Phone(uid)
        return Ntag(uid, ndef) if len(uid) == 7 else PlainChip(uid)

    @property
    def sightings(self) -> int:
        """The number of polls so far that saw a chip: grows once a held chip is noticed."""
        return self.antenna.sightings

    @property
    def misses(self) -> int:
        """The number of polls so far that saw no chip."""
        return self.antenna.misses


class DirectReader(Hand, Reader):
    """A reader of an antenna of its own, or of ``antenna``, initially plugged in."""

    traits = POLLED

    def __init__(self, name: str = "simulated", antenna: Antenna | None = None) -> None:
        super().__init__(antenna or Antenna())
        self.plugged = True
        self.name = name

    def unplug(self) -> None:
        """Pull the reader's cable; chips stay where they are."""
        self.plugged = False

    def plug(self) -> None:
        """Plug the cable in again."""
        self.plugged = True

    def open(self) -> None:
        """Open it. Raises ``ReaderError`` while the reader is unplugged."""
        if not self.plugged:
            raise ReaderError(Sentence("The reader is unplugged."), "missing")

    def poll(self) -> Sequence[bytes]:
        """The uids of the first two chips. Raises ``ReaderError``."""
        self.open()
        uids = tuple(chip.uid for chip in self.antenna.find(2))
        self.antenna.switch_off()
        return uids

    @contextmanager
    def select(self, uid: bytes) -> Iterator[Transceive | None]:
        """Select exactly the chip ``uid``, or None if it is not there. Raises ``ReaderError``."""
        self.open()
        chips = self.antenna.find(1, uid)
        if not chips:
            yield None
            return
        (chip,) = chips

        def exchange(command: bytes) -> bytes:
            self.open()
            if chip.sel_res != b"\x00":
                raise UnsuitableChip("unsupported")
            self.antenna.exchanges += 1
            answer = chip.command(command) if chip in self.antenna.field else None
            if answer is None:
                raise ChipSilent
            return answer

        yield exchange
        self.antenna.switch_off()

    def close(self) -> None:
        """Nothing to close."""


def text_message(text: str) -> bytes:
    """An NDEF message with ``text`` (at most 250 bytes) as its one English text record."""
    payload = b"\x02en" + text.encode()
    return b"\xd1\x01" + bytes((len(payload),)) + b"T" + payload
