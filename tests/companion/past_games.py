"""Games that were played here before, and what the commands answer."""

from __future__ import annotations

import io
import itertools
import json
from collections.abc import Iterator
from typing import Any

import pytest

from companion.commands.cli import main
from companion.game.session import Session
from companion.log.store import Store
from engine.record import read_setup
from tests.bench.many_games import Random, play_setup
from tests.engine.boxes import EDITIONS, random_setup

Capture = pytest.CaptureFixture[str]


def json_of(capsys: Capture, *words: str) -> Any:
    assert main([*words, "--json"]) == 0
    return json.loads(capsys.readouterr().out)


def text_of(capsys: Capture, *words: str) -> str:
    assert main(list(words)) == 0
    return capsys.readouterr().out


def lines_of(capsys: Capture, *words: str) -> list[str]:
    return text_of(capsys, *words).splitlines()


def remove(capsys: Capture, monkeypatch: pytest.MonkeyPatch, game: str) -> None:
    """Remove a game, with the answer typed at a terminal."""

    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    with monkeypatch.context() as typing:
        typing.setattr("sys.stdin", Terminal("yes\n"))
        typing.setattr("sys.stderr", Terminal())
        lines_of(capsys, "history", "--remove", game)


def random_games(number: int) -> Iterator[Random]:
    """Games of every box in turn, every fifth one in light mode."""
    for seed, edition in zip(range(number), itertools.cycle(EDITIONS), strict=False):
        head = random_setup(edition, seed)
        if seed % 5 == 4:
            head["options"] = {"cities": "untracked"}
        yield play_setup(head, seed)


MOVES = ["faceup bishop merchant", "call"]


def begin(log: str, *players: str, moves: list[str] = MOVES) -> str:
    """Start an unfinished game; returns its name."""
    setup = read_setup({"players": list(players), "crown": players[0]})
    with Store(log) as store:
        session = Session.begin(store, setup)
        for move in moves:
            session.play(move)
        session.close()
        return session.name
