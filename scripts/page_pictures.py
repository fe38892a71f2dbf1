"""Take a screenshot of every phone page in Chromium, for review.

    python scripts/page_pictures.py FOLDER [PAGE...]     # all pages, or the named ones

Sizes: phone, tablet and television, light and dark; on a phone also large print, high contrast and
each language.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

TOP = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(TOP))

from companion import language  # noqa: E402
from companion.phones.serving.pages import Look  # noqa: E402
from tests.serving import browsing, visits  # noqa: E402

SIZES = {
    "narrow": (360, 780),
    "phone": (390, 844),
    "tablet": (768, 1024),
    "television": (1920, 1080),
}


def list_looks() -> Iterator[tuple[str, str, Look]]:
    """Each size with each look: its name, the size, the look."""
    for size in SIZES:
        for theme in ("light", "dark"):
            yield f"{size}-{theme}", size, Look("en", theme=theme)
    yield "phone-huge", "phone", Look("en", size="huge", theme="light")
    yield "phone-contrast", "phone", Look("en", contrast="more", theme="dark")
    for code in language.list_offered()[1:]:
        yield f"phone-{code}", "phone", Look(code, theme="light")


def draw(folder: Path, names: tuple[str, ...]) -> None:
    """Write the pictures into that folder."""
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as games, browsing.chromium() as browser:
        here = visits.serve(Path(games))
        for visit in visits.walk(here, names):
            for name, size, look in list_looks():
                if size == "television" and visit.path != "/table":
                    continue
                width, height = SIZES[size]
                context = browser.new_context(
                    viewport={"width": width, "height": height}, reduced_motion="reduce"
                )
                file = folder / f"{visit.name}-{name}.png"
                page = context.new_page()
                visits.open_page(page, here, visit, look)
                page.screenshot(path=file, full_page=visit.name != "hidden")
                context.close()
                print(file)
        here.close()


if __name__ == "__main__":
    draw(Path(sys.argv[1]), tuple(sys.argv[2:]))
