"""Deliberate leaks, planted one at a time: the twins must find each.

A leak replaces one function of the program: in this process for one test, or, by
`planted/sitecustomize.py`, in a started program.
"""

from __future__ import annotations

import asyncio
import os
from importlib import import_module
from traceback import walk_tb
from typing import TYPE_CHECKING, Any, NamedTuple

from textual.widgets import Input

from common.sentences import Sentence
from companion.game import Message
from engine.explain import Refused
from engine.referee import list_legal_moves

if TYPE_CHECKING:
    from collections.abc import Callable


class Leak(NamedTuple):
    """`make` gets the object at `place`, `module:name.name`, and returns a leaking replacement."""

    place: str
    make: Callable[[Any], Any]


def owner_of(place: str) -> tuple[Any, str]:
    """The object and the name of its attribute at that place."""
    module, _colon, path = place.partition(":")
    owner: Any = import_module(module)
    *before, last = path.split(".")
    for name in before:
        owner = getattr(owner, name)
    return owner, last


def plant(name: str) -> None:
    """Plant that leak in this process, permanently."""
    leak = LEAKS[name]
    owner, attribute = owner_of(leak.place)
    setattr(owner, attribute, leak.make(getattr(owner, attribute)))


def _victim_in_views(redact: Any) -> Any:
    def leaks(table: Any, viewer: int | None) -> Any:
        view = redact(table, viewer)
        view.marks = view.marks._replace(killed=table.marks.killed)
        return view

    return leaks


def _markers_in_views(redact: Any) -> Any:
    def leaks(table: Any, viewer: int | None) -> Any:
        view = redact(table, viewer)
        marks = table.marks
        view.marks = view.marks._replace(signed=marks.signed, real=marks.real)
        return view

    return leaks


def _choices_in_json(table_json: Any) -> Any:
    def leaks(table: Any, **how: Any) -> Any:
        choices = {seat.name: seat.chosen for seat in table.seats}
        return {**table_json(table, **how), "chosen": choices}

    return leaks


def _true_reasons(play: Any) -> Any:
    def leaks(session: Any, text: Any, *viewer: Any) -> Any:
        try:
            return play(session, text, *viewer)
        except Refused as error:
            reason = Sentence(f"{error.refusal.reason} ({session.referee.table.marks.killed})")
            raise Refused(error.move, error.refusal._replace(reason=reason)) from None

    return leaks


def _true_reasons_in_records(explain_to: Any) -> Any:
    def leaks(played: Any, viewer: int | None) -> Any:
        explanation = explain_to(played, viewer)
        return explanation._replace(reason=f"{explanation.reason} ({played.table.marks.killed})")

    return leaks


def _true_moves(_legal: Any) -> Any:
    return lambda session, *_viewer: list_legal_moves(session.referee.table)


def _true_steps(_step: Any) -> Any:
    def leaks(playing: Any) -> Any:
        moves = list_legal_moves(playing.session.referee.table)
        return moves[0] if playing.with_forced and len(moves) == 1 else None

    return leaks


def _undo_tells(_still_known: Any) -> Any:
    return lambda session: [session.next_redo.text]


def _whispers_aloud(_speak_privately: Any) -> Any:
    def leaks(voice: Any, *texts: str) -> bool:
        voice.speak_aloud(*texts)
        return True

    return leaks


def _repeats_choices(take: Any) -> Any:
    def leaks(mode: Any, row: Any) -> None:
        take(mode, row)
        if row is not None:
            mode.talk._messages.append(Message("told", (row.label,)))

    return leaks


def _text_in_arguments(build_arguments: Any) -> Any:
    return lambda answer, *rest, **more: (*build_arguments(answer, *rest, **more), answer.text)


def _values_in_reports(description: Any) -> Any:
    def leaks(error: BaseException) -> Any:
        yield from description(error)
        yield from (str(frame.f_locals) for frame, _line in walk_tb(error.__traceback__))

    return leaks


def _unheld_at_once(find_next: Any) -> Any:
    def leaks(table: Any) -> Any:
        next_call = find_next(table)
        character = table.rules.by_rank.get(table.called)
        is_held = any(character in seat.chosen for seat in table.seats)
        return next_call if next_call is None or is_held else (next_call[0], 0.0)

    return leaks


def _agreeing_records(is_complete: Any) -> Any:
    def leaks(records: Any, session: Any) -> bool:
        choices = [card for seat in session.referee.table.seats for card in seat.chosen]
        return is_complete(records, session) and len(choices) == len(set(choices))

    return leaks


def _records_agree(table: Any) -> bool:
    choices = [card for seat in table.session.referee.table.seats for card in seat.chosen]
    return len(choices) > len(set(choices))


def _order_by_records(wake: Any) -> Any:
    def leaks(streams: Any) -> None:
        if _records_agree(streams._table):
            streams._groups = dict(reversed(streams._groups.items()))
        wake(streams)

    return leaks


def _delay_by_records(answer: Any) -> Any:
    async def leaks(web: Any, request: Any) -> Any:
        await asyncio.sleep(0.001 if _records_agree(web._site.table) else 0)
        return await answer(web, request)

    return leaks


def _secrets_now(_holds: Any) -> Any:
    return lambda table, seat: bool(table.session.referee.table.seats[seat].chosen)


def _open_files(_private: Any) -> Any:
    return lambda path, flags: os.open(path, flags, 0o644)


def _hands_for_all(tell_hand: Any) -> Any:
    def leaks(streams: Any, _viewer: int, hand: Any) -> None:
        for viewer in {viewer for viewer, _code in streams._groups}:
            tell_hand(streams, viewer, hand)

    return leaks


def _told_hands(holds: Any) -> Any:
    def leaks(table: Any, seat: int) -> bool:
        session = table.session
        told = bool(session.notebook.of(seat).told)
        return told or (holds(table, seat) and not session.has_told(seat))

    return leaks


LEAKS: dict[str, Leak] = {
    "a view keeps the victim": Leak("engine.views:redact", _victim_in_views),
    "a view keeps the markers": Leak("engine.views:redact", _markers_in_views),
    "JSON shows what is chosen": Leak("engine.views:table_json", _choices_in_json),
    "a refusal explains the true table": Leak("companion.game.session:Session.play", _true_reasons),
    "true legal moves are offered": Leak("companion.game.session:Session.legal", _true_moves),
    "steps are forced by a secret": Leak("companion.game.playing:Playing._step", _true_steps),
    "undo tells": Leak("companion.game.session:Session.list_still_known", _undo_tells),
    "a whisper is spoken to the table": Leak(
        "companion.voice.table_voice:Voice.speak_privately", _whispers_aloud
    ),
    "repeat repeats a choice": Leak("companion.game.private:Private.take", _repeats_choices),
    "a stray tap explains the victim": Leak(
        "companion.game.taps:Taps._is_whispered", lambda _whispered: lambda taps, entry: False
    ),
    "a voice is given its text as an argument": Leak(
        "companion.voice.backends:build_arguments", _text_in_arguments
    ),
    "a public record keeps secrets": Leak(
        "companion.log.records:is_private", lambda _private: lambda table, verb: False
    ),
    "an onlooker sees the true table": Leak(
        "companion.game.onlooking:Onlookers._look",
        lambda look: (
            lambda onlookers, session, *told: look(onlookers, session, *told)._replace(
                table=session.referee.table
            )
        ),
    ),
    "a record's refusal explains the true table": Leak(
        "companion.commands.record:explain_to", _true_reasons_in_records
    ),
    "a crash report holds values": Leak(
        "companion.errors.crash_report:_describe", _values_in_reports
    ),
    "a page is drawn from the true table": Leak(
        "companion.game.session:Session.view_of",
        lambda _view: lambda session, _viewer: session.referee.table,
    ),
    "phones hear of the true table": Leak(
        "companion.game.session:Session.redact_for",
        lambda _seen: lambda session, _viewer, table, *_seals: table,
    ),
    "the crown's phone answers for the Magistrate": Leak(
        "companion.phones.phone_table:PhoneTable._is_left_to_another",
        lambda _left: lambda table, seat: False,
    ),
    "a rank that nobody has passes at once": Leak(
        "companion.game.awaiting:find_next", _unheld_at_once
    ),
    "calling begins when the records agree": Leak(
        "companion.phones.calling:Recorded.is_complete", _agreeing_records
    ),
    "who is told first depends on the records": Leak(
        "companion.phones.serving.stream:Streams.wake", _order_by_records
    ),
    "an answer is late where records agree": Leak(
        "companion.phones.serving.web:Web.answer", _delay_by_records
    ),
    "a seat whose record was dropped is free": Leak(
        "companion.phones.phone_table:PhoneTable.is_private", _secrets_now
    ),
    "every stream hears of a hand": Leak(
        "companion.phones.serving.stream:Streams.tell_hand", _hands_for_all
    ),
    "a seat is private while its list has a card": Leak(
        "companion.phones.phone_table:PhoneTable.is_private", _told_hands
    ),
    "files are open to others": Leak("common.own_files:open_private", _open_files),
    "a private line is shown at a terminal": Leak(
        "companion.game.privacy:may_show", lambda _may: lambda view, legal, text: True
    ),
    "a private line is shown on the screen": Leak(
        "companion.game.conversation:may_show", lambda _may: lambda view, legal, text: True
    ),
    "a hidden line shows its length": Leak(
        "companion.app.widgets:HiddenEntry.render_line", lambda _line: Input.render_line
    ),
}
