"""The server of the browser view: pages, the door, and a caller of its own for every tab.

The screen travels through textual-serve's `AppService` and its script for the browser; the pages
around it are ours, because they load nothing from outside and know the door.
"""

from __future__ import annotations

import asyncio
import logging
import signal
from collections.abc import Awaitable, Callable
from contextlib import suppress
from pathlib import Path
from string import Template

import textual_serve
from aiohttp import WSMsgType, web
from aiohttp.http_exceptions import HttpProcessingError
from markupsafe import escape
from textual_serve.app_service import AppService
from textual_serve.download_manager import DownloadManager

from companion import language
from companion.language import _
from companion.serving import guard

Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]

COOKIE = "companion"
OWN = Path(__file__).with_name("pages")
STATIC = Path(textual_serve.__file__).with_name("static")
COLUMNS, ROWS = (20, 500), (5, 300)  # fewest and most that a browser may ask for
PATIENCE = 5.0  # seconds for callers to leave when the server does
LONGEST = 64 * 1024  # bytes of one message from a browser
HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; font-src 'self'; "
        "img-src 'self' data:; connect-src 'self'; form-action 'self'; base-uri 'none'; "
        "frame-ancestors 'none'"
    ),
    "Referrer-Policy": "same-origin",
    "X-Content-Type-Options": "nosniff",
    "Cache-Control": "no-store",
}


class TableServer:
    """Serves the caller that `command` starts, at `host` and `port`, behind that door."""

    def __init__(self, command: str, host: str, port: int, door: guard.Guard) -> None:
        self.command = command
        self.host = host
        self.port = port
        self.door = door
        self._tabs: set[web.WebSocketResponse] = set()

    async def run(self, ready: Callable[[], None]) -> None:
        """Serve until Ctrl+C; `ready` is called once browsers can come. Raises OSError if the port
        is taken."""
        ended = asyncio.Event()
        for ending in (signal.SIGINT, signal.SIGTERM):
            with suppress(NotImplementedError):  # on Windows Ctrl+C raises KeyboardInterrupt
                asyncio.get_running_loop().add_signal_handler(ending, ended.set)
        runner = web.AppRunner(
            self.application(), access_log=None, logger=_log(), shutdown_timeout=PATIENCE
        )
        await runner.setup()
        try:
            await web.TCPSite(runner, self.host, self.port).start()
            ready()
            await ended.wait()
        finally:
            await runner.cleanup()

    def application(self) -> web.Application:
        """The routes, all of them behind the checks of `_checked`."""

        async def checked(request: web.Request, handler: Handler) -> web.StreamResponse:
            return await self._checked(request, handler)

        app = web.Application(middlewares=[web.middleware(checked)], client_max_size=LONGEST)
        app.on_shutdown.append(self._close_tabs)
        app.add_routes(
            [
                web.get("/", self.table),
                web.post("/enter", self.enter),
                web.get("/ws", self.websocket),
                web.static("/static", STATIC),
                web.get("/own/{name}", self.own),
            ]
        )
        return app

    async def _checked(self, request: web.Request, handler: Handler) -> web.StreamResponse:
        """Refuse names that are not ours; whatever is answered is kept from other pages."""
        if not guard.host_is_ours(request.host, self.host, self.port):
            return web.Response(status=421, text="This name is not this server's.\n")
        try:
            response = await handler(request)
        except web.HTTPException as error:
            error.headers.update(HEADERS)
            raise
        if not response.prepared:
            response.headers.update(HEADERS)
        return response

    async def _close_tabs(self, _app: web.Application) -> None:
        """Let every caller go, so that its game is free."""
        for tab in list(self._tabs):
            await tab.close()

    # -- pages ------------------------------------------------------------------------------

    async def table(self, request: web.Request) -> web.StreamResponse:
        """The caller's screen, or the question for the code."""
        if not self._may_enter(request):
            return self._door(200)
        scheme = "wss" if request.secure else "ws"
        return _page(
            "table.html",
            200,
            opening=_("The table is being laid…"),
            closed=_("The caller was left; the game is saved."),
            again=_("Open it again"),
            websocket=f"{scheme}://{request.host}/ws",
            font_size=str(_bounded(request.query.get("fontsize"), 16, (8, 40))),
        )

    async def enter(self, request: web.Request) -> web.StreamResponse:
        """Take the code; the right one gets a cookie and the screen."""
        if not guard.origin_is_ours(request.headers.get("Origin"), request.host):
            return web.Response(status=403, text="This form is not this server's.\n")
        typed = (await request.post()).get("code", "")
        try:
            ticket = self.door.enter(request.remote or "", typed if isinstance(typed, str) else "")
        except guard.TooMany:
            return self._door(429, _("Too many wrong codes; wait a minute."))
        if ticket is None:
            return self._door(403, _("This is not the code."))
        response = web.Response(status=303, headers={"Location": "/"})
        response.set_cookie(
            COOKIE, ticket, httponly=True, samesite="Strict", secure=request.secure, path="/"
        )
        return response

    async def own(self, request: web.Request) -> web.StreamResponse:
        """A style sheet or script of ours."""
        name = request.match_info["name"]
        if name not in ("serve.css", "serve.js"):
            raise web.HTTPNotFound
        return web.FileResponse(OWN / name)

    def _may_enter(self, request: web.Request) -> bool:
        return self.door.knows(request.cookies.get(COOKIE, ""))

    def _door(self, status: int, problem: str = "") -> web.Response:
        ask = _("The access code stands on the terminal of whoever started the companion:")
        return _page("enter.html", status, ask=ask, problem=problem, enter=_("Sign in"))

    # -- the screen -------------------------------------------------------------------------

    async def websocket(self, request: web.Request) -> web.StreamResponse:
        """A caller for this tab, until the tab is closed."""
        ours = guard.origin_is_ours(request.headers.get("Origin"), request.host)
        if not (ours and self._may_enter(request)):
            return web.Response(status=403, text="Only a page of this server may do that.\n")
        socket = web.WebSocketResponse(heartbeat=15, max_msg_size=LONGEST)
        await socket.prepare(request)
        self._tabs.add(socket)
        service = AppService(
            self.command,
            write_bytes=socket.send_bytes,
            write_str=socket.send_str,
            close=socket.close,
            download_manager=DownloadManager(),
        )
        await service.start(
            _bounded(request.query.get("width"), 80, COLUMNS),
            _bounded(request.query.get("height"), 24, ROWS),
        )
        try:
            async for message in socket:
                if message.type != WSMsgType.TEXT or not await _passed_on(message, service, socket):
                    break
        finally:
            self._tabs.discard(socket)
            await service.stop()
        return socket


def _log() -> logging.Logger:
    """Where mistakes of this server are told: whatever somebody in the network sends that is no
    request is none of them, and would fill the terminal with tracebacks."""

    def is_ours(record: logging.LogRecord) -> bool:
        return not (record.exc_info and isinstance(record.exc_info[1], HttpProcessingError))

    log = logging.getLogger(__name__)
    log.addFilter(is_ours)
    return log


async def _passed_on(message: object, service: AppService, socket: web.WebSocketResponse) -> bool:
    """Hand on what the browser reports; whether it was anything that our page reports."""
    try:
        kind, *rest = message.json()  # type: ignore[attr-defined]
        match kind, *rest:
            case "stdin", str(typed):
                await service.send_bytes(typed.encode())
            case "resize", {"width": int(width), "height": int(height)}:
                await service.set_terminal_size(
                    _bounded(width, 80, COLUMNS), _bounded(height, 24, ROWS)
                )
            case "ping", value:
                await socket.send_json(["pong", value])
            case ("blur", *_more):
                await service.blur()
            case ("focus", *_more):
                await service.focus()
    except (TypeError, ValueError):
        return False
    return True


def _bounded(value: object, usual: int, bounds: tuple[int, int]) -> int:
    try:
        number = int(str(value))
    except ValueError:
        number = usual
    fewest, most = bounds
    return max(fewest, min(most, number))


def _page(name: str, status: int, **fields: str) -> web.Response:
    words = {"title": _("Citadels companion"), "language": language.current(), **fields}
    template = Template((OWN / name).read_text(encoding="utf-8"))
    text = template.substitute({key: str(escape(word)) for key, word in words.items()})
    return web.Response(status=status, text=text, content_type="text/html")
