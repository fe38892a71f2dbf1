"""Phones beside the line caller: where they connect, and `phones` while a game is set up."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from common.clean import printable
from companion import terminal
from companion.game.session import Listener
from companion.language import translate
from companion.language.vocabulary import translate_line
from companion.wording import codes

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from companion.chips.entries import Entry
    from companion.game.conversation import Conversation
    from companion.game.session import Session
    from companion.phones.serving.phones import Phones
    from companion.phones.serving.where import Where
    from companion.settings.config import Config
    from companion.setup.shared import SetUp
    from companion.terminal.inbox import Inbox

    Announce = Callable[["Phones", str | None], object]


class LinePhones(Listener):
    """The phones beside lines, from the set-up on. What they need of the face is `post`, `tell`,
    `say`, `lookup` and `find_talk`, which the caller replaces once it plays."""

    def __init__(
        self,
        config: Config,
        where: Where,
        inbox: Inbox,
        announce: Announce,
        *,
        is_hosted: bool = False,
    ) -> None:
        """`announce` prints where phones connect, and the name of the game, if there is one;
        `is_hosted` is whether there is no more than this at the computer."""
        self._config, self._where, self._inbox, self.announce = config, where, inbox, announce
        self._is_hosted = is_hosted
        self.phones: Phones | None = None
        self.post: Callable[[Callable[[], None]], None] = inbox.post
        self.tell: Callable[[str], None] = self._tell_aside
        self.say: Callable[[str], None] = lambda _text: None
        self.lookup: Callable[[bytes], Entry | None] = lambda _uid: None
        self.find_talk: Callable[[], Conversation | None] = lambda: None

    def _tell_aside(self, text: str) -> None:
        with self._inbox.step_aside():
            print(printable(translate(text)), file=sys.stderr, flush=True)

    def open_lobby(self, set_up: SetUp) -> None:
        """Let phones set up the game; whoever reads lines stops when they have begun it."""
        set_up.listeners.append(lambda: self._inbox.interrupt() if set_up.is_done else None)
        self._open(None, set_up)

    @property
    def is_without_players(self) -> bool:
        """Whether too few players are named for a game."""
        return self.phones is None or len(self.phones.door.players) < 2

    def tell_begun(self, session: Session) -> None:
        """Have the phones follow that game."""
        talk = self.find_talk()
        if self.phones is None:
            self._open(talk, None)
        elif talk is not None:
            self.phones.follow(talk)

    def stop(self) -> None:
        """Disconnect every phone."""
        if self.phones is not None:
            self.phones.stop()

    def _open(self, talk: Conversation | None, set_up: SetUp | None) -> None:
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
            is_hosted=self._is_hosted,
        )
        self.phones.start()
        self.announce(self.phones, talk.session.name if talk is not None else None)


def answer_line(phones: Phones | None, line: str, refuse: Callable[[str], object]) -> bool:
    """Answer `phones` and its arguments while a game is set up; returns whether it was that."""
    word, _space, rest = translate_line(line).partition(" ")
    if word != "phones" or phones is None:
        return False
    from companion.phones.serving import typed_phones

    reply = typed_phones.answer(phones, rest)
    if reply.refused:
        refuse(reply.lines[0])
    else:
        _print(reply.lines)
        if reply.code:
            draw(phones, reply.code)
    return True


def tell_code(phones: Phones, _game: str | None = None) -> None:
    """Print the address, the code, and what opens a seat."""
    from companion.phones.serving import typed_phones

    _print(typed_phones.describe_entrance(phones))


def _print(lines: Iterable[str]) -> None:
    for line in lines:
        print(*terminal.break_line(printable(line), sys.stdout), sep="\n")
    sys.stdout.flush()


def draw(phones: Phones, code: str) -> None:
    """Draw the address with that code as a QR code. Only on request or if nobody plays by ear: to a
    screen reader it is a page of noise."""
    if sys.stdout.isatty():
        from companion.phones.serving.where import link_with_code

        link = link_with_code(phones.where.url, code)
        if terminal.is_dumb():
            print(codes.tell_undrawable(link))
        else:
            for line in terminal.draw_half_blocks(link):
                print(f"{terminal.DARK_ON_LIGHT}{line}{terminal.AS_BEFORE}")
        sys.stdout.flush()
