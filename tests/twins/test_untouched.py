"""The shoulder rule: a page that nobody has touched looks the same, to the pixel, in two games that
differ in a secret, on every phone, the owner's and the victim's included."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import Browser

from companion.phones import page, staging
from tests.sizes import pick_size
from tests.twins.doors import find_difference, pictures
from tests.twins.pairs import TWINS, Twins
from tests.twins.recorded import HANDS, LIARS

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = [pytest.mark.outer, pytest.mark.needs("Chromium")]

UNTOUCHED: dict[str, Twins] = {
    "chosen": TWINS["choose, in secret games"],
    "murdered": Twins(
        "faceup bishop magician; choose Ashley merchant; choose Ben thief; call; reveal Anna",
        ("kill merchant", "kill architect"),
        "gold; end; reveal Ben; gold; rob king; end; nobody",
    ),
    "noted and murdered, or noted another": TWINS["held by somebody, or by nobody, killed"],
    "robbed": Twins(
        "faceup bishop magician; choose Ben merchant; call; nobody; reveal Kurt; gold",
        ("rob merchant", "rob warlord"),
        "build watchtower; end; nobody; nobody; nobody",
    ),
    "bewitched": TWINS["held by somebody, or by nobody, bewitched"],
    "threatened": LIARS["blackmailed, recorded twice or once"],
    "a real threat": TWINS["real"],
    "warranted": TWINS["signed"],
    "a told hand": Twins(
        "faceup bishop merchant; call; reveal Anna",
        (
            "hand Anna add tavern; hand Anna add castle",
            "hand Anna add palace; hand Anna add tavern",
        ),
        "gold; build tavern; end; reveal Kurt; gold; build temple; end",
    ),
    "a swapped hand": Twins(
        HANDS["a swapped hand, told in truth or not"].before,
        HANDS["a swapped hand, told in truth or not"].secrets,
        "reveal Ben; gold; swap Kurt; build tavern; end; reveal Kurt; gold",
    ),
}
"""A pair for each kind of secret. `nobody` is a murdered, robbed or liar's own rank, too."""


@pytest.mark.sweep
@pytest.mark.parametrize("name", [*UNTOUCHED][:: pick_size(3, 1, 1)])
def test_an_untouched_page_shows_no_secret(browser: Browser, tmp_path: Path, name: str) -> None:
    look = partial(pictures.look, browser)
    assert find_difference(look, UNTOUCHED[name], tmp_path, pictures.is_called) is None


def _tell_the_victim(find: Any) -> Any:
    def leaks(session: Any, seat: int | None) -> Any:
        news = None if seat is None else staging.find_news(session, seat)
        return news or find(session, seat)

    return leaks


def _list_held_first(draw: Any) -> Any:
    def leaks(*words: Any) -> Any:
        choices = draw(*words)
        rows = sorted(choices.rows, key=lambda row: row not in choices.held)
        return choices._replace(rows=tuple(rows))

    return leaks


def _tell_what_is_private(tell: Any) -> Any:
    return lambda session, _viewer: tell(session, 1)


LEAKS = {
    "noted and murdered, or noted another": (staging, "find_stage", _tell_the_victim),
    "a told hand": (staging, "draw", _list_held_first),
    "chosen": (page, "_tell_latest", _tell_what_is_private),
}
"""Pairs with a function, and what it shows when it is planted."""


@pytest.mark.sweep
@pytest.mark.parametrize("name", [*LEAKS][:: pick_size(3, 1, 1)])
def test_what_is_planted_on_an_untouched_page_is_found(
    browser: Browser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    owner, function, make = LEAKS[name]
    monkeypatch.setattr(owner, function, make(getattr(owner, function)))
    look = partial(pictures.look, browser)
    assert find_difference(look, UNTOUCHED[name], tmp_path, pictures.is_called) is not None


def test_a_called_page_fills_only_for_who_is_not_murdered(browser: Browser, tmp_path: Path) -> None:
    twins = UNTOUCHED["noted and murdered, or noted another"]
    filled = [
        [place for place, (_what, view) in enumerate(shown) if view == pictures.CALLED]
        for shown in (
            list(pictures.look(browser, twins, which, _make(tmp_path, which))) for which in (0, 1)
        )
    ]
    assert filled[0] == []  # the King was murdered
    assert filled[1] != []  # the Warlord was not


def _make(folder: Path, which: int) -> Path:
    own = folder / str(which)
    own.mkdir()
    return own
