"""An evening in each engine: from the lobby to the next game nobody loads a page by hand, and what
a page itself answers is touched."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from functools import partial
from itertools import chain
from pathlib import Path

import pytest

from tests.end_to_end.test_evening import LIGHT, NAMES, Computer
from tests.serving.engines import ENGINES, STILL, Chromium, Engine, Tab
from tests.serving.visiting import Visitor

pytestmark = [pytest.mark.outer, pytest.mark.timeout(600)]

ALL = ("Chromium", *ENGINES)


@pytest.fixture(params=[pytest.param(one, marks=pytest.mark.needs(one)) for one in ALL])
def engine(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Engine]:
    """Each engine that is installed."""
    with ExitStack() as stack:
        if request.param == "Chromium":
            yield Chromium(request.getfixturevalue("browser"), stack, tmp_path)
        else:
            yield ENGINES[request.param](stack, tmp_path)


@pytest.fixture
def evening(engine: Engine, home: Path) -> Iterator[Evening]:
    evening = Evening(engine)
    yield evening
    assert evening.computer.end() == 0
    assert "crash" not in evening.computer.complaints
    assert [phone.faults() for phone in evening.phones] == ["", "", ""]


LOST_TARGETS = """() => [
  ...document.querySelectorAll("[popovertarget], [data-read], label[for], a[href^='#']"),
].map((one) =>
  one.getAttribute("popovertarget") || one.dataset.read || one.htmlFor || one.hash.slice(1)
).filter((id) => !document.getElementById(id)).join()"""
"""The targets named on a page that are not there."""
COVERED = """(wanted) => {
  const isCovered = document.getElementById("cover").matches(":popover-open");
  return isCovered === wanted && document.querySelector("main").inert === wanted;
}"""
FOLDS = """() => [...document.querySelectorAll("main details:not([data-hold]) > summary")]
  .filter((one) => one.checkVisibility()).map((one) => one.textContent.trim())"""
IS_OPEN = """(text, wanted) => [...document.querySelectorAll("main summary")].some((one) =>
  one.textContent.trim() === text && one.parentNode.open === wanted)"""
HOLD = "(at) => document.querySelectorAll('[data-hold] > summary')[at]"
HELD = "(wanted) => wanted === !!document.querySelector('[data-hold][open]')"
ONE = "(css) => document.querySelector(css)"
TEXT = "(css, text) => document.querySelector(css)?.textContent.trim().replace('▶ ', '') === text"
LOOK = "footer a[href^='/look']"
LACKS = "(css) => !document.querySelector(css)"
HAS = "(css, text) => document.querySelector(css).textContent.includes(text)"
CHOSEN = "(count) => document.querySelectorAll('.taking .done').length === count"
AT = "(path) => location.pathname === path"
MOVE = """(move) => fetch("/api/moves", {
  method: "POST",
  headers: { "Content-Type": "application/json" },
  body: JSON.stringify({ move }),
}).then((answer) => answer.status)"""
ONE_TEXT = "(css) => document.querySelector(css).textContent.trim()"
OTHER = "(text) => document.querySelector('#question').textContent.trim() !== text"
GOES_ON = """() => {
  if (document.querySelector("#scores")) return "no";
  return document.querySelector("#go-on") && "yes";
}"""


def touch_every_control(*phones: Tab) -> None:
    """Touch what the page itself answers: the cover, the folds, what is seen while it is held."""
    for phone in phones:
        phone.wait(STILL)
        assert phone.run(LOST_TARGETS) == ""
        if hide := phone.run(ONE, "#bar button[popovertarget]"):
            phone.press(hide)
            phone.wait(COVERED, True)
            phone.press(phone.run(ONE, "#cover button"))
            phone.wait(COVERED, False)
        for fold in phone.run(FOLDS):
            was_open = phone.run(IS_OPEN, fold, True)
            for wanted in (not was_open, was_open):
                phone.touch(fold)
                phone.wait(IS_OPEN, fold, wanted)
        number = 0
        while summary := phone.run(HOLD, number):
            phone.hold(summary, partial(phone.wait, HELD, True))
            phone.wait(HELD, False)
            number += 1


class Evening:
    """Anna and Kurt at phones of the engine, Ashley and Ben at others, and a television."""

    def __init__(self, engine: Engine) -> None:
        self.computer = computer = Computer()
        self.phones = anna, kurt, television = [engine.open() for _ in range(3)]
        self.others = [Visitor(computer.url) for _ in NAMES[2:]]
        for phone, name in zip((anna, kurt), NAMES, strict=False):
            phone.go(f"{computer.url}#{computer.code}")
            phone.type(phone.wait(ONE, "#name"), name)
            phone.touch("Take a chair")
            phone.wait(AT, "/seat")
        for other, name in zip(self.others, NAMES[2:], strict=True):
            other.join(computer.code, name)
        television.go(f"{computer.url}table#{computer.code}")

    def move(self, move: str) -> None:
        """Make a move as a program would, on the phone that may."""
        others = (other.call("/api/moves", move=move)[0] for other in self.others)
        phones = (phone.run(MOVE, move) for phone in self.phones[:2])
        assert any(status == 200 for status in chain(others, phones)), move


def test_an_evening_from_the_lobby_to_the_next_game(evening: Evening) -> None:
    anna, kurt, television = evening.phones

    for phone in (anna, kurt):
        phone.shows("4 of 4 phones")
    touch_every_control(anna, kurt)
    anna.touch("First crown")
    anna.touch("Anna")
    kurt.shows("First crown: Anna.")
    anna.touch("Start the game")

    anna.wait(TEXT, "#question", "Discard 2 characters face up.")
    for phone in (kurt, television):
        phone.wait(TEXT, "#question", "Anna. Discard 2 characters face up.")
    touch_every_control(anna, kurt)
    anna.touch("Magician")
    anna.touch("Architect")
    for phone in (anna, kurt):
        phone.wait(TEXT, "#question", "Which card did you take?")
    # a touch just when another phone's move arrives is ignored, hence these waits
    kurt.touch("King")
    anna.wait(CHOSEN, 1)
    anna.touch("Assassin")
    kurt.wait(CHOSEN, 2)
    evening.move("choose Ashley thief")
    evening.move("choose Ben merchant")
    anna.wait(CHOSEN, 4)
    anna.touch("Everybody has chosen")
    anna.touch("Show yourself")
    kurt.wait(TEXT, "#question", "Anna. Gold or cards?")
    touch_every_control(anna, kurt)
    anna.touch("Murder")
    anna.touch("Merchant")
    kurt.wait(TEXT, "#told-lines p:last-child", "Murder Anna murders the Merchant.")
    anna.touch("Take 2 gold")
    anna.type(anna.wait(ONE, "#search-player"), "tav")
    anna.wait(ONE, "#build-player-noble .rows > div[hidden]")
    anna.touch("Tavern")
    for phone in (anna, kurt, television):
        phone.wait(TEXT, "#question", "Rank 2. Who is the Thief?")
    anna.touch("Undo")
    kurt.wait(HAS, "#news", "The last move was undone.")
    touch_every_control(anna, kurt)

    kurt.press(kurt.wait(ONE, LOOK))
    kurt.press(kurt.wait(ONE, "input[value=de]"))
    kurt.touch("Save")
    kurt.wait(TEXT, "#question", "Anna. Bauen oder beenden?")
    touch_every_control(kurt)
    kurt.press(kurt.wait(ONE, LOOK))
    kurt.press(kurt.wait(ONE, "input[value=en]"))
    kurt.touch("Speichern")
    kurt.wait(TEXT, "#question", "Anna. Build or end?")

    anna.touch("Set up another game")
    anna.wait(TEXT, "#question", "You set up the game")
    kurt.wait(TEXT, "#question", "Anna sets up the game")
    touch_every_control(anna, kurt)
    anna.touch("More: cards and house rules")
    anna.touch("What does the companion keep track of?")
    kurt.shows("gold only")
    anna.touch("First crown")
    anna.touch("Kurt")
    kurt.shows("First crown: Kurt.")
    anna.touch("Start the game")
    kurt.wait(TEXT, "#question", "Discard 2 characters face up.")
    for phone in (anna, television):
        phone.wait(TEXT, "#question", "Kurt. Discard 2 characters face up.")
    for move in LIGHT.moves:
        evening.move(move)
    while anna.wait(GOES_ON) == "yes":  # the King of the last round has the crown
        title = anna.run(ONE_TEXT, "#question")
        for phone in (kurt, television):
            phone.wait(TEXT, "#question", title)
        anna.touch("Continue")
        anna.wait(OTHER, title)
    for phone in (anna, kurt, television):
        phone.wait(ONE, "#scores")
    touch_every_control(anna, kurt)
    anna.touch("The game round by round")
    anna.wait(AT, "/recap")
    anna.back()
    anna.wait(ONE, "#scores")

    anna.touch("Play again with the same names")
    anna.touch("Yes, begin the next game")
    for phone in (anna, kurt, television):
        phone.wait(LACKS, "#scores")
        phone.shows("Round 1")
    touch_every_control(anna, kurt)
    kurt.touch("Free the seat")  # the first one is Anna's
    anna.touch("Take Anna's seat")
    anna.touch("Take my seat")
    anna.wait(AT, "/seat")
    touch_every_control(anna)
