"""HTTP requests and responses, independent of the transport."""

from __future__ import annotations

import json
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qs, unquote, urlsplit

if TYPE_CHECKING:
    from companion.phones.serving.guard import Owner

LONGEST_BODY = 16 * 1024  # bytes
MOST_FIELDS = 16  # per form
FORM, JSON, HTML, EVENTS = (
    "application/x-www-form-urlencoded",
    "application/json",
    "text/html; charset=utf-8",
    "text/event-stream",
)


class Rejected(Exception):
    """An error response: its status, and a sentence for people."""

    def __init__(self, status: int, sentence: str = "", **headers: str) -> None:
        super().__init__(status)
        self.status, self.sentence, self.headers = status, sentence, headers


class RejectedLate(Rejected):
    """The same, answered only after a while: trying again and again is slow."""


@dataclass
class HttpRequest:
    """One request. `read` gives its body, once."""

    method: str
    target: str
    headers: Mapping[str, str]
    """By lower-case name."""

    address: str = ""
    """By which the client is counted: its address, or its network."""

    secure: bool = False
    read: Callable[[], Awaitable[bytes]] | None = None
    port: int = 0
    """Of this table, and part of the names of its cookies: browsers send one computer's cookies to
    every port."""

    own: Callable[[Owner], None] = lambda owner: None
    """Counts the connection as this owner's."""

    path: str = field(init=False)
    query: Mapping[str, str] = field(init=False)

    def __post_init__(self) -> None:
        try:
            parts = urlsplit(self.target)
            self.path = unquote(parts.path, errors="strict")
            self.query = _fields(parts.query)
        except ValueError:
            raise Rejected(400) from None

    @property
    def host(self) -> str:
        """The name by which the browser addresses this server."""
        return self.headers.get("host", "")

    @property
    def cookies(self) -> dict[str, str]:
        """This table's cookies by name; of duplicates the first, which has the more specific
        path."""
        results: dict[str, str] = {}
        ending = name_cookie("", self.port)
        for part in self.headers.get("cookie", "").split(";"):
            name, equals, value = part.strip().partition("=")
            if equals and name.endswith(ending):
                results.setdefault(name.removesuffix(ending), value)
        return results

    @property
    def bearer(self) -> str | None:
        """The program's bearer token; None without one."""
        kind, _space, key = self.headers.get("authorization", "").partition(" ")
        return key.strip() if kind.lower() == "bearer" else None

    async def form(self) -> dict[str, str]:
        """The fields of a form. Raises Rejected."""
        body = await self._body(FORM)
        try:
            return _fields(body.decode())
        except ValueError:
            raise Rejected(400) from None

    async def json(self) -> dict[str, Any]:
        """A JSON object. Raises Rejected."""
        body = await self._body(JSON)
        try:
            data = json.loads(body)
        except (ValueError, RecursionError):
            raise Rejected(400) from None
        if not isinstance(data, dict):
            raise Rejected(400)
        return data

    async def _body(self, kind: str) -> bytes:
        if self.headers.get("content-type", "").partition(";")[0].strip().lower() != kind:
            raise Rejected(415)
        if "content-encoding" in self.headers or self.read is None:
            raise Rejected(400)
        return await self.read()


def _fields(text: str) -> dict[str, str]:
    results = parse_qs(
        text, keep_blank_values=True, errors="strict", max_num_fields=MOST_FIELDS
    )  # fmt: skip
    return {name: values[0] for name, values in results.items()}


@dataclass
class Response:
    """A response: a body, or parts streamed as they come."""

    status: int = 200
    body: bytes = b""
    kind: str = "text/plain; charset=utf-8"
    headers: list[tuple[str, str]] = field(default_factory=list)
    parts: AsyncGenerator[bytes, None] | None = None
    cookies: dict[str, str] = field(default_factory=dict)
    """The cookies to set, an empty one to delete; `write_cookies` makes headers of them."""

    def write_cookies(self, lifetimes: Mapping[str, int], port: int, *, secure: bool) -> None:
        """Set the cookies, each for as many seconds as `lifetimes` says (0: until the browser is
        closed), out of reach of scripts and of other sites."""
        for name, value in self.cookies.items():
            words = [f"{name_cookie(name, port)}={value}", "Path=/", "HttpOnly", "SameSite=Strict"]
            words += ["Secure"] if secure else []
            seconds = lifetimes[name] if value else 0
            words += [f"Max-Age={seconds}"] if seconds or not value else []
            self.headers.append(("Set-Cookie", "; ".join(words)))


def name_cookie(name: str, port: int) -> str:
    """A cookie's name as the browser of the table at that port knows it."""
    return f"{name}_{port}"


def text(status: int, sentence: str) -> Response:
    """A plain text response."""
    return Response(status, f"{sentence}\n".encode())


def page(html: str, status: int = 200) -> Response:
    """An HTML response."""
    return Response(status, html.encode(), HTML)


def data(match: Any, status: int = 200) -> Response:
    """A JSON response, in ASCII."""
    return Response(status, json.dumps(match).encode() + b"\n", JSON)


def see_other(place: str) -> Response:
    """A redirect after a form was handled."""
    return Response(303, headers=[("Location", place)])
