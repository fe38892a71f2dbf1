"""What has once let somebody in, thrown players out or betrayed them: each attack as a test."""

from __future__ import annotations

import json
import os
import re
import signal
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from tests.companion.listening import record_moves
from tests.companion.talking import FOUR
from tests.end_to_end.test_gate import SELECTED, Play, open_game
from tests.end_to_end.typing import User
from tests.serving.hosting import STDIN, Hosting, ask
from tests.serving.visiting import Visitor
from tests.starting import ROOT
from tests.waiting import PATIENCE, wait_until

pytestmark = pytest.mark.outer


def test_a_guest_gets_no_seat_by_any_word_of_his_own(home: Path) -> None:
    """A guest in a free seat asks for the crown's seat and says yes to himself."""
    with Hosting() as host:
        anna, kurt = host.join(1), host.join(2)
        host.ask("api/moves", kurt, move=SELECTED)
        host.ask("api/moves", kurt, move="choose Kurt king")
        guest = Visitor(host.url)
        guest.enter(host.code)
        guest.send("/sit", seat="4")
        assert guest.place == "/seat"
        for seat in (1, 2):
            second = Visitor(host.url)
            second.enter(host.code)
            second.send("/sit", seat=str(seat))
            assert second.status == 409
            guest.get("/seat")
            assert "number" not in second.page.partition("<main")[2].partition("</main")[0]
            guest.get("/seat")
            guest.send("/allow", which="11", say="yes")
            assert guest.status == 404
        guest.get("/seat")
        guest.send("/free", seat="1")
        assert guest.status == 403
        assert host.ask("api/seat", kurt)[1]["chosen"] == {"Kurt": ["king"]}
        assert host.ask("api/seat", anna)[0] == 200


def test_joining_again_in_the_set_up_throws_nobody_out_and_wipes_no_hand(home: Path) -> None:
    """After a restart with the set-up open, phones join again under their names."""
    with Hosting("--port", "8479") as host:
        phones = [Visitor(host.url) for _seat in range(3)]
        for seat, phone in enumerate(phones, start=1):
            phone.enter(host.code)
            phone.send("/sit", seat=str(seat))
        for district in ("tavern", "castle"):
            assert phones[1].call("/api/hand", add=district)[0] == 200
        codes = host.seats
        host.end()
    table = Play("home", port=8479)
    try:
        for phone, name in zip(phones[:2], FOUR, strict=False):
            assert name in phone.get("/seat")  # greeted by name, without a word
            assert phone.place == "/seat"
            phone.enter(table.code)
            phone.send("/sit", name=name)
            assert phone.place == "/seat"
        thief = Visitor(table.url)
        thief.join(table.code, "Ashley")
        assert thief.status == 409
        assert "own code" in thief.page
        thief.join(table.code, "Otto")
        phones[0].get("/seat")
        thief.get("/seat")
        thief.send("/seat", text="Ashley")  # another name, that of a player who has a phone
        assert thief.status == 403
        table.type("yes")
        table.hear("Discard 2")
        assert [phone.call("/api/seat")[0] for phone in phones] == [200] * 3
        assert phones[1].call("/api/hand")[1]["told"] == ["tavern", "castle"]
        assert thief.call("/api/seat")[0] == 401
        assert ask(f"{table.url}api/join", code=codes["Ashley"])[0] == 200
    finally:
        table.end()


@pytest.mark.parametrize("words", [(), ("--new",)])
@pytest.mark.parametrize("stdin", STDIN)
def test_a_game_begun_from_a_phone_reaches_the_phones(
    home: Path, stdin: str, words: tuple[str, ...]
) -> None:
    """`ssh pi companion host` and `docker run -i` keep the standard input open."""
    with Hosting(*words, new=False, stdin=stdin) as host:
        keys = [host.ask("api/join", code=host.code, name=name)[1]["key"] for name in FOUR]
        assert host.ask("api/moves", keys[0], move="start")[0] == 200
        wait_until(lambda: host.ask("api/seat", keys[3])[1].get("phase") == "selection")
        status, view = host.ask("api/moves", keys[0], move=SELECTED)
        assert (status, view["faceup"]) == (200, ["bishop", "merchant"])


def test_a_phone_begins_the_game_that_a_terminal_asks_for(home: Path) -> None:
    user = User()
    words = ("host", "--host", "127.0.0.1", "--port", "0", "--reader", "none")
    user.start([sys.executable, "-m", "companion", *words], os.environ, ROOT)
    try:
        user.see("Who plays?")
        url = re.findall(r"http://\S+?/", user.screen)[0]
        code = re.findall(r"Code: (\w{4})", user.screen)[0]
        keys = [ask(f"{url}api/join", code=code, name=name)[1]["key"] for name in FOUR]
        assert ask(f"{url}api/moves", keys[0], move="start")[0] == 200
        user.see("Discard 2")
        assert ask(f"{url}api/moves", keys[0], move=SELECTED)[0] == 200
    finally:
        user.close()


def test_a_refused_request_wipes_no_told_hand(home: Path) -> None:
    """A stranger uses up what may be told at the table, then asks for a free seat with a hand."""
    with Hosting() as host:
        kurt = host.join(2)
        for district in ("tavern", "castle"):
            host.ask("api/hand", kurt, add=district)
        host.ask("api/leave", kurt, seat=2)
        answers = []
        for _time in range(30):
            status, answer = host.ask("api/join", code=host.code, seat=4)
            answers.append(status)
            if status == 200:
                host.ask("api/leave", answer["key"], seat=4)
        assert (answers[0], answers[-1]) == (200, 429)
        assert host.ask("api/join", code=host.code, seat=2)[0] == 409
        kurt = host.ask("api/join", code=host.seats["Kurt"])[1]["key"]  # always
        assert host.ask("api/hand", kurt)[1]["told"] == ["tavern", "castle"]


def test_strangers_make_no_chair_in_a_public_house(home: Path) -> None:
    """With the code from the television strangers fill the lobby."""
    with Hosting(new=False, env={"COMPANION_HOUSE": "public"}) as host:
        host.type("Anna, Ben")
        seats = host.hear_json()["seats"]
        assert list(seats) == ["Anna", "Ben"]
        before = host.ask("api/table", host.code)
        for name in ("Your table is silly", "Anna", "Ben", "Cid"):
            assert host.ask("api/join", code=host.code, name=name)[0] == 409
        assert host.ask("api/table", host.code) == before
        leader = Visitor(host.url)
        leader.enter(seats["Anna"])
        leader.get("/seat")
        leader.touch("Players")
        assert "named where the game was started" in leader.page
        for field in ("name", "text"):
            leader.send("/seat", **{field: "Zoë"})
        assert host.ask("api/table", host.code)[1]["players"] == ["Anna", "Ben"]
        assert host.ask("api/join", code=seats["Ben"])[0] == 200
        host.type("help")  # every line is answered
        assert host.hear_json()["seats"] == seats


@pytest.mark.parametrize("names", ["", "Anna\n", "Anna, Ben\n"])
def test_a_public_host_whose_input_ends_stays_once_its_players_are_named(
    home: Path, names: str
) -> None:
    with Hosting(new=False, env={"COMPANION_HOUSE": "public"}) as host:
        assert host.process.stdin is not None
        assert host.process.stderr is not None
        host.process.stdin.write(names)
        host.process.stdin.close()
        if "," not in names:
            assert host.process.wait(PATIENCE) == 2
            complaint = host.process.stderr.read()
            assert complaint.count("\n") == 1
            assert "--players" in complaint
        else:
            anna = host.ask("api/join", code=host.hear_json()["seats"]["Anna"])[1]["key"]
            assert host.ask("api/moves", anna, move="start")[0] == 200
            assert host.end() == 0


def test_a_public_host_that_is_ended_before_names_are_given_complains_of_nothing(
    home: Path,
) -> None:
    with Hosting(new=False, env={"COMPANION_HOUSE": "public"}) as host:
        assert host.process.stderr is not None
        host.process.send_signal(signal.SIGTERM)
        assert (host.process.wait(PATIENCE), host.process.stderr.read()) == (0, "")


def test_a_clock_that_is_set_ends_no_seat(home: Path) -> None:
    """A Raspberry Pi starts a week in the past; then its clock is set right."""
    with Hosting() as host:
        keys = [host.join(seat) for seat in range(1, 5)]
        host.ask("api/hand", keys[1], add="tavern")
        host.end()
    settings = home / "data" / "games.sqlite3-settings.json"
    kept = json.loads(settings.read_text())
    (game,) = kept.values()
    game["phones"]["used"] = dict.fromkeys(FOUR, time.time() - 7 * 24 * 3600)
    settings.write_text(json.dumps(kept))
    with Hosting("--resume", new=False) as host:
        assert [host.ask("api/seat", key)[0] for key in keys] == [200] * 4
        assert host.ask("api/hand", keys[1])[1]["told"] == ["tavern"]


@pytest.mark.parametrize("noted", ["king", "thief"])
def test_the_crown_s_phone_rewrites_no_note_of_another_phone(home: Path, noted: str) -> None:
    with Hosting() as host:
        anna, kurt, ashley = (host.join(seat) for seat in (1, 2, 3))
        host.ask("api/moves", kurt, move=SELECTED)
        host.ask("api/moves", anna, move=f"choose Anna {noted}")
        answers = [
            host.ask("api/moves", kurt, move=f"choose Anna {card}") for card in ("king", "magician")
        ]
        assert [status for status, _answer in answers] == [403] * 2
        assert answers[0][1] == answers[1][1]
        assert host.ask("api/seat", anna)[1]["chosen"] == {"Anna": [noted]}
        # who has not noted on their own phone may be noted by the crown's
        assert host.ask("api/moves", kurt, move="choose Ashley bishop")[0] == 409
        assert host.ask("api/moves", kurt, move="choose Ashley warlord")[0] == 200
        assert host.ask("api/moves", ashley, move="choose Ashley architect")[0] == 200


# -- a seat that is freed -------------------------------------------------------------------------


def free(phone: Visitor, seat: int) -> int:
    """Free that seat, from 1, from that phone's page; returns the status."""
    phone.get("/seat")
    phone.send("/free", seat=str(seat))
    return phone.status


def sit_down(host: Hosting) -> list[Visitor]:
    phones = [Visitor(host.url) for _name in FOUR]
    for phone, name in zip(phones, FOUR, strict=True):
        phone.enter(host.seats[name])
        assert phone.place == "/seat"
    return phones


@pytest.mark.parametrize("house", ["home", "public"])
def test_a_freed_seat_forgets_what_was_noted_and_keeps_what_was_played(
    home: Path, house: str
) -> None:
    with Hosting("--secrecy", "secret", env={"COMPANION_HOUSE": house}) as host:
        anna, kurt, ashley, ben = sit_down(host)
        kurt.call("/api/moves", move=SELECTED)
        for phone, name, card in ((anna, "Anna", "assassin"), (ben, "Ben", "thief")):
            phone.call("/api/moves", move=f"choose {name} {card}")
        anna.call("/api/hand", add="tavern")
        kurt.call("/api/moves", move="call")
        anna.call("/api/moves", move="reveal Anna")
        assert anna.call("/api/moves", move="kill king")[1]["killed"] == "king"
        assert free(ashley, 1) == 403  # without the crown
        assert free(kurt, 2) == 403  # one's own seat
        assert free(kurt, 1) == 200
        assert "Anna&#39;s seat was freed" in ashley.get("/seat")
        assert "Anna&#39;s seat was freed" in ashley.get("/table")
        assert anna.call("/api/seat")[0] == 401
        assert ask(f"{host.url}api/join", code=host.seats["Anna"])[0] == 403  # it has a new code
        host.type("phones code Anna")
        own = re.sub(r"\W", "", host.hear("Code for Anna's seat alone: ").split(": ")[1])
        status = ask(f"{host.url}api/join", code=host.code, seat=1)[0]
        assert status == (409 if house == "public" else 200)
        key = ask(f"{host.url}api/join", code=own)[1]["key"]
        view = host.ask("api/seat", key)[1]
        assert (view["killed"], view["chosen"]) == (None, {})
        assert host.ask("api/hand", key)[1]["told"] == []
        page = Visitor(host.url)
        page.enter(own)
        assert "King" not in page.get("/seat").partition('id="told-lines"')[2].partition("</div")[0]
        for move in ("gold", "end"):
            assert page.call("/api/moves", move=move)[0] == 200
        assert kurt.call("/api/moves", move="undo")[0] == 200
        assert page.call("/api/seat")[1]["killed"] is None
        assert ben.call("/api/seat")[1]["chosen"] == {"Ben": ["thief"]}
        host.end(signal.SIGKILL)
    with Hosting("--resume", new=False, env={"COMPANION_HOUSE": house}) as host:
        host.type("phones code Anna")
        own = re.sub(r"\W", "", host.hear("Code for Anna's seat alone: ").split(": ")[1])
        key = ask(f"{host.url}api/join", code=own)[1]["key"]
        assert host.ask("api/seat", key)[1]["killed"] is None
    assert "kill king" in record_moves()  # what was played stays


def test_a_new_player_s_note_is_shown_though_it_is_that_of_before(home: Path) -> None:
    with Hosting() as host:
        _anna, kurt, ashley, _ben = sit_down(host)
        kurt.call("/api/moves", move=SELECTED)
        ashley.call("/api/moves", move="choose Ashley king")
        assert free(kurt, 3) == 200
        key = ask(f"{host.url}api/join", code=host.code, seat=3)[1]["key"]
        assert host.ask("api/seat", key)[1]["chosen"] == {}
        answer = host.ask("api/moves", key, move="choose Ashley king")
        assert (answer[0], answer[1]["chosen"]) == (200, {"Ashley": ["king"]})


def test_the_crown_s_own_seat_is_freed_by_the_next_phone_once_it_is_gone(home: Path) -> None:
    with Hosting() as host:
        anna, kurt, ashley, ben = sit_down(host)
        stream: Any = kurt._opener.open(f"{kurt.url}/api/events", timeout=PATIENCE)
        stream.readline()
        assert free(ashley, 2) == 409  # it is there
        stream.close()
        assert free(ben, 2) == 403  # not the next one
        assert free(anna, 2) == 403
        wait_until(lambda: free(ashley, 2) == 200)
        assert kurt.call("/api/seat")[0] == 401
        assert free(anna, 3) == 403


def test_with_a_screen_no_phone_frees_a_seat(home: Path) -> None:
    with open_game("home") as gate:
        assert isinstance(gate.table, Hosting)
        gate.table.end()
    table = Play("home")
    try:
        table.type("yes")
        table.hear("Has everybody chosen?")
        crown = Visitor(table.url)
        crown.enter(gate.codes["Kurt"])
        assert "Free a seat" not in crown.get("/seat")
        assert free(crown, 1) == 403
    finally:
        table.end()


def test_in_the_lobby_the_phone_that_leads_frees_a_seat(home: Path) -> None:
    with Hosting(new=False) as host:
        phones = [Visitor(host.url) for _name in FOUR[:3]]
        for phone, name in zip(phones, FOUR, strict=False):
            phone.join(host.code, name)
        assert free(phones[1], 3) == 403
        assert free(phones[0], 2) == 200
        assert phones[1].call("/api/seat")[0] == 401
        assert ask(f"{host.url}api/join", code=host.code, name="Kurt")[0] == 200


# -- chips in the middle of the table -------------------------------------------------------------


def test_the_key_for_taps_lays_chips_in_the_middle_and_opens_nothing_else(home: Path) -> None:
    chips = home / "data" / "tags.yaml"
    chips.parent.mkdir(exist_ok=True)
    chips.write_text("chips:\n  04A2B3C4D5E680: player 1\n")
    token = {"chip": "04A2B3C4D5E680"}
    with Hosting() as host:
        taps = host.told["taps"]
        for line in (SELECTED, "call"):
            host.type(line)
        host.hear("Rank 1.")
        status, view = host.ask("api/taps", taps, **token)
        assert (status, view["turn"]["player"], view["chosen"]) == (200, "Anna", {})
        assert "Anna" in "".join(view["lines"])
        for path in ("api/table", "api/seat", "api/hand"):
            assert host.ask(path, taps)[0] == 401
        assert host.ask("api/taps", host.code, **token)[0] == 401
        host.type("phones code taps")
        assert taps in host.hear("middle of the table")
        host.end()
    with Hosting("--resume", new=False) as host:
        assert host.told["taps"] == taps
        host.type("phones out all")
        host.hear("removed")
        assert host.ask("api/taps", taps, **token)[0] == 401
