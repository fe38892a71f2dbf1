"""A hub and its tables over HTTP: what the wall shows, results kept once, the judge."""

from __future__ import annotations

import asyncio
import json
import re
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, ClassVar
from urllib.error import HTTPError

import pytest

from companion.club import league as league_players
from companion.club import league_files, messages, publisher
from companion.club.folder import Passwords, make_password, write_line
from companion.club.hub import ClubHub
from companion.club.league import League
from companion.club.ledger import Ledger
from companion.club.outbox import Outbox
from companion.game import playing
from companion.log.store import Store
from companion.settings.services import ClubAddress, parse_club
from engine import views
from tests.club.tables import run_hub, run_table, wait_until
from tests.twins.doors.club import Recorder
from tests.waiting import PATIENCE

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

pytestmark = pytest.mark.outer


def test_a_table_is_on_the_wall_and_its_moves_arrive(tmp_path: Path) -> None:
    with run_hub(tmp_path / "hub") as hub, run_table(tmp_path / "t", hub.address("t1")) as table:
        wait_until(lambda: hub.table("t1").get("status") == "ready")
        assert 'data-table="t1"' in hub.get()
        table.play(5)
        wait_until(lambda: hub.table("t1")["state"]["seq"] == 5)
        for name in table.session.setup.players:
            assert name in hub.get()
            assert name in hub.get("table/t1")
        table.session.undo()
        wait_until(lambda: hub.table("t1")["state"]["seq"] == 6)
        table.publisher.call_judge("<b>Who</b> has the crown?")
        wait_until(lambda: hub.table("t1")["status"] == "alert")
        assert "&lt;b&gt;Who&lt;/b&gt; has the crown?" in hub.get()
        hub.judge(say="been", table="t1")
        assert "has the crown?" not in hub.get()
        table.play(1)
        wait_until(lambda: hub.table("t1")["status"] == "ready")
    assert table.told == []


def test_a_result_is_kept_until_the_hub_has_it_and_counts_once(tmp_path: Path) -> None:
    with run_hub(tmp_path / "hub") as hub:
        url, port = hub.address("t1"), hub.port
    with run_table(tmp_path / "t", url) as table:  # nobody listens
        table.play()
        assert table.session.over
        wait_until(lambda: table.told)
        assert "cannot be reached" in table.told[0]
    with run_table(tmp_path / "t", url) as table:
        wait_until(lambda: len(table.told) == 1)
        with run_hub(tmp_path / "hub", port=port) as hub:
            wait_until(lambda: len(table.told) == 3)
            assert table.told[1] == "The club sees this table again."
            assert table.told[2].startswith("The club has the result of game")
            (result,) = hub.results()
            totals = {name: one["total"] for name, one in result["score"]["players"].items()}
            wait_until(lambda: f"{max(totals.values())} points" in hub.get("standings"))
    with run_hub(tmp_path / "hub", port=port) as hub, run_table(tmp_path / "t", url) as table:
        wait_until(lambda: hub.table("t1").get("status") == "ready")
        assert len(hub.results()) == 1
    with Store(str(tmp_path / "hub" / "games.sqlite3")) as store:
        (game,) = store.games()
        assert game.finished
        assert game.setup["players"] == list(playing.record().setup.players)


def test_a_correction_waits_for_the_judge(tmp_path: Path) -> None:
    with run_hub(tmp_path / "hub") as hub, run_table(tmp_path / "t", hub.address("t1")) as table:
        table.play()
        wait_until(lambda: len(hub.results()) == 1)
        first = hub.results()[0]
        table.session.undo()
        table.session.play(table.moves[-1])
        wait_until(
            lambda: hub.table("t1")["state"]["seq"] == len(table.session.open_game.log.events)
        )
        assert hub.results() == [first]  # the same record is the same result
        points = {f"points{place}": "7" for place in range(len(first["score"]["ranking"]))}
        page = hub.judge(say="correct", number="1", reason="", **points)
        assert "Write why" in page
        page = hub.judge(say="correct", number="1", reason="<i>miscounted</i>", **points)
        assert "Corrected by the judge: &lt;i&gt;miscounted&lt;/i&gt;" in page
        assert "miscounted" in hub.get("standings")
        states = [one["state"] for one in hub.results()]
        assert states == ["replaced", "counted"]
        assert {one["total"] for one in hub.results()[1]["score"]["players"].values()} == {7}


def test_another_result_of_a_game_counts_once_the_judge_says_so(tmp_path: Path) -> None:
    with run_hub(tmp_path / "hub") as hub, run_table(tmp_path / "t", hub.address("t1")) as table:
        table.play()
        wait_until(lambda: len(hub.results()) == 1)
        first = hub.results()[0]
        other = {
            "v": 1,
            "game": first["game"],
            "hash": messages.find_hash("{}"),
            "at": first["at"],
            "score": first["score"],
            "players": first["players"],
            "record": "{}",
        }
        topic = f"pub/t1/result/{other['game']}"
        status, answer = hub.put(topic, messages.write(other), session="b-1")
        assert (status, answer["seen"]["hash"]) == (200, first["hash"])
        assert [one["state"] for one in hub.results()] == ["counted", "waiting"]
        assert "Count the new result" in hub.judge(say="accept", number="99")
        hub.judge(say="accept", number="2", reason="agreed")
        assert [one["state"] for one in hub.results()] == ["replaced", "counted"]
        assert (
            hub.put(topic, messages.write(other), session="b-1")[1]["seen"]["hash"] == other["hash"]
        )


def test_a_result_names_the_players_of_the_club_by_their_ids(tmp_path: Path) -> None:
    first, second, *others = playing.record().setup.players
    league = League(players={7: first.upper(), 12: "Somebody else"})
    (tmp_path / "hub").mkdir()
    league_files.save(str(tmp_path / "hub"), league)
    with run_hub(tmp_path / "hub") as hub:
        wait_until(lambda: hub.running.hub.league.players)
        with run_table(tmp_path / "t", hub.address("t1")) as table:
            table.play()
            wait_until(lambda: hub.results())
        (result,) = hub.results()
        assert result["players"] == {
            first: league_players.make_id(7, first),
            **dict.fromkeys((second, *others)),
        }
        wait_until(lambda: f'<th scope="row">{first.upper()}</th>' in hub.get("standings"))


class Forgetful(Recorder):
    """A link over which no confirmation comes until it is let go."""

    confirms = False

    def take_seen(self) -> list[tuple[str, str]]:
        results = [
            json.loads(payload) for _topic, payload, _ in self.sent if b'"record"' in payload
        ]
        return [(one["game"], one["hash"]) for one in results] if self.confirms else []


def test_a_result_that_is_not_confirmed_is_sent_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(publisher, "RESENDING", 0.01)
    links: list[Forgetful] = []

    def connect(address: ClubAddress, wake: Callable[[], None]) -> Forgetful:
        links.append(Forgetful(address, wake))
        return links[-1]

    def count_results() -> int:
        return sum("/result/" in topic for topic, _payload, _retain in links[0].sent)

    with run_table(tmp_path, "http://t1@127.0.0.1:9/pub", connect=connect) as table:
        table.play()
        wait_until(lambda: links and count_results() >= 3)
        links[0].confirms = True
        wait_until(lambda: table.told)
        assert table.told == [f"The club has the result of game {table.session.name}."]


def test_a_result_that_the_hub_would_refuse_is_not_sent(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(messages, "LARGEST", 1000)
    links: list[Recorder] = []

    def connect(address: ClubAddress, wake: Callable[[], None]) -> Recorder:
        links.append(Recorder(address, wake))
        return links[-1]

    with run_table(tmp_path, "http://t1@127.0.0.1:9/pub", connect=connect) as table:
        table.play()
        wait_until(lambda: table.told)
        assert table.told[0].startswith("The club does not accept the result of game")
    assert not any("/result/" in topic for topic, _payload, _retain in links[0].sent)


def test_a_flood_of_results_waits_in_the_inbox(tmp_path: Path) -> None:
    start = playing.record().start
    result = {
        "v": 1,
        "hash": messages.find_hash("{}"),
        "at": messages.tell_time(),
        "score": views.score_json(start, final=True),
        "players": dict.fromkeys(start.rules.player_names),
        "record": "{}",
    }

    async def take() -> int:
        hub = ClubHub("pub", str(tmp_path / "games.sqlite3"), tell=print)
        tasks = 0
        for number in range(20):
            payload = messages.write({**result, "game": f"g{number}"})
            topic = f"citadels/v1/pub/t1/result/g{number}"
            hub.note_from_broker(topic, payload, False, lambda work: work())
            await asyncio.sleep(0)
            tasks = max(tasks, len(asyncio.all_tasks()))
        async with asyncio.timeout(PATIENCE):
            while len(hub.results) < 20:
                await asyncio.sleep(0.01)
        hub.stop()
        return tasks

    assert asyncio.run(take()) == 2  # this one, and who takes them


def test_the_standings_show_fifty_results_on_a_page(tmp_path: Path) -> None:
    start = playing.record().start
    results = Ledger(str(tmp_path / "games.sqlite3"))
    for number in range(1, 121):
        result = {
            "game": f"g{number}",
            "hash": messages.find_hash(str(number)),
            "at": messages.tell_time(),
            "score": views.score_json(start, final=True),
            "players": dict.fromkeys(start.rules.player_names),
            "record": "{}",
        }
        results.take("t1", result)
    with run_hub(tmp_path) as hub:
        wait_until(lambda: "t1 · g120" in hub.get("standings"))
        path, games = "standings", []
        while path:
            page = hub.get(path)
            games += [int(game) for game in re.findall(r"<h2>t1 · g(\d+)</h2>", page)]
            assert len(games) in (50, 100, 120)
            link = re.search(r'href="/(standings\?before=\d+)"', page)
            path = link[1] if link else ""
        assert games == [*range(120, 0, -1)]
        (last,) = json.loads(hub.get("api/results?after=119"))
        assert last["game"] == "g120"
        assert len(json.loads(hub.get("api/results"))) == 120


def test_false_scores_are_refused(tmp_path: Path) -> None:
    with run_hub(tmp_path / "hub") as hub, run_table(tmp_path / "t", hub.address("t1")) as table:
        table.play()
        wait_until(lambda: len(hub.results()) == 1)
        outbox = Outbox(table.config, parse_club(hub.address("t9")))
        outbox.add(table.session.name)
        (true,) = outbox.list_waiting({})
        name = true["score"]["ranking"][-1]
        true["score"]["players"][name]["total"] += 50
        topic = f"pub/t2/result/{true['game']}"
        assert hub.put(topic, messages.write(true), login="t2:")[0] == 422
        assert len(hub.results()) == 1


class Refusing(BaseHTTPRequestHandler):
    """A hub that refuses every result."""

    protocol_version = "HTTP/1.1"
    heard: ClassVar[list[tuple[str, bytes]]] = []

    def do_PUT(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.heard.append((self.path, body))
        answer = b'{"seen": null}'
        self.send_response(422 if "/result/" in self.path else 200)
        self.send_header("Content-Length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer)

    def log_message(self, *_words: object) -> None:
        pass


def test_a_result_that_the_hub_never_takes_is_told_once(tmp_path: Path) -> None:
    with ThreadingHTTPServer(("127.0.0.1", 0), Refusing) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        with run_table(tmp_path, f"http://t1@127.0.0.1:{server.server_port}/pub") as table:
            table.play()
            wait_until(lambda: table.told)
            wait_until(lambda: any(b'"ready"' in body for _path, body in Refusing.heard))
            table.session.undo()
            table.session.play(table.moves[-1])
            wait_until(lambda: Refusing.heard[-1][0].endswith(("/state", "/status")))
        server.shutdown()
    assert [path for path, _body in Refusing.heard if "/result/" in path] == [
        f"/citadels/v1/pub/t1/result/{table.session.name}"
    ]
    assert table.told == [
        f"The club does not accept the result of game {table.session.name}; tell its judge."
    ]


def test_who_may_write(tmp_path: Path) -> None:
    word = make_password()
    passwords = Passwords(dict([write_line("t1", word).split(":", 1)]))
    ready = messages.write({"state": "ready", "birth": 1})
    with run_hub(tmp_path, passwords=passwords) as hub:
        assert hub.put("pub/t1/status", ready, login="t1:wrong")[0] == 401
        assert hub.put("pub/t1/status", ready, login="t9:wrong")[0] == 401
        assert hub.put("pub/t2/status", ready, login=f"t1:{word}")[0] == 403
        assert hub.put("other/t1/status", ready, login=f"t1:{word}")[0] == 404
        assert hub.put("pub/hub/draw", ready, login=f"t1:{word}")[0] == 404
        assert hub.table("t1") == {}
        assert hub.put("pub/t1/status", ready, login=f"t1:{word}")[0] == 200
        assert hub.table("t1")["status"] == "ready"
        assert hub.put("pub/t1/state", b"{" * 9000, login=f"t1:{word}")[0] == 422
        assert hub.put("pub/t1/state", b" " * 70_000, login=f"t1:{word}")[0] == 413
        assert len(hub.told) == 1


def test_only_a_table_may_read_the_list_of_the_club(tmp_path: Path) -> None:
    league_files.save(str(tmp_path), League(players={7: "Zoë"}))
    passwords = Passwords(dict([write_line("t1", make_password()).split(":", 1)]))
    with run_hub(tmp_path, passwords=passwords) as hub:
        wait_until(lambda: hub.running.hub.players)
        with pytest.raises(HTTPError) as error:
            hub.get("citadels/v1/pub/hub/players")
        assert error.value.code == 401


def test_a_list_that_is_too_long_is_told_once_and_not_sent(tmp_path: Path) -> None:
    players = {number: f"{number} {'Ж' * 12}" for number in range(1, 1301)}
    league_files.save(str(tmp_path), League(players=players))
    with run_hub(tmp_path) as hub:
        wait_until(lambda: hub.told)
        assert hub.told[0].startswith("The message hub/players is too long for the tables")
        with pytest.raises(HTTPError) as error:
            hub.get("citadels/v1/pub/hub/players")
        assert error.value.code == 404
        assert len(hub.told) == 1
        league_files.save(str(tmp_path), League(players={1: "Zoë"}))
        wait_until(lambda: hub.running.hub.find_own("players"))
        assert json.loads(hub.get("citadels/v1/pub/hub/players"))["players"]


def test_the_newest_connection_speaks_for_a_table(tmp_path: Path) -> None:
    ready = messages.write({"state": "ready", "birth": 1})
    with run_hub(tmp_path / "hub") as hub, run_table(tmp_path / "t", hub.address("t1")) as table:
        wait_until(lambda: hub.table("t1").get("status") == "ready")
        assert hub.put("pub/t1/status", ready, session="other-1")[0] == 200
        table.play(1)
        wait_until(lambda: table.told)
        assert table.told[0].startswith("Another computer is table t1 of the club now")
        table.play(1)
        assert len(table.told) == 1


def test_every_page_is_there_and_others_are_not(tmp_path: Path) -> None:
    with run_hub(tmp_path / "hub") as hub, run_table(tmp_path / "t", hub.address("t1")):
        wait_until(lambda: hub.table("t1").get("status") == "ready")
        for path in ("", "standings", "draw", "judge", "look", "table/t1", "card/temple"):
            assert '<a href="/standings">' in hub.get(path), path
        for path in (
            "favicon.ico",
            "table/t2",
            "card/x",
            "static/x",
            "seat",
            "citadels/v1/pub/hub/draw",
        ):
            with pytest.raises(HTTPError) as error:
                hub.get(path)
            assert error.value.code == 404, path
    assert hub.told == []


def test_a_judge_needs_the_code(tmp_path: Path) -> None:
    with run_hub(tmp_path) as hub:
        assert "judge-code" in hub.get("judge")
        assert "Tables calling a judge" in hub.judge(say="been", table="t1")
        hub.running.judge_code = ""
        assert "Tables calling a judge" not in hub.get("judge")
