"""Phones beside the line caller: where they connect, and `phones` while a game is set up."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from common.clean import printable
from companion import terminal
from companion.language import translate
from companion.language.vocabulary import translate_line
from companion.wording import codes

if TYPE_CHECKING:
    from collections.abc import Callable

    from companion.phones.serving.phones import Phones


def answer_line(phones: Phones | None, line: str, refuse: Callable[[str], object]) -> bool:
    """Answer `phones` and its arguments while a game is set up; returns whether it was that."""
    word, _space, rest = translate_line(line).partition(" ")
    if word != "phones" or phones is None:
        return False
    answer(phones, rest, tell, refuse)
    return True


def answer(
    phones: Phones, rest: str, tell: Callable[..., object], refuse: Callable[[str], object]
) -> None:
    from companion.phones.serving import typed_phones

    reply = typed_phones.answer(phones, rest)
    if reply.refused:
        refuse(reply.lines[0])
        return
    tell(*reply.lines)
    if reply.code:
        draw(phones, reply.code)


def tell_code(phones: Phones) -> None:
    """Print the address, the code, and what opens a seat."""
    from companion.phones.serving import typed_phones

    tell(*typed_phones.describe_entrance(phones))


def tell(*lines: str) -> None:
    """Print lines that answer no move, and flush them."""
    for line in lines:
        print(*terminal.break_line(printable(translate(line)), sys.stdout), sep="\n")
    print(end="", flush=True)


def draw(phones: Phones, code: str) -> None:
    """Draw the address with that code as a QR code. Only on request or if nobody plays by ear: to a
    screen reader it is a page of noise."""
    if sys.stdout.isatty():
        from companion.phones.serving.where import link_with_code

        print("\n".join(codes.draw(link_with_code(phones.where.url, code))), flush=True)
