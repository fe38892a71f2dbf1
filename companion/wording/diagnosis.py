"""The findings of `companion doctor` in words: a sentence for each cause."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.language import _, plural

if TYPE_CHECKING:
    from tags.readers.finding import Cause, Finding


def sentence(finding: Finding) -> str:
    """The finding in a sentence that begins with its path."""
    sentences = _usable() | _describe_unknown() | _describe_broken()
    return sentences[finding.cause].format(
        path=finding.path, name=finding.name, holder=finding.holder
    )


def say_nothing_found() -> str:
    """The sentence for when no reader is plugged in."""
    return _("No reader was found; play by keyboard, or with --reader simulated.")


def count_possible(number: int) -> str:
    """The sentence that so many findings may be readers."""
    return plural(
        "{number} possible reader; try it with the command below it:",
        "{number} possible readers; try each with the command below it:",
        number,
    )


def describe_served(path: str) -> str:
    """The sentence about a reader that this user's reader service has."""
    return _("{path}: the reader service is using it.").format(path=path)


def _usable() -> dict[Cause, str]:
    return {
        "fine": _("{path}: {name}: it can be used."),
        "fine-pcsc": _("{path}: {name}: it can be used through PC/SC."),
        "fine-typing": _("{path}: a reader that types: it can be used."),
        "may-hang": _(
            "{path}: {name}: it can be used. Its firmware hangs if another program has "
            "put it to sleep; if it does not answer, plug it in again."
        ),
    }


def _describe_unknown() -> dict[Cause, str]:
    return {
        "serial": _("{path}: a serial port: if it is a PN532, try it."),
        "serial-twin": _(
            "{path}: a serial port, named after its USB socket because two adapters "
            "have the same name: if it is a PN532, try it, and leave it in that socket."
        ),
        "no-linger": _(
            "{path}: it is installed, but on a computer without a desktop it starts only when you "
            "log in."
        ),
        "modem-manager": _(
            "{path}: it tries every new serial port for a modem, which disturbs a PN532 for some "
            "seconds; the command keeps it away from serial adapters."
        ),
        "keyboard": _("{path}: a keyboard: leave it alone unless it types chips' ids."),
        "in-use": _("{path}: {name}: another program is using it, perhaps our own reader service."),
        "contacts": _("{path}: a slot for contact cards, which can't read chips."),
        "untried-pcsc": _(
            "{path}: {name}: the system's own smart card service is using it; use it through PC/SC."
        ),
        "untried-winusb": _(
            "{path}: {name}: Windows needs the driver WinUSB for it; choose that in "
            "the program Zadig."
        ),
    }


def _describe_broken() -> dict[Cause, str]:
    return {
        "kernel": _("{path}: {name}: the kernel's own driver {holder} is using it."),
        "libusb": _("{path}: {name}: the library libusb 1.0 is missing."),
        "permission": _(
            "{path}: {name}: you have no permission to use it; the command gives it to you."
        ),
        "pcscd": _("{path}: {name}: pcscd is using it."),
        "pyscard": _("{path}: {name}: it speaks PC/SC, but pyscard is missing."),
        "no-pcscd": _("{path}: {name}: it speaks PC/SC, but that service is not running."),
        "no-driver": _(
            "{path}: {name}: PC/SC is running but does not know it; its driver is missing."
        ),
        "refused": _(
            "{path}: {name}: PC/SC refuses you access; log in at the computer itself, "
            "or allow org.debian.pcsc-lite.access_pcsc in a polkit rule."
        ),
        "port-permission": _(
            "{path}: a serial port: you have no permission to use it; the command gives it to you."
        ),
        "log-in": _(
            "{path}: you joined the group {holder}, which takes effect "
            "at the next login; for a service that is already running, restart the "
            "computer."
        ),
        "console": _(
            "{path}: the pins of a Raspberry Pi: the system console is using them; the "
            "command switches it off and restarts."
        ),
        "brltty": _(
            "{path}: {name}: brltty, which drives braille displays, has mistaken this "
            "serial adapter for one; after the command, plug it in again. A braille display "
            "pauses for a moment."
        ),
        "evdev": _("{path}: a reader that types: evdev is missing."),
        "input-permission": _(
            "{path}: a reader that types: you have no permission to read it; the command gives it "
            "to you."
        ),
    }
