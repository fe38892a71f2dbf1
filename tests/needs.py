"""What some tests need beyond Python and what make installs: programs, services and extras; how to
install each, and the summary of skipped tests at the end of a run.

A test names it with `@pytest.mark.needs("tmux")`, a fixture with `needs.require("tmux")`.

python -m tests.needs    prints the Debian packages of all needs
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Collection, Iterable
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

import pytest


class Need(NamedTuple):
    """Something that is there or not, and what brings it: Debian packages, an extra, or pipx."""

    is_there: Callable[[], bool]
    packages: tuple[str, ...] = ()
    extra: str = ""
    tool: str = ""


def find_program(*names: str) -> str | None:
    """The path of the first of these programs that is installed."""
    return next(filter(None, map(shutil.which, names)), None)


def _programs(*names: str, packages: Iterable[str]) -> Need:
    return Need(lambda: all(map(shutil.which, names)), tuple(packages))


def _extra(extra: str, *modules: str, packages: Iterable[str] = ()) -> Need:
    """An extra of pyproject.toml, and the packages without which it cannot be compiled."""
    return Need(lambda: None not in map(find_spec, modules), tuple(packages), extra)


SYSTEM_PYTHON = "/usr/bin/python3"
_GI = "import gi, sys; gi.require_version('UMockdev', '1.0'); sys.exit(sys.version_info < (3, 11))"


def _has_gi() -> bool:
    """Whether the system's Python is new enough, and has umockdev's bindings."""
    if not Path(SYSTEM_PYTHON).exists():
        return False
    return subprocess.run([SYSTEM_PYTHON, "-c", _GI], capture_output=True).returncode == 0


BROWSERS = ("chromium-headless-shell", "chromium", "chromium-browser")
"""The shell takes half of the processor's time."""

FIREFOX = ("firefox-esr", "firefox")

_DESK = ("mate-terminal", "openbox", "xdotool", "dbus", "at-spi2-core", "xvfb")
_ON_DESK = ("mate-terminal", "openbox", "xdotool", "dbus-daemon", "Xvfb")
_BRAILLE = "/lib/brltty/libbrlttyxa2.so"
"""What brltty sees windows with."""

NEEDS = {
    "tmux": _programs("tmux", packages=["tmux"]),
    "Chromium": Need(lambda: find_program(*BROWSERS) is not None, BROWSERS[:1]),
    "Firefox": Need(lambda: find_program(*FIREFOX) is not None, FIREFOX[:1]),
    "WebKit": _programs("WebKitWebDriver", "Xvfb", packages=["webkit2gtk-driver", "xvfb"]),
    "brltty": Need(
        lambda: all(map(shutil.which, ("brltty", *_ON_DESK))) and Path(_BRAILLE).exists(),
        ("brltty", "brltty-x11", *_DESK),
    ),
    "Orca": _programs("orca", *_ON_DESK, packages=("orca", *_DESK)),
    "espeak-ng": _programs("espeak-ng", packages=["espeak-ng"]),
    "poppler": _programs("pdftotext", "pdftoppm", packages=["poppler-utils"]),
    "zbar": _programs("zbarimg", packages=["zbar-tools"]),
    "liblouis": _programs("lou_translate", packages=["liblouis-bin"]),
    "pcscd": Need(
        lambda: bool(shutil.which("pcscd")) and Path("/etc/reader.conf.d/vpcd").exists(),
        ("pcscd", "vsmartcard-vpcd"),
    ),
    "umockdev": _programs("umockdev-run", "umockdev-wrapper", packages=["umockdev"]),
    "python3-gi": Need(_has_gi, ("python3-gi", "gir1.2-umockdev-1.0", "libusb-1.0-0")),
    "udev": _programs("udevadm", packages=["udev"]),
    "systemd": _programs("systemd-analyze", packages=["systemd"]),
    "util-linux": _programs("unshare", "setpriv", "mount", packages=["util-linux", "mount"]),
    "mosquitto": Need(
        lambda: find_program("mosquitto", "/usr/sbin/mosquitto") is not None, ("mosquitto",)
    ),
    "openssl": _programs("openssl", packages=["openssl"]),
    "ps": _programs("ps", packages=["procps"]),
    "git": _programs("git", packages=["git"]),
    "pipx": _programs("pipx", packages=["pipx"]),
    "uv": Need(lambda: shutil.which("uv") is not None, tool="uv"),
    "bash": _programs("bash", packages=["bash"]),
    "zsh": _programs("zsh", packages=["zsh"]),
    "fish": _programs("fish", packages=["fish"]),
    "labels": _extra("labels", "reportlab"),
    "scan": _extra("scan", "cv2", "numpy"),
    "tls": _extra("tls", "cryptography"),
    "club": _extra("club", "paho"),
    "pcsc": _extra("pcsc", "smartcard", packages=["libpcsclite-dev", "swig", "gcc", "libc6-dev"]),
    "fuzz": _extra("fuzz", "atheris"),
}

_REASON = "needs "


def find_missing(names: Iterable[str]) -> list[str]:
    """Those of these needs that are not there."""
    return [name for name in names if not NEEDS[name].is_there()]


def require(*names: str) -> None:
    """Skip the running test, or the module being imported, if one of these needs is missing."""
    if missing := find_missing(names):
        pytest.skip(_REASON + ", ".join(missing), allow_module_level=True)


# -- pytest's hooks, in tests/conftest.py ---------------------------------------------------------


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """Skip a test whose marks name something that is missing."""
    require(*dict.fromkeys(name for mark in item.iter_markers("needs") for name in mark.args))


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, exitstatus: int) -> None:
    """Say how many tests were skipped for want of what, and what installs it."""
    reports = terminalreporter.stats.get("skipped", [])
    reasons = [report.longrepr[2] for report in reports if isinstance(report.longrepr, tuple)]
    if lines := summarize([reason.removeprefix("Skipped: ") for reason in reasons]):
        count = len(terminalreporter.stats.get("passed", []))
        well = count and exitstatus == pytest.ExitCode.OK
        terminalreporter.write_line("")
        terminalreporter.write_line(
            f"{'All is well: whatever can run here has passed. ' if well else ''}"
            f"Skipped tests ({len(reports)}) need"
        )
        for line in lines:
            terminalreporter.write_line(f"  {line}")


def summarize(reasons: Collection[str]) -> list[str]:
    """A line for each way to install what the skipped tests lacked, with how many lacked it."""
    lacking = Counter(
        name
        for reason in reasons
        if reason.startswith(_REASON)
        for name in reason.removeprefix(_REASON).split(", ")
    )
    names = [name for name, _count in lacking.most_common()]
    extras = [name for name in names if NEEDS[name].extra]
    tools = [name for name in names if NEEDS[name].tool]
    programs = [name for name in names if name not in {*extras, *tools}]
    lines = []
    if programs:
        text = ", ".join(f"{name} ({lacking[name]})" for name in programs)
        install = " ".join(list_packages([*programs, *extras]))
        lines.append(f"{text}: on Debian or Ubuntu, sudo apt install {install}")
    if extras:
        text = ", ".join(f"{name} ({lacking[name]})" for name in extras)
        install = " ".join(NEEDS[name].extra for name in extras)
        lines.append(f'the extra {text}: make extras ARGS="{install}"')
    if tools:
        text = ", ".join(f"{name} ({lacking[name]})" for name in tools)
        lines.append(f"{text}: pipx install {' '.join(NEEDS[name].tool for name in tools)}")
    if others := sum(not reason.startswith(_REASON) for reason in reasons):
        lines.append(f"another system or user ({others}): make test ARGS=-rs lists them all")
    return lines


def list_packages(names: Iterable[str]) -> list[str]:
    """The Debian packages of these needs, each once."""
    return list(dict.fromkeys(package for name in names for package in NEEDS[name].packages))


if __name__ == "__main__":
    sys.stdout.write("\n".join(list_packages(NEEDS)) + "\n")
