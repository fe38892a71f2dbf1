"""Randomly damaged logs of games, and the invariants of each."""

from __future__ import annotations

import random
import shutil
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from companion.game.session import Session
from companion.log.store import Store, StoreError
from engine.record import Setup
from engine.referee import list_legal_moves

NAMES = ("Anna", "Ben", "Cid", "Dora")
MOST_MOVES = 40


def write_log(folder: Path, games: int) -> Path:
    """Write a log of `games` games, some with undone moves."""
    path = folder / "games.sqlite3"
    chance = random.Random(1)
    with Store(str(path)) as store:
        for number in range(games):
            session = Session.begin(store, Setup("classic_2016", NAMES, NAMES[number % 4]))
            for _step in range(chance.randrange(5, MOST_MOVES)):
                moves = list_legal_moves(session.referee.table)
                if not moves:
                    break
                session.play(chance.choice(moves))
                if chance.random() < 0.1:
                    session.undo()
            session.close()
    return path


class Damaged(NamedTuple):
    """A damaged copy, and the original log."""

    path: Path
    whole: Path
    how: str

    def hold(self) -> int:
        """Check that every use ends with an answer or a StoreError. Returns how many games can be
        opened."""
        with Store(str(self.whole)) as store:
            logs = {info.id: store.load(info.id) for info in store.games()}
        return self._opened(list(logs))

    def _opened(self, games: list[int]) -> int:
        count = 0
        with Store(str(self.path)) as store:
            for use in (store.games, store.find_last_game, lambda: store.find("2026-11-22-1")):
                with suppress(StoreError):
                    use()
            for game in games:
                try:
                    session = Session.resume(store, game)
                except StoreError:
                    continue
                except KeyError:  # no row names it any more
                    assert game not in {store.find_last_game(), *(one.id for one in store.games())}
                    continue
                count += 1
                session.close()
            for game in games:  # a game that could not be opened is not locked
                with store.open_game(game):
                    pass
        return count


def damage(whole: Path, path: Path, chance: random.Random) -> Damaged:
    """Copy the log to `path`, with one kind of damage."""
    shutil.copyfile(whole, path)
    data = bytearray(path.read_bytes())
    how = chance.choice(("bytes", "page", "zeroed", "cut", "swapped", "head"))
    page = 4096 * chance.randrange(len(data) // 4096)
    match how:
        case "bytes":
            for _time in range(chance.choice((1, 8, 64))):
                data[chance.randrange(len(data))] = chance.randrange(256)
        case "page":
            data[page : page + 4096] = chance.randbytes(4096)
        case "zeroed":
            data[page : page + 4096] = bytes(4096)
        case "cut":
            del data[chance.randrange(len(data)) :]
        case "swapped":
            other = 4096 * chance.randrange(len(data) // 4096)
            data[page : page + 4096], data[other : other + 4096] = (
                data[other : other + 4096],
                data[page : page + 4096],
            )
        case "head":
            data[: chance.randrange(16, 4096)] = b""
    path.write_bytes(data)
    return Damaged(path, whole, how)
