"""Phones and chips in the line caller: whose phones are connected; taps, learning an unknown chip,
and the simulated reader.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion import chips
from companion.chips import learning
from companion.language import _
from companion.plain import line_phones
from companion.readers import reject_tap
from tags.links import format_uid

if TYPE_CHECKING:
    from companion.plain.state import CallerState
    from companion.readers.table_reader import TableReader
    from tags.watch import Tap


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
            line_phones.draw(caller.phones, reply.code)


def hand_over_tap(caller: CallerState, tap: Tap) -> None:
    """Pass the tapped chip to the conversation; an unknown one can be learned."""
    reader = caller.reader
    reason = reject_tap(tap)
    if reason is not None:
        caller.tell(reason)
        return
    if reader is None or caller.set_up is not None:
        return
    entry = reader.lookup(tap.uid)
    if entry is None:
        caller.unknown_chip = tap.uid
        caller.tell(_("Unknown chip {uid}.").format(uid=format_uid(tap.uid)))
        caller.tell(_("Type learn and what it is, such as: learn tavern."))
        reader.signal(tap.uid, None if caller.talk.taps_are_secret else False)
    else:
        is_taken = caller.talk.tap(entry, tap.uid, reader.seat(tap), begun=caller.gone)
        reader.signal(tap.uid, is_taken)


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
        caller.refuse(_("the reader is unplugged; type plug."))
    elif reader is not None:
        reader.unplug()
        caller.tell(_("Unplugged."))


def plug(caller: CallerState, rest: str) -> None:
    """Plug the simulated reader in again."""
    reader = _find_simulated(caller)
    if reader is not None and reader.plugged:
        caller.refuse(_("the reader is already plugged in."))
    elif reader is not None:
        reader.plug()
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
