"""nfcpy over the real libusb, with an ACR122U that umockdev puts on the bus.

Needs Debian's umockdev, gir1.2-umockdev-1.0 and python3-gi; skips without them.
"""

from __future__ import annotations

import os
import subprocess
import sysconfig
from pathlib import Path

import pytest

from tests import needs
from tests.sizes import pick_size

pytestmark = pytest.mark.outer

ROOT = Path(__file__).parents[2]


EVERY = pick_size(9, 7, 1)
"""The cable is pulled at each of so many transfers; `test_survives.py` pulls it at every one, over
an emulated libusb."""


@pytest.mark.sweep
def test_an_acr122u_through_libusb() -> None:
    needs.require("umockdev", "python3-gi")
    paths = os.pathsep.join((str(ROOT), sysconfig.get_path("purelib")))
    result = subprocess.run(
        ["umockdev-wrapper", needs.SYSTEM_PYTHON, "-m", "tests.tags.usb_acr122", str(EVERY)],
        env={**os.environ, "PYTHONPATH": paths},
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert result.stdout.splitlines() == [
        "doctor usb@usb1 usable",
        "refused busy",
        "empty",
        "chip 04a2b3c4d5e680",
        "two chips 041122334455aa 04a2b3c4d5e680",
        "lifted",
        "again",
        "damaged True",
        "stalled silent",
        "awake 04a2b3c4d5e680",
        "pulled everywhere True",
        "pulled missing",
    ], result.stderr
