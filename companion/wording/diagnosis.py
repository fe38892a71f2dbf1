"""What `companion doctor` says of what it found: a sentence for each cause."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.language import _

if TYPE_CHECKING:
    from tags.readers.finding import Cause, Finding


def sentence(found: Finding) -> str:
    """The finding in one sentence that begins with its path."""
    said = _usable() | _unknown() | _broken()
    return said[found.cause].format(path=found.path, name=found.name, holder=found.holder)


def nothing_found() -> str:
    """What is said where no reader is plugged in."""
    return _("No reader was found; the game goes on by keyboard, or with --reader simulated.")


def served(path: str) -> str:
    """What is said of a reader that the reader service of this user has."""
    return _(
        "{path}: the reader service has it; stop companion daemon before a test with --tap or "
        "--checklist."
    ).format(path=path)


def _usable() -> dict[Cause, str]:
    return {
        "fine": _("{path}: {name}: it can be used."),
        "fine-pcsc": _("{path}: {name}: it can be used through PC/SC."),
        "fine-typing": _("{path}: a reader that types: it can be used."),
        "may-hang": _(
            "{path}: {name}: it can be used. Its firmware hangs after other programs have put it "
            "to sleep; if it does not answer, plug it in again."
        ),
    }


def _unknown() -> dict[Cause, str]:
    return {
        "serial": _("{path}: a serial port: if that is a PN532, try it."),
        "keyboard": _("{path}: a keyboard: leave it alone unless it types chips' ids."),
        "in-use": _("{path}: {name}: another program uses it, perhaps our own reader service."),
        "contacts": _("{path}: a slot for cards with contacts, which sees no chips."),
        "untried-pcsc": _(
            "{path}: {name}: this system's own smart card service takes it; use it through PC/SC."
        ),
        "untried-winusb": _(
            "{path}: {name}: Windows lets it be used only with the driver WinUSB; choose that for "
            "it in the program Zadig."
        ),
    }


def _broken() -> dict[Cause, str]:
    return {
        "kernel": _("{path}: {name}: the kernel's own driver {holder} holds it."),
        "libusb": _("{path}: {name}: the library libusb 1.0 is missing."),
        "permission": _(
            "{path}: {name}: this user may not use it; after the command plug it in again."
        ),
        "pcscd": _("{path}: {name}: pcscd holds it."),
        "pyscard": _("{path}: {name}: it speaks PC/SC, and pyscard is missing."),
        "no-pcscd": _("{path}: {name}: it speaks PC/SC, and that service does not run."),
        "no-driver": _("{path}: {name}: PC/SC runs and does not know it; its driver is missing."),
        "refused": _(
            "{path}: {name}: PC/SC refuses this user; log in at the computer itself, or allow "
            "org.debian.pcsc-lite.access_pcsc in a polkit rule."
        ),
        "port-permission": _(
            "{path}: a serial port: this user may not use it; after the command log in again."
        ),
        "evdev": _("{path}: a reader that types: evdev is missing."),
        "input-permission": _(
            "{path}: a reader that types: this user may not read it; after the command log in "
            "again."
        ),
    }
