"""Announcing the table's address and code to people (also as a QR code) and to programs."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from companion.language import _
from companion.phones.serving import guard

if TYPE_CHECKING:
    from companion.phones.serving.seat_keys import SeatKeys
    from companion.phones.serving.where import Where


def link(url: str, code: str) -> str:
    """The address with the code in its fragment, which browsers do not send."""
    return f"{url}#{code}"


def tell(where: Where, code: str) -> list[str]:
    """How to connect a phone, in lines for people."""
    lines = [
        _("Phones: {url}").format(url=where.url),
        _("Code: {code}").format(code=guard.format_code(code)),
    ]
    if where.is_open:
        lines.append(
            _(
                "Without encryption, anyone listening on this network can see every hand and take "
                "over a seat: play among friends only, or start with {option}."
            ).format(option="--tls auto")
        )
    elif where.authority:
        lines += [
            _(
                "Encrypted with this computer's own certificate; browsers warn of it until it is "
                "installed: {url}"
            ).format(url=f"{where.url}trust"),
            _("Its fingerprint (SHA-256): {fingerprint}").format(fingerprint=where.fingerprint),
        ]
    return lines


def tell_program(where: Where, door: SeatKeys, game: str | None) -> str:
    """The same as one line of JSON, with each seat's own code; without a game yet, `game` is null
    and there are no seats."""
    seats = dict(zip(door.players, door.codes, strict=True))
    results = {"url": where.url, "code": door.code, "seats": seats, "game": game}
    return json.dumps(results | ({"fingerprint": where.fingerprint} if where.authority else {}))
