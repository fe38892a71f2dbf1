"""The browser view from the started command: requests of friends and strangers, and Chromium."""

from __future__ import annotations

import asyncio
import json
import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
import yaml

pytest.importorskip("textual_serve", reason="the extra “serve” is not installed")
aiohttp = pytest.importorskip("aiohttp")

from companion.serving import guard  # noqa: E402
from tests.companion.listening import companion  # noqa: E402
from tests.end_to_end import browser  # noqa: E402

PAINTED = "document.body.classList.contains('-first-byte')"
WITH_CHROMIUM = pytest.mark.skipif(browser.PROGRAM is None, reason="no Chromium here")


class Served:
    """A running server: where it is, and its code if it has one."""

    def __init__(self, port: int, lines: list[str]) -> None:
        self.port = port
        self.address = f"http://127.0.0.1:{port}"
        self.said_aside = ""  # on standard error, once it has ended
        self.lines = lines
        said = [line for line in lines if line.startswith("Access code: ")]
        self.code = said[0].removeprefix("Access code: ") if said else ""


@contextmanager
def served(*words: str, files: int = 1024) -> Iterator[Served]:
    """`companion serve` as a program of its own, on a free port, with so many files at most."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    process = subprocess.Popen(
        ["sh", "-c", f'ulimit -n {files}; exec "$@"', "sh",
         sys.executable, "-m", "companion", "serve", "--port", str(port), *words],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8",
        env={**os.environ, "COMPANION_READER": "none"},
    )  # fmt: skip
    try:
        assert process.stdout is not None
        lines = []
        while not lines or not lines[-1].startswith("Ctrl+C"):
            line = process.stdout.readline()
            assert line, process.stderr and process.stderr.read()
            lines.append(line.strip())
        here = Served(port, lines)
        yield here
    finally:
        process.terminate()
        out, aside = process.communicate(timeout=30)
    here.said_aside = out + aside


async def ticket(here: Served) -> dict[str, str]:
    """The cookie of somebody who knows the code."""
    _status, cookie = await knock(here.address, here.code)
    return {"Cookie": cookie.partition(";")[0]}


async def status(address: str, path: str, **headers: str) -> int:
    async with aiohttp.ClientSession() as http, http.get(address + path, headers=headers) as answer:
        found: int = answer.status
        return found


async def knock(address: str, code: str, origin: str | None = None) -> tuple[int, str]:
    """What comes of that code: the status, and the cookie if there is one."""
    headers = {"Origin": origin or address}
    async with (
        aiohttp.ClientSession() as http,
        http.post(
            f"{address}/enter", data={"code": code}, headers=headers, allow_redirects=False
        ) as answer,
    ):
        return answer.status, answer.headers.get("Set-Cookie", "")


async def test_on_this_machine_the_code_is_asked_and_no_other_name_or_page_will_do(
    home: Path,
) -> None:
    with served() as here:
        async with aiohttp.ClientSession() as http, http.get(here.address) as answer:
            assert 'name="code"' in await answer.text()
        port = here.address.rpartition(":")[2]
        assert await status(here.address, "/", Host=f"evil.example:{port}") == 421
        assert await status(here.address, "/ws", Host=f"evil.example:{port}") == 421
        assert await status(here.address, "/ws") == 403
        assert (
            await status(here.address, "/ws", Origin=here.address) == 403
        )  # other users come here
        known = await ticket(here)
        assert await status(here.address, "/ws", Origin="http://evil.example", **known) == 403
        assert await status(here.address, "/own/server.py") == 404
        assert await status(here.address, "/static/js/textual.js") == 200
        assert await status(here.address, "/static/../server.py") == 404
        assert await status(here.address, "/own/..%2f..%2fcli.py") == 404


async def test_a_page_loads_nothing_from_outside_and_may_not_be_framed(home: Path) -> None:
    with served() as here:
        known = await ticket(here)
        async with (
            aiohttp.ClientSession(headers=known) as http,
            http.get(here.address) as answer,
        ):
            page = await answer.text()
            headers = answer.headers
        assert 'id="terminal"' in page
        assert "//" not in page.replace(f"ws://{here.address.removeprefix('http://')}/ws", "")
        assert "frame-ancestors 'none'" in headers["Content-Security-Policy"]
        assert headers["Referrer-Policy"] == "same-origin"
        assert headers["Cache-Control"] == "no-store"


async def test_in_a_network_only_the_code_opens(home: Path) -> None:
    with served("--host", "0.0.0.0") as here:
        assert len(here.code) == guard.CODE_LENGTH + 1
        async with aiohttp.ClientSession() as http, http.get(here.address) as answer:
            page = await answer.text()
        assert 'name="code"' in page
        assert here.code not in page
        assert await status(here.address, "/ws", Origin=here.address) == 403
        assert (await knock(here.address, "WRONG"))[0] == 403
        assert (await knock(here.address, here.code, "http://evil.example"))[0] == 403
        entered, cookie = await knock(here.address, here.code.lower())
        assert entered == 303
        assert "HttpOnly" in cookie
        assert "SameSite=Strict" in cookie
        ticket = cookie.partition(";")[0]
        async with (
            aiohttp.ClientSession(headers={"Cookie": ticket}) as http,
            http.get(here.address) as answer,
        ):
            assert 'id="terminal"' in await answer.text()
        for _try in range(guard.MOST_WRONG):
            last, _cookie = await knock(here.address, "WRONG")
        assert last == 429
        assert (await knock(here.address, here.code))[0] == 429


def test_what_is_no_request_fills_no_terminal(home: Path) -> None:
    with served("--host", "0.0.0.0") as here:
        assert "0.0.0.0" not in here.lines[0]  # no tablet can go there
        for rubbish in (b"GET / HTTP/1.1\r\n\r\n", b"\x00\xff\x1b]0;x\x07\r\n\r\n"):
            with socket.create_connection(("127.0.0.1", here.port), timeout=20) as stranger:
                stranger.sendall(rubbish)
                assert b" 400 " in stranger.recv(1000)
    assert here.said_aside == "Requests that were turned away so far: 1.\n"


async def test_rubbish_from_a_page_ends_its_caller_and_not_the_server(home: Path) -> None:
    with served() as here:
        async with aiohttp.ClientSession(headers=await ticket(here)) as http:
            for rubbish in ("[", "[]", '"x"', '["resize", {"width": "x"}]', '["stdin", 5]', "7"):
                tab = await http.ws_connect(
                    f"{here.address}/ws?width=9999999&height=x", headers={"Origin": here.address}
                )
                await tab.send_str(rubbish)
                await tab.close()
        assert await status(here.address, "/") == 200


def submitted(code: str) -> str:
    """What types that code in the page and sends it."""
    return f"document.querySelector('#code').value = '{code}'; document.forms[0].submit()"


# -- a real browser -------------------------------------------------------------------------


@WITH_CHROMIUM
async def test_a_tablet_plays_a_move_and_a_second_one_is_told(home: Path, tmp_path: Path) -> None:
    companion("play", "--plain", "--new", "--players", "Anna,Kurt,Ashley,Ben", "--crown", "Kurt",
              "--reader", "none", said="faceup bishop merchant\n")  # fmt: skip
    with served() as here:
        async with browser.browser() as chromium:
            first = await chromium.tab(here.address)
            await first.until("document.querySelector('#code') !== null")
            await first.value(submitted(here.code))
            await first.until(PAINTED)
            await _until_drawn(first, tmp_path / "first.png")
            await first.until("document.activeElement.className.includes('xterm')")
            await first.type("a")
            await _until_recorded("call")
            second = await chromium.tab(here.address)
            await second.until(PAINTED)
            await _until_drawn(second, tmp_path / "second.png")
            await second.type("n")  # it stands before the set-up, which says why
            await first.type("n")
            await _until_recorded("nobody")
            assert all(asked.startswith(here.address) or asked.startswith("data:")
                       for asked in first.asked)  # fmt: skip
    assert _moves() == ["faceup bishop merchant", "call", "nobody"]


@WITH_CHROMIUM
async def test_a_wrong_code_stays_outside_and_the_right_one_enters(home: Path) -> None:
    with served("--host", "0.0.0.0") as here:
        async with browser.browser() as chromium:
            tab = await chromium.tab(here.address)
            await tab.until("document.querySelector('#code') !== null")
            await tab.value(submitted("WRONG"))
            problem = "document.querySelector('.problem')?.innerText ?? ''"
            await tab.until(problem, lambda found: "not the code" in str(found))
            await tab.value(submitted(here.code))
            await tab.until(PAINTED)
            assert here.code not in str(await tab.value("location.href"))
            assert await tab.value("document.cookie") == ""


async def _until_drawn(tab: browser.Tab, file: Path) -> None:
    """Wait until the page is more than one colour: a picture of text is long."""
    for _try in range(200):
        if len(await tab.picture(file)) > 20_000:
            return
        await asyncio.sleep(0.1)
    raise AssertionError(f"nothing was painted: {file}")


def _moves() -> list[str]:
    found: list[str] = yaml.safe_load(companion("record").stdout)["moves"]
    return found


async def _until_recorded(move: str) -> None:
    for _try in range(200):
        if move in _moves():
            return
        await asyncio.sleep(0.1)
    raise AssertionError(json.dumps(_moves()))
