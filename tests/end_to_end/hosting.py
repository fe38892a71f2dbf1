"""`companion host` as a process, with phones as tabs of Debian's Chromium."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, BrowserContext, Locator, Page, TimeoutError

from tests import starting
from tests.waiting import PATIENCE

MS = PATIENCE * 1000
SHOWS = "(version) => document.querySelector('[data-version]')?.dataset.version >= version"
MOMENT = "document.querySelector('input[name=moment]')?.value || ''"
OFFERS = f"""([version, last]) => {{
  const moment = {MOMENT};
  return moment.startsWith(version + ".") && moment !== last;
}}"""
LOCALES = ("en-GB", "de-DE", "fr-FR", "ru-RU")


def click_in_folds(button: Locator) -> None:
    """Click a button, and first the folds around it, until it is to be seen.

    A page that is drawn anew in between may show the button outside its fold. While a touch is
    being answered, the page ignores others.
    """
    deadline = time.monotonic() + PATIENCE
    fold = button.locator("xpath=ancestor::details[not(@open)]").first.locator("summary")
    button.page.locator("#main:not([aria-busy=true])").wait_for(state="attached", timeout=MS)
    button.wait_for(state="attached", timeout=MS)
    while not button.is_visible():
        assert time.monotonic() < deadline, f"never seen: {button}"
        with suppress(TimeoutError):
            fold.click(timeout=1000)
    button.click()


class Host:
    """A game hosted for phones in that folder; `port` 0 picks a free one."""

    def __init__(self, folder: Path, *words: str, port: int = 0) -> None:
        self.process = starting.start(
            *("host", "--json", "--host", "127.0.0.1", "--port", str(port), *words),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env={**os.environ, "COMPANION_DATA": str(folder), "COMPANION_FORCED": "ask"},
            text=True,
        )
        assert self.process.stdout is not None
        answer = json.loads(self.process.stdout.readline())
        self.url, self.code, self.game = answer["url"], answer["code"], answer["game"]
        self.seats: dict[str, str] = answer["seats"]

    @property
    def port(self) -> int:
        """The port it listens on."""
        return int(self.url.rstrip("/").rpartition(":")[2])

    def type(self, line: str) -> None:
        """Send a line to its standard input."""
        assert self.process.stdin is not None
        self.process.stdin.write(f"{line}\n")
        self.process.stdin.flush()

    def kill(self) -> None:
        """Kill it, like a power cut."""
        self.process.send_signal(signal.SIGKILL)
        self.process.communicate()

    def stop(self) -> int:
        """Ask it to end; returns its exit code."""
        self.process.terminate()
        self.process.communicate(timeout=PATIENCE)
        return self.process.returncode


class Phone:
    """A phone: a separate browser with one tab."""

    def __init__(self, browser: Browser, host: Host, locale: str, *, script: bool = True) -> None:
        self.script = script
        self.context: BrowserContext = browser.new_context(
            locale=locale,
            reduced_motion="reduce",
            java_script_enabled=script,
            viewport={"width": 390, "height": 844},
        )
        self.context.set_default_timeout(MS)
        self.tab: Page = self.context.new_page()
        self.host = host

    def enter(self, code: str = "") -> None:
        """Enter the table's code, or another."""
        self.tab.goto(self.host.url)
        self.tab.fill("input[name=code]", code or self.host.code)
        with self.tab.expect_navigation():
            self.tab.press("input[name=code]", "Enter")

    def sit(self, name: str) -> None:
        """Take that player's seat, or request it from the table."""
        with self.tab.expect_navigation():
            self.tab.get_by_role("button", name=name).first.click()

    def wait_for(self, version: int) -> None:
        """Wait until the page shows that version of the table."""
        self._wait_until(SHOWS, version)

    def wait_for_choices(self, version: int, last: str = "") -> str:
        """Wait until the page has the choices of that version, others than at the moment `last`;
        returns their moment."""
        self._wait_until(OFFERS, [version, last])
        return str(self.tab.evaluate(MOMENT))

    def _wait_until(self, text: str, target: object) -> None:
        if self.script:
            self.tab.wait_for_function(text, arg=target, polling=20)
            return
        end = time.monotonic() + PATIENCE
        while not self.tab.evaluate(text, target):
            assert time.monotonic() < end, f"{self.tab.url} never came to {target}"
            self.tab.goto(self.tab.url)

    def touch(self, row: int, *, as_caller: bool) -> None:
        """Touch that row in the player's own list, or the caller's."""
        form = f"form:has(input[name=as][value={'caller' if as_caller else 'player'}])"
        button = self.tab.locator(f"{form} button[name=row][value='{row}']")
        click_in_folds(button)

    def api(self, method: str, path: str, **data: Any) -> tuple[int, Any]:
        """Send a request to the JSON API with this phone's cookies."""
        answer = self.context.request.fetch(
            f"{self.host.url}{path}", method=method, data=data or None
        )
        return answer.status, answer.json()

    def close(self) -> None:
        """Close it."""
        self.context.close()
