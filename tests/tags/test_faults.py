"""Reader paths and the sentences for what goes wrong."""

from __future__ import annotations

import errno

import pytest
import usb1

from tags.readers import ReaderError, classify, explain_error
from tags.readers.nfcpy_reader import NfcpyReader
from tags.readers.roads import ReaderPlace, parse_place


@pytest.mark.parametrize(
    ("path", "place"),
    [
        ("usb", ReaderPlace("usb", "usb")),
        ("usb:072f:2200", ReaderPlace("usb", "usb:072f:2200")),
        ("usb:001:005", ReaderPlace("usb", "usb:001:005")),
        ("tty:USB0:pn532", ReaderPlace("serial", "/dev/ttyUSB0")),
        ("tty:ACM0", ReaderPlace("serial", "/dev/ttyACM0")),
        ("tty:/dev/pts/3", ReaderPlace("serial", "/dev/pts/3")),
        ("/dev/serial/by-id/usb-1a86:x", ReaderPlace("serial", "/dev/serial/by-id/usb-1a86:x")),
        ("COM3", ReaderPlace("serial", "COM3")),
    ],
)
def test_paths(path: str, place: ReaderPlace) -> None:
    assert parse_place(path) == place


@pytest.mark.parametrize(
    "path", ["", "tty", "tty:", "usb:zz", "usb:072f:", "tty:USB0:pn533", "tty:USB0:arygon", "x"]
)
def test_no_path_at_all(path: str) -> None:
    with pytest.raises(ValueError, match=r"\.$"):
        NfcpyReader(path)


def test_errors_that_are_no_oserror_are_understood() -> None:
    termios = pytest.importorskip("termios")
    assert classify(usb1.USBErrorAccess(-3)) == "permission"
    assert classify(usb1.USBErrorBusy(-6)) == "busy"
    assert classify(usb1.USBErrorNoDevice(-4)) == "missing"
    assert classify(usb1.USBErrorOther(-99)) == "failed"
    assert classify(termios.error(errno.EIO, "Input/output error")) == "failed"
    assert classify(termios.error(errno.ENODEV, "No such device")) == "missing"


@pytest.mark.parametrize(
    ("error", "fault"),
    [
        (FileNotFoundError(2, "cannot find a suitable libusb-1.0"), "software"),
        (ModuleNotFoundError("No module named 'nfc'"), "software"),
        (OSError(errno.EAGAIN, "could not lock port"), "busy"),
        (OSError(errno.ETIMEDOUT, "timed out"), "silent"),
        (OSError(errno.ECONNREFUSED, "connection refused"), "missing"),
        (OSError(errno.EAFNOSUPPORT, "address family not supported"), "software"),
        (RuntimeError("unexpected BrokenLinkError"), "failed"),
        (ValueError(), "failed"),
    ],
)
@pytest.mark.parametrize("road", ["usb", "serial"])
def test_every_error_has_one_sentence(error: Exception, fault: str, road: str) -> None:
    reader_gone = explain_error(error, "usb", road)
    assert reader_gone.fault == fault
    assert str(reader_gone).endswith(".")
    assert "\n" not in str(reader_gone)


def test_a_sentence_is_passed_on_as_it_is() -> None:
    first = ReaderError("Gone.")
    assert explain_error(first, "usb", "usb") is first


def test_braces_in_names_and_errors_are_only_text() -> None:
    assert "{name}" in str(explain_error(OSError("{x}"), "{name}", "serial"))
