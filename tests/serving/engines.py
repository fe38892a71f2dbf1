"""Phones in three engines, each by what drives it: Chromium by playwright, WebKit by WebDriver over
HTTP, Firefox by Marionette, which is WebDriver's commands on a socket."""

from __future__ import annotations

import json
import time
import urllib.error
import urllib.request
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, ElementHandle, Error

from tests.needs import FIREFOX, find_program
from tests.rigs import unseen
from tests.rigs.ports import find_port
from tests.waiting import PATIENCE, wait_until


class Failed(Exception):
    """What an engine could not do: the page was being loaded or drawn anew, or has a fault."""


class Tab(ABC):
    """A phone with one page. A script is a function of the page, with its arguments."""

    @abstractmethod
    def go(self, url: str) -> None:
        """Open that page."""

    @abstractmethod
    def back(self) -> None:
        """Go back to the page before, once it has come. `history.back()` in a script may take the
        page away while the next script runs in it, and that one is never answered: WebKit keeps
        the page, its script with it, and tells its driver nothing."""

    @abstractmethod
    def run(self, script: str, *args: object) -> Any:
        """What the script returns; an element is a handle for `press` and `hold`."""

    @abstractmethod
    def press(self, element: Any) -> None:
        """Touch the middle of the element, where it must be what is touched."""

    @abstractmethod
    def hold(self, element: Any, during: Callable[[], None]) -> None:
        """Touch it like that for as long as that lasts."""

    @abstractmethod
    def type(self, element: Any, text: str) -> None:
        """Type into it."""

    def wait(self, script: str, *args: object) -> Any:
        """What the script returns, once the page is loaded and that is something."""
        script = f"(...all) => document.readyState === 'complete' && ({script})(...all)"
        end, last = time.monotonic() + PATIENCE, ""
        while True:
            try:
                if answer := self.run(script, *args):
                    return answer
            except Failed as error:
                last = str(error)
            if time.monotonic() > end:
                page = self.run(
                    "() => [location.pathname, document.querySelector('main').innerText]"
                )
                raise AssertionError(f"never so: {script} {args} {last} {page}")
            time.sleep(0.05)

    def shows(self, text: str) -> None:
        self.wait(SHOWS, text)

    def touch(self, text: str) -> None:
        """Touch the first button, link or title of a fold with that text, once the page takes
        touches; the folds around it are opened first."""
        self.wait(WATCH)
        end = time.monotonic() + PATIENCE
        while True:
            try:
                self.wait(STILL)
                return self.press(self.wait(AIM, text))
            except Failed:  # drawn anew in between
                assert time.monotonic() < end, f"never touched: {text}"

    def faults(self) -> str:
        """What scripts failed at since the first touch on each page."""
        told: str = self.run("() => sessionStorage.getItem('faults') || ''")
        return told


WATCH = """() => {
  if (window.isWatched) return true;
  const note = (told) =>
    sessionStorage.setItem("faults", `${sessionStorage.getItem("faults") || ""}${told}\\n`);
  addEventListener("error", (event) => note(event.message));
  addEventListener("unhandledrejection", (event) => note(event.reason));
  return (window.isWatched = true);
}"""
SHOWS = r"(text) => document.body.innerText.replace(/\s+/g, ' ').includes(text)"
STILL = """() => {
  const main = document.querySelector("main");
  return main.getAttribute("aria-busy") !== "true" && !("held" in main.dataset);
}"""
"""No touch is being answered, and none would be ignored."""
AIM = r"""(text) => {
  const all = [...document.querySelectorAll("button, summary, footer a, #scores a")].filter(
    (one) => one.textContent.replace(/\s+/g, " ").includes(text));
  const aim = all.find((one) => one.checkVisibility()) || all[0];
  for (let fold = aim; fold && fold !== document; fold = fold.parentNode)
    if (fold.localName === "details" && fold !== aim.parentNode) fold.open = true;
  return aim;
}"""


# -- Chromium -------------------------------------------------------------------------------------


class ChromiumTab(Tab):
    """A context of playwright's browser."""

    def __init__(self, browser: Browser) -> None:
        self.page = browser.new_context(reduced_motion="reduce", locale="en-GB").new_page()
        self.page.set_default_navigation_timeout(PATIENCE * 1000)
        self.page.set_default_timeout(PATIENCE * 100)  # then the touch aims anew

    def go(self, url: str) -> None:
        self.page.goto(url)

    def back(self) -> None:
        self.page.go_back()

    def run(self, script: str, *args: object) -> Any:
        try:
            handle = self.page.evaluate_handle(f"(all) => ({script})(...all)", args)
            return handle.as_element() or handle.json_value()
        except Error as error:
            raise Failed(error.message) from None

    def press(self, element: ElementHandle) -> None:
        with _told():
            element.click()

    def hold(self, element: ElementHandle, during: Callable[[], None]) -> None:
        with _told():
            element.hover()
        self.page.mouse.down()
        during()
        self.page.mouse.up()

    def type(self, element: ElementHandle, text: str) -> None:
        element.type(text)


@contextmanager
def _told() -> Iterator[None]:
    try:
        yield
    except Error as error:
        raise Failed(error.message) from None


# -- WebDriver ------------------------------------------------------------------------------------

_ID = "element-6066-11e4-a52e-4f735466cecf"
"""The key of an element in what WebDriver sends."""


class Driver(ABC):
    """The other end of WebDriver's commands, by their names."""

    is_silent = False

    def ask(self, command: str, **fields: Any) -> Any:
        """Send a command; returns its answer. A driver that does not answer at all proves nothing
        about the page, which Chromium has, too: its test skips."""
        if not self.is_silent:
            try:
                return self._ask(command, fields)
            except TimeoutError:
                self.is_silent = True
        pytest.skip(f"the driver does not answer {command}")

    @abstractmethod
    def _ask(self, command: str, fields: dict[str, Any]) -> Any:
        """The answer; TimeoutError where none comes."""


class WebDriverTab(Tab):
    """The page that a driver has, or one of its windows."""

    def __init__(self, driver: Driver, window: str = "") -> None:
        self.driver, self.window = driver, window

    def _ask(self, command: str, **fields: Any) -> Any:
        if self.window:
            self.driver.ask("SwitchToWindow", handle=self.window, focus=False)
        return self.driver.ask(command, **fields)

    def go(self, url: str) -> None:
        self._ask("Navigate", url=url)

    def back(self) -> None:
        self._ask("Back")

    def run(self, script: str, *args: object) -> Any:
        answer = self._ask("ExecuteScript", script=f"return ({script})(...arguments)", args=args)
        return answer[_ID] if isinstance(answer, dict) and _ID in answer else answer

    def press(self, element: str) -> None:
        self._center(element)
        self._ask("ElementClick", id=element)

    def hold(self, element: str, during: Callable[[], None]) -> None:
        self._center(element)
        to = {"type": "pointerMove", "origin": {_ID: element}, "x": 0, "y": 0}
        self._point(to, {"type": "pointerDown", "button": 0})
        during()
        self._point({"type": "pointerUp", "button": 0})

    def _center(self, element: str) -> None:
        """Scroll it to where nothing that stays at an edge of the window covers it."""
        script = "(one) => one.scrollIntoView({ block: 'center', behavior: 'instant' })"
        self.run(script, {_ID: element})

    def _point(self, *actions: dict[str, Any]) -> None:
        finger = {"type": "pointer", "id": "finger", "actions": actions}
        self._ask("PerformActions", actions=[finger])

    def type(self, element: str, text: str) -> None:
        self._ask("ElementSendKeys", id=element, text=text)


_PATHS = {
    "NewSession": "",
    "Navigate": "/url",
    "Back": "/back",
    "ExecuteScript": "/execute/sync",
    "ElementClick": "/element/{id}/click",
    "ElementSendKeys": "/element/{id}/value",
    "PerformActions": "/actions",
    "DeleteSession": "",
}


class OverHttp(Driver):
    """WebKitWebDriver, which starts a browser."""

    def __init__(self, port: int) -> None:
        self.base = f"http://127.0.0.1:{port}/session"
        self.base += "/" + self.ask("NewSession", capabilities={})["sessionId"]

    def _ask(self, command: str, fields: dict[str, Any]) -> Any:
        url = self.base + _PATHS[command].format(**fields)
        data = None if command == "DeleteSession" else json.dumps(fields).encode()
        request = urllib.request.Request(url, data, method="POST" if data else "DELETE")
        try:
            with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
                return json.load(answer)["value"]
        except urllib.error.HTTPError as error:
            with error:
                told = json.load(error)["value"]
            raise Failed(f"{told['error']}: {told['message']}") from None


class OnSocket(Driver):
    """Firefox's Marionette."""

    def __init__(self, port: int) -> None:
        self.link = unseen.connect(port)
        self.stream = self.link.makefile("rb")
        self._read()
        self.ask("NewSession")

    def _ask(self, command: str, fields: dict[str, Any]) -> Any:
        if command == "ExecuteScript":
            fields["sandbox"] = None  # in the page itself
        body = json.dumps([0, 1, f"WebDriver:{command}", fields]).encode()
        self.link.sendall(b"%d:%s" % (len(body), body))
        _kind, _number, error, answer = self._read()
        if error:
            raise Failed(f"{error['error']}: {error['message']}")
        return answer["value"] if isinstance(answer, dict) and {*answer} == {"value"} else answer

    def _read(self) -> Any:
        size = b""
        while (byte := self.stream.read(1)) != b":":
            assert byte, "Firefox has ended"
            size += byte
        return json.loads(self.stream.read(int(size)))

    def close(self) -> None:
        self.stream.close()
        self.link.close()


# -- the engines ----------------------------------------------------------------------------------


class Engine(ABC):
    """An engine with any number of phones, each with its own cookies."""

    def __init__(self, stack: ExitStack, folder: Path) -> None:
        self.stack, self.folder = stack, folder

    @abstractmethod
    def open(self) -> Tab:
        """Another phone."""


class Chromium(Engine):
    """The browser of other tests."""

    def __init__(self, browser: Browser, stack: ExitStack, folder: Path) -> None:
        super().__init__(stack, folder)
        self.browser = browser

    def open(self) -> Tab:
        return ChromiumTab(self.browser)


class WebKit(Engine):
    """A browser and a driver for each phone, on a screen that nobody sees."""

    def __init__(self, stack: ExitStack, folder: Path) -> None:
        super().__init__(stack, folder)
        self.display = unseen.open_screen(stack, folder)

    def open(self) -> Tab:
        port = find_port()
        variables = {"DISPLAY": self.display, "GDK_BACKEND": "x11"}
        unseen.start(self.stack, self.folder, "WebKitWebDriver", f"--port={port}", **variables)
        unseen.connect(port).close()
        driver = OverHttp(port)
        self.stack.callback(driver.ask, "DeleteSession")
        return WebDriverTab(driver)


class Firefox(Engine):
    """One browser: the first phone is a window, others are private ones with cookies in common."""

    def __init__(self, stack: ExitStack, folder: Path, **screen: str) -> None:
        """`screen`: the variables of one on which its windows are; otherwise they are nowhere."""
        super().__init__(stack, folder)
        profile = folder / "profile"
        profile.mkdir()
        (profile / "user.js").write_text(
            "".join(
                f"user_pref({json.dumps(k)}, {json.dumps(v)});\n" for k, v in PREFERENCES.items()
            )
        )
        program = find_program(*FIREFOX)
        assert program
        words = ["--marionette", "--no-remote", "--profile", str(profile)]
        if not screen:
            words.append("--headless")
        unseen.start(stack, folder, program, *words, **screen)
        told = profile / "MarionetteActivePort"
        wait_until(lambda: told.exists() and told.read_text() != "")
        self.driver = OnSocket(int(told.read_text()))
        stack.callback(self.driver.close)
        self.has_one = False

    def open(self) -> Tab:
        made = self.driver.ask("NewWindow", type="window", focus=False, private=self.has_one)
        self.has_one = True
        return WebDriverTab(self.driver, made["handle"])


PREFERENCES: dict[str, object] = {
    "marionette.port": 0,  # a free one
    "browser.shell.checkDefaultBrowser": False,
    "browser.startup.homepage_override.mstone": "ignore",
    "datareporting.policy.dataSubmissionEnabled": False,
    "termsofuse.bypassNotification": True,
    "app.update.enabled": False,
}

ENGINES: dict[str, Callable[[ExitStack, Path], Engine]] = {"WebKit": WebKit, "Firefox": Firefox}
"""The engines beside Chromium, by the names of what their tests need."""
