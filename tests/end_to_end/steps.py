"""Play a record move by move alongside a running program: its public tables, and the expected end
of the saved game."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from companion.chips.entries import (
    ACTIONS,
    ActionChip,
    CharacterChip,
    CrownChip,
    DistrictChip,
    Entry,
    PlayerChip,
)
from companion.game import tap_meaning
from companion.log import records
from engine import views
from engine.moves import Move
from engine.record import Record
from engine.referee import Referee, list_legal_moves
from engine.table import Table
from tests.companion.listening import companion
from tests.starting import ROOT

GAMES = ROOT / "tests" / "games"


class Step(NamedTuple):
    """A move as listed, and the public table before and after it."""

    move: Move
    before: Table
    after: Table


def record_of(name: str) -> Record:
    """One of the records in tests/games."""
    return records.read(str(GAMES / f"{name}.yaml")).record


def options_of(record: Record) -> list[str]:
    setup = record.setup
    words = ["--new", "--players", ",".join(setup.players), "--crown", setup.crown]
    if setup.characters:
        words += ["--characters", ",".join(setup.characters)]
    for name, value in (setup.options or {}).items():
        words += ["--option", f"{name}={value}"]
    return [*words, "--edition", setup.edition, "--secrecy", setup.secrecy]


def steps(record: Record) -> Iterator[Step]:
    referee = Referee(record.start)
    for text in record.moves:
        before = views.redact(referee.table, views.PUBLIC)
        faceup = sort_faceup(referee.read(text).text)
        move = next(m for m in list_legal_moves(before) if sort_faceup(m.text) == faceup)
        referee.play(text)
        yield Step(move, before, views.redact(referee.table, views.PUBLIC))


def sort_faceup(text: str) -> str:
    """The move with its characters sorted: discards have no order."""
    verb, *words = text.split()
    return " ".join((verb, *sorted(words))) if verb == "faceup" else text


def chips_of(before: Table, move: Move) -> list[Entry]:
    """The chips to tap for the move, in order; none if only the numbers of a list lead to it."""
    legal_moves = list_legal_moves(before)
    action = [ActionChip(move.text)] if move.text in ACTIONS else []
    for chips in ([CrownChip()], action, _find_chips(before, move)):
        pending: tuple[str, ...] = ()
        for place, entry in enumerate(chips, start=1):
            meaning = tap_meaning.find_meaning(before, legal_moves, entry, pending)
            pending = meaning.pending
            if meaning.move == move:
                return list(chips[:place])
            if not pending:
                break
    return []


def _find_chips(before: Table, move: Move) -> list[Entry]:
    fields: dict[str, Entry] = {}
    for kind, chip in (("C", CharacterChip), ("D", DistrictChip)):
        fields |= {word: chip(word) for word in move.words(kind)}
    names = before.rules.player_names
    fields |= {word: PlayerChip(names.index(word) + 1) for word in move.words("P")}
    return [fields[word] for word in move.args if word in fields]


def assert_ended_as(name: str) -> None:
    """Assert that the last game ended with that record's table, score and moves."""
    reference = json.loads((GAMES / f"{name}.json").read_text("utf-8"))
    path = Path(os.environ["COMPANION_DATA"]) / "played.yaml"
    path.write_text(companion("record").stdout, encoding="utf-8")
    result = records.read(str(path)).record
    assert [sort_faceup(m) for m in result.moves] == [sort_faceup(m) for m in record_of(name).moves]
    assert _json("score") == reference["score"]
    assert _sort_discards(_json("replay", str(path))) == _sort_discards(reference)


def _json(*words: str) -> Any:
    """The command's JSON, in English like the records."""
    return json.loads(companion(*words, "--json", env={"COMPANION_LANGUAGE": "en"}).stdout)


def _sort_discards(table: dict[str, Any]) -> dict[str, Any]:
    """Sort the discards, which lie in the order tapped."""
    return {**table, "faceup": sorted(table["faceup"] or ())}
