"""What people are told when a reader cannot be used: what happened and what to do.

Any driver's exception becomes a `ReaderError`. That needs none of the drivers' packages: errors are
distinguished by numbers and names.
"""

from __future__ import annotations

import errno
import sys

from common import extras
from common.sentences import N_, Sentence
from tags.readers import Fault, ReaderError
from tags.readers.roads import ROADS

_LIBUSB = {
    -3: errno.EACCES,
    -4: errno.ENODEV,
    -5: errno.ENODEV,
    -6: errno.EBUSY,
    -7: errno.ETIMEDOUT,
}

_FAULTS: dict[int, Fault] = {
    errno.EACCES: "permission",
    errno.EPERM: "permission",
    errno.EBUSY: "busy",
    errno.EAGAIN: "busy",
    errno.ENODEV: "missing",
    errno.ENOENT: "missing",
    errno.ENXIO: "missing",
    errno.ECONNREFUSED: "missing",  # no program listens there
    errno.EAFNOSUPPORT: "software",
    errno.ETIMEDOUT: "silent",
}


def error_number(error: BaseException) -> int | None:
    """The errno behind an ``OSError``, a ``termios.error`` or a ``usb1.USBError``, if any."""
    if isinstance(error, OSError):
        return error.errno
    if type(error).__module__.startswith("usb1"):
        value = getattr(error, "value", None)
        return _LIBUSB.get(value, errno.EIO) if isinstance(value, int) else errno.EIO
    # termios.error carries (number, text) but is no OSError.
    if type(error).__module__ == "termios" and error.args and isinstance(error.args[0], int):
        return error.args[0]
    return None


def explain_error(error: BaseException, name: str, road: str) -> ReaderError:
    """The ``ReaderError`` for ``error`` at the reader called ``name`` on a road of `ROADS`, or on
    none."""
    if isinstance(error, ReaderError):
        return error
    extra = ROADS[road].extra if road else None
    if isinstance(error, ModuleNotFoundError) and extra and not _is_only_for_linux(extra):
        return ReaderError(extras.explain(name, extra), "software")
    return explain_fault(classify(error), name, road, _detail(error))


def _is_only_for_linux(extra: extras.Extra) -> bool:
    return extra == "wedge" and "linux" not in sys.platform


def explain_holder(name: str, holder: str) -> ReaderError:
    """The ``ReaderError`` for a serial port that the program ``holder`` has open."""
    return ReaderError(
        Sentence(
            "Another program, {holder}, is using the reader {name}; close that program.",
            name=name,
            holder=holder,
        ),
        "busy",
    )


def explain_fault(fault: Fault, name: str, road: str, detail: str = "") -> ReaderError:
    """The ``ReaderError`` for a known fault; ``detail`` is what the system says, which a road's
    sentence may tell.

    What drivers say goes to the log: it is in English, and for programmers.
    """
    own = ROADS[road].faults if road else {}
    template = own.get(fault, _SENTENCES[fault])
    return ReaderError(Sentence(template, name=name, detail=detail), fault)


def _detail(error: BaseException) -> str:
    """The first line of the error's message, without its number."""
    text = (error.strerror if isinstance(error, OSError) else None) or str(error)
    return (text or type(error).__name__).splitlines()[0]


def classify(error: BaseException) -> Fault:
    """The kind of fault that ``error`` is."""
    if isinstance(error, ImportError) or "libusb-1.0" in str(error):
        return "software"
    return _FAULTS.get(error_number(error) or 0, "failed")


_SENTENCES: dict[Fault, str] = {
    "permission": N_(
        "No permission to use the reader {name}; join the group that owns its serial "
        "port (dialout or uucp) and log in again."
    ),
    "busy": N_("Another program is using the reader {name}; close that program."),
    "software": N_(
        "The reader {name} cannot be used because a library is missing; install "
        "libusb 1.0 (the package libusb-1.0-0, libusb1 or libusb) and nfcpy."
    ),
    "missing": N_("The reader {name} was not found; plug it in, or choose another reader."),
    "silent": N_("The reader {name} does not answer; unplug it and plug it in again."),
    "failed": N_("The reader {name} disconnected; unplug it and plug it in again."),
}
"""What people are told of a fault where the reader's road has no sentence of its own."""
