"""Every page as Firefox and WebKit lay it out, from a narrow phone to a tablet held sideways."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext

from companion.phones.serving.pages import Look
from tests.serving import browsing, visits
from tests.serving.engines import ENGINES
from tests.serving.served import Served
from tests.serving.test_shuts_out_nobody import FEW, WIDTHS
from tests.sizes import RING, pick_size

pytestmark = [pytest.mark.soak, pytest.mark.needs("Chromium"), pytest.mark.timeout(1200)]

COPY = """async () => {
  const copy = document.documentElement.cloneNode(true);
  for (const one of copy.querySelectorAll("script, noscript, meta[http-equiv]")) one.remove();
  for (const link of copy.querySelectorAll("link[rel=stylesheet]")) {
    const style = document.createElement("style");
    style.media = link.media;
    style.textContent = await (await fetch(link.href)).text();
    link.replaceWith(style);
  }
  return "<!doctype html>" + copy.outerHTML;
}"""
"""A script: the page as it is now, in one text."""
MEASURE = f"""async (text, widths) => {{
  const frame = document.body.appendChild(document.createElement("iframe"));
  await new Promise((done) => {{
    frame.onload = done;
    frame.srcdoc = text;
  }});
  const page = frame.contentDocument, faults = [];
  const list = ((document) => {browsing.BROKEN_WORDS})(page);
  const leave = ((document) => {browsing.LEAVING_TEXTS})(page);
  frame.style.width = "320px";
  page.documentElement.dataset.size = "huge";
  faults.push(...leave().map((text) => `it does not fit: ${{text}}`));
  page.documentElement.dataset.size = "normal";
  for (const width of widths) {{
    frame.style.width = `${{width}}px`;
    faults.push(...list().map((word) => `a word is broken at ${{width}} pixels: ${{word}}`));
    if (page.documentElement.scrollWidth > width) faults.push(`it is wider than ${{width}}`);
  }}
  frame.remove();
  return faults;
}}"""


@pytest.mark.parametrize(
    "name", [pytest.param(one, marks=pytest.mark.needs(one)) for one in ENGINES if RING != "short"]
)
@pytest.mark.parametrize("code", ["de", "en", "fr", "ru"][: pick_size(1, 1, 4)])
def test_no_word_is_broken_at_any_width(
    here: Served, phone: BrowserContext, tmp_path: Path, name: str, code: str
) -> None:
    empty = tmp_path / "empty.html"
    empty.write_text("<!doctype html><style>iframe { border: 0; height: 640px }</style><body>")
    page = phone.new_page()
    faults: dict[str, list[str]] = {}
    with ExitStack() as stack:
        tab = ENGINES[name](stack, tmp_path).open()
        tab.go(empty.as_uri())
        for number, visit in enumerate(visits.walk(here)):
            visits.open_page(page, here, visit, Look(code))
            widths = list(WIDTHS[number % FEW :: FEW])
            if broken := tab.run(MEASURE, page.evaluate(COPY), widths):
                faults[visit.name] = broken
    assert faults == {}
