"""Write the expected result of each golden record: `python tests/games/regenerate.py`.

Beside every record `NAME.yaml` is `NAME.json`, the answer of `companion replay NAME.yaml --json`.
In the short ones in folders the last move may be refused; those in `refused` have no answer, their
name is the rule; nor have those in `impossible`, which cannot occur. Run this after a change of the
rules and review the diff before committing.
"""

from __future__ import annotations

import io
import json
import sys
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path

import yaml

GAMES = Path(__file__).parent
UNANSWERED = ("refused", "impossible")
sys.path.insert(0, str(GAMES.parents[1]))  # import from this checkout, installed or not


def records() -> list[Path]:
    """The golden records with an answer."""
    return sorted(path for path in GAMES.rglob("*.yaml") if path.parent.name not in UNANSWERED)


def answer(record: Path) -> str:
    """The output of `companion replay RECORD --json`."""
    from companion.commands.cli import main

    string_io = io.StringIO()
    with redirect_stdout(string_io), redirect_stderr(io.StringIO()):
        code = main(["replay", str(record), "--json"])
    text = string_io.getvalue()
    if code != 0:
        refused = json.loads(text)["refused"] if text else None
        moves = yaml.safe_load(record.read_text(encoding="utf-8")).get("moves", [])
        if record.parent == GAMES or refused is None or refused["index"] + 1 < len(moves):
            why = f" at “{refused['move']}”: {refused['reason']}" if refused else ""
            raise SystemExit(f"{record}: the record is refused{why}")
    return text


if __name__ == "__main__":
    for record in records():
        record.with_suffix(".json").write_text(answer(record), encoding="utf-8")
