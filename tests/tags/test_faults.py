"""The sentences for what goes wrong with a reader."""

from __future__ import annotations

import errno

import pytest
import usb1

from tags.readers import ReaderError
from tags.readers.faults import classify, explain_error


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
