"""A game of four played by five tabs of a real browser: a phone for each seat, and the table's page
on a television. In the short soak its first moves, in the long one the whole of it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from companion.log import records
from engine import views
from tests.companion.phoning import Phones
from tests.companion.talking import FOUR
from tests.end_to_end.hosting import LOCALES, Host, Phone
from tests.sizes import pick_size

GAME = Path(__file__).parents[1] / "games" / "secret_game.yaml"
MOVES = pick_size(14, 14, 1000)
MOVES_WITHOUT_SCRIPT = pick_size(14, 14, 1000)

pytestmark = [
    pytest.mark.soak,
    pytest.mark.needs("Chromium"),
]


class Room:
    """Four phones and a television at a host, with the same table in this process to find the
    touches."""

    def __init__(self, folder: Path, browser: Browser, *, script: bool) -> None:
        self.record = records.read(str(GAME)).record
        setup = self.record.setup
        self.folder, self.browser, self.script = folder, browser, script
        (folder / "here").mkdir()
        self.here = Phones(folder / "here", setup)
        words = ["--new", "--edition", setup.edition, "--players", ",".join(setup.players)]
        words += ["--crown", setup.crown, "--secrecy", setup.secrecy, "--reader", "simulated"]
        self.host = Host(folder / "host", *words)
        self.phones = [self.join(seat) for seat in range(len(FOUR))]
        self.television = self._phone("en-GB")
        self.television.enter()
        self.television.tab.goto(f"{self.host.url}table")

    def _phone(self, locale: str) -> Phone:
        return Phone(self.browser, self.host, locale, script=self.script)

    def join(self, seat: int) -> Phone:
        phone = self._phone(LOCALES[seat])
        phone.enter()
        phone.sit(FOUR[seat])
        return phone

    @property
    def version(self) -> int:
        return self.here.phones.version

    def play(self, text: str) -> None:
        """Make that move by touches and wait until every tab shows it."""
        move = self.here.session.referee.read(text)
        if move.verb == "build" and len(move.args) == 1:
            self.host.type(f"tap {move.args[0]}")  # its chip, on the emulated reader
            self.here.session.play(move)
            self.wait()
            return
        before, by_touch, moment = self.here.session.version, False, ""
        for touch in self.here.find_touches(move):
            by_touch = True
            moment = self.phones[touch.seat].wait_for_choices(self.version, moment)
            with self.phones[touch.seat].tab.expect_response("**/seat"):
                self.phones[touch.seat].touch(touch.row, as_caller=touch.as_caller)
            self.here.touch(touch)
        if not by_touch and self.here.session.version > before:
            self.host.type(text)  # moves that no page lists are typed at the computer
        self.wait()

    def undo(self) -> None:
        """Undo the last move on the crowned player's phone."""
        crown = self.here.session.view.crown
        self.phones[crown].wait_for(self.version)
        with self.phones[crown].tab.expect_response("**/seat"):
            self.phones[crown].tab.locator("button[name=word][value=undo]").first.click()
        page = self.here.phones.page(crown, "fr")
        self.here.phones.word(crown, "undo", page.moment, "fr", as_caller=True)
        self.wait()

    def wait(self) -> None:
        for phone in (*self.phones, self.television):
            phone.wait_for(self.version)

    def restart(self) -> None:
        """Kill the host and restart it on the same port."""
        port, code = self.host.port, self.host.code
        self.host.kill()
        self.host = Host(self.folder / "host", "--resume", "--reader", "simulated", port=port)
        assert self.host.code == code
        for phone in (*self.phones, self.television):
            phone.host = self.host
        self.wait()

    def assert_same_table(self) -> None:
        status, view = self.phones[0].api("GET", "api/table")
        assert status == 200
        assert view == views.table_json(self.here.session.referee.table)

    def close(self) -> None:
        for phone in (*self.phones, self.television):
            phone.close()
        self.here.close()


@pytest.fixture(params=[True, False], ids=["with script", "without script"])
def room(request: pytest.FixtureRequest, tmp_path: Path, browser: Browser) -> Iterator[Room]:
    new_door = Room(tmp_path, browser, script=request.param)
    yield new_door
    new_door.close()
    assert new_door.host.stop() == 0


def test_five_tabs_play_a_game(room: Room) -> None:
    moves = room.record.moves[: MOVES if room.script else MOVES_WITHOUT_SCRIPT]
    for place, text in enumerate(moves):
        room.play(text)
        if place == 3:
            room.undo()
            room.play(text)
        elif place == 6:
            assert_refused(room)
        elif place == 8:
            sleep_and_wake(room, seat=3)
        elif place == 10:
            lose_and_replace(room, seat=2)
        elif place == 12:
            room.restart()
    room.assert_same_table()


def assert_refused(room: Room) -> None:
    """Check that another player's move, an illegal one and an invalid one are refused."""
    seat = room.here.session.view.playing.seat
    other = next(at for at in range(len(FOUR)) if at not in (seat, room.here.session.view.crown))
    assert room.phones[other].api("POST", "api/moves", move="end")[0] == 403
    status, answer = room.phones[seat].api("POST", "api/moves", move="build king")
    assert (status, bool(answer["refused"])) == (409, True)
    assert room.phones[seat].api("POST", "api/moves", move="")[0] in (400, 409)
    room.wait()


def sleep_and_wake(room: Room, seat: int) -> None:
    """Put a phone to sleep for a move; it catches up when it wakes."""
    phone = room.phones[seat]
    phone.context.set_offline(True)
    phone.context.set_offline(False)
    phone.wait_for(room.version)


def lose_and_replace(room: Room, seat: int) -> None:
    """Lose a phone; another takes its seat with the seat's own code."""
    room.phones[seat].close()
    new = room._phone(LOCALES[seat])
    new.enter(room.host.seats[FOUR[seat]])
    new.tab.wait_for_url("**/seat")
    room.phones[seat] = new
    room.wait()
