"""The core's inner tests beside the extensions that are named alone, such as `python -m
tests.tools.core club -- -n 2`: in a copy of the checkout that has lost the others' folders, with
pytest's words after the dashes.

The tests of an extension lie in a folder of its name. Documents tell of all extensions, and some
tests ask `history` or `stats` what the core has done: these are left out where they cannot pass.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Collection, Sequence
from pathlib import Path

ROOT = Path(__file__).parents[2]
EXTENSIONS = sorted(one.parent.name for one in ROOT.glob("companion/extensions/*/__init__.py"))
_LEFT_BEHIND = shutil.ignore_patterns(".git", ".venv", ".*_cache", ".hypothesis", "__pycache__")


def run(kept: Collection[str], words: Sequence[str] = ()) -> int:
    """Run them with the extensions of those names. Returns pytest's exit code."""
    marks = "not outer and not soak"
    if "looking_back" not in kept:
        marks += " and not looking_back"
    if {*EXTENSIONS} - {*kept}:
        marks += " and not documents"
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder, "core")
        shutil.copytree(ROOT, copy, symlinks=True, ignore=_LEFT_BEHIND)
        for name in {*EXTENSIONS} - {*kept}:
            shutil.rmtree(copy / "companion" / "extensions" / name)
            shutil.rmtree(copy / "tests" / name, ignore_errors=True)
        command = [sys.executable, "-m", "pytest", "-q", "-m", marks, *words]
        # The ring and the worker of a test that runs this are not those of the tests below it.
        env = {key: text for key, text in os.environ.items() if "PYTEST" not in key}
        env.pop("RING", None)
        return subprocess.run(command, cwd=copy, env=env, check=False).returncode


if __name__ == "__main__":
    arguments = sys.argv[1:]
    at = arguments.index("--") if "--" in arguments else len(arguments)
    sys.exit(run(arguments[:at], arguments[at + 1 :]))
