"""Debian's Chromium, headless, driven by playwright, which downloads no browser."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager

from playwright.sync_api import Browser, sync_playwright

from tests.needs import BROWSERS, find_program

PROGRAM = find_program(*BROWSERS)

_OPTIONS = (
    "--no-sandbox",
    "--renderer-process-limit=1",  # one process for all that a phone opens
    "--disable-partial-raster",  # pictures of the same page are the same to the pixel
)

CUT_WORDS = """(selector) => [...document.querySelectorAll(selector)].filter((one) => {
  const text = one.firstChild, box = one.closest("li, .rows > div").getBoundingClientRect();
  return [...text.textContent.matchAll(/\\S+/g)].some((word) => {
    const range = document.createRange();
    range.setStart(text, word.index);
    range.setEnd(text, word.index + word[0].length);
    const [line, ...more] = range.getClientRects();
    if (!line) return false; // it is not shown
    return more.length || line.right > box.right || getComputedStyle(one).overflow !== "visible";
  });
}).map((one) => one.textContent)"""
"""A script: the texts of these elements of lists with a word that is broken or cut off."""

BROKEN_WORDS = """() => {
  const found = new Set(), kinds = NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT;
  const isHidden = (node) => node.nodeType === 1 &&
    (!node.checkVisibility() || getComputedStyle(node).clipPath.startsWith("inset"));
  const nodes = document.createTreeWalker(document.body, kinds, (node) =>
    isHidden(node) ? NodeFilter.FILTER_REJECT : NodeFilter.FILTER_ACCEPT);
  for (let node; (node = nodes.nextNode()); )
    for (const word of node.nodeType === 3 ? node.data.matchAll(/[\\p{L}\\p{M}’']+/gu) : []) {
      const range = document.createRange();
      range.setStart(node, word.index);
      range.setEnd(node, word.index + word[0].length);
      const lines = [...range.getClientRects()].filter((box) => box.width);
      if (new Set(lines.map((box) => Math.round(box.top))).size > 1) found.add(word[0]);
    }
  return [...found];
}"""
"""A script: the words of the page that are broken in the middle."""


LEAVING_TEXTS = """() => {
  const found = new Set(), nodes = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node; (node = nodes.nextNode()); ) {
    const first = node.parentElement;
    if (!node.data.trim() || !first.checkVisibility()) continue;
    if (first.closest(".unseen, .skip, .scroll")) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    const right = Math.max(...[...range.getClientRects()].map((box) => box.right));
    for (let one = first; one; one = one.parentElement) {
      const isInline = getComputedStyle(one).display === "inline";
      if (!isInline && right > one.getBoundingClientRect().right + 1) found.add(node.data.trim());
    }
  }
  return [...found];
}"""
"""A script: the texts of the page that reach out of what they stand in."""


@contextmanager
def chromium() -> Iterator[Browser]:
    """The browser, closed afterwards."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=PROGRAM, args=_OPTIONS)
        try:
            yield browser
        finally:
            browser.close()


@contextmanager
def chromium_at_rest() -> Iterator[Browser]:
    """The same, for tests that take turns with others: `use` it."""
    with chromium() as browser:
        loop = asyncio.get_running_loop()
        asyncio._set_running_loop(None)
        try:
            yield browser
        finally:
            asyncio._set_running_loop(loop)


@contextmanager
def use(browser: Browser) -> Iterator[Browser]:
    """The browser for one test, its contexts closed afterwards.

    Between calls playwright marks its event loop as running in this thread, where other tests must
    run theirs.
    """
    asyncio._set_running_loop(browser._loop)
    try:
        yield browser
        for context in browser.contexts:
            context.close()
    finally:
        asyncio._set_running_loop(None)
