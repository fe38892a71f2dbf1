"""Hashes of random games: any change of the rules, intended or not, changes a line.

    python -m tests.engine.fingerprints          # compare with fingerprints.txt
    python -m tests.engine.fingerprints --write  # write it anew, after looking at what changed

A line is the edition, the table size, the secrecy, the seed, then the number of decisions, the sum
of the choices that each offered, the rounds, and a hash over every legal list, every view, the
scores and the winners, and why random moves are refused. The classic box plays its ordinary game at
every size; every edition plays random legal tables (`boxes.random_setup`). A changed sum of choices
means different legal moves; an unchanged one with a different hash, different effects. The last
lines are the records of cards, with many more moves tried at each moment.
"""

from __future__ import annotations

import hashlib
import json
import random
import sys
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from common.strict_yaml import parse
from engine import record, views
from engine.cards import DISTRICT_TYPES
from engine.explain import Refused
from engine.moves import GRAMMAR, MARKS, Move, make
from engine.referee import Referee, judge
from engine.rules import find_menu
from tests.engine.boxes import EDITIONS, random_setup
from tests.engine.playing import SECRECIES, SIZES, make_table, random_game
from tests.kept_lines import compare_or_write

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from engine.table import Table

FILE = Path(__file__).with_name("fingerprints.txt")
SEEDS = range(2)  # of the classic box, for each size and secrecy
GAMES = Path(__file__).parents[1] / "games"
VERBS = sorted(GRAMMAR)
RANDOM_TABLES = range(12)  # of each edition


def fingerprint(table: Table, seed: str) -> str:
    """The fingerprint of a random game from that table: the end of a line."""
    digest = hashlib.sha256()
    choices = 0
    chance = random.Random(f"refused {seed}")
    for referee in random_game(table, f"fingerprint {seed}"):
        legal = [move.text for move in referee.list_legal_moves()]
        choices += len(legal)
        digest.update("\n".join(legal).encode())
        if len(referee.moves) % 5 == 0 or not legal:
            for viewer in (None, 0, len(table.seats) - 1):
                sightings = views.table_json(referee.table, viewer=viewer)
                digest.update(json.dumps(sightings, sort_keys=True).encode())
            full = views.table_json(referee.table, full=True)
            digest.update(json.dumps(full, sort_keys=True).encode())
        if len(referee.moves) % 10 == 0:
            digest.update(_try_some(referee.table, chance, 3))
    return f"{len(referee.moves):4} {choices:6} {referee.table.round:3}  {digest.hexdigest()[:20]}"


def fingerprint_record(path: Path) -> str:
    """The fingerprint of the legal moves at each moment of a record: the end of a line."""
    data = parse(path.read_text(encoding="utf-8"), name=path.name).data
    recorded = record.read(data)
    referee, chance, digest = Referee(recorded.start), random.Random(path.stem), hashlib.sha256()
    for text in recorded.moves:
        digest.update(_try_some(referee.table, chance, 7))
        with suppress(Refused):  # some end with a refused move
            referee.play(text)
    digest.update(_try_some(referee.table, chance, 7))
    return digest.hexdigest()[:20]


def _try_some(table: Table, chance: random.Random, number: int) -> bytes:
    """The refusals of `number` random moves of open verbs, and one of any verb."""
    actions = find_menu(table).by_verb.values()
    here = [action.verb for action in actions if action.closed(table) is None] or VERBS
    verbs = (*chance.choices(here, k=number), chance.choice(VERBS))
    return "\n".join(_refusal(table, _make_up(table, verb, chance)) for verb in verbs).encode()


def _make_up(table: Table, verb: str, chance: random.Random) -> Move:
    """A random move of that verb with plausible words, mostly districts in a city."""
    rules, owner = table.rules, table.acting
    marks = filter(None, (table.marks.killed, table.marks.bewitched, *table.marks.warrants))
    words: dict[str, Sequence[str]] = {
        "P": rules.player_names,
        "C": [*rules.cast, *marks, "abbot"],
        "M": MARKS,
        "T": DISTRICT_TYPES,
        "N": "01123579",
    }
    form = chance.choice(GRAMMAR[verb]).split()
    if form and form[-1].endswith("..."):
        form[-1:] = [form[-1][0]] * chance.randint(1, 3)
    args: list[str] = []
    for word in form:
        if word == "D":
            city = [card.id for card in owner.city.cards] if chance.random() < 0.7 else []
            args.append(chance.choice(city or [*rules.districts, "keep"]))
        else:
            args.append(chance.choice(words[word]) if word in words else word)
        if word == "P":
            owner = table.seats[rules.seat_of[args[-1]]]
    places = tuple(place for place, word in enumerate(form) if word == "P")
    return make(verb, *args, player_places=places)


def _refusal(table: Table, move: Move) -> str:
    """The rule that refuses the move, with the fields of its reason."""
    try:
        judge(table, move)
    except Refused as error:
        refusal = error.refusal
        fields = getattr(refusal.reason, "fields", {})
        return f"{move.text}: {refusal.rule} {sorted(fields.items())}"
    return f"{move.text}: allowed"


def lines() -> Iterator[str]:
    """Every line of the file."""
    for players in SIZES:
        for secrecy in SECRECIES:
            for seed in SEEDS:
                table = make_table(players, secret=secrecy == "secret")
                name = f"{players} {secrecy:9} {seed:2}"
                yield f"classic_2016     {name}  {fingerprint(table, name)}"
    for edition in EDITIONS:
        for seed in RANDOM_TABLES:
            head = random_setup(edition, f"fingerprint {seed}")
            name = f"{len(head['players'])} {head['secrecy']:9} {seed:2}"
            table = record.read(head).start
            yield f"{edition:16} {name}  {fingerprint(table, name)}"
    for edition in EDITIONS:
        head = random_setup(edition, "light") | {"options": {"cities": "untracked"}}
        yield f"{edition:16} light  {fingerprint(record.read(head).start, edition)}"
    for path in sorted([*GAMES.glob("characters/*.yaml"), *GAMES.glob("districts/*.yaml")]):
        yield f"{path.stem:30} {fingerprint_record(path)}"


if __name__ == "__main__":
    sys.exit(compare_or_write(FILE, lines()))
