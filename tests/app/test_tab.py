"""A caller in a tab of the browser view: it goes on by itself, or says what keeps it from that."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.app import opening
from companion.app.caller import CallerApp
from companion.commands import settings
from companion.options import PlayOptions
from companion.session import Session
from companion.store import Store
from engine.record import Setup
from tests.app.driving import screen_text

SETUP = Setup("classic_2016", ("Anna", "Kurt", "Ashley", "Ben"), "Kurt")


@pytest.fixture
def tab(home: Path, monkeypatch: pytest.MonkeyPatch) -> list[CallerApp]:
    """The callers that `opening.play` would run, as if in tabs."""
    made: list[CallerApp] = []
    monkeypatch.setenv("TEXTUAL_DRIVER", "textual.drivers.web_driver:WebDriver")
    monkeypatch.setattr(opening, "PAUSE", 0.0)
    monkeypatch.setattr(CallerApp, "run", lambda app: made.append(app))
    return made


def test_a_tab_goes_on_with_the_unfinished_game(tab: list[CallerApp]) -> None:
    config = settings.load({"reader": "none"})
    with Store(config.games) as store:
        Session.begin(store, SETUP).close()
    opening.play(PlayOptions(), config)
    (app,) = tab
    assert app.session is not None
    assert app.session.setup.players == SETUP.players
    app.session.close()


async def test_a_second_tab_is_told_that_the_game_is_open_elsewhere(tab: list[CallerApp]) -> None:
    config = settings.load({"reader": "none"})
    with Store(config.games) as store:
        session = Session.begin(store, SETUP)
        opening.play(PlayOptions(), config)
        (app,) = tab
        async with app.run_test(size=(120, 40)) as pilot:
            await pilot.pause(0.1)
            assert "is open in another caller" in screen_text(app)
        session.close()
