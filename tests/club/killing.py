"""Kill tables, broker and hub of a club in turn: no result is lost or counted twice.

    python tests/club/killing.py [--results 10000] [--tables 20] [--seed 1]

Each table is a process that plays games, with a real log and publisher, and says which are over.
The broker is mosquitto, which now and then loses its disk too; the hub is `companion club hub`. In
the end the hub must have the result of each of these games exactly once, and each table must know
it. Prints the figures; exits with 1 at a loss.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import select
import signal
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from companion.extensions.club import outbox  # noqa: E402
from companion.extensions.club import publisher as publishing  # noqa: E402
from companion.extensions.club.publisher import Publisher  # noqa: E402
from companion.extensions.club.results import Result  # noqa: E402
from companion.extensions.club.results import list_results as read_results  # noqa: E402
from companion.files import locations  # noqa: E402
from companion.game.demonstration import read_demo  # noqa: E402
from companion.game.onlooking import Onlookers  # noqa: E402
from companion.game.session import Session  # noqa: E402
from companion.log.store import Store  # noqa: E402
from tests.club.programs import Broker, HubProgram  # noqa: E402
from tests.rigs.ports import find_port  # noqa: E402
from tests.waiting import PATIENCE  # noqa: E402

RESENDING = 1.0  # seconds until a table sends again, so that the end need not be awaited long
LONGEST = 1.0  # the most seconds between two kills
PLAYED_IN = 5 * PATIENCE  # seconds, and one more for each result, in which all games are played
LOST_DISKS = 5  # every fifth broker that is killed forgets everything


class Table:
    """A table whose process is killed, and the games whose end it has said."""

    def __init__(self, name: str, folder: Path, url: str, games: int) -> None:
        self.name, self.folder, self._url, self._games = name, folder, url, games
        self.finished: set[str] = set()
        self._child = 0

    def start(self) -> None:
        """Start the process, which goes on where the one before was killed."""
        self._pipe, count = os.pipe()
        self._child = os.fork()
        if self._child == 0:
            try:
                os.close(self._pipe)
                self._play(count)
            finally:
                os._exit(1)
        os.close(count)

    def kill(self) -> None:
        os.kill(self._child, signal.SIGKILL)
        os.waitpid(self._child, 0)
        self.read()
        os.close(self._pipe)

    def read(self) -> None:
        """Read which games have been finished."""
        data = b""
        while select.select([self._pipe], [], [], 0)[0] and (more := os.read(self._pipe, 65536)):
            data += more
        self.finished.update(data.decode().split("\n")[:-1])

    @property
    def has_played_all(self) -> bool:
        """Whether all its games are over."""
        return len(self.finished) >= self._games

    def list_confirmed(self) -> set[str]:
        """The games whose result the table knows to be with the hub."""
        text = Path(self.folder, outbox.NAME).read_text("utf-8")
        (part,) = json.loads(text).values()
        return {game for game, hash_ in part["games"].items() if hash_}

    def _play(self, count: int) -> None:
        """Play until it is killed."""
        game = read_demo()
        publishing.RESENDING = RESENDING
        publisher = Publisher(self._url, str(self.folder), lambda _line: None)
        onlookers = Onlookers({"club": publisher}, lambda _line: None)
        with Store(locations.games_file(str(self.folder))) as store:
            games = sorted(store.games(), key=lambda game: game.id)
            for one in games:
                if one.finished:  # it may have been killed before it could say so
                    os.write(count, f"{one.name}\n".encode())
            number = len(games) - 1
            if not games or games[-1].finished:
                number += 1
            for place in range(number, self._games):
                session = (
                    Session.resume(store, games[place].id)
                    if place < len(games)
                    else Session.begin(store, game.setup)
                )
                session.attend(onlookers)
                for text in game.moves[len(session.referee.moves) :]:
                    session.play(text)
                os.write(count, f"{session.name}\n".encode())
                session.close()
            if number >= self._games:
                Session.resume(store, games[-1].id).attend(onlookers)
            while True:
                signal.pause()


def run(results: int, tables: int, seed: int) -> str:
    """Play so many games and kill in turn; returns the figures. Raises AssertionError for a
    loss."""
    chance = random.Random(seed)
    with tempfile.TemporaryDirectory(
        prefix="companion-club-", ignore_cleanup_errors=True
    ) as folder:
        names = [f"t{number}" for number in range(tables)]
        broker = Broker(Path(folder, "club"), names)
        everybody = [
            Table(name, Path(folder, name), broker.url(name), -(-results // tables))
            for name in names
        ]
        kills: Counter[str] = Counter()
        port = find_port()
        broker.start()
        hub = HubProgram(broker.path, port=port)
        for table in everybody:
            table.folder.mkdir()
            table.start()
        end = time.monotonic() + PLAYED_IN + results
        try:
            while not all(table.has_played_all for table in everybody):
                assert time.monotonic() < end, "the games are never over"
                time.sleep(chance.uniform(0, LONGEST))
                which = ("tables", "broker", "hub")[kills.total() % 3]
                kills[which] += 1
                if which == "tables":
                    table = chance.choice(everybody)
                    table.kill()
                    table.start()
                elif which == "broker":
                    broker.kill()
                    if kills[which] % LOST_DISKS == 0:
                        (broker.path / "mosquitto.db").unlink(missing_ok=True)
                        kills["disks"] += 1
                    time.sleep(chance.uniform(0, LONGEST))
                    broker.start()
                else:
                    hub.kill()
                    time.sleep(chance.uniform(0, LONGEST))
                    hub = HubProgram(broker.path, port=port)
                for table in everybody:
                    table.read()
            sent = {(table.name, game) for table in everybody for game in table.finished}
            wait_for_all(broker.path, everybody)
        finally:
            hub.kill()
            broker.kill()
            for table in everybody:
                table.kill()
        check(broker.path, sent)
    told = ", ".join(f"{number} {what}" for what, number in kills.items())
    return f"{len(sent)} results of {tables} tables, 0 lost, 0 doubled; killed: {told}"


def wait_for_all(path: Path, tables: list[Table]) -> None:
    """Wait until every table knows that the hub has its results; one that was told nothing for long
    is started again, as in a club on the next evening."""
    for _evening in range(3):
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            if all(table.finished <= table.list_confirmed() for table in tables):
                return
            time.sleep(0.2)
        for table in tables:
            if not table.finished <= table.list_confirmed():
                table.kill()
                table.start()
    lost = [(table.name, len(table.finished - table.list_confirmed())) for table in tables]
    raise AssertionError(f"never confirmed: {lost} of {count_results(path)} kept")


def list_results(path: Path) -> list[Result]:
    with Store(locations.games_file(str(path))) as store:
        return read_results(store)


def count_results(path: Path) -> int:
    return len(list_results(path))


def check(path: Path, sent: set[tuple[str, str]]) -> None:
    """Assert that the hub has each of these results once, and its game in the history."""
    results = list_results(path)
    counts = Counter((one.table, one.name) for one in results)
    assert {*counts} == sent, f"lost: {sent - {*counts}}; not sent: {counts.keys() - sent}"
    assert {*counts.values()} == {1}, f"doubled: {counts.most_common(3)}"
    with Store(locations.games_file(str(path))) as store:
        games = [game.name for game in store.games() if game.finished]
    assert sorted(games) == sorted(one.game for one in results), "the history has other games"


def main() -> int:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--results", type=int, default=10_000)
    options.add_argument("--tables", type=int, default=20)
    options.add_argument("--seed", type=int, default=1)
    args = options.parse_args()
    try:
        print(run(args.results, args.tables, args.seed), flush=True)
    except AssertionError as error:
        print(f"lost: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
