"""The server of the browser view: pages, the door, and a caller of its own for every tab.

What the browser draws with is textual-serve's; the pages around it are ours, because they load
nothing from outside and know the door. The door is asked before anything else of a request is read,
and nothing that was sent is ever printed.
"""

from __future__ import annotations

import asyncio
import logging
import signal
import time
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from pathlib import Path
from string import Template
from urllib.parse import parse_qs

import textual_serve
from aiohttp import WSMessage, WSMsgType, web
from aiohttp.client_exceptions import ClientPayloadError as PayloadError
from aiohttp.http_exceptions import HttpProcessingError
from markupsafe import escape

from companion import errors, language
from companion.language import _
from companion.serving import guard
from companion.serving.caller import Caller
from companion.serving.connections import (
    ANSWER_SECONDS,
    BACKLOG,
    HEADER_SECONDS,
    Connections,
    TurnedAway,
)

Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]

COOKIE = "companion"
OWN = Path(__file__).with_name("pages")
STATIC = Path(textual_serve.__file__).with_name("static")
FORM = "application/x-www-form-urlencoded"
COLUMNS, ROWS = (20, 500), (5, 300)  # fewest and most that a browser may ask for
PATIENCE = 5.0  # seconds for callers to leave when the server does
CLOSING = 1.0  # seconds for the other side to take in that it is over
LONGEST = 64 * 1024  # bytes of one message from a browser
LONGEST_LINE = 4096  # bytes of a line in the head of a request
LONGEST_FORM = 1024  # bytes of the form with the code
MOST_TABS = 8  # each is a program of 60 MB
MOST_A_SECOND = 500  # messages of one tab
TAKE_SECONDS = 10.0  # for a tab to take what is painted
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

    def __init__(self, command: Sequence[str], host: str, port: int, door: guard.Guard) -> None:
        self.command = command
        self.host = host
        self.port = port
        self.door = door
        self._tabs: set[web.WebSocketResponse] = set()
        self._turned_away = TurnedAway(time.monotonic)
        self._connections: Connections | None = None
        self._static = {
            str(path.relative_to(STATIC)): path for path in STATIC.rglob("*") if path.is_file()
        }

    async def run(self, ready: Callable[[], None]) -> None:
        """Serve until Ctrl+C; `ready` is called once browsers can come. Raises OSError if the port
        is taken."""
        ended = asyncio.Event()
        loop = asyncio.get_running_loop()
        loop.set_exception_handler(lambda _loop, _about: self._turned_away.add())
        for ending in (signal.SIGINT, signal.SIGTERM):
            with suppress(NotImplementedError):  # on Windows Ctrl+C raises KeyboardInterrupt
                loop.add_signal_handler(ending, ended.set)
        runner = web.AppRunner(
            self.application(),
            access_log=None,
            logger=self._log(),
            shutdown_timeout=PATIENCE,
            lingering_time=CLOSING,
            max_line_size=LONGEST_LINE,
            max_field_size=LONGEST_LINE,
        )
        await runner.setup()
        assert runner.server is not None
        self._connections = Connections(runner.server, self._turned_away)
        try:
            server = await loop.create_server(
                self._connections, self.host, self.port, backlog=BACKLOG
            )
            ready()
            await ended.wait()
            server.close()
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
                web.get("/static/{name:.+}", self.static),
                web.get("/own/{name}", self.own),
            ]
        )
        return app

    async def _checked(self, request: web.Request, handler: Handler) -> web.StreamResponse:
        """Refuse names that are not ours, and bodies where none belongs; whatever is answered is
        kept from other pages, and is the connection's last."""
        self._heard(request, ANSWER_SECONDS)
        response: web.StreamResponse
        try:
            response = await self._answer(request, handler)
        except web.HTTPException as error:
            response = web.Response(status=error.status, text=f"{error.status}\n")
        except (ConnectionError, TimeoutError, HttpProcessingError, PayloadError):
            response = self._refused(400, "This is no request.")
        except Exception as error:  # a mistake of ours, whatever brought it about
            errors.tell(error)
            response = web.Response(status=500, text="500\n")
        if not response.prepared:
            response.headers.update(HEADERS)
            response.force_close()
        return response

    async def _answer(self, request: web.Request, handler: Handler) -> web.StreamResponse:
        if not guard.host_is_ours(request.host, self.host, self.port):
            return web.Response(status=421, text="This name is not this server's.\n")
        if request.body_exists and request.path != "/enter":
            return self._refused(413, "Nothing may be sent here.")
        return await handler(request)

    def _refused(self, status: int, text: str) -> web.Response:
        self._turned_away.add()
        return web.Response(status=status, text=f"{text}\n")

    def _heard(self, request: web.Request, seconds: float | None) -> None:
        if self._connections is not None:
            self._connections.heard(request.transport, seconds)

    def _log(self) -> logging.Logger:
        """Where aiohttp tells what it makes of requests: counted, for it repeats what was sent."""
        log = logging.getLogger(__name__)
        log.handlers, log.propagate = [_Counted(self._turned_away)], False
        return log

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
        typed = await _typed_code(request)
        if typed is None:
            return self._refused(400, "This is no code.")
        try:
            ticket = self.door.enter(request.remote or "", typed)
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

    async def static(self, request: web.Request) -> web.StreamResponse:
        """What textual-serve's page needs: a script, a style sheet, fonts."""
        path = self._static.get(request.match_info["name"])
        if path is None:
            raise web.HTTPNotFound
        return web.FileResponse(path)

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
        if len(self._tabs) >= MOST_TABS:
            return self._refused(503, "There are too many tabs.")
        socket = web.WebSocketResponse(timeout=CLOSING, heartbeat=15, max_msg_size=LONGEST)
        self._tabs.add(socket)
        try:
            await socket.prepare(request)
            self._heard(request, None)
            caller = Caller(self.command, lambda shown: _shown(socket, request, shown))
            await caller.start(
                _bounded(request.query.get("width"), 80, COLUMNS),
                _bounded(request.query.get("height"), 24, ROWS),
            )
            showing = asyncio.create_task(_until_it_ends(caller, socket))
            try:
                await _hand_on(socket, caller)
            finally:
                await caller.stop()
                await showing
        finally:
            self._tabs.discard(socket)
        return socket


class _Counted(logging.Handler):
    """Counts what aiohttp logs."""

    def __init__(self, turned_away: TurnedAway) -> None:
        super().__init__(logging.WARNING)
        self._turned_away = turned_away

    def emit(self, record: logging.LogRecord) -> None:
        self._turned_away.add()


async def _typed_code(request: web.Request) -> str | None:
    """The code in a form as our page sends it; None for whatever else is sent. Read by hand: what
    stands in the head of a form can ask for much to be done."""
    plain = request.headers.get("Content-Type", "").partition(";")[0].strip()
    length = request.content_length
    encoded = "Content-Encoding" in request.headers or "Transfer-Encoding" in request.headers
    if plain != FORM or encoded or length is None or length > LONGEST_FORM:
        return None
    async with asyncio.timeout(HEADER_SECONDS):
        sent = await request.content.readexactly(length)
    try:
        fields = parse_qs(sent.decode("ascii", "replace"), max_num_fields=4)
    except ValueError:
        return None
    return str(fields.get("code", [""])[0])


async def _until_it_ends(caller: Caller, socket: web.WebSocketResponse) -> None:
    """Let the caller paint; a tab whose caller has ended, however, is told so."""
    await caller.run()
    await socket.close()


async def _shown(socket: web.WebSocketResponse, request: web.Request, shown: bytes) -> None:
    """Paint in the tab; one that takes nothing any more is dropped."""
    try:
        async with asyncio.timeout(TAKE_SECONDS):
            await socket.send_bytes(shown)
    except TimeoutError:
        if request.transport is not None:
            request.transport.abort()
        raise ConnectionError from None


async def _hand_on(socket: web.WebSocketResponse, caller: Caller) -> None:
    """Hand on what the tab reports until it leaves, or floods its caller."""
    loop = asyncio.get_running_loop()
    begun, count = loop.time(), 0
    async for message in socket:
        count += 1
        if loop.time() - begun > 1.0:
            begun, count = loop.time(), 0
        if message.type != WSMsgType.TEXT or count > MOST_A_SECOND:
            return
        if not await _passed_on(message, caller, socket):
            return


async def _passed_on(message: WSMessage, caller: Caller, socket: web.WebSocketResponse) -> bool:
    """Hand on what the browser reports; whether it was anything that our page reports."""
    try:
        kind, *rest = message.json()
        match kind, *rest:
            case "stdin", str(typed):
                await caller.typed(typed)
            case "resize", {"width": int(width), "height": int(height)}:
                await caller.tell(
                    type="resize",
                    width=_bounded(width, 80, COLUMNS),
                    height=_bounded(height, 24, ROWS),
                )
            case "ping", value:
                async with asyncio.timeout(TAKE_SECONDS):
                    await socket.send_json(["pong", value])
            case ("blur" | "focus", *_more):
                await caller.tell(type=kind)
    except (TypeError, ValueError, RecursionError, TimeoutError, ConnectionError):
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
