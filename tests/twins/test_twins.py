"""Twin games, which differ in exactly one secret, look the same through every door until the secret
is public."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from engine.explain import Refused
from engine.referee import Referee
from engine.views import PUBLIC, redact
from tests.engine.playing import table_state
from tests.sizes import pick_size
from tests.twins.doors import (
    Look,
    conversation,
    crashes,
    find_difference,
    lines,
    onlookers,
    refusals,
    screen,
    terminal,
    views,
    wire,
)
from tests.twins.pairs import MORE, TWINS, Twins, tables
from tests.twins.recorded import CALLED, HANDS, LIARS, draw_liars

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from _pytest.mark import ParameterSet

pytestmark = [pytest.mark.outer, pytest.mark.sweep]

IN_PROCESS: dict[str, Look] = {
    "views": views.look,
    "refusals": refusals.look,
    "crashes": crashes.look,
    "onlookers": onlookers.look,
}


def assert_alike(door: Look, twins: Twins, folder: Path) -> None:
    difference = find_difference(door, twins, folder)
    assert difference is None, difference


PAIRS = {**TWINS, **LIARS}
WIRED = {
    name: TWINS[name]
    for name in (
        *("kill one that somebody holds, or nobody", "kill, without cities"),
        *("rob", "rob, in the Thief's place", "who holds which", "choose twice, of two"),
        *("chosen before the Theater", "signed", "real"),
    )
}
"""The pairs of which every byte on the wire is compared, unless more is asked for."""


def looks() -> Iterator[ParameterSet]:
    """Each door with each pair; one way of recording a secret for each pair, or all."""
    for number, (name, twins) in enumerate(PAIRS.items()):
        for door, look in IN_PROCESS.items():
            if door == "refusals" and number % pick_size(2, 1, 1):
                continue
            yield pytest.param(look, twins, id=f"{name} - {door}")
        ways = list(conversation.WAYS)
        records = ways if MORE else [ways[number % len(ways)]]
        for way in records:
            yield pytest.param(conversation.WAYS[way], twins, id=f"{name} - {way}")
    wired = {**(TWINS if MORE else WIRED), **LIARS, **CALLED, **HANDS}
    for name, twins in [*wired.items()][:: pick_size(3, 2, 1)]:
        yield pytest.param(wire.look, twins, id=f"{name} - wire")


@pytest.mark.parametrize("twins", PAIRS.values(), ids=PAIRS)
def test_the_twins_do_differ(twins: Twins) -> None:
    """Those who know can distinguish them at once, and everybody once the secret is shown."""
    first = [next(tables(twins, which)) for which in (0, 1)]
    knows = [seat for seat, name in enumerate(twins.names) if name in twins.knows.split()]
    own = [[table_state(redact(table, seat)) for seat in knows] for table in first]
    assert own[0] != own[1]
    if twins.shown:
        assert _after_it_is_shown(twins, 0) != _after_it_is_shown(twins, 1)


def _after_it_is_shown(twins: Twins, which: int) -> object:
    """What everybody knows after the last move; None where that is refused."""
    *_, last = tables(twins, which)
    referee = Referee(last)
    try:
        referee.play(twins.shown)
    except Refused:
        return None
    return table_state(redact(referee.table, PUBLIC))


@pytest.mark.parametrize(("door", "twins"), list(looks()))
def test_twins_look_the_same(door: Look, twins: Twins, tmp_path: Path) -> None:
    assert_alike(door, twins, tmp_path)


@pytest.mark.parametrize("seed", range(pick_size(1, 4, 1_000)))
def test_whoever_lies_learns_nothing(seed: int, tmp_path: Path) -> None:
    assert_alike(wire.look, draw_liars(seed), tmp_path)


STARTED = (
    "recorded after a liar",
    "kill, with a Blackmailer",
    "rob, in the Thief's place",
    "choose",
    "signed",
    "real",
)[:: pick_size(3, 1, 1)]
"""The pairs for which a program is started, unless more is asked for."""

PAINTED = (
    "kill, without cities",
    "rob, in the Thief's place",
    "signed, but nothing can be taken",
)[:: pick_size(2, 1, 1)]
"""Those that are painted."""

each_started = pytest.mark.parametrize(
    "twins", [PAIRS[name] for name in (PAIRS if MORE else STARTED)], ids=PAIRS if MORE else STARTED
)


@each_started
def test_twins_are_the_same_on_a_pipe(twins: Twins, tmp_path: Path) -> None:
    assert_alike(lines.look, twins, tmp_path)


@each_started
def test_twins_are_the_same_at_a_terminal(twins: Twins, tmp_path: Path) -> None:
    assert_alike(terminal.look, twins, tmp_path)


@pytest.mark.parametrize(
    "twins", [PAIRS[name] for name in (PAIRS if MORE else PAINTED)], ids=PAIRS if MORE else PAINTED
)
def test_twins_are_the_same_on_the_screen(twins: Twins, tmp_path: Path) -> None:
    assert_alike(screen.look, twins, tmp_path)
