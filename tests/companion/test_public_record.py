"""`companion record --view public`: the public record of a running game."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from companion.commands.cli import main
from companion.log import records
from companion.log.records import remove_secrets
from engine import record, views
from tests.companion.past_games import Capture, json_of, text_of
from tests.companion.test_commands_score import MOVES, played, store
from tests.engine.boxes import EDITIONS, random_setup
from tests.engine.playing import random_game

__all__ = ["store"]

HEAD: dict[str, Any] = {
    "edition": "classic_2016",
    "players": ["Anna", "Kurt", "Ashley", "Ben"],
    "crown": "Kurt",
    "secrecy": "secret",
}
NAMED = ["faceup bishop merchant", "choose Anna assassin", "call", "reveal Anna", "gold"]


def public(*moves: str, **head: Any) -> dict[str, Any]:
    return remove_secrets(record.read({**HEAD, **head, "moves": [*NAMED, *moves]}))


def test_a_murder_is_left_out_until_the_victim_is_called() -> None:
    before = public("kill magician", "end")["moves"]
    assert before == ["faceup bishop merchant", "call", "reveal Anna", "gold", "end"]
    after = public("kill magician", "end", "nobody")["moves"]
    assert "kill magician" in after
    assert not any(move.startswith("choose") for move in after)


def test_a_robbery_is_left_out_unless_the_robbed_was_revealed() -> None:
    rob = ["end", "reveal Kurt", "gold", "rob king", "end", "nobody"]
    assert "rob king" not in public(*rob)["moves"]
    assert "rob king" not in public(*rob, "nobody", "nobody")["moves"]
    assert "rob king" in public(*rob, "reveal Ben")["moves"]


def test_what_was_announced_stays() -> None:
    assert "kill magician" in public("kill magician", secrecy="announced")["moves"]


def test_secrets_of_a_position_are_left_out() -> None:
    position = {
        "called": 4,
        "killed": "architect",
        "robbed": "king",
        "chosen": {"Ben": ["king"]},
        "players": {"Anna": {"gold": 3}},
    }
    read = record.read({**HEAD, "position": position})
    assert remove_secrets(read)["position"] == {"called": 4, "players": {"Anna": {"gold": 3}}}
    view = record.read({**HEAD, "position": position, "moves": ["reveal Ben"]})
    assert remove_secrets(view)["position"]["robbed"] == "king"


@pytest.mark.parametrize("edition", EDITIONS)
def test_it_plays_to_the_table_that_everybody_sees(edition: str) -> None:
    """Except for legal moves: a power whose use is omitted is still unused there."""
    for seed in range(5):
        head = random_setup(edition, seed) | {"secrecy": "secret"}
        for count, referee in enumerate(random_game(record.read(head).start, seed, rounds=4)):
            if count % 29 and referee.table.phase != "over":
                continue
            moves = [move.text for move in referee.moves]
            left = remove_secrets(record.read({**head, "moves": moves}))
            again = records.play(record.read(left))
            assert again.refused is None
            shown, shown_before = (views.table_json(t) for t in (again.table, referee.table))
            assert shown | {"legal": []} == shown_before | {"legal": []}
            position = record.begin_at(record.read(left).setup, again.table)
            assert views.table_json(record.read(position).start) == shown


def test_the_command_and_its_warning(store: Any, tmp_path: Path, capsys: Capture) -> None:
    played(store, *MOVES)
    assert main(["record"]) == 0
    whole = capsys.readouterr()
    assert "kill thief" in whole.out
    assert "--view public" in whole.err
    assert main(["record", "--view", "public"]) == 0
    left = capsys.readouterr()
    assert "choose" not in left.out
    assert "kill thief" in left.out  # the Thief has been called
    assert left.err == ""
    file = tmp_path / "game.yaml"
    file.write_text(left.out, encoding="utf-8")
    assert main(["replay", str(file)]) == 0
    assert main(["record", "--view", "anna"]) == 2


def test_the_table_as_a_position(store: Any, tmp_path: Path, capsys: Capture) -> None:
    """It replays to the same table, and warns of secrets as the whole record does."""
    played(store, *MOVES)
    file, replayed = tmp_path / "game.yaml", []
    for words in (["--view", "full"], ["--position", "--view", "full"]):
        file.write_text(text_of(capsys, "record", *words), encoding="utf-8")
        replayed.append(json_of(capsys, "replay", str(file)))
    assert replayed[0] == replayed[1]
    assert "moves: []" in file.read_text(encoding="utf-8")
    assert main(["record", "--position"]) == 0
    assert "--view public" in capsys.readouterr().err
    assert main(["record", "--position", "--view", "public"]) == 0
    left = capsys.readouterr()
    assert "chosen" not in left.out
    assert left.err == ""
    assert main(["record", "--position", "no such game"]) == 2


def test_a_secret_vault_of_a_position_is_left_out() -> None:
    uniques = "armory basilica dragon_gate gold_mine keep monument museum necropolis park quarry"
    head = {
        **HEAD,
        "edition": "deluxe_2016",
        "districts": [*uniques.split(), "secret_vault", "smithy", "theater", "stables"],
        "position": {"players": {"Anna": {"vault": True, "gold": 3}}},
    }
    data = remove_secrets(record.read(head))
    assert data["position"] == {"players": {"Anna": {"gold": 3}}}


def test_replay_warns_of_the_secrets_that_it_shows(tmp_path: Path, capsys: Capture) -> None:
    file = tmp_path / "game.yaml"
    fields = {}
    for moves in ([], ["choose Anna king"]):
        data = HEAD | {"moves": ["faceup bishop merchant", *moves]}
        file.write_text(records.text_of(data), encoding="utf-8")
        for words in ([], ["--view", "full"], ["--view", "public"]):
            assert main(["replay", str(file), *words]) == 0
            fields[len(moves), *words] = capsys.readouterr().err
    text = fields.pop((1,))
    assert "--view public" in text
    assert set(fields.values()) == {""}
