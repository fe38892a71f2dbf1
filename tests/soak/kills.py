"""Kill writers at random instants and before random system calls: nothing acknowledged is lost.

A child plays a game, undoes moves, learns chips and saves settings, acknowledging each; then it is
killed. Everything acknowledged must be there, at most one action more, and nothing may be broken or
left behind.
"""

from __future__ import annotations

import ctypes
import os
import random
import select
import signal
import tempfile
import time
from collections.abc import Callable
from functools import cache
from pathlib import Path

from common import own_files, strict_yaml
from companion import chips
from companion.chips.entries import DistrictChip
from companion.files import locations
from companion.game.session import Session
from companion.log.store import Store
from companion.settings import config
from engine.record import Setup
from engine.referee import list_legal_moves

NAMES = ("Anna", "Ben", "Cid", "Dora")
GAMES_EVERY = 40  # kills before a new game is started
LONGEST = 0.03  # the most seconds before a child is killed
MOST_CALLS = 600  # the most system calls before it is killed
_TRACEME, _SYSCALL = 0, 24


class Table:
    """A data folder whose writers are killed, and what they acknowledged."""

    def __init__(self, folder: str, seed: int) -> None:
        os.environ["COMPANION_DATA"] = folder
        os.environ["XDG_CONFIG_HOME"] = folder
        self.folder = Path(folder)
        self.chance = random.Random(seed)
        self.game: int | None = None
        self.events: list[str] = []
        self.learned: dict[bytes, str] = {}
        self.theme = ""
        self.kills = self.done = self.more = 0

    def kill_one(self) -> None:
        """Let a child write, kill it, and check. Raises AssertionError for a loss."""
        is_traced = self.chance.random() < 0.5
        count, number = os.pipe()
        child = os.fork()
        if child == 0:
            os.close(count)
            try:
                if is_traced:
                    _libc().ptrace(_TRACEME, 0, 0, 0)
                    os.kill(os.getpid(), signal.SIGSTOP)
                self._write(number, random.Random(self.chance.random()))
            finally:
                os._exit(0)
        os.close(number)
        if is_traced:
            self._kill_before_a_call(child)
        else:
            time.sleep(self.chance.uniform(0, LONGEST))
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
        data = b""
        while select.select([count], [], [], 0)[0] and (more := os.read(count, 65536)):
            data += more
        os.close(count)
        self.kills += 1
        self._look([line for line in data.decode().split("\n")[:-1]])
        if self.kills % GAMES_EVERY == 0:
            self.game = None

    def _write(self, count: int, chance: random.Random) -> None:
        """Run the child's writes until it is killed."""

        def tell(*words: object) -> None:
            os.write(count, (" ".join(map(str, words)) + "\n").encode())

        with Store(locations.games_file(str(self.folder))) as store:
            if self.game is None:
                session = Session.begin(store, Setup("classic_2016", NAMES, NAMES[0]))
                tell("game", session.game)
            else:
                session = Session.resume(store, self.game)
            for step in range(1000):
                moves = list_legal_moves(session.referee.table)
                if moves and chance.random() > 0.15:
                    move = chance.choice(moves)
                    session.play(move)
                    tell("event move", move.text)
                elif session.referee.moves:
                    session.undo()
                    tell("event undo")
                if step % 5 == 4:
                    self._learn(chance, tell)
                if step % 7 == 6:
                    theme = chance.choice(("dark", "light", "terminal"))
                    config.save("theme", theme)
                    tell("theme", theme)

    def _learn(self, chance: random.Random, tell: Callable[..., None]) -> None:
        path = locations.chips_file(str(self.folder))
        uid = bytes((4, 1, *chance.randbytes(5)))
        entry = DistrictChip("tavern", chance.randint(1, 5))
        registry = chips.load(path)
        for other in registry.find(entry):
            registry = registry.without(other)
        chips.save(path, registry.with_chip(uid, entry))
        tell("chip", uid.hex(), entry.copy)

    def _kill_before_a_call(self, child: int) -> None:
        os.waitpid(child, 0)
        for _call in range(self.chance.randrange(1, 2 * MOST_CALLS)):  # each call stops twice
            _libc().ptrace(_SYSCALL, child, 0, 0)
            _child, status = os.waitpid(child, 0)
            if os.WIFEXITED(status) or os.WIFSIGNALED(status):
                return
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)

    def _look(self, lines: list[str]) -> None:
        """Assert that everything acknowledged is there."""
        for line in lines:
            word, _, rest = line.partition(" ")
            if word == "game":
                self.game, self.events = int(rest), []
            elif word == "event":
                self.events.append(rest)
            elif word == "theme":
                self.theme = rest
            self.done += 1
        own_files.tidy(str(self.folder))
        left = [path.name for path in self.folder.rglob("*.new")]
        assert left == [], left
        chips.load(locations.chips_file(str(self.folder)))
        settings = self.folder / locations.CONFIG_NAME
        if settings.exists():
            assert strict_yaml.read(str(settings)).data["theme"] in ("dark", "light", "terminal")
        if self.game is None:
            return
        with Store(locations.games_file(str(self.folder))) as store, store.open_game(self.game):
            kept = [" ".join(event).strip() for event in store.load(self.game).events]
            kept = [event for event in kept if event != "finish"]
            assert kept[: len(self.events)] == self.events, "a move that was shown is lost"
            more = len(kept) - len(self.events)
            assert more <= 1, f"{more} moves that nobody was told of"
            self.more += more
            self.events = kept
            Session.resume(store, self.game).close()


@cache
def _libc() -> ctypes.CDLL:
    return ctypes.CDLL(None, use_errno=True)


def run(kills: int, seed: int) -> str:
    """Kill `kills` times; returns the figures. Raises AssertionError for a loss."""
    with tempfile.TemporaryDirectory(prefix="companion-kills-") as folder:
        table = Table(folder, seed)
        for _kill in range(kills):
            table.kill_one()
        return (
            f"{table.kills} kills, {table.done} things done before them, {table.more} done and not "
            "yet told, 0 lost, 0 broken, 0 left behind"
        )
