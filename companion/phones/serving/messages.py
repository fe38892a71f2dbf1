"""What is asked over HTTP and what is answered, apart from how it travels."""

from __future__ import annotations

import json
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit

LONGEST_BODY = 16 * 1024  # bytes
MOST_FIELDS = 16  # of a form
FORM, JSON, HTML, EVENTS = (
    "application/x-www-form-urlencoded",
    "application/json",
    "text/html; charset=utf-8",
    "text/event-stream",
)


class Rejected(Exception):
    """A request that gets an error: its status, and a sentence for people."""

    def __init__(self, status: int, sentence: str = "", **headers: str) -> None:
        super().__init__(status)
        self.status, self.sentence, self.headers = status, sentence, headers


@dataclass
class Request:
    """One request. `read` gives its body, once."""

    method: str
    target: str
    headers: Mapping[str, str]
    """By their names in small letters."""

    address: str = ""
    secure: bool = False
    read: Callable[[], Awaitable[bytes]] | None = None
    known: Callable[[], None] = lambda: None
    """Tells that whoever asks has shown a key: such a connection is not given up for another."""

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
        """What the browser calls this server."""
        return self.headers.get("host", "")

    @property
    def cookies(self) -> dict[str, str]:
        """The cookies by name; of two with one name the first, which is the more exact path's."""
        found: dict[str, str] = {}
        for part in self.headers.get("cookie", "").split(";"):
            name, equals, value = part.strip().partition("=")
            if equals:
                found.setdefault(name, value)
        return found

    @property
    def bearer(self) -> str | None:
        """The key that a program shows; None if it shows none."""
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
    found = parse_qs(
        text, keep_blank_values=True, errors="strict", max_num_fields=MOST_FIELDS
    )  # fmt: skip
    return {name: values[0] for name, values in found.items()}


@dataclass
class Answer:
    """What is answered: a body, or parts of one as they come about."""

    status: int = 200
    body: bytes = b""
    kind: str = "text/plain; charset=utf-8"
    headers: list[tuple[str, str]] = field(default_factory=list)
    parts: AsyncGenerator[bytes, None] | None = None

    def set_cookie(self, name: str, value: str, *, secure: bool, seconds: int = 0) -> None:
        """Have the browser keep that, out of reach of scripts and of other sites; for the session
        if no time is given."""
        words = [f"{name}={value}", "Path=/", "HttpOnly", "SameSite=Strict"]
        words += ["Secure"] if secure else []
        words += [f"Max-Age={seconds}"] if seconds else []
        self.headers.append(("Set-Cookie", "; ".join(words)))

    def drop_cookie(self, name: str) -> None:
        """Have the browser forget it."""
        self.headers.append(
            ("Set-Cookie", f"{name}=; Path=/; HttpOnly; SameSite=Strict; Max-Age=0")
        )


def text(status: int, sentence: str) -> Answer:
    """A sentence."""
    return Answer(status, f"{sentence}\n".encode())


def page(html: str, status: int = 200) -> Answer:
    """A page."""
    return Answer(status, html.encode(), HTML)


def data(found: Any, status: int = 200) -> Answer:
    """A JSON object, in ASCII."""
    return Answer(status, json.dumps(found).encode() + b"\n", JSON)


def see_other(place: str) -> Answer:
    """Where the browser is to go on, once something has been done."""
    return Answer(303, headers=[("Location", place)])
