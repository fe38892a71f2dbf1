"""Modules that must not be loaded by others."""

from __future__ import annotations

import subprocess
import sys

import pytest

pytestmark = pytest.mark.outer

MODULES = ("tags.presence", "tags.watch", "tags.readers.simulated", "tags.readers",
           "tags.readers.nfcpy_reader")  # fmt: skip
FORBIDDEN = {"nfc", "serial", "usb1", "yaml", "textual", "engine", "companion"}


@pytest.mark.parametrize("module", MODULES)
def test_loading_loads_no_driver_screen_or_rules(module: str) -> None:
    program = f"import sys, {module}; print(*sys.modules)"
    result = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=True
    )
    assert not FORBIDDEN & set(result.stdout.split())
