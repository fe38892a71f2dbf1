"""Phones in the line caller: the address they connect to, and whose phones are connected."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from companion import terminal
from companion.files.clean import printable
from companion.language import _, translate
from companion.language.vocabulary import translate_line

if TYPE_CHECKING:
    from collections.abc import Callable

    from companion.chips.entries import Entry
    from companion.game.talk import Talk
    from companion.phones.serving.where import Where
    from companion.settings.config import Config
    from companion.setup.shared import SetUp
    from companion.terminal.inbox import Inbox

    Announce = Callable[["Phones", str | None], object]
    from companion.phones.serving.phones import Phones
    from companion.plain.state import CallerState


class LinePhones:
    """The phones beside lines, from the set-up on. What they need of the face is `post`, `tell`,
    `say` and `lookup`, which the caller replaces once it plays."""

    def __init__(self, config: Config, where: Where, inbox: Inbox, announce: Announce) -> None:
        """`announce` prints where phones connect, and the name of the game, if there is one."""
        self._config, self._where, self._inbox, self._announce = config, where, inbox, announce
        self.phones: Phones | None = None
        self.post: Callable[[Callable[[], None]], None] = inbox.post
        self.tell: Callable[[str], None] = self._tell_aside
        self.say: Callable[[str], None] = lambda _text: None
        self.lookup: Callable[[bytes], Entry | None] = lambda _uid: None

    def _tell_aside(self, text: str) -> None:
        with self._inbox.step_aside():
            print(printable(translate(text)), file=sys.stderr, flush=True)

    def open_lobby(self, set_up: SetUp) -> None:
        """Let phones set up the game; whoever reads lines stops when they have begun it."""
        set_up.listeners.append(lambda: self._inbox.interrupt() if set_up.is_done else None)
        self._open(None, set_up)

    def follow(self, talk: Talk) -> Phones:
        """Have the phones follow that game."""
        if self.phones is not None:
            self.phones.follow(talk)
            return self.phones
        return self._open(talk, None)

    def _open(self, talk: Talk | None, set_up: SetUp | None) -> Phones:
        from companion.phones.serving.phones import Phones  # lazy: imports all that serves pages

        self.phones = Phones(
            talk,
            self._config,
            self._where,
            post=lambda work: self.post(work),
            tell=lambda text: self.tell(text),
            say=lambda text: self.say(text),
            lookup=lambda uid: self.lookup(uid),
            set_up=set_up,
        )
        self.phones.start()
        self._announce(self.phones, talk.session.name if talk is not None else None)
        return self.phones


def answer_line(phones: Phones | None, line: str, refuse: Callable[[str], object]) -> bool:
    """Answer `phones` and its arguments while a game is set up; returns whether it was that."""
    word, _space, rest = translate_line(line).partition(" ")
    if word != "phones" or phones is None:
        return False
    from companion.phones.serving import words

    reply = words.answer(phones, rest)
    if reply.refused:
        refuse(reply.lines[0])
    else:
        for text in reply.lines:
            print(printable(text), flush=True)
        if reply.code:
            draw(phones, reply.code)
    return True


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


def tell_code(phones: Phones, _game: str | None = None) -> None:
    """Print the address, the code, and what opens a seat."""
    from companion.phones.serving import words

    for line in words.describe_entrance(phones):
        print(printable(line))
    sys.stdout.flush()


def draw(phones: Phones, code: str) -> None:
    """Draw the address with that code as a QR code. Only on request or if nobody plays by ear: to a
    screen reader it is a page of noise."""
    if sys.stdout.isatty():
        from companion.phones.serving.where import link_with_code

        for line in terminal.draw_half_blocks(link_with_code(phones.where.url, code)):
            print(f"{terminal.DARK_ON_LIGHT}{line}{terminal.AS_BEFORE}")
        sys.stdout.flush()
