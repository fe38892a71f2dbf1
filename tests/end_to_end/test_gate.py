"""The gate's table, each cell tried over HTTP: who gets a seat with what."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit
from urllib.request import Request, urlopen

import pytest

from tests import starting
from tests.companion.talking import FOUR
from tests.serving.hosting import Hosting, Served
from tests.starting import ROOT
from tests.waiting import PATIENCE

pytestmark = pytest.mark.outer

SELECTED = "faceup bishop merchant"
PHONE, CHOICE, HAND, FREE, NEW = "a phone", "a choice", "a told hand", "nothing", "a new player"
HOLDERS = dict(zip((PHONE, CHOICE, HAND, FREE), FOUR, strict=True)) | {NEW: "Zoë"}
"""Whose seat holds what."""

TABLES_CODE: dict[tuple[str, str], dict[str, int]] = {
    ("home", "lobby"): {PHONE: 409, NEW: 200},
    ("home", "game"): {PHONE: 409, CHOICE: 409, HAND: 409, FREE: 200},
    ("home", "game after a restart"): {PHONE: 409, CHOICE: 409, HAND: 409, FREE: 200},
    # a chair of the next game; in the game that can be continued the seat stays its player's
    ("home", "lobby after a restart"): {PHONE: 409, CHOICE: 200, HAND: 200, FREE: 200, NEW: 200},
    ("public", "lobby"): {PHONE: 409, FREE: 409, NEW: 409},
    ("public", "game"): {PHONE: 409, CHOICE: 409, HAND: 409, FREE: 409},
    ("public", "game after a restart"): {PHONE: 409, CHOICE: 409, HAND: 409, FREE: 409},
    ("public", "lobby after a restart"): {PHONE: 409, CHOICE: 409, HAND: 409, FREE: 409, NEW: 409},
}
"""What the table's code alone answers, by house, stage, and what the seat holds."""

SECRETS = {
    "a secret murder": ("", f"{SELECTED}; call; reveal Ben; kill king"),
    "a secret robbery": ("", f"{SELECTED}; call; nobody; reveal Ben; rob king"),
    "a warrant": (
        "magistrate thief magician king bishop merchant architect warlord",
        "faceup bishop merchant; call; reveal Ben; warrants thief king architect; signed king",
    ),
    "a threat": (
        "assassin blackmailer magician king bishop merchant architect warlord",
        "faceup bishop merchant; call; nobody; reveal Ben; threats king architect; real king",
    ),
}
"""What a free seat may hold besides: the characters, and how it comes to it."""


class Play(Served):
    """`companion play --plain --phones` beside an unfinished game: its set-up is open on phones."""

    def __init__(self, house: str, port: int = 0) -> None:
        words = ("play", "--plain", "--phones", "--host", "127.0.0.1", "--port", str(port))
        self.process = starting.start(
            *(*words, "--reader", "none"),
            cwd=ROOT,
            env={**os.environ, "COMPANION_HOUSE": house},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            encoding="utf-8",
        )
        self.url = self.hear("Phones: ").split()[1]
        self.code = self.hear("Code: ").split()[1].replace("-", "")

    def send_again(self, name: str, key: str) -> int:
        """Join as a phone that has this key; returns the status."""
        cookie = f"companion_seat_{urlsplit(self.url).port}={key}"
        data = json.dumps({"code": self.code, "name": name}).encode()
        headers = {"Content-Type": "application/json", "Cookie": cookie}
        with urlopen(Request(f"{self.url}api/join", data, headers), timeout=PATIENCE) as answer:
            assert json.load(answer)["key"] == key
            return int(answer.status)

    def end(self) -> None:
        self.process.communicate("quit\nquit\n", timeout=PATIENCE)


class Gate:
    """A table at one stage: how to join it, the seats' own codes, and the key of Anna's phone."""

    def __init__(self, table: Hosting | Play, codes: dict[str, str], anna: str) -> None:
        self.table, self.codes, self.anna = table, codes, anna

    def join(self, code: str, name: str, *, by_seat: bool) -> tuple[int, Any]:
        where = {"seat": FOUR.index(name) + 1} if by_seat else {"name": name}
        return self.table.ask("api/join", code=code, **where)


@contextmanager
def open_game(house: str) -> Iterator[Gate]:
    with Hosting(env={"COMPANION_HOUSE": house}) as host:
        keys = {name: host.ask("api/join", code=host.seats[name])[1]["key"] for name in FOUR[:3]}
        host.ask("api/moves", keys["Kurt"], move=SELECTED)
        host.ask("api/moves", keys["Kurt"], move="choose Kurt king")
        host.ask("api/hand", keys["Ashley"], add="tavern")
        for name in FOUR[1:3]:
            assert host.ask("api/leave", keys[name], seat=1)[0] == 200
        yield Gate(host, host.seats, keys["Anna"])


@contextmanager
def restart_game(house: str) -> Iterator[Gate]:
    with open_game(house) as before:
        assert isinstance(before.table, Hosting)
        before.table.end(signal.SIGKILL)
        with Hosting("--resume", new=False, env={"COMPANION_HOUSE": house}) as host:
            assert host.seats == before.codes
            yield Gate(host, host.seats, before.anna)


@contextmanager
def open_lobby(house: str) -> Iterator[Gate]:
    with Hosting(new=False, env={"COMPANION_HOUSE": house}) as host:
        code = host.code
        if house == "public":
            host.type("Anna, Ben")
            host.seats = host.hear_json()["seats"]
            code = host.seats["Anna"]
        anna = host.ask("api/join", code=code, name="Anna")[1]["key"]
        yield Gate(host, host.seats, anna)


@contextmanager
def restart_in_lobby(house: str) -> Iterator[Gate]:
    with open_game(house) as before:
        assert isinstance(before.table, Hosting)
        before.table.end(signal.SIGKILL)
        table = Play(house)
        try:
            yield Gate(table, before.codes, before.anna)
        finally:
            table.end()


STAGES: dict[str, Callable[[str], Any]] = {
    "game": open_game,
    "game after a restart": restart_game,
    "lobby": open_lobby,
    "lobby after a restart": restart_in_lobby,
}


@pytest.mark.parametrize("stage", STAGES)
@pytest.mark.parametrize("house", ["home", "public"])
def test_the_gate_lets_in_whom_the_table_says(home: Path, house: str, stage: str) -> None:
    by_seat = stage.startswith("game")
    with STAGES[stage](house) as gate:
        codes, table = gate.codes, gate.table
        if "restart" in stage:
            assert table.ask("api/seat", gate.anna)[1].get("player", "Anna") == "Anna"
        for holds, status in sorted(TABLES_CODE[house, stage].items(), key=lambda cell: -cell[1]):
            name, before = HOLDERS[holds], table.ask("api/table", table.code)
            other = next((code for owner, code in codes.items() if owner != name), "WRONGCOD")
            tried = {"nothing": "", "another's": other, "the table's": table.code}
            expected = {"nothing": 403, "another's": 403, "the table's": status}
            for shown, code in tried.items():
                if (holds, shown) != (NEW, "another's"):
                    answer = gate.join(code, name, by_seat=by_seat)
                    assert answer[0] == expected[shown], (holds, shown, answer)
            if status == 409 and holds != NEW:
                assert table.ask("api/table", table.code) == before  # a refusal changes nothing
            if name in codes:
                status, joined = table.ask("api/join", code=codes[name])
                assert (status, joined["player"]) == (200, name), holds
                if holds == HAND and by_seat:
                    assert table.ask("api/hand", joined["key"])[1]["told"] == ["tavern"]
                if holds == PHONE:
                    assert table.ask("api/seat", gate.anna)[0] == 401
                assert table.ask("api/seat", joined["key"])[0] == 200


@pytest.mark.parametrize("secret", SECRETS)
def test_what_was_done_in_secret_keeps_a_free_seat(home: Path, secret: str) -> None:
    cast, moves = SECRETS[secret]
    box = ("--edition", "deluxe_2016", "--characters", cast.replace(" ", ",")) if cast else ()
    with Hosting(*box, "--secrecy", "secret") as host:
        for move in moves.split("; "):
            host.type(move)
        host.ask("api/table", host.code)
        host.type("phones")
        host.hear("Seat 4, Ben: free.")
        assert [host.ask("api/join", code=host.code, seat=seat)[0] for seat in (3, 4)] == [200, 409]
        assert host.ask("api/join", code=host.seats["Ben"])[0] == 200
        host.type("undo")  # somebody may redo it
        host.type("phones out 4")
        host.hear("Ben's phone was removed.")
        assert host.ask("api/join", code=host.code, seat=4)[0] == 409


def test_a_chair_does_not_open_the_seat_of_the_game_that_goes_on(home: Path) -> None:
    with restart_in_lobby("home") as gate:
        table = gate.table
        keys = {
            name: table.ask("api/join", code=table.code, name=name)[1]["key"]
            for name in ("Kurt", "Ashley", "Ben")
        }
        assert isinstance(table, Play)
        assert table.send_again("Ashley", keys["Ashley"]) == 200  # as a second touch does
        table.type("yes")  # the game goes on
        table.hear("Has everybody chosen?")
        assert table.ask("api/seat", gate.anna)[0] == 200  # who did nothing keeps the seat
        answers = {name: table.ask("api/seat", key)[0] for name, key in keys.items()}
        assert answers == {"Kurt": 401, "Ashley": 401, "Ben": 200}
        own = table.ask("api/join", code=gate.codes["Ashley"])[1]["key"]
        assert table.ask("api/hand", own)[1]["told"] == ["tavern"]


def test_a_seat_s_own_code_keeps_it_on_a_chair_that_had_only_a_number(home: Path) -> None:
    with restart_in_lobby("home") as gate:
        table = gate.table
        assert isinstance(table, Play)
        table.ask("api/seat", gate.anna)
        table.ask("api/join", code=table.code, name="Player 2")
        table.type("phones out 2")
        table.hear("Player 2's phone was removed.")
        kurt = table.ask("api/join", code=gate.codes["Kurt"])[1]["key"]
        assert table.ask("api/table", table.code)[1]["players"] == ["Anna", "Kurt"]
        table.type("yes")  # the game goes on
        table.hear("Has everybody chosen?")
        assert table.ask("api/seat", kurt)[0] == 200


def test_the_computer_shows_every_code_in_the_set_up(home: Path) -> None:
    with restart_in_lobby("home") as gate:
        assert isinstance(gate.table, Play)
        gate.table.type("phones code Kurt")
        code = re.sub(r"\W", "", gate.table.hear("Code for Kurt's seat alone: ").split(": ")[1])
        assert code == gate.codes["Kurt"]
