"""Phones and chips in the line caller: whose phones are connected; taps, learning an unknown chip,
and the simulated reader.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from companion import chips
from companion.chips import learning
from companion.language import _
from companion.plain import line_phones
from companion.readers import reject_tap, simulating
from tags.links import format_uid

if TYPE_CHECKING:
    from companion.plain.caller_state import CallerState
    from tags.watch import Tap


def answer_phones(caller: CallerState, rest: str) -> None:
    if caller.phones is None:
        caller.refuse(_("this game has no phones; start it with --phones."))
    else:
        line_phones.answer(caller.phones, rest, caller.tell, caller.refuse)


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


def simulate(word: str) -> Callable[[CallerState, str], None]:
    """The operation of one of `simulating.WORDS`."""

    def operation(caller: CallerState, rest: str) -> None:
        def find_chip() -> bytes:
            assert caller.reader is not None
            assert caller.reader.deck is not None
            return learning.find_deck_chip(rest, caller.reader.deck)

        try:
            answer = simulating.do(word, caller.reader, caller.inbox, find_chip)
        except ValueError as error:
            caller.refuse(str(error))
        else:
            caller.tell(*([answer] if answer else []))

    return operation
