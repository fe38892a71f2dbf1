"""Forms: their senders and fields, checked."""

from __future__ import annotations

import hmac
import re
from typing import TYPE_CHECKING

from companion.language import _
from companion.phones.serving.messages import Rejected
from companion.phones.serving.site import make_lost_error

if TYPE_CHECKING:
    from collections.abc import Mapping

    from companion.phones.serving.messages import HttpRequest
    from companion.phones.serving.site import Guest, Site

PAGES = ("/", "/seat", "/table", "/recap", "/games", "/plays", "/look", "/trust")
_OF_ONE = re.compile(r"/(t/[0-9A-F]{8,20}|card/[a-z_]{1,40}|share/[a-z.]{0,20}|b/[A-Z2-7]{0,8})")
"""A chip's page, a card's, the card to share, a game for BG Stats."""


async def find_sender(site: Site, request: HttpRequest) -> tuple[Guest, Mapping[str, str]]:
    """The sender of a form and its fields. Raises Rejected if the form is not from a page of that
    seat."""
    fields = await request.form()
    guest = site.find_guest(request)
    token = fields.get("token", "").encode()
    if guest.seat is None or not hmac.compare_digest(token, guest.token.encode()):
        raise make_lost_error()
    return guest, fields


def read_seat(text: str, site: Site) -> int:
    """A seat, counted from 1 in the form. Raises Rejected."""
    if text.isascii() and text.isdecimal() and 1 <= int(text[:3]) <= len(site.players):
        return int(text[:3]) - 1
    raise Rejected(400, _("There is no such seat."))


def safe_redirect(path: str) -> str:
    """The path if it is one of our pages, otherwise `/`."""
    return path if path in PAGES or _OF_ONE.fullmatch(path) else "/"
