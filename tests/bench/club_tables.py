"""Tables of a club in a program of their own, for `bench_club`: each has a real game and publisher.

    python tests/bench/club_tables.py FOLDER < TABLES

The first line has the names of the tables with their addresses, as JSON; each further line is the
name of a table that makes a move, which is answered by its number of events and the time. The
client library can serve about a hundred tables a program.
"""

from __future__ import annotations

import json
import os
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from companion.club import demo


def main(folder: str) -> None:
    """Play until the input ends."""
    addresses: dict[str, str] = json.loads(sys.stdin.readline())
    people = demo._name_people()
    tables = {}
    for name, url in addresses.items():
        data = os.path.join(folder, name)
        os.makedirs(data)
        tables[name] = demo.DemoTable(name, [next(people) for _seat in range(5)], data, url)
    print("ready", flush=True)
    for line in sys.stdin:
        table = tables[line.strip()]
        table.step()
        moment = time.time()
        seq = len(table.session.open_game.log.events)
        print(json.dumps([line.strip(), seq, moment]), flush=True)
    for table in tables.values():
        table.publisher.stop_soon()
    for table in tables.values():
        table.close()


if __name__ == "__main__":
    main(sys.argv[1])
