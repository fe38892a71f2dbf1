"""Pages from templates: whole sentences in the phone's language, everything else escaped.

What takes long to make for a page is kept until its state changes.
"""

from __future__ import annotations

import asyncio
import zlib
from collections.abc import Awaitable, Callable, Hashable
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar, cast

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from companion import language
from companion.language import _, available, card, plural
from companion.phones.serving import look, messages
from companion.wording import emblems, story

if TYPE_CHECKING:
    from companion.phones.serving.look import Look
    from companion.phones.serving.messages import Response
    from companion.phones.serving.where import Where


TEMPLATES = Path(__file__).with_name("templates")
STATIC = Path(__file__).with_name("static")
KINDS = {
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
    ".png": "image/png",
    ".webmanifest": "application/manifest+json",
}
EMBLEMS = "emblems.svg"

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
        "own_name": available.own_name,
        "plural": plural,
        "static": address,
    }
    return jinja


def show(where: Where, appearance: Look, name: str, status: int = 200, **fields: Any) -> Response:
    """Render a template as a page of the table there, in the guest's language and colours."""
    is_own = bool(where.authority)
    return render(
        environment(),
        appearance,
        name,
        status,
        is_open=where.is_open,
        is_own=is_own,
        **fields,
    )


def render(
    templates: Environment, appearance: Look, name: str, status: int = 200, **fields: Any
) -> Response:
    """Render one of these templates as a page, in that language and those colours."""
    with language.speaking(appearance.language):
        html = templates.get_template(f"{name}.html").render(
            look=appearance,
            languages=look.languages(),
            sizes=look.SIZES,
            contrasts=look.CONTRASTS,
            themes=look.THEMES,
            renewals=look.RENEWALS,
            **fields,
        )
    return messages.page(html, status)


@cache
def address(name: str) -> str:
    """The URL of a static file, which changes with its content."""
    _kind, body = files()[name]
    return f"/static/{name}?{zlib.crc32(body):08x}"


@cache
def files() -> dict[str, tuple[str, bytes]]:
    """The static files: kind and bytes of each by name. The style sheet begins with what all pages
    share."""
    results = {
        path.name: (KINDS[path.suffix], path.read_bytes())
        for folder in (STATIC, emblems.DESIGN)
        for path in folder.iterdir()
        if path.suffix in KINDS
    }
    kind, base = results.pop("base.css")
    results["pages.css"] = (kind, base + results["pages.css"][1])
    return {**results, EMBLEMS: (KINDS[".svg"], emblems.read_sprite())}


class AsyncCache:
    """One value per name; only for the server's event loop."""

    def __init__(self) -> None:
        self._tasks: dict[Hashable, tuple[Hashable, asyncio.Task[Any]]] = {}

    async def get(self, name: Hashable, state: Hashable, make: Callable[[], Awaitable[T]]) -> T:
        """The value cached for that name and state; if there is none, `make` makes it and it
        replaces the old one. Concurrent callers wait for the same task. Failures are not cached."""
        match = self._tasks.get(name)
        if match is None or match[0] != state:
            match = self._tasks[name] = state, asyncio.ensure_future(_run(make))
        try:
            # a caller that is cancelled must not cancel the task for the others
            return cast(T, await asyncio.shield(match[1]))
        except Exception:
            if self._tasks.get(name) is match:
                del self._tasks[name]
            raise

    def drop(self, name: Hashable) -> None:
        """Forget the value of that name."""
        self._tasks.pop(name, None)


async def _run(make: Callable[[], Awaitable[T]]) -> T:
    return await make()
