"""Chips in the line caller: what a tap did, learning an unknown chip, and the simulated reader."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion import chips, reference
from companion.chips import deck_words, learning
from companion.intent import gathering, menu, taps
from companion.intent.digits import DIGITS
from companion.language import _, said
from companion.plain import picking, private_moment
from companion.wording import facts
from tags.registry import (
    ActionChip,
    CharacterChip,
    PlayerChip,
    ReferenceChip,
    format_uid,
)

if TYPE_CHECKING:
    from companion.intent.taps import Meaning
    from companion.plain.caller import Caller
    from companion.readers.table_reader import TableReader
    from tags.registry import Entry
    from tags.watch import Tap


def tapped(caller: Caller, tap: Tap) -> None:
    """Do what the tapped chip means at this moment."""
    uid, reader = tap.uid, caller.reader
    entry = reader.lookup(uid) if reader is not None else None
    seat = reader.seat(tap) if reader is not None else None
    if entry is None:
        caller.unknown_chip = uid
        caller.say(_("Unknown chip {uid}.").format(uid=format_uid(uid)))
        caller.say(_("Type learn and what it is, such as: learn tavern."))
        return
    if caller.private:
        private_moment.tapped(caller, entry)
        return
    reading = caller.reading
    if isinstance(entry, ReferenceChip) and reading and reading.number == entry.number:
        caller.read(reading.moved(1))
        return
    if isinstance(entry, ActionChip) and entry.name in chips.CALLER_ACTIONS:
        _action(caller, entry.name)
        return
    view, legal = caller.session.view, caller.session.legal()
    refused = taps.unawaited(view, legal, entry, seat)
    if refused is not None:
        caller.say(refused)
        return
    meaning = taps.meaning(view, legal, entry, caller.pending, seat)
    caller.pending = meaning.pending
    caller.digits = ""
    if meaning.move is not None:
        caller.play(meaning.move)
    elif meaning.moves:
        caller.offer(_("Which one?"), menu.narrowed(view, meaning.moves))
    elif _is_whispered(caller, entry):
        caller.refuse(_("that cannot be chosen; nothing has changed."))
    else:
        _explain(caller, entry, meaning)


def _action(caller: Caller, name: str) -> None:
    """What the caller itself answers: a digit, or a word that could be typed."""
    if name in DIGITS:
        picking.pick_digit(caller, name)
    elif name == "enter":
        picking.enter(caller)
    elif name == "city":
        view = caller.session.view
        caller.say(*facts.city(view, facts.asked_seat(view)))
    else:
        caller.command(name)


def _is_whispered(caller: Caller, entry: Entry) -> bool:
    """Whether a tapped character may be somebody's secret target: then nothing is said of it."""
    return isinstance(entry, CharacterChip) and private_moment.hides_typing(caller)


def _explain(caller: Caller, entry: Entry, meaning: Meaning) -> None:
    """Show what the chip stands for where no move fits, and why none does."""
    view = caller.session.view
    refused = taps.objection(view, entry, meaning)
    if refused is not None:
        caller.last_refusal = refused
        caller.say(_("No move: {reason}").format(reason=said(refused.refusal.reason)))
    if caller.pending and taps.entry_card(entry) in caller.pending:
        caller.say(gathering.so_far(caller.session.legal(), caller.pending))
    elif isinstance(entry, PlayerChip) and meaning.seat is None:
        caller.say(_("Nobody sits in seat {seat} in this game.").format(seat=entry.seat))
    elif meaning.seat is not None:
        caller.say(facts.gold(view)[meaning.seat], *facts.city(view, meaning.seat))
    elif len(meaning.cards) == 1:
        caller.say(*facts.card_text(view, meaning.cards[0]))
    elif isinstance(entry, ReferenceChip) and meaning.cards:
        caller.read(reference.Reading(entry.number, meaning.cards))


def learn(caller: Caller, rest: str) -> None:
    """Take what was typed as the meaning of the unknown chip tapped last."""
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
        caller.say(
            _("Chip {uid} is now: {entry}.").format(
                uid=format_uid(uid), entry=learning.in_words(entry, rules.player_names)
            )
        )


# -- the simulated reader -------------------------------------------------------------------


def tap(caller: Caller, rest: str) -> None:
    """Lay a chip on the simulated reader for a moment."""
    _lay(caller, rest, leave=False)


def hold(caller: Caller, rest: str) -> None:
    """Lay a chip on the simulated reader and leave it there."""
    _lay(caller, rest, leave=True)


def lift(caller: Caller, rest: str) -> None:
    """Take away what lies on the simulated reader."""
    reader = _simulated(caller)
    if reader is None:
        return
    if reader.lying is None:
        caller.refuse(_("nothing lies on the reader."))
        return
    caller.inbox.lift(reader, reader.lying)
    caller.say(_("Lifted."))


def unplug(caller: Caller, rest: str) -> None:
    """Pull the simulated reader's cable."""
    reader = _simulated(caller)
    if reader is not None and not reader.plugged:
        caller.refuse(_("the reader is unplugged already."))
    elif reader is not None:
        reader.unplug()
        caller.say(_("Unplugged. The game goes on by typing."))


def plug(caller: Caller, rest: str) -> None:
    """Plug the simulated reader in again."""
    reader = _simulated(caller)
    if reader is not None and reader.plugged:
        caller.refuse(_("the reader is plugged in already."))
    elif reader is not None:
        try:
            reader.plug()
        except OSError as error:
            caller.refuse(_("the reader cannot be plugged in: {reason}").format(reason=error))
            return
        caller.say(_("Plugged in."))


def _lay(caller: Caller, rest: str, *, leave: bool) -> None:
    reader = _simulated(caller)
    if reader is None:
        return
    try:
        uid = deck_words.chip_named(rest, reader.deck, caller.session.view.rules)
    except ValueError as error:
        caller.refuse(str(error))
        return
    if not reader.plugged:
        caller.refuse(_("the reader is unplugged; type plug."))
        return
    if not caller.inbox.lay(reader, uid, leave=leave):
        caller.refuse(_("the reader did not see the chip."))


def _simulated(caller: Caller) -> TableReader | None:
    """The simulated reader; None, and a refusal, if this table has a real one or none."""
    reader = caller.reader
    if reader is None:
        caller.refuse(_("there is no reader; begin with --reader simulated."))
    elif not reader.simulated:
        caller.refuse(_("only the simulated reader can be told what lies on it."))
        return None
    return reader
