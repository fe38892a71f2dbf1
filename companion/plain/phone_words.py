"""Phones in the line caller: the address they connect to, and whose phones are connected."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from companion.language import _
from companion.terminal import qr

if TYPE_CHECKING:
    from companion.phones.serving.phones import Phones
    from companion.plain.state import CallerState


def answer_phones(caller: CallerState, rest: str) -> None:
    """Run `phones` and its subcommands."""
    if caller.phones is None:
        caller.refuse(_("this game has no phones; start it with --phones."))
        return
    from companion.phones.serving import words

    reply = words.answer(caller.phones, rest)
    if reply.refused:
        caller.refuse(reply.lines[0])
    else:
        caller.tell(*reply.lines)
        if reply.code:
            draw(caller.phones, reply.code)


def tell_code(caller: CallerState, phones: Phones) -> None:
    """Print the address, the code, and what opens a seat."""
    from companion.phones.serving import words

    caller.tell(*words.describe_entrance(phones))


def draw(phones: Phones, code: str) -> None:
    """Draw the address with that code as a QR code. Only on request or if nobody plays by ear: to a
    screen reader it is a page of noise."""
    if sys.stdout.isatty():
        from companion.phones.serving import announce

        for line in qr.draw_half_blocks(announce.link(phones.where.url, code)):
            print(f"{qr.DARK_ON_LIGHT}{line}{qr.AS_BEFORE}")
        sys.stdout.flush()
