"""Salvages a damaged log of games: each game up to its first missing row."""

from __future__ import annotations

import os
from typing import NamedTuple

from common.problems import Problems
from companion.log import carving, game_rows
from companion.log.game_rows import GameLog
from companion.log.log_errors import BadLog
from engine import record
from engine.referee import Referee
from engine.refusals import Refused

KINDS = ("start", "move", "undo", "redo", "finish")


class Saved(NamedTuple):
    """A game that was salvaged, and whether it is complete."""

    log: GameLog
    whole: bool


class Event(NamedTuple):
    """A row of the log."""

    seq: int
    game: int
    kind: str
    text: str


def read(path: str) -> list[Saved]:
    """The games of the file, oldest first, without those whose beginning is missing.

    Raises OSError if the file itself cannot be read.
    """
    names: dict[int, str] = {}
    events: dict[int, Event] = {}
    for row in carving.rows(path):
        match row.values:
            case (None, str(name)):
                names[row.id] = name
            case (None, int(game), str(), str(kind), str(text)) if kind in KINDS:
                events[row.id] = Event(row.id, game, kind, text)
    by_game: dict[int, list[Event]] = {}
    for _seq, event in sorted(events.items()):
        by_game.setdefault(event.game, []).append(event)
    saved = (
        _save(names.get(game, f"salvaged-{game}"), game, own, events)
        for game, own in sorted(by_game.items())
    )
    return [one for one in saved if one is not None]


def free_path(path: str) -> str:
    """An unused path for the salvaged games."""
    number, free = 1, f"{path}.salvaged"
    while os.path.lexists(free):
        number += 1
        free = f"{path}.salvaged-{number}"
    return free


def _save(name: str, game: int, own: list[Event], events: dict[int, Event]) -> Saved | None:
    first = own[0]
    if first.kind != "start":
        return None
    try:
        setup = game_rows.setup(first.text)
        referee = Referee(record.read_setup(setup).table())
    except (BadLog, Problems, ValueError, TypeError):
        return None
    log = GameLog(game, name, setup)
    for event in own[1:]:
        nothing_between = all(seq in events for seq in range(first.seq, event.seq))
        if not nothing_between or not _apply(referee, event):
            return Saved(log, False)
        game_rows.replay(log, event.kind, event.text)
        first = event
    return Saved(log, True)


def _apply(referee: Referee, event: Event) -> bool:
    """Apply the event; returns whether the rules allow it."""
    try:
        if event.kind == "move":
            referee.play(event.text)
        elif event.kind == "undo":
            return referee.undo() is not None
        elif event.kind == "redo":
            return referee.redo() is not None
    except (Refused, ValueError):
        return False
    return True
