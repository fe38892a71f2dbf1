"""Plays the games of `editions/`: `python tests/games/play_editions.py [NAME ...]`.

A random heuristic player replaces people: characters are dealt and recorded, gold is gathered when
short, expensive districts are built, powers are used. Of many such games the most eventful is saved
as a record. `regenerate.py` writes the answers beside the records.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[2]))  # import from this checkout, installed or not

from engine import record
from engine.editions import printed_casts
from engine.moves import Move
from engine.referee import Referee
from engine.table import Table

GAMES = Path(__file__).parent
CANDIDATES = 60  # games played for each one saved
MOST_ROUNDS = 16
NAMES = ["Anna", "Kurt", "Ashley", "Ben", "Zoë", "van Dyk", "Li", "Mia"]


def head(edition: str, players: int, about: str, **more: Any) -> dict[str, Any]:
    """The head of a record, with a line about the game for its reader."""
    return {"about": about, "edition": edition, "players": NAMES[:players], **more}


def load_printed(name: str) -> dict[str, Any]:
    """Characters and districts of a printed cast."""
    cast = printed_casts()[name]
    return {"characters": list(cast.characters), "districts": list(cast.districts)}


def cast(text: str) -> dict[str, Any]:
    """A custom cast."""
    return {"characters": text.split()}


WHOLE_GAMES: dict[str, dict[str, Any]] = {
    "classic_2016": head("classic_2016", 5, "Five players, the ordinary game."),
    "hobby_world_2022": head("hobby_world_2022", 6, "Six players; nobody lies face up."),
    "accessible_fr": head("accessible_fr", 4, "Four players, a game with secret targets.",
                          secrecy="secret"),
    "brettspielwelt": head("brettspielwelt", 7, "Seven players; cities of eight districts."),
    "millennium_3e": head(
        "millennium_3e", 8, "Eight players, so that nine characters are needed.",
        **cast("witch tax_collector_2004 wizard emperor abbot alchemist navigator diplomat queen")),
    "ffg_2005": head(
        "ffg_2005", 6, "Six players with nine characters, one face up.",
        **cast("assassin thief wizard king bishop alchemist architect warlord artist")),
    "ffg_2005.two_players": head(
        "ffg_2005", 2, "Two players with two characters each; cities of eight districts.",
        **cast("assassin tax_collector_2004 magician king abbot merchant navigator warlord")),
    "deluxe_2016.three_players": head(
        "deluxe_2016", 3, "Three players with nine characters, two each, three left over.",
        **load_printed("tenacious_delegates")),
    "deluxe_2016.cunning_agents": head(
        "deluxe_2016", 7, "A printed cast: Witch, Blackmailer, Emperor and Tax Collector.",
        **load_printed("cunning_agents")),
    "deluxe_2016.devious_dignitaries": head(
        "deluxe_2016", 5, "A printed cast: Magistrate, Blackmailer, Navigator, Marshal and Queen.",
        **load_printed("devious_dignitaries")),
}  # fmt: skip


# -- a heuristic player ---------------------------------------------------------------------------


def deal(table: Table, chance: random.Random) -> list[str]:
    """The moves of one selection, up to the call."""
    able = [c for c in table.rules.cast if table.rules.characters[c].rank != 4]
    faceup = chance.sample(able, table.rules.faceup_count)
    left = [c for c in table.rules.cast if c not in faceup]
    chance.shuffle(left)
    choices = [
        f"choose {_quote(name)} {left.pop()}"
        for _ in range(table.rules.picks)
        for name in table.rules.player_names
    ]
    return [*([f"faceup {' '.join(faceup)}"] if faceup else []), *choices]


def _quote(name: str) -> str:
    return f'"{name}"' if " " in name else name


def appeal(t: Table, move: Move) -> float:
    """The heuristic value of the move for its player."""
    verb, args = move.verb, move.args
    if verb == "build":
        cost = t.rules.districts[args[0]].cost
        return cost**2 / (1 if len(args) == 1 else 6)
    if verb == "gold":
        return 3 if t.acting.hand > 1 and t.acting.gold < 5 else 1
    if verb in ("destroy", "use", "exchange", "seize", "take", "spy"):
        return _appeal_of_blows(t, move)
    return _APPEAL.get(verb, 5)


def _appeal_of_blows(t: Table, move: Move) -> float:
    verb, args = move.verb, move.args
    if verb == "destroy":
        return 0.0 if args[0] == t.acting.name else 4
    if verb == "use":
        wants = {"laboratory": t.acting.hand > 3, "smithy": t.acting.gold > 4, "armory": False,
                 "theater": True}  # fmt: skip
        return 8.0 if wants.get(args[0], True) else 0.3
    if verb == "exchange":
        own, other = (t.rules.districts[d].cost for d in (args[0], args[2]))
        return 3.0 if other > own else 0.05
    if verb == "spy":
        return 1.0 if int(args[2]) <= 2 else 0.05
    return 1.0


_APPEAL = {"forfeit": 0.4, "end": 2, "nobody": 1, "signed": 0, "real": 0, "call": 1, "rescue": 9}
_FIRST = ("income", "bonus", "collect", "study", "divine", "navigate", "tithe", "crown")


def pick(t: Table, moves: list[Move], chance: random.Random) -> Move:
    """Choose a move: free ones first, then by appeal."""
    free = [move for move in moves if move.verb in _FIRST and chance.random() < 0.8]
    if free:
        return chance.choice(free)
    weights = [appeal(t, move) for move in moves]
    if not any(weights):
        return chance.choice(moves)
    number = {verb: sum(move.verb == verb for move in moves) for verb in {m.verb for m in moves}}
    flat = ("build",)  # ways to build add up; many targets of a power count once
    return chance.choices(
        moves,
        [w if m.verb in flat else w / number[m.verb] for m, w in zip(moves, weights, strict=True)],
    )[0]


def play(setup: dict[str, Any], seed: int) -> Referee:
    """One whole game."""
    chance = random.Random(f"{setup['edition']} {len(setup['players'])} {seed}")
    referee = Referee(record.read(setup).start)
    while referee.table.phase != "over" and referee.table.round <= MOST_ROUNDS:
        if referee.table.phase == "selection":
            for text in deal(referee.table, chance):
                referee.play(text)
            swaps = [move for move in referee.list_legal_moves() if move.verb == "use"]
            if swaps and chance.random() < 0.5:
                referee.play(chance.choice(swaps))
            referee.play("call")
        else:
            referee.play(pick(referee.table, _fitting(referee), chance))
    vaults = referee.list_legal_moves() if referee.table.phase == "over" else []
    if vaults:
        referee.play(chance.choice(vaults))
    return referee


def _fitting(referee: Referee) -> list[Move]:
    """The legal moves consistent with the recorded characters."""
    t, moves = referee.table, referee.list_legal_moves()
    if t.phase == "unmask":
        holders = {seat.name for seat in t.seats if t.marks.killed in seat.chosen}
        targets = holders or {"nobody"}
        return [m for m in moves if m.args[0] in targets] or moves
    if t.phase != "calling":
        return moves
    character = t.rules.by_rank[t.called]
    mine = {seat.name for seat in t.seats if character in seat.chosen}
    entries = [move for move in moves if move.verb == "reveal" and move.args[0] in mine]
    return entries or [move for move in moves if move.verb == "nobody"]


# -- the games that are kept ----------------------------------------------------------------------


def count_happenings(referee: Referee) -> int:
    """The number of different moves, events, uniques and characters in the finished game."""
    if referee.table.phase != "over":
        return 0
    names: set[str] = set()
    for before, move, after in referee.list_latest(len(referee.moves)):
        names.add(move.verb)
        names.update(event.kind for event in after.events)
        if move.verb in ("build", "use"):
            names.add(" ".join(move.args[:1]))
        if before.turn is not None:
            names.add(before.turn.character)
    return len(names)


def lines(setup: dict[str, Any], referee: Referee) -> Iterator[str]:
    """The record file."""
    yield f"# {setup['about']}"
    yield "# Played by chance and a player with some sense: play_editions.py."
    yield f"edition: {setup['edition']}"
    yield f"players: [{', '.join(setup['players'])}]"
    yield f"crown: {setup['crown']}"
    for key in ("characters", "districts"):
        if key in setup:
            yield f"{key}: [{', '.join(setup[key])}]"
    yield f"secrecy: {setup.get('secrecy', 'announced')}"
    yield "moves:"
    for move in referee.moves:
        text = move.text.replace("'", "''")
        yield f"  - '{text}'" if '"' in text else f"  - {text}"


def main() -> None:
    """Play and save the named games, or all."""
    for name in sys.argv[1:] or WHOLE_GAMES:
        setup = dict(WHOLE_GAMES[name])
        setup["crown"] = setup["players"][-1]
        plain = {key: value for key, value in setup.items() if key != "about"}
        best = max((play(plain, seed) for seed in range(CANDIDATES)), key=count_happenings)
        place = GAMES / "editions" / f"{name}.yaml"
        place.parent.mkdir(exist_ok=True)
        place.write_text("\n".join(lines(setup, best)) + "\n", encoding="utf-8")
        print(
            f"{name}: {len(best.moves)} moves, {best.table.round} rounds, {count_happenings(best)}"
        )


if __name__ == "__main__":
    main()
