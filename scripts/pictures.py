"""Draw the README's pictures of two phones, the television and a sheet of labels.

    python scripts/pictures.py [FOLDER]     # into docs/img

Needs Chromium, pdftoppm and the extra `labels`.

The pages are those of the real host in a headless browser, the labels those of `companion labels`.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

TOP = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(TOP))

from companion.phones.serving.pages import Look  # noqa: E402
from tests.serving import browsing, visits  # noqa: E402

PAGES = {
    "called": ("called", 390, 760),
    "hand": ("turn", 390, 760),
    "television": ("table", 1280, 720),
}
"""By picture: the visited page, its width and height in pixels."""


def draw_pages(folder: Path) -> None:
    """The pages of the phones and of the television."""
    with tempfile.TemporaryDirectory() as games, browsing.chromium() as browser:
        here = visits.serve(Path(games))
        name_of = {page: name for name, (page, *_size) in PAGES.items()}
        for visit in visits.walk(here, tuple(name_of)):
            _page, width, height = PAGES[name_of[visit.name]]
            context = browser.new_context(
                viewport={"width": width, "height": height}, reduced_motion="reduce"
            )
            page = context.new_page()
            visits.open_page(page, here, visit, Look("en", theme="light"))
            page.screenshot(path=folder / f"{name_of[visit.name]}.png")
            context.close()
        here.close()


def draw_labels(folder: Path) -> None:
    """The first sheet of labels, at 60 dots an inch."""
    with tempfile.TemporaryDirectory() as name:
        sheet = Path(name, "labels.pdf")
        labels = ["-m", "companion", "labels", "--round", "25", "--out", str(sheet)]
        subprocess.run([sys.executable, *labels], cwd=TOP, check=True)
        picture = ["pdftoppm", "-png", "-r", "60", "-l", "1", "-singlefile", str(sheet)]
        subprocess.run([*picture, str(folder / "labels")], check=True)


if __name__ == "__main__":
    into = Path(sys.argv[1]) if len(sys.argv) > 1 else TOP / "docs" / "img"
    draw_pages(into)
    draw_labels(into)
