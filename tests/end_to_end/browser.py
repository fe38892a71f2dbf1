"""A real browser without a window, driven by its own protocol: Chromium where it is installed."""

from __future__ import annotations

import asyncio
import base64
import shutil
import tempfile
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import aiohttp

PROGRAM = shutil.which("chromium") or shutil.which("chromium-browser")
PATIENCE = 40.0  # seconds until something that must happen counts as not happening


class Tab:
    """One page, and the addresses that it has asked for."""

    def __init__(self, socket: aiohttp.ClientWebSocketResponse) -> None:
        self._socket = socket
        self._number = 0
        self.asked: list[str] = []

    async def call(self, method: str, **params: Any) -> dict[str, Any]:
        """Call a method of the protocol; its result."""
        self._number += 1
        await self._socket.send_json({"id": self._number, "method": method, "params": params})
        while True:
            message = await asyncio.wait_for(self._socket.receive_json(), PATIENCE)
            if message.get("method") == "Network.requestWillBeSent":
                self.asked.append(message["params"]["request"]["url"])
            if message.get("id") == self._number:
                assert "error" not in message, message
                found: dict[str, Any] = message["result"]
                return found

    async def open(self, address: str) -> None:
        """Go to that address."""
        await self.call("Network.enable")
        await self.call("Page.enable")
        await self.call("Page.navigate", url=address)

    async def value(self, script: str) -> Any:
        """What the script in the page says."""
        found = await self.call("Runtime.evaluate", expression=script, returnByValue=True)
        return found["result"].get("value")

    async def until(self, script: str, happened: Callable[[Any], bool] = bool) -> Any:
        """Wait until the script says something that counts."""
        end = time.monotonic() + PATIENCE
        while not happened(found := await self.value(script)):
            assert time.monotonic() < end, (script, found)
            await asyncio.sleep(0.05)
        return found

    async def type(self, text: str) -> None:
        """Press the keys of the text, one after the other."""
        for letter in text:
            await self.call("Input.dispatchKeyEvent", type="keyDown", text=letter, key=letter)
            await self.call("Input.dispatchKeyEvent", type="keyUp", key=letter)

    async def picture(self, file: Path) -> bytes:
        """The page as a picture, also written to the file."""
        shot = base64.b64decode((await self.call("Page.captureScreenshot"))["data"])
        file.write_bytes(shot)
        return shot


class Browser:
    """A running browser."""

    def __init__(self, http: aiohttp.ClientSession, port: int) -> None:
        self._http = http
        self._port = port

    async def tab(self, address: str) -> Tab:
        """A new tab at that address."""
        url = f"http://127.0.0.1:{self._port}/json/new?about:blank"
        async with self._http.put(url) as answer:
            target = await answer.json()
        tab = Tab(await self._http.ws_connect(target["webSocketDebuggerUrl"], max_msg_size=0))
        await tab.open(address)
        return tab


@asynccontextmanager
async def browser() -> AsyncIterator[Browser]:
    """A browser with a profile of its own, gone when the block ends."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        process = await asyncio.create_subprocess_exec(
            str(PROGRAM), "--headless", "--no-sandbox", "--disable-gpu", "--window-size=1200,800",
            "--no-first-run", "--disable-background-networking", "--remote-debugging-port=0",
            f"--user-data-dir={profile}", "about:blank",
            stdout=asyncio.subprocess.DEVNULL, stderr=asyncio.subprocess.DEVNULL,
        )  # fmt: skip
        try:
            place = Path(profile) / "DevToolsActivePort"
            end = time.monotonic() + PATIENCE
            while not place.exists() or not place.read_text().strip():
                assert time.monotonic() < end, "the browser never came"
                await asyncio.sleep(0.05)
            async with aiohttp.ClientSession() as http:
                yield Browser(http, int(place.read_text().split()[0]))
        finally:
            process.terminate()
            await process.wait()
