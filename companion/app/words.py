"""Action chips and typed words that are no move: what each does at the table."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from companion.app.notices import Notice
from companion.intent.digits import DIGITS, pressed
from companion.intent.menu import going_on
from companion.language import _
from companion.wording import facts, prompts

if TYPE_CHECKING:
    from companion.app.screens.table import TableScreen


def run(table: TableScreen, word: str) -> None:
    """Do what the word says: one of `chips.CALLER_ACTIONS`."""
    if word in DIGITS:
        _digit(table, word)
    else:
        _WORDS[word](table)


def _digit(table: TableScreen, digit: str) -> None:
    """A number chip: the row of that number, once its digits are whole."""
    rows = len(table.offer.visible()) if table.offer is not None else len(table.found)
    number, table.digits = pressed(table.digits, digit, range(1, rows + 1))
    if number is not None:
        table.take(number - 1)
    elif table.digits:
        _tell(table, _("{number}: another digit, or the chip enter.").format(number=table.digits))


def _enter(table: TableScreen) -> None:
    """The number tapped so far, else the marked row."""
    if table.digits:
        table.take(int(table.digits) - 1)
    else:
        table.take_marked()


def _go_on(table: TableScreen) -> None:
    move = going_on(table.game.session.legal())
    if move is not None:
        table.play(move)
    else:
        _tell(table, prompts.question(table.game.view))


def _who(table: TableScreen) -> None:
    _tell(table, *facts.who(table.game.view))


def _status(table: TableScreen) -> None:
    _tell(table, *facts.status(table.game.view))


def _city(table: TableScreen) -> None:
    view = table.game.view
    _tell(table, *facts.city(view, facts.asked_seat(view)))


def _tell(table: TableScreen, *told: str) -> None:
    table.show_notice(Notice("note", " ".join(told)))
    table.app.voice.aloud(*told)


_WORDS: dict[str, Callable[[TableScreen], None]] = {
    "undo": lambda table: table.action_undo(),
    "redo": lambda table: table.action_redo(),
    "why": lambda table: table.action_why(),
    "help": lambda table: table.action_help(),
    "repeat": lambda table: table.action_repeat(),
    "last": lambda table: table.action_repeat(),
    "score": lambda table: table.action_scores(),
    "moves": lambda table: table.show_table(),
    "back": lambda table: table.action_back(),
    "enter": _enter,
    "next": _go_on,
    "who": _who,
    "status": _status,
    "city": _city,
}
