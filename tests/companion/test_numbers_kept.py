"""A number is a verb's, a seat's, a rank's or a district's for the whole game: every list of every
recorded game."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from companion import verbs
from companion.game import Offer, Row, picks, shortcuts
from companion.game.asking import agenda, narrow
from companion.game.shortcuts import list_gatherings
from companion.log import records
from engine.editions import editions
from engine.explain import Refused
from engine.referee import Referee, list_legal_moves
from engine.views import PUBLIC, redact
from tests.engine.playing import make_ordinary
from tests.sizes import pick_size

if TYPE_CHECKING:
    from collections.abc import Iterator

    from engine.table import Table

FOLDER = Path(__file__).parents[1] / "games"
GAMES = [
    path
    for path in sorted(FOLDER.rglob("*.yaml"))
    if path.parent.name != "impossible" and "\nmoves:" in path.read_text(encoding="utf-8")
]


def list_offers(view: Table) -> Iterator[tuple[Offer, bool]]:
    """Every list of one moment, and whether its rows are verbs: the moment's own, the question
    before the end of the turn, and the lists that open behind their rows."""
    legal = list_legal_moves(view)
    offer = agenda(view, legal, verbs.keys({}))
    short = list_gatherings(view, legal) if view.turn and not view.questions else []
    offers = [offer._replace(rows=(*offer.rows, *short))]
    if any(move.verb == "end" for move in legal) and (
        left := shortcuts.ask_before_end(view, legal)
    ):
        offers.append(left)
    for offer in offers:
        yield offer, True
        for row in offer.rows:
            if len(row.moves) > 1 and not row.private:
                yield narrow(view, row.moves), False


def find_meaning(view: Table, row: Row, *, is_verb: bool) -> tuple[str, int | None]:
    """What the row's number should stand for, and the number that it should be; None for a place:
    in somebody's city, or of a way to pay."""
    rules = view.rules
    if row.card in rules.seat_of:
        return f"seat {row.card}", rules.seat_of[row.card] + 1
    if row.card in rules.characters:
        return f"rank {row.card}", rules.characters[row.card].rank
    if row.card in rules.types:
        return f"type {row.card}", picks.find_type_number(row.card)
    if row.card.isdecimal():
        return f"amount {row.card}", int(row.card)
    if row.card == "nobody":
        return "nobody", verbs.VERBS["nobody"].number
    if row.card in rules.districts:
        number = picks.number_districts(rules).get(row.card)
        return f"district {row.card}", number if row.number == number else None
    if row.word.startswith(shortcuts.SEVERAL):
        commands = row.word.split("; ")
        return commands[0], shortcuts.NUMBERS.get(commands[0].split()[1])
    if row.card or not row.moves or not is_verb:
        return "", None
    (verb,) = {move.verb for move in row.moves}
    return f"verb {verb}", verbs.VERBS[verb].number or None


@pytest.mark.sweep
@pytest.mark.parametrize("path", GAMES[:: pick_size(6, 3, 1)], ids=lambda path: path.stem)
def test_a_number_means_the_same_in_every_list(path: Path) -> None:
    record = records.read(str(path)).record
    referee = Referee(record.start if record.start is not None else record.setup.table())
    numbers_of: dict[str, int | None] = {}
    for text in ["", *record.moves]:
        if text:
            try:
                referee.play(text)
            except Refused:
                break
        view = redact(referee.table, PUBLIC)
        for offer, is_verb in list_offers(view):
            numbers = [row.number for row in offer.rows]
            assert len({*numbers}) == len(numbers), (text, numbers)
            for row in offer.rows:
                what, number = find_meaning(view, row, is_verb=is_verb)
                if number is not None:
                    assert row.number == number, (text, row)
                    assert numbers_of.setdefault(what, row.number) == row.number


def test_no_district_has_the_number_of_something_that_is_done() -> None:
    taken = {verb.number for verb in verbs.VERBS.values()}
    taken |= {*shortcuts.NUMBERS.values()}
    for edition in editions():
        rules = make_ordinary(edition, ["Anna", "Kurt", "Ashley", "Ben"])
        numbers = picks.number_districts(rules)
        assert numbers.keys() == rules.districts.keys()
        assert len({*numbers.values()}) == len(numbers)
        assert not taken & {*numbers.values()}, edition
