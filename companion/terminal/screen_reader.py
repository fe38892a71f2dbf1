"""Whether a screen reader runs: the desktop's own programs are asked, for half a second at most."""

from __future__ import annotations

import subprocess
import sys

PATIENCE = 0.5  # seconds, for both programs together

_ASK = (
    "busctl --user --auto-start=no get-property org.a11y.Bus /org/a11y/bus org.a11y.Status"
    " ScreenReaderEnabled",
    "gdbus call --session --dest org.a11y.Bus --object-path /org/a11y/bus"
    " --method org.freedesktop.DBus.Properties.Get org.a11y.Status ScreenReaderEnabled",
)
"""Each answers with a line that has `true` or `false` in it."""


def is_running() -> bool:
    """Whether the desktop says that a screen reader runs; False also where nobody can say."""
    if sys.platform != "linux":
        return False
    for line in _ASK:
        try:
            told = subprocess.run(
                line.split(),
                stdin=subprocess.DEVNULL,
                capture_output=True,
                timeout=PATIENCE / len(_ASK),
            )
        except (OSError, subprocess.TimeoutExpired):
            continue
        if told.returncode == 0:
            return b"true" in told.stdout
    return False
