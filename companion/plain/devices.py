"""Phones and chips in the line caller: the address phones connect to, and whose are connected;
taps, learning an unknown chip, and the simulated reader.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from companion import chips, terminal
from companion.chips import learning
from companion.files.clean import printable
from companion.language import _, translate
from companion.language.vocabulary import translate_line
from companion.readers import reject_tap
from tags.links import format_uid

if TYPE_CHECKING:
    from collections.abc import Callable

    from companion.chips.entries import Entry
    from companion.game.conversation import Conversation
    from companion.phones.serving.where import Where
    from companion.settings.config import Config
    from companion.setup.shared import SetUp
    from companion.terminal.inbox import Inbox

    Announce = Callable[["Phones", str | None], object]
    from companion.phones.serving.phones import Phones
    from companion.plain.state import CallerState
    from companion.readers.table_reader import TableReader
    from tags.watch import Tap


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

    def follow(self, talk: Conversation) -> Phones:
        """Have the phones follow that game."""
        if self.phones is not None:
            self.phones.follow(talk)
            return self.phones
        return self._open(talk, None)

    def _open(self, talk: Conversation | None, set_up: SetUp | None) -> Phones:
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


def hand_over_tap(caller: CallerState, tap: Tap) -> None:
    """Pass the tapped chip to the conversation; an unknown one can be learned."""
    reader = caller.reader
    reason = reject_tap(tap)
    if reason is not None:
        caller.tell(reason)
        return
    if reader is None:
        return
    entry = reader.lookup(tap.uid)
    if entry is None:
        caller.unknown_chip = tap.uid
        caller.tell(_("Unknown chip {uid}.").format(uid=format_uid(tap.uid)))
        caller.tell(_("Type learn and what it is, such as: learn tavern."))
        reader.signal(tap.uid, None if caller.talk.taps_are_secret else False)
    else:
        reader.signal(tap.uid, caller.talk.tap(entry, tap.uid, reader.seat(tap)))


def learn(caller: CallerState, rest: str) -> None:
    """Store what was typed as the meaning of the last unknown chip."""
    uid, reader = caller.unknown_chip, caller.reader
    if uid is None or reader is None:
        caller.refuse(_("tap an unknown chip first."))
        return
    rules = caller.session.view.rules
    try:
        entry = learning.read_entry(
            rest, reader.registry, rules.player_names, (*rules.cast, *rules.districts)
        )
        reader.learn(uid, entry)
    except ValueError as error:
        caller.refuse(str(error))
    except chips.ChipsError as error:
        caller.refuse(error.problems[0])
    else:
        caller.unknown_chip = None
        caller.tell(
            _("Chip {uid} is now: {entry}.").format(
                uid=format_uid(uid), entry=entry.describe(rules.player_names)
            )
        )


# -- the simulated reader -------------------------------------------------------------------


def tap(caller: CallerState, rest: str) -> None:
    """Lay a chip on the simulated reader for a moment."""
    _lay(caller, rest, leave=False)


def hold(caller: CallerState, rest: str) -> None:
    """Lay a chip on the simulated reader and leave it there."""
    _lay(caller, rest, leave=True)


def lift(caller: CallerState, rest: str) -> None:
    """Take away what lies on the simulated reader."""
    reader = _find_simulated(caller)
    if reader is None:
        return
    if reader.lying is None:
        caller.refuse(_("there is nothing on the reader."))
        return
    caller.inbox.lift(reader, reader.lying)
    caller.tell(_("Lifted."))


def unplug(caller: CallerState, rest: str) -> None:
    """Pull the simulated reader's cable."""
    reader = _find_simulated(caller)
    if reader is not None and not reader.plugged:
        caller.refuse(_("the reader is already unplugged."))
    elif reader is not None:
        reader.unplug()
        caller.tell(_("Unplugged. Carry on by keyboard."))


def plug(caller: CallerState, rest: str) -> None:
    """Plug the simulated reader in again."""
    reader = _find_simulated(caller)
    if reader is not None and reader.plugged:
        caller.refuse(_("the reader is already plugged in."))
    elif reader is not None:
        try:
            reader.plug()
        except OSError as error:
            caller.refuse(_("the reader cannot be plugged in: {reason}").format(reason=error))
            return
        caller.tell(_("Plugged in."))


def _lay(caller: CallerState, rest: str, *, leave: bool) -> None:
    reader = _find_simulated(caller)
    if reader is None:
        return
    try:
        uid = learning.find_deck_chip(rest, reader.deck, caller.session.view.rules)
    except ValueError as error:
        caller.refuse(str(error))
        return
    if not reader.plugged:
        caller.refuse(_("the reader is unplugged; type plug."))
        return
    if not caller.inbox.lay(reader, uid, leave=leave):
        caller.refuse(_("the reader did not see the chip."))


def _find_simulated(caller: CallerState) -> TableReader | None:
    """The simulated reader; None, and a refusal, if this table has a real one or none."""
    reader = caller.reader
    if reader is None:
        caller.refuse(_("there is no reader; start with --reader simulated."))
    elif not reader.simulated:
        caller.refuse(_("that works only with the simulated reader."))
        return None
    return reader
