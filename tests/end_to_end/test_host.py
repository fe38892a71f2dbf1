"""`companion host` as a process: over real sockets, killed, under attack."""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import socket
import ssl
import subprocess
import sys
import urllib.request
from pathlib import Path

import pytest

from tests import needs
from tests.companion.listening import companion, record_moves
from tests.companion.talking import FOUR
from tests.serving.hosting import Hosting
from tests.serving.visiting import Visitor
from tests.starting import ROOT
from tests.waiting import PATIENCE, read_line

pytestmark = pytest.mark.outer

SELECTED = "faceup bishop merchant"
CHOICES = ("king", "thief", "architect", "assassin")


def test_seats_survive_a_kill_and_the_end_of_the_input_ends_nothing(home: Path) -> None:
    with Hosting() as host:
        assert host.process.stdin is not None
        host.process.stdin.close()
        kurt = host.join(2)
        assert host.ask("api/moves", kurt, move=SELECTED)[0] == 200
        assert host.end(signal.SIGKILL) == -signal.SIGKILL
    with Hosting("--resume", new=False) as host:
        assert host.ask("api/seat", kurt)[1]["faceup"] == ["bishop", "merchant"]
        assert host.ask("api/join", code=host.code, seat=2)[0] == 409
        assert host.ask("api/moves", kurt, move="call")[0] == 200
        assert kurt not in (home / "data" / "games.sqlite3-settings.json").read_text()
        assert host.end() == 0
    assert record_moves() == [SELECTED, "call"]


def test_code_and_keys_are_written_again_with_the_game(home: Path) -> None:
    with Hosting() as host:
        keys = [host.join(seat) for seat in range(1, 5)]
        host.ask("api/moves", keys[1], move=SELECTED)
        shutil.rmtree(home / "data")
        assert host.ask("api/moves", keys[1], move="call")[0] == 503
        assert host.ask("api/moves", keys[1], move="call")[0] == 200
        host.end(signal.SIGKILL)
    with Hosting("--resume", new=False) as again:
        assert (again.code, again.game) == (host.code, host.game)
        assert [again.ask("api/seat", key)[0] for key in keys] == [200] * 4


def test_a_change_at_the_door_that_cannot_be_saved_is_refused(home: Path) -> None:
    with Hosting() as host:
        kurt = host.join(2)
        settings = home / "data" / "games.sqlite3-settings.json"
        settings.unlink()
        settings.mkdir()  # nobody can write a file there
        for path, key, fields in (
            ("api/join", "", {"code": host.code, "seat": 1}),
            ("api/leave", kurt, {"seat": 2}),
        ):
            status, answer = host.ask(path, key, **fields)
            assert status == 503
            assert answer["error"] == (
                f"{settings}: nothing was changed, because it can't be saved:"
                " it is a folder; check the folder"
            )
        assert host.ask("api/seat", kurt)[0] == 200
        host.type("phones out 2")
        assert str(settings) in host.hear("Refused: ")
        settings.rmdir()
        anna = host.join(1)
        host.end(signal.SIGKILL)
    with Hosting("--resume", new=False) as again:
        assert [again.ask("api/seat", key)[0] for key in (anna, kurt)] == [200] * 2


def test_a_round_recorded_before_a_restart_is_called_without_a_caller(home: Path) -> None:
    with Hosting() as host:
        keys = [host.join(seat) for seat in range(1, 5)]
        host.ask("api/moves", keys[1], move=SELECTED)
        for key, name, choice in zip(keys, FOUR, CHOICES, strict=True):
            assert host.ask("api/moves", key, move=f"choose {name} {choice}")[0] == 200
        host.end(signal.SIGKILL)
    with Hosting(new=False, env={"COMPANION_CALLING": "by_itself"}) as host:
        answer = urllib.request.Request(
            f"{host.url}api/events", headers={"Authorization": f"Bearer {host.code}"}
        )
        with urllib.request.urlopen(answer, timeout=PATIENCE) as events:
            assert any(b'"phase": "calling"' in line for line in events)


def test_another_group_gets_another_door_and_sees_nothing_of_this_one(home: Path) -> None:
    with Hosting() as host:
        anna, kurt = host.join(1), host.join(2)
        host.type("new")
        host.hear("Who plays?")
        host.type("Anna, Max, Tom, Lea")
        host.hear("Do the same people play as in the last game? yes or no; Enter: no.")
        host.type("perhaps")
        host.hear("Refused: Type yes or no.")
        for line in ("", "Anna"):
            host.type(line)
        host.hear("Discard 2")
        host.type("phones")
        code = host.hear("Code: ").removeprefix("Code: ").strip().replace("-", "")
        assert code != host.code
        for key in (anna, kurt):
            assert host.ask("api/seat", key)[0] == 401
        assert host.ask("api/table", host.code)[0] == 401
        assert host.ask("api/join", code=host.seats["Anna"], seat=1)[0] == 403
        status, joined = host.ask("api/join", code=code, seat=1)
        assert (status, joined["player"]) == (200, "Anna")
        request = urllib.request.Request(
            f"{host.url}table", headers={"Authorization": f"Bearer {code}"}
        )
        with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
            page = answer.read().decode()
        assert "Lea" in page
        assert "Kurt" not in page


def test_the_phone_that_sets_up_another_group_s_game_keeps_its_seat(home: Path) -> None:
    with Hosting() as host:
        anna, kurt = host.join(1), host.join(2)
        host.ask("api/moves", kurt, move="new")
        rows = host.ask("api/seat", kurt)[1]["rows"]
        row = next(at for at, row in enumerate(rows, start=1) if row.startswith("The same people"))
        host.ask("api/moves", kurt, move=str(row))
        status, view = host.ask("api/moves", kurt, move="start")
        assert (status, view["phase"]) == (200, "selection")
        assert host.ask("api/seat", kurt)[0] == 200
        assert host.ask("api/seat", anna)[0] == 401
        assert host.ask("api/table", host.code)[0] == 401


@pytest.mark.parametrize("house", ["home", "public"])
def test_the_same_people_keep_their_seats_in_the_next_game(home: Path, house: str) -> None:
    with Hosting(env={"COMPANION_HOUSE": house}) as host:
        number = host.ask("api/join", code=host.code, seat=1)[0]
        assert number == (409 if house == "public" else 200)
        kurt = host.ask("api/join", code=host.seats["Kurt"])[1]["key"]
        host.type("rematch")
        host.hear("Discard 2")
        assert host.ask("api/seat", kurt)[0] == 200
        host.type("new")
        host.hear("Who plays?")
        host.type("Anna, Kurt, Ashley, Lea")
        host.hear("yes or no; Enter: no.")
        for line in ("yes", "Kurt"):
            host.type(line)
        host.hear("Discard 2")
        assert host.ask("api/seat", kurt)[0] == 200
        # in a public house each game has another code
        assert host.ask("api/table", host.code)[0] == (401 if house == "public" else 200)


def test_what_cannot_be_listened_at_is_a_sentence(home: Path, tmp_path: Path) -> None:
    no_key = tmp_path / "cert.pem"
    no_key.write_text("nothing")
    with socket.create_server(("127.0.0.1", 0)) as part:
        port = str(part.getsockname()[1])
        faults = {
            ("--host", "127.0.0.1", "--port", port): "another program is already listening",
            ("--host", "192.0.2.1"): "this computer has no such address",
            ("--host", "a..b"): "this computer has no such address",
            ("--host", "fe80::1"): "phones cannot open a link-local address",
            ("--host", "fe80::1%lo"): "phones cannot open a link-local address",
            ("--port", "70000"): "--port: “70000” is not a number from 0 to 65535",
            ("--tls", str(no_key), str(no_key)): "are not a certificate and its key",
            ("--tls", str(no_key)): "give auto, or the files",
            ("--tls", os.devnull, str(no_key)): "it is a pipe or a device",
            ("--tls", "/nowhere/cert", "/nowhere/key"): "no such file",
            ("--resume",): "",
        }
        for words, sentence in faults.items():
            result = companion("host", "--port", "0", *words)
            assert result.returncode == 2, words
            assert sentence in result.stderr
            assert "Traceback" not in result.stderr
            assert result.stdout == ""


def test_a_name_takes_a_seat_with_only_a_number_but_none_of_a_phone(home: Path) -> None:
    with Hosting(new=False) as host:
        host.type("3")
        host.hear("3 players: Player 1, Player 2 and Player 3.")
        Visitor(host.url).join(host.code, "Player 1")
        host.type("Anna")
        host.hear("3 players: Player 1, Anna and Player 3.")
        kurt = Visitor(host.url)
        kurt.join(host.code, "Kurt")
        assert kurt.call("/api/table")[1]["players"] == ["Player 1", "Anna", "Kurt"]


# -- the door over sockets ------------------------------------------------------------------------


def knock(port: int, request: bytes) -> bytes:
    """The response until the server hangs up."""
    data = b""
    with socket.create_connection(("127.0.0.1", port), timeout=PATIENCE) as stranger:
        try:
            stranger.sendall(request)
            while more := stranger.recv(65536):
                data += more
        except ConnectionError:
            pass
    return data


def test_neither_one_seat_nor_a_stranger_takes_the_connections_of_others(home: Path) -> None:
    with Hosting() as host, contextlib.ExitStack() as exit_stack:
        anna, kurt = host.join(1), host.join(2)
        head = f"Host: 127.0.0.1:{host.port}\r\nAuthorization: Bearer ".encode()

        def ask(path: str, key: str) -> socket.socket:
            """Ask on a connection that stays open, and wait for the answer."""
            wire = socket.create_connection(("127.0.0.1", host.port), timeout=PATIENCE)
            exit_stack.enter_context(wire)
            wire.sendall(f"GET {path} HTTP/1.1\r\n".encode() + head + f"{key}\r\n\r\n".encode())
            assert wire.recv(12) == b"HTTP/1.1 200"
            return wire

        television = ask("/api/events", host.code)
        greedy = [ask("/api/seat", anna) for _ in range(299)]
        idle = [socket.create_connection(("127.0.0.1", host.port), PATIENCE) for _ in range(305)]
        for stranger in idle:
            exit_stack.enter_context(stranger)
        assert host.ask("api/moves", kurt, move=SELECTED)[0] == 200
        assert host.ask("api/table", host.code)[0] == 200
        assert host.ask("api/join", code=host.code, seat=3)[0] == 200
        assert host.ask("api/seat", anna)[0] == 200
        assert is_hung_up(greedy[0])
        data = b""
        while b'"faceup": ["bishop", "merchant"]' not in data:
            more = television.recv(65536)
            assert more, "the television was hung up on"
            data += more


def is_hung_up(wire: socket.socket) -> bool:
    """Whether the server ends a connection, within the patience of its socket."""
    try:
        while wire.recv(65536):
            pass
    except TimeoutError:
        return False
    except ConnectionError:
        pass
    return True


def test_whatever_is_sent_is_encrypted_with_tls(home: Path, tmp_path: Path) -> None:
    cert, key = tmp_path / "cert.pem", tmp_path / "key.pem"
    needs.require("openssl")
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=x",
         "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", key, "-out", cert],
        capture_output=True,
        check=True,
    )  # fmt: skip
    with Hosting("--tls", str(cert), str(key)) as host:
        assert host.url.startswith("https://")
        sslcontext = ssl.create_default_context(cafile=cert)
        with urllib.request.urlopen(host.url, context=sslcontext, timeout=PATIENCE) as answer:
            assert b"read what is sent" not in answer.read()
        plain = knock(host.port, b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
        assert b"200" not in plain


# -- docs/reference/api.md ------------------------------------------------------------------------


def test_the_herald_of_the_page_announces_a_murder(home: Path, tmp_path: Path) -> None:
    page = (ROOT / "docs" / "reference" / "api.md").read_text(encoding="utf-8")
    herald = tmp_path / "herald.py"
    herald.write_text(page.partition("```python\n")[2].partition("```")[0])
    assert len(herald.read_text().splitlines()) <= 20
    says = [sys.executable, "-c", "import sys; print(sys.argv[1], flush=True)"]
    with Hosting() as host:
        calling = subprocess.Popen(
            [sys.executable, str(herald), host.url, host.code, *says],
            stdout=subprocess.PIPE,
            text=True,
        )
        try:
            keys = [host.join(seat) for seat in range(1, 5)]
            for seat, move in ((2, SELECTED), (2, "call"), (2, "reveal Anna"), (1, "kill king")):
                status, answer = host.ask("api/moves", keys[seat - 1], move=move)
                assert status == 200, answer
            text = read_line(calling)
            assert text.startswith("Hear, hear! ")
            assert "king" in text.lower()
        finally:
            calling.terminate()
            calling.communicate(timeout=PATIENCE)
