"""Forms: who has sent one, and what may be in its fields."""

from __future__ import annotations

import hmac
import re
from typing import TYPE_CHECKING

from companion.language import _
from companion.phones.serving.house import no_longer_yours
from companion.phones.serving.messages import Rejected

if TYPE_CHECKING:
    from collections.abc import Mapping

    from companion.phones.serving.house import Guest, House
    from companion.phones.serving.messages import Request

PAGES = ("/", "/seat", "/table", "/recap", "/games", "/look")
_OF_ONE = re.compile(r"/(t/[0-9A-F]{8,20}|card/[a-z_]{1,40})")  # a chip's page, a card's


async def find_sender(house: House, request: Request) -> tuple[Guest, Mapping[str, str]]:
    """Who has sent a form from a seat, and its fields. Raises Rejected for one that no page of that
    seat has made."""
    fields = await request.form()
    guest = house.find_guest(request)
    token = fields.get("token", "").encode()
    if guest.seat is None or not hmac.compare_digest(token, guest.token.encode()):
        raise no_longer_yours()
    return guest, fields


def read_seat(text: str, house: House) -> int:
    """A seat, written from 1 on. Raises Rejected."""
    if text.isascii() and text.isdecimal() and 1 <= int(text[:3]) <= len(house.players):
        return int(text[:3]) - 1
    raise Rejected(400, _("There is no such seat."))


def find_place(path: str) -> str:
    """A page of ours to go on to; the first where it is not one."""
    return path if path in PAGES or _OF_ONE.fullmatch(path) else "/"
