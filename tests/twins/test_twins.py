"""Twin games, which differ in exactly one secret, look the same through every door until it is
public."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from _pytest.mark import ParameterSet

from tests.twins.doors import (
    Look,
    conversation,
    crashes,
    different,
    lines,
    refusals,
    terminal,
    views,
)
from tests.twins.pairs import MORE, TWINS, Twins

IN_PROCESS: dict[str, Look] = {
    "views": views.look,
    "refusals": refusals.look,
    "crashes": crashes.look,
}


def assert_alike(door: Look, twins: Twins, folder: Path) -> None:
    found = different(door, twins, folder)
    assert found is None, found


PAIRS = list(TWINS)


def looks() -> Iterator[ParameterSet]:
    """Each door with each pair; of the ways to tell a secret one for each pair, or all."""
    for name, twins in TWINS.items():
        for door, look in IN_PROCESS.items():
            yield pytest.param(look, twins, id=f"{name} - {door}")
        ways = list(conversation.WAYS)
        kept = ways if MORE else [ways[PAIRS.index(name) % len(ways)]]
        for way in kept:
            yield pytest.param(conversation.WAYS[way], twins, id=f"{name} - {way}")


@pytest.mark.parametrize(("door", "twins"), list(looks()))
def test_twins_look_the_same(door: Look, twins: Twins, tmp_path: Path) -> None:
    assert_alike(door, twins, tmp_path)


STARTED = ("kill, with a Blackmailer", "rob, in the Thief's place", "choose", "signed", "real")
"""The pairs for which a program is started, unless more is asked for."""

each_started = pytest.mark.parametrize(
    "twins", [TWINS[name] for name in (TWINS if MORE else STARTED)], ids=TWINS if MORE else STARTED
)


@each_started
def test_twins_are_the_same_on_a_pipe(twins: Twins, tmp_path: Path) -> None:
    assert_alike(lines.look, twins, tmp_path)


@each_started
def test_twins_are_the_same_at_a_terminal(twins: Twins, tmp_path: Path) -> None:
    assert_alike(terminal.look, twins, tmp_path)
