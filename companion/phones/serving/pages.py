"""Pages made of templates: whole sentences in the phone's language, everything else escaped."""

from __future__ import annotations

import zlib
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from companion import language
from companion.language import _, available, card, plural
from companion.phones.serving import look, messages
from companion.wording import chronicle

if TYPE_CHECKING:
    from companion.phones.serving.house import House
    from companion.phones.serving.look import Look
    from companion.phones.serving.messages import Answer

TEMPLATES = Path(__file__).with_name("templates")
STATIC = Path(__file__).with_name("static")
KINDS = {
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
}


@cache
def environment() -> Environment:
    """Where templates are found and what they may use."""
    made = Environment(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.globals |= {
        "_": _,
        "card": card,
        "deed": chronicle.word,
        "own_name": available.own_name,
        "plural": plural,
        "static": address,
    }
    return made


def show(house: House, appearance: Look, name: str, status: int = 200, **fields: Any) -> Answer:
    """That template as a page, in the language and the colours of whoever asks."""
    with language.speaking(appearance.language):
        html = environment().get_template(f"{name}.html").render(
            look=appearance,
            languages=look.languages(),
            sizes=look.SIZES,
            contrasts=look.CONTRASTS,
            themes=look.THEMES,
            renewals=look.RENEWALS,
            is_open=house.where.is_open,
            **fields,
        )  # fmt: skip
    return messages.page(html, status)


@cache
def address(name: str) -> str:
    """Where a page loads that file from; another one as soon as what is in it is another."""
    _kind, body = files()[name]
    return f"/static/{name}?{zlib.crc32(body):08x}"


@cache
def files() -> dict[str, tuple[str, bytes]]:
    """The files that pages load: the kind and the bytes of each, by its name."""
    return {
        path.name: (KINDS[path.suffix], path.read_bytes())
        for path in STATIC.iterdir()
        if path.suffix in KINDS
    }
