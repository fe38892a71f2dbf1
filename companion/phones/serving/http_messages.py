"""HTTP requests and responses: Starlette's, with what the phones' pages ask of them."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator
from contextlib import aclosing
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qs

from markupsafe import escape
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response, StreamingResponse

from common import strict_json
from companion.language import _

if TYPE_CHECKING:
    from starlette.types import Receive, Scope, Send

    from companion.phones.serving.guard import Owner

LONGEST_BODY = 16 * 1024  # bytes
BODY_SECONDS = 10.0  # for a body to arrive
LONGEST_LEFT = 64 * 1024  # bytes of a body that nobody reads
LINGER_SECONDS = 1.0  # for those to arrive
MOST_FIELDS = 16  # per form
COOKIE_SECONDS = 365 * 24 * 3600  # that a browser keeps a cookie
FORM, JSON = "application/x-www-form-urlencoded", "application/json"


class Rejected(Exception):
    """An error response: its status, and a sentence for people."""

    def __init__(self, status: int, sentence: str = "", **headers: str) -> None:
        super().__init__(status)
        self.status, self.sentence, self.headers = status, sentence, headers


class RejectedLate(Rejected):
    """The same, answered only after a while: trying again and again is slow."""


class HttpRequest(Request):
    """One request. Its body can be read once."""

    port = 0
    """Of this table, and part of the names of its cookies: browsers send one computer's cookies to
    every port."""

    is_read = False
    """Whether the whole body has arrived."""

    @property
    def path(self) -> str:
        """The path, unquoted."""
        path: str = self.scope["path"]
        return path

    @property
    def address(self) -> str:
        """By which the client is counted: its address, or its network."""
        address: str = self.state.address
        return address

    @property
    def secure(self) -> bool:
        return bool(self.scope["scheme"] == "https")

    @property
    def host(self) -> str:
        """The name by which the browser addresses this server."""
        return self.headers.get("host", "")

    @property
    def cookies(self) -> dict[str, str]:
        """This table's cookies by name."""
        ending = name_cookie("", self.port)
        found = super().cookies
        return {name.removesuffix(ending): found[name] for name in found if name.endswith(ending)}

    @property
    def bearer(self) -> str | None:
        """The program's bearer token; None without one."""
        kind, _space, key = self.headers.get("authorization", "").partition(" ")
        return key.strip() if kind.lower() == "bearer" else None

    def own(self, owner: Owner) -> None:
        """Count the connection as this owner's."""
        self.state.own(owner)

    async def read_form(self) -> dict[str, str]:
        """The fields of a form. Raises Rejected."""
        body = await self._read(FORM)
        try:
            fields = parse_qs(
                body.decode(), keep_blank_values=True, errors="strict", max_num_fields=MOST_FIELDS
            )
        except ValueError:
            raise Rejected(400) from None
        return {name: values[0] for name, values in fields.items()}

    async def json(self) -> dict[str, Any]:
        """A JSON object. Raises Rejected."""
        body = await self._read(JSON)
        try:
            data = strict_json.parse(body)
        except ValueError:
            raise Rejected(400) from None
        if not isinstance(data, dict):
            raise Rejected(400)
        return data

    async def _read(self, kind: str) -> bytes:
        if self.headers.get("content-type", "").partition(";")[0].strip().lower() != kind:
            raise Rejected(415, _("Send it with Content-Type: {kind}.").format(kind=kind))
        if "content-encoding" in self.headers:
            raise Rejected(400)
        body = b""
        try:
            async with asyncio.timeout(BODY_SECONDS):
                async for part in self._parts():
                    body += part
                    if len(body) > LONGEST_BODY:
                        raise Rejected(413)
        except TimeoutError:
            raise Rejected(408) from None
        return body

    async def drop_rest(self) -> None:
        """Drop a body that was not read: a client still sending it would not read the response."""
        left = LONGEST_LEFT
        try:
            async with asyncio.timeout(LINGER_SECONDS):
                async for part in self._parts():
                    left -= len(part)
                    if left < 0:
                        return
        except (TimeoutError, Rejected):
            return

    async def _parts(self) -> AsyncGenerator[bytes, None]:
        """The parts of the body as they arrive. Raises Rejected if the client has left."""
        while not self.is_read:
            message = await self.receive()
            if message["type"] != "http.request":
                raise Rejected(400)
            self.is_read = not message.get("more_body", False)
            yield message.get("body", b"")


class EventStream(StreamingResponse):
    """Server-sent events as they come, until the client leaves."""

    media_type = "text/event-stream"

    def __init__(self, parts: AsyncGenerator[bytes, None]) -> None:
        super().__init__(parts)
        self._parts = parts

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async with aclosing(self._parts):
            await super().__call__(scope, receive, send)


def name_cookie(name: str, port: int) -> str:
    """A cookie's name as the browser of the table at that port knows it."""
    return f"{name}_{port}"


def keep(request: HttpRequest, answer: Response, name: str, value: str) -> None:
    """Have the browser keep that cookie for a year, out of reach of scripts and of other sites; an
    empty one is deleted."""
    answer.set_cookie(
        name_cookie(name, request.port),
        value,
        max_age=COOKIE_SECONDS if value else 0,
        secure=request.secure,
        httponly=True,
        samesite="strict",
    )


def text(status: int, sentence: str) -> Response:
    return Response(f"{sentence}\n", status, media_type="text/plain")


def page(html: str, status: int = 200) -> Response:
    return HTMLResponse(html, status)


def lead_to(url: str, sentence: str) -> Response:
    """The page under a name that is not ours: a link to the address that works. Styles would not
    come under that name."""
    size = '<meta name="viewport" content="width=device-width, initial-scale=1">'
    return page(
        f"<!doctype html>{size}<title>{escape(sentence)}</title>"
        f'<p>{escape(sentence)}</p><p><a href="{escape(url)}">{escape(url)}</a></p>\n',
        421,
    )


def data(content: Any, status: int = 200) -> Response:
    """A JSON response, in ASCII."""
    return Response(json.dumps(content) + "\n", status, media_type=JSON)


def see_other(place: str) -> Response:
    """A redirect after a form was handled."""
    return Response(status_code=303, headers={"Location": place})
