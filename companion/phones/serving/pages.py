"""Pages from templates, as a phone wants them: whole sentences in its language, everything else
escaped; its text size, contrast and theme, kept in a cookie.

What takes long to make for a page is kept until its state changes.
"""

from __future__ import annotations

import asyncio
import re
import zlib
from collections.abc import Awaitable, Callable, Hashable, Mapping
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar, cast
from urllib.parse import parse_qs, urlencode

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from companion import extending, language
from companion.language import _, card, catalogues, list_offered, plural
from companion.phones.serving import http_messages
from companion.wording import emblems, story

if TYPE_CHECKING:
    from starlette.responses import Response

    from companion.phones.serving.http_messages import HttpRequest
    from companion.phones.serving.where import Where


SIZES = ("normal", "large", "huge")
CONTRASTS = ("auto", "more")
THEMES = ("auto", "light", "dark")
RENEWALS = ("auto", "ask")
MOST_ASKED = 10  # languages of a browser that are considered

PATHS = ("/", "/seat", "/table", "/look")
_OF_ONE = re.compile(r"/(t/[0-9A-F]{8,20}|card/[a-z_]{1,40})")
"""A chip's page, a card's."""
_NAME = re.compile(r"[a-z.]{0,20}")
"""The last segment of an extension's page."""


@cache
def list_brought() -> dict[str, Callable[[Any, Any], Awaitable[Any]]]:
    """The pages that extensions bring: their handlers by address."""
    return dict(extending.gather(lambda extension: extension.list_pages().items()))


@cache
def languages() -> tuple[str, ...]:
    return tuple(list_offered())


class Look(NamedTuple):
    """The display settings of one phone; `auto` follows its system."""

    language: str
    size: str = SIZES[0]
    contrast: str = CONTRASTS[0]
    theme: str = THEMES[0]
    renewal: str = RENEWALS[0]
    """Whether a page updates at once or on request."""

    def cookie(self) -> str:
        return urlencode(self._asdict())


def read_look(request: HttpRequest, cookie: str, usual: str) -> Look:
    """The phone's settings from its cookie; without one, the browser's language, or else `usual`,
    the table's."""
    fields = {name: values[0] for name, values in parse_qs(cookie[:200]).items()}
    return read_choices(fields, Look(_find_language(request.headers, usual)))


def read_choices(fields: Mapping[str, str], before: Look) -> Look:
    """`before` with the changes in `fields`; unknown values are ignored."""
    known = {
        "language": languages(),
        "size": SIZES,
        "contrast": CONTRASTS,
        "theme": THEMES,
        "renewal": RENEWALS,
    }
    changed = {name: fields[name] for name in known if fields.get(name) in known[name]}
    return before._replace(**changed)


def _find_language(headers: Mapping[str, str], usual: str) -> str:
    """The first of the browser's languages that the pages have. Browsers list them by preference,
    so quality values are ignored."""
    for question in headers.get("accept-language", "").split(",")[:MOST_ASKED]:
        code = question.partition(";")[0].strip().lower().partition("-")[0]
        if code in languages():
            return code
    return usual


TEMPLATES = Path(__file__).with_name("templates")
STATIC = Path(__file__).with_name("static")
KINDS = {
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
    ".png": "image/png",
    ".mp4": "video/mp4",
    ".webmanifest": "application/manifest+json",
}
EMBLEMS = "emblems.svg"

_FOR_US = re.compile(rb"^ *((//|/\*.*\*/$).*)?\n|^ +| // .*$", re.MULTILINE)
"""Comments, empty lines and indentation."""

T = TypeVar("T")


@cache
def environment(*folders: Path) -> Environment:
    """The template environment; templates in `folders` come first."""
    jinja = Environment(
        loader=FileSystemLoader([*folders, TEMPLATES, emblems.DESIGN]),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    jinja.globals |= {
        "_": _,
        "card": card,
        "deed": story.name_deed,
        "emblems_at": address(EMBLEMS),
        "has_emblem": frozenset(emblems.list_ids()).__contains__,
        "own_name": catalogues.own_name,
        "plural": plural,
        "static": address,
    }
    return jinja


def show(where: Where, appearance: Look, name: str, status: int = 200, **fields: Any) -> Response:
    """Render a template as a page of the table there, in the guest's language and colours."""
    return render(environment(), appearance, name, status, is_open=where.is_open, **fields)


def render(
    templates: Environment, appearance: Look, name: str, status: int = 200, **fields: Any
) -> Response:
    """Render one of these templates as a page, in that language and those colours."""
    with language.speaking(appearance.language):
        html = templates.get_template(f"{name}.html").render(
            look=appearance,
            languages=languages(),
            sizes=SIZES,
            contrasts=CONTRASTS,
            themes=THEMES,
            renewals=RENEWALS,
            **fields,
        )
    return http_messages.page(html, status)


@cache
def address(name: str) -> str:
    """The URL of a static file, which changes with its content."""
    _kind, body = files()[name]
    return f"/static/{name}?{zlib.crc32(body):08x}"


@cache
def files() -> dict[str, tuple[str, bytes]]:
    """The static files: kind and bytes of each by name, without what only we read. The style
    sheet begins with what all pages share."""
    by_name = {**read_folder(STATIC), **read_folder(emblems.DESIGN)}
    kind, shared = by_name.pop("base.css")
    by_name["pages.css"] = (kind, shared + by_name["pages.css"][1])
    return {**by_name, EMBLEMS: (KINDS[".svg"], emblems.make_sprite())}


def read_folder(folder: Path) -> dict[str, tuple[str, bytes]]:
    """The files of one folder, as `files` gives them."""
    return {
        path.name: (KINDS[path.suffix], _read(path))
        for path in folder.iterdir()
        if path.suffix in KINDS
    }


def _read(path: Path) -> bytes:
    body = path.read_bytes()
    return body if path.suffix in (".png", ".mp4") else _FOR_US.sub(b"", body)


class AsyncCache:
    """One value per name; only for the server's event loop."""

    def __init__(self) -> None:
        self._tasks: dict[Hashable, tuple[Hashable, asyncio.Task[Any]]] = {}

    async def get(self, name: Hashable, state: Hashable, make: Callable[[], Awaitable[T]]) -> T:
        """The value cached for that name and state; if there is none, `make` makes it and it
        replaces the old one. Concurrent callers wait for the same task. Failures are not cached."""
        cached = self._tasks.get(name)
        if cached is None or cached[0] != state:
            cached = self._tasks[name] = state, asyncio.ensure_future(_run(make))
        try:
            # a caller that is cancelled must not cancel the task for the others
            return cast(T, await asyncio.shield(cached[1]))
        except Exception:
            if self._tasks.get(name) is cached:
                del self._tasks[name]
            raise

    def drop(self, name: Hashable) -> None:
        self._tasks.pop(name, None)


async def _run(make: Callable[[], Awaitable[T]]) -> T:
    return await make()


def safe_redirect(path: str) -> str:
    """The path if it is one of our pages, otherwise `/`."""
    head, _slash, name = path.rpartition("/")
    is_brought = path in list_brought() or (f"{head}/" in list_brought() and _NAME.fullmatch(name))
    return path if path in PATHS or _OF_ONE.fullmatch(path) or is_brought else "/"
