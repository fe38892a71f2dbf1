"""Opening a page of ours in this computer's browser."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys

BROWSE = "browse page"
"""What a face is asked to do with the path of a page: show it in a browser, if it can; without a
path, whether it can. Nobody can type it: a typed word has no space."""

_LINUX = ("xdg-open", "sensible-browser", "x-www-browser")


def find() -> str | None:
    """The program that opens a page in a browser with windows; None if there is none. One that
    would take over the terminal is none."""
    if sys.platform in ("win32", "darwin"):
        return shutil.which("explorer" if sys.platform == "win32" else "open")
    if not (os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")):
        return None
    return next(filter(None, map(shutil.which, _LINUX)), None)


def open_page(path: str) -> bool:
    """Open that file in the browser, without waiting for it; return whether it was tried."""
    program = find()
    if program is None:
        return False
    silent = subprocess.DEVNULL  # what a browser says would be printed over the screen
    try:
        subprocess.Popen(
            [program, path], stdin=silent, stdout=silent, stderr=silent, start_new_session=True
        )
    except OSError:
        return False
    return True
