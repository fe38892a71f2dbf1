"""A hub and its tables: what the wall shows, results kept once, corrections."""

from __future__ import annotations

import asyncio
import json
import re
from typing import TYPE_CHECKING, Any
from urllib.error import HTTPError

import pytest

from companion.commands.cli import main
from companion.extensions.club import folder, league_files, messages, publisher
from companion.extensions.club import league as league_players
from companion.extensions.club.broker_link import BrokerLink
from companion.extensions.club.hub import ClubHub
from companion.extensions.club.league import League
from companion.extensions.club.results import take
from companion.game.demonstration import read_demo
from companion.log.store import Store
from engine import views
from tests.club.door import NOBODY, Links, Recorder
from tests.club.tables import Pub, run_table
from tests.waiting import PATIENCE, wait_until

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = [pytest.mark.outer, pytest.mark.needs("mosquitto", "club")]


@pytest.fixture
def pub(tmp_path: Path) -> Pub:
    return Pub(tmp_path / "pub", ["t1", "t2"])


def make_result(game: str, **fields: Any) -> dict[str, Any]:
    """A result of the demonstration's game before its first move, as a table sends it."""
    record = read_demo()
    text = json.dumps({**record.data(), "moves": []})
    return {
        "v": 1,
        "game": game,
        "hash": messages.find_hash(text),
        "at": messages.tell_time(),
        "score": views.score_json(record.start, final=True),
        "players": dict.fromkeys(record.setup.players),
        "record": text,
        **fields,
    }


def test_a_table_is_on_the_wall_and_its_moves_arrive(pub: Pub, tmp_path: Path) -> None:
    with pub.open(), pub.hub() as hub, run_table(tmp_path / "t", pub.url("t1")) as table:
        wait_until(lambda: hub.table("t1").get("status") == "ready")
        assert 'data-table="t1"' in hub.get()
        table.play(5)
        wait_until(lambda: hub.table("t1")["state"].get("seq") == 5)
        for name in table.session.setup.players:
            assert name in hub.get()
            assert name in hub.get("table/t1")
        table.session.undo()
        wait_until(lambda: hub.table("t1")["state"]["seq"] == 6)
        assert table.told == []


def test_who_calls_the_judge_is_on_the_wall_until_the_table_plays_on(
    pub: Pub, tmp_path: Path
) -> None:
    with pub.open(), pub.hub() as hub, run_table(tmp_path / "t", pub.url("t1")) as table:
        wait_until(lambda: hub.table("t1").get("status") == "ready")
        table.publisher.call_judge("<b>Who</b> has the crown?")
        wait_until(lambda: hub.table("t1")["status"] == "alert")
        for page in ("", "table/t1"):
            assert "&lt;b&gt;Who&lt;/b&gt; has the crown?" in hub.get(page)
        table.play(1)
        wait_until(lambda: hub.table("t1")["status"] == "ready")
        assert "has the crown?" not in hub.get()


def test_a_result_is_kept_until_the_hub_has_it_and_counts_once(pub: Pub, tmp_path: Path) -> None:
    url = pub.url("t1")
    with run_table(tmp_path / "t", url) as table:  # nobody listens
        table.play()
        assert table.session.over
        wait_until(lambda: table.told)
        assert "cannot be reached" in table.told[0]
    with run_table(tmp_path / "t", url) as table:
        wait_until(lambda: len(table.told) == 1)
        with pub.open(), pub.hub() as hub:
            wait_until(lambda: len(table.told) == 3)
            assert table.told[1] == "The club sees this table again."
            assert table.told[2].startswith("The club has the result of game")
            (result,) = hub.results()
            totals = {name: one["total"] for name, one in result["score"]["players"].items()}
            wait_until(lambda: f"{max(totals.values())} points" in hub.get("standings"))
    with pub.open(), pub.hub() as hub, run_table(tmp_path / "t", url) as table:
        wait_until(lambda: hub.table("t1").get("status") == "ready")
        assert len(hub.results()) == 1
    with Store(str(pub.path / "games.sqlite3")) as store:
        (game,) = store.games()
        assert game.finished
        assert game.setup["players"] == list(read_demo().setup.players)
        assert store.load(game.id).uuid == result["uuid"]


def test_a_table_replaces_its_own_result_and_never_a_correction(
    pub: Pub, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COMPANION_DATA", str(pub.path))
    with pub.open(), pub.hub() as hub, run_table(tmp_path / "t", pub.url("t1")) as table:
        table.play()
        wait_until(lambda: len(hub.results()) == 1)
        (first,) = hub.results()
        table.session.undo()
        table.session.play(table.moves[-1])
        count = len(table.session.open_game.log.events)
        wait_until(lambda: hub.table("t1")["state"]["seq"] == count)
        assert hub.results() == [first]  # the same record is the same result

        game, last = first["game"], first["score"]["ranking"][-1]
        words = ["club", "results", "correct", game, f"{last}=200"]
        assert main(words) == 2  # without a reason
        assert main([*words, "--reason", "<i>miscounted</i>"]) == 0
        wait_until(lambda: "&lt;i&gt;miscounted&lt;/i&gt;" in hub.get("standings"))
        changed = make_result(first["name"], uuid=first["uuid"])
        pub.put("t1", f"result/{first['uuid']}", messages.write(changed))
        wait_until(lambda: hub.results()[0]["hash"] != first["hash"])
        (result,) = hub.results()
        assert result["score"]["ranking"][0] == last
        assert result["reason"] == "<i>miscounted</i>"
        assert main([*words[:-1], f"{last}=3", "--reason", "no, that was right"]) == 0
        wait_until(lambda: hub.results()[0]["reason"] == "no, that was right")
        assert hub.results()[0]["score"]["players"][last]["total"] == 3


def test_a_result_names_the_players_of_the_club_by_their_ids(pub: Pub, tmp_path: Path) -> None:
    first, second, *others = read_demo().setup.players
    league = League(players={7: first.upper(), 12: "Somebody else"})
    league_files.save(str(pub.path), league)
    links = Links(BrokerLink)
    with pub.open(), pub.hub() as hub:
        assert pub.hear("t1", "hub/players")["players"]
        with run_table(tmp_path / "t", pub.url("t1"), connect=links) as table:
            wait_until(lambda: links and links[-1].list_players())
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
    links = Links(Forgetful)

    def count_results() -> int:
        return sum("/result/" in topic for topic, _payload, _retain in links[0].sent)

    with run_table(tmp_path, NOBODY, connect=links) as table:
        table.play()
        wait_until(lambda: links and count_results() >= 3)
        links[0].confirms = True
        wait_until(lambda: table.told)
        assert table.told == [f"The club has the result of game {table.session.name}."]


def test_a_result_that_the_hub_would_refuse_is_told_once_and_not_sent(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(messages, "LARGEST", 1000)
    links = Links(Recorder)
    with run_table(tmp_path, NOBODY, connect=links) as table:
        table.play()
        wait_until(lambda: table.told)
        assert table.told[0].startswith("The club does not accept the result of game")
        table.session.undo()
        table.session.play(table.moves[-1])
        links[0].wait_for(b'"seq":%d,' % len(table.session.open_game.log.events))
        assert len(table.told) == 1
    assert not any("/result/" in topic for topic, _payload, _retain in links[0].sent)


def test_a_flood_of_results_waits_in_the_inbox(tmp_path: Path) -> None:
    async def take() -> int:
        hub = ClubHub("pub", str(tmp_path / "games.sqlite3"), tell=print)
        tasks = 0
        for number in range(20):
            payload = messages.write(make_result(f"g{number}"))
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


def test_the_standings_show_the_latest_fifty_results(pub: Pub) -> None:
    results = Store(str(pub.path / "games.sqlite3"))
    games = [take(results, "t1", make_result(f"g{number}")).game for number in range(120)]
    with pub.hub() as hub:
        wait_until(lambda: games[-1] in hub.get("standings"))
        assert re.findall(r"<h2>(.*)</h2>", hub.get("standings")) == games[:-51:-1]
        (last,) = json.loads(hub.get("api/results?after=119"))
        assert last["game"] == games[-1]
        assert len(json.loads(hub.get("api/results"))) == 120


def test_false_scores_are_refused(pub: Pub, tmp_path: Path) -> None:
    with pub.open(), pub.hub() as hub, run_table(tmp_path / "t", pub.url("t1")) as table:
        table.play()
        wait_until(lambda: len(hub.results()) == 1)
        word = (pub.path / folder.WALL_PASSWORD).read_text().strip()
        true = pub.hear("wall", f"t1/result/{hub.results()[0]['uuid']}", word)
        name = true["score"]["ranking"][-1]
        true["score"]["players"][name]["total"] += 50
        pub.put("t2", f"result/{true['uuid']}", messages.write(true))
        wait_until(lambda: hub.told)
        assert "the scores are not those of the record" in hub.told[0]
        assert len(hub.results()) == 1


def test_what_is_no_message_is_counted_and_not_shown(pub: Pub) -> None:
    with pub.open(), pub.hub() as hub:
        pub.put("t1", "state", b"{" * 9000)
        wait_until(lambda: hub.told)
        assert "invalid message" in hub.told[0]
        assert hub.table("t1") == {}


def test_a_list_that_is_too_long_is_told_once_and_not_sent(pub: Pub) -> None:
    players = {number: f"{number} {'Ж' * 12}" for number in range(1, 1301)}
    league_files.save(str(pub.path), League(players=players))
    with pub.open(), pub.hub() as hub:
        wait_until(lambda: hub.told)
        assert hub.told[0].startswith("The message hub/players is too long for the tables")
        league_files.save(str(pub.path), League(players={1: "Zoë"}))
        assert pub.hear("t1", "hub/players")["players"] == {"zoe-1": "Zoë"}
        assert len(hub.told) == 1


def test_every_page_is_there_and_others_are_not(pub: Pub, tmp_path: Path) -> None:
    with pub.open(), pub.hub() as hub, run_table(tmp_path / "t", pub.url("t1")):
        wait_until(lambda: hub.table("t1").get("status") == "ready")
        for path in ("", "standings", "draw", "look", "table/t1", "card/temple"):
            assert '<a href="/standings">' in hub.get(path), path
        for path in ("favicon.ico", "table/t2", "card/x", "static/x", "seat", "judge"):
            with pytest.raises(HTTPError) as error:
                hub.get(path)
            assert error.value.code == 404, path
        assert hub.told == []
