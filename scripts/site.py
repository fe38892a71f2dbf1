"""Build the site of all pages into build/site, with MkDocs (the extra `site`).

    make site       build it; a link that leads nowhere fails

The pages keep their places beside each other, so that their links work on the site as they do in
the repository.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent
PAGES = ROOT / "build" / "pages"
AT_TOP = ("README.md", "CONTRIBUTING.md", "CHANGELOG.md", "LICENSE")


def lay_out() -> None:
    """Copy the pages to where MkDocs reads them."""
    shutil.rmtree(PAGES, ignore_errors=True)
    shutil.copytree(ROOT / "docs", PAGES / "docs", ignore=shutil.ignore_patterns("*.1"))
    for name in AT_TOP:
        shutil.copy(ROOT / name, PAGES / name)


def main() -> int:
    """Build the site; the exit code is that of MkDocs."""
    lay_out()
    words = [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet"]
    code = subprocess.run(words, cwd=ROOT, check=False).returncode
    if code == 0:
        print("build/site/index.html")
    return code


if __name__ == "__main__":
    sys.exit(main())
