"""Install what is missing into `.venv` and start the companion, without make.

    python3 scripts/play.py [WORDS OF companion play ...]

A double-click on play.bat or play.command runs it. It keeps the files by which make knows what is
installed, so either can follow the other.
"""

from __future__ import annotations

import os
import subprocess
import sys
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
VENV = ROOT / ".venv"
PYTHON = VENV / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
PLACE = VENV / ".place"
INSTALLED = VENV / ".play"
NEEDED = [ROOT / name for name in ("pyproject.toml", "constraints.txt", "scripts/install.py")]


def is_usable() -> bool:
    """Whether `.venv` was made here and its Python still runs."""
    try:
        if PLACE.read_text(encoding="utf-8").strip() != str(ROOT):
            return False
        return subprocess.run([str(PYTHON), "-c", ""], check=False).returncode == 0
    except OSError:
        return False


def is_current() -> bool:
    """Whether nothing that says what to install has changed since it was installed."""
    try:
        return all(path.stat().st_mtime <= INSTALLED.stat().st_mtime for path in NEEDED)
    except OSError:
        return False


def main() -> int:
    """Install, start, and return the companion's exit code."""
    if sys.version_info < (3, 11):  # noqa: UP036 - an older Python runs this file too
        version = ".".join(map(str, sys.version_info[:2]))
        print(f"The companion needs Python 3.11 or newer; this is Python {version}.")
        return 1
    if not is_usable():
        print("Preparing the companion (once, in less than a minute) ...", flush=True)
        venv.create(VENV, clear=True)
        PLACE.write_text(f"{ROOT}\n", encoding="utf-8")
    if not is_current():
        code = subprocess.run(
            [str(PYTHON), str(ROOT / "scripts/install.py")], check=False
        ).returncode
        if code != 0:
            return code
        INSTALLED.touch()
    words = [str(PYTHON), "-m", "companion", *sys.argv[1:]]
    return subprocess.run(words, cwd=ROOT, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
