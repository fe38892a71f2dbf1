"""A record without what its table may not know yet.

A secret move is kept only if its content came out in the same round: the victim's character was
called, the robbed one revealed, the threat shown. The result plays to the table that everybody
sees.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from companion.verbs import is_private
from engine import views
from engine.referee import Referee

if TYPE_CHECKING:
    from collections.abc import Sequence

    from engine.moves import Move
    from engine.record import Record
    from engine.table import Table

_MARKS = {"kill": "killed", "rob": "robbed"}  # a verb's attribute of the table for its target
_POSITION_SECRETS = {
    "chosen": None,
    "signed": None,
    "real": "real",
    "killed": "kill",
    "robbed": "rob",
}
"""Position keys that hold secrets, each with the verb that sets it."""


def remove_secrets(record: Record) -> dict[str, Any]:
    """The record as data of a record file, without what the public may not know at its end.

    Raises Refused if a move of the record is refused.
    """
    referee = Referee(record.start)
    tables = [record.start]
    for text in record.moves:
        referee.play(text)
        tables.append(referee.table)
    events = [
        move.text
        for place, move in enumerate(referee.moves)
        if not is_private(tables[place], move.verb)
        or _was_revealed(move.verb, tables[place + 1 :], referee.moves[place + 1 :])
    ]
    data: dict[str, Any] = {**record.setup.data(), "moves": events}
    if record.position:
        data["position"] = {
            key: value
            for key, value in record.position.items()
            if key not in _POSITION_SECRETS or _is_told(key, tables, referee.moves)
        }
        if "players" in data["position"] and referee.table.stage != "over":
            data["position"]["players"] = _hide_vault(record.position["players"])
    return data


def _hide_vault(players: dict[str, Any]) -> dict[str, Any]:
    """The players without the Secret Vault in a hand, which is shown after the game."""
    return {
        name: {key: value for key, value in (facts or {}).items() if key != "vault"}
        for name, facts in players.items()
    }


def _is_told(key: str, tables: Sequence[Table], moves: Sequence[Move]) -> bool:
    verb = _POSITION_SECRETS[key]
    if verb is None:
        return False
    return not is_private(tables[0], verb) or _was_revealed(verb, tables, moves)


def _was_revealed(verb: str, later: Sequence[Table], moves: Sequence[Move]) -> bool:
    """Whether the round revealed that move's content; `later` begins after it."""
    of_round = [table for table in later if table.round == later[0].round]
    if verb == "real":
        return any(move.verb == "expose" for move in moves[: len(of_round) - 1])
    if verb not in _MARKS:
        return False
    tables = (views.redact(table, views.PUBLIC) for table in of_round)
    return any(getattr(table, _MARKS[verb]) is not None for table in tables)
