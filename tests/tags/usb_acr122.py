"""An ACR122U as a USB device: nfcpy and libusb are real, the kernel is mocked by umockdev.

Covers the faults of `test_survives.py` that a USB device can have. Run by ``test_usb.py`` under
umockdev-wrapper, with a Python that has gi; prints what it saw.
"""

from __future__ import annotations

import ctypes
import errno
import struct
import sys
from collections.abc import Callable

import gi

gi.require_version("UMockdev", "1.0")
from gi.repository import UMockdev  # noqa: E402

from tags import access  # noqa: E402
from tags.readers import ReaderError  # noqa: E402
from tags.readers.finding import find  # noqa: E402
from tags.readers.nfcpy_reader import NfcpyReader  # noqa: E402
from tests.rigs.chips import Ntag  # noqa: E402
from tests.tags.emulated_acr122 import Acr122  # noqa: E402

NODE, DEVICES = "/dev/bus/usb/001/005", "/sys/devices/usb1"
TEMPLE, CASTLE = bytes.fromhex("04A2B3C4D5E680"), bytes.fromhex("041122334455AA")
OLD, NEW = b"\xd1\x01\x04T\x02enA", b"\xd1\x01\x08T\x02enTempl"

# Numbers of linux/usbdevice_fs.h on 64 bit
SUBMIT, DISCARD, REAP, REAP_NOW = 0x8038550A, 0x550B, 0x4008550C, 0x4008550D
CLAIM, CAPABILITIES, SPEED = 0x8004550F, 0x8004551A, 0x551F
DONE_AT_ONCE = {0x80045510, 0x80045505, 0x80085504, 0x5514, 0x80045515, 0x80045503}
CONTROL, FULL_SPEED, CAPS = 2, 2, 0x1F

DEVICE = bytes.fromhex("12 01 1001 000000 08 2f07 0022 1402 01 02 00 01")
CONFIGURATION = (
    bytes.fromhex("09 02 5d00 01 01 00 80 64")
    + bytes.fromhex("09 04 00 00 03 0b 00 00 00")
    + bytes.fromhex("36 21") + bytes(52)
    + bytes.fromhex("07 05 81 03 0800 0a 07 05 02 02 4000 00 07 05 82 02 4000 00")
)  # fmt: skip
STRINGS = {0: bytes.fromhex("04030904")}
for place, word in ((1, "ACS"), (2, "ACR122U PICC Interface")):
    text = word.encode("utf-16-le")
    STRINGS[place] = bytes((len(text) + 2, 3)) + text


class UsbDevice:
    """The emulated reader on bus 1 as device 5, answering the ioctls that libusb makes."""

    def __init__(self) -> None:
        self.reader = Acr122()
        self.claim_error = 0
        self._gone = False
        self._done: list[int] = []
        self._waiting: list[tuple[int, int, int]] = []
        self._answers: list[bytes] = []
        self.bed = UMockdev.Testbed.new()
        self._handler = UMockdev.IoctlBase.new()
        self._handler.connect("handle-ioctl", self._ioctl)
        self.bed.attach_ioctl(NODE, self._handler)
        self.plug()

    def plug(self) -> None:
        """Plug it in, or in again."""
        self._gone = False
        self._done, self._waiting, self._answers = [], [], []
        self.bed.add_from_string(
            f"P: {DEVICES.removeprefix('/sys')}\nN: bus/usb/001/005\n"
            "E: SUBSYSTEM=usb\nE: DRIVER=usb\n"
            f"E: BUSNUM=001\nE: DEVNUM=005\nE: DEVNAME={NODE}\nE: DEVTYPE=usb_device\n"
            "A: bConfigurationValue=1\\n\nA: busnum=1\\n\nA: devnum=5\\n\nA: speed=12\\n\n"
            "A: idVendor=072f\\n\nA: idProduct=2200\\n\nA: bcdDevice=0214\\n\n"
            f"H: descriptors={(DEVICE + CONFIGURATION).hex()}\n"
        )

    def unplug(self) -> None:
        """Pull the cable; no-op if it is out."""
        if self._gone:
            return
        self._gone = True
        self.bed.uevent(DEVICES, "remove")
        self.bed.remove_device(DEVICES)

    def _ioctl(self, handler: object, client: UMockdev.IoctlClient) -> bool:
        request, argument = client.get_request() & 0xFFFFFFFF, client.get_arg()
        address = struct.unpack("<Q", bytes(argument.retrieve())[:8])[0] if argument else 0
        client.complete(*self._answer(request, address))
        return True

    def _answer(self, request: int, address: int) -> tuple[int, int]:
        if self._gone and request not in (REAP, REAP_NOW):
            return -1, errno.ENODEV
        if request == CAPABILITIES:
            ctypes.c_uint32.from_address(address).value = CAPS
        elif request == CLAIM:
            return (-1, self.claim_error) if self.claim_error else (0, 0)
        elif request == SPEED:
            return FULL_SPEED, 0
        elif request == SUBMIT:
            self._submit(address)
        elif request in (REAP, REAP_NOW):
            if not self._done:
                return -1, errno.ENODEV if self._gone else errno.EAGAIN
            ctypes.c_uint64.from_address(address).value = self._done.pop(0)
        elif request == DISCARD:
            return self._discard(address)
        elif request not in DONE_AT_ONCE:
            return -1, errno.ENOTTY
        return 0, 0

    def _submit(self, address: int) -> None:
        if self.reader.chip.faults.cut(b".")[1]:
            self.unplug()
        head = ctypes.string_at(address, 56)
        kind, endpoint = head[0], head[1]
        buffer, length = struct.unpack_from("<Qi", head, 16)
        if kind == CONTROL:
            request, what, value, _, most = struct.unpack("<BBHHH", ctypes.string_at(buffer, 8))
            is_known = (request, what, value >> 8) == (0x80, 6, 3)
            data = STRINGS.get(value & 0xFF, b"")[:most] if is_known else b""
            ctypes.memmove(buffer + 8, data, len(data))
            self._complete(address, len(data))
        elif endpoint == 0x82:
            self._waiting.append((address, buffer, length))
        elif not endpoint & 0x80:
            message = ctypes.string_at(buffer, length)
            self._complete(address, length)
            if message:
                self._answers.append(self.reader.answer(message))
        while self._waiting and self._answers and not self.reader.chip.faults.stall:
            address, buffer, length = self._waiting.pop(0)
            data = self._answers.pop(0)[:length]
            ctypes.memmove(buffer, data, len(data))
            self._complete(address, len(data))

    def _discard(self, address: int) -> tuple[int, int]:
        for one in self._waiting:
            if one[0] == address:
                self._waiting.remove(one)
                self._complete(address, 0, -errno.ENOENT)
                return 0, 0
        return -1, errno.EINVAL

    def _complete(self, address: int, length: int, status: int = 0) -> None:
        ctypes.c_int.from_address(address + 4).value = status
        ctypes.c_int.from_address(address + 28).value = length
        self._done.append(address)


def find_fault(work: Callable[[], object]) -> str:
    """The fault that ``work`` fails with; empty if it does not."""
    try:
        work()
    except (ReaderError, access.ChipError) as error:
        return error.fault
    return ""


def see_chips(device: UsbDevice, reader: NfcpyReader) -> None:
    """Test opening, chips coming and going, and a busy reader."""
    device.claim_error = errno.EBUSY
    print("refused", find_fault(reader.open))
    device.claim_error = 0
    reader.open()
    print("empty", *reader.poll())
    device.reader.chip.lay(Ntag(TEMPLE))
    print("chip", *(uid.hex() for uid in reader.poll()))
    device.reader.chip.lay(Ntag(CASTLE), Ntag(TEMPLE))
    print("two chips", *(uid.hex() for uid in reader.poll()))
    device.reader.chip.lay()
    print("lifted", *reader.poll())
    reader.close()
    reader.open()
    print("again", *reader.poll())


def spoil(device: UsbDevice, reader: NfcpyReader) -> None:
    """Test wrong checksums and a missing answer."""
    faults = device.reader.chip.faults
    device.reader.chip.lay(Ntag(TEMPLE, OLD))
    faults.corrupt = 2
    print("damaged", access.perform(reader, "read", TEMPLE) == OLD)
    faults.stall = True
    print("stalled", find_fault(reader.poll))
    faults.stall = False
    device.unplug()
    device.plug()
    reader.open()
    print("awake", *(uid.hex() for uid in reader.poll()))


def pull_everywhere(device: UsbDevice, reader: NfcpyReader, every: int) -> None:
    """Pull the cable at each `every` transfers of opening, a poll, a write and a read."""
    faults, count = device.reader.chip.faults, 0

    def use() -> None:
        reader.open()
        reader.poll()
        access.perform(reader, "write", TEMPLE, NEW)

    reader.close()
    while True:
        chip = Ntag(TEMPLE, OLD)
        device.reader.chip.lay(chip)
        faults.unplug_after = count
        if not find_fault(use):
            break
        faults.unplug_after = None
        device.plug()
        device.reader.chip.lay(chip)
        reader.open()
        if access.perform(reader, "read", TEMPLE) not in (OLD, b"", NEW):
            print("half written at transfer", count)
        device.unplug()
        find_fault(reader.poll)
        device.plug()
        count += every
    faults.unplug_after = None
    print("pulled everywhere", count > 50)


def main() -> None:
    """Test everything that may happen to a reader, printing one line each."""
    device = UsbDevice()
    reader = NfcpyReader("usb")
    print("doctor", *(f"{one.path} {one.state}" for one in find() if one.path.startswith("usb")))
    see_chips(device, reader)
    spoil(device, reader)
    pull_everywhere(device, reader, int(sys.argv[1]))
    device.unplug()
    print("pulled", find_fault(reader.poll))
    sys.stdout.flush()


if __name__ == "__main__":
    main()
