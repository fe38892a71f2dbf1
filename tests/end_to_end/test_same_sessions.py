"""The same session on the full screen and in lines is the same conversation.

Both faces get the same input: rows by number, typed lines, taps, private choices and back. The
conversation's questions and sentences must be the same, in order.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any

import pytest

from companion.extending import list_words
from companion.game import CurrentQuestion
from companion.game.conversation import Conversation
from companion.game.keypad import is_keypad
from companion.game.modes import MODES
from companion.game.session import Session
from companion.log.store import Store
from companion.plain.caller import Caller
from companion.readers.table_reader import TableReader
from companion.settings import config as settings
from companion.terminal.inbox import Inbox
from companion.voice.script import Utterance
from companion.voice.table_voice import Voice
from engine.record import Setup
from tests.app.driving import Driver, start_table

pytestmark = pytest.mark.outer

PLAYERS = ("Anna", "Kurt", "Ashley", "Ben")

Step = tuple[str, str]  # the action and its argument
Heard = list[object]

ROUND = "row Thief; row Bishop; row Everybody; row Kurt"
SESSIONS = {
    "numbers, forced steps and undo": f"""
        {ROUND}; row Take 2; row Murder; row King; row Tavern; line undo; line redo;
        row Kurt; row Nobody; line undo; line undo; line why""",
    "typed words": """
        line faceup bishop thief; line call; line kurt; line g; line kill king;
        line b cathedral; line b tvern; line build tavern; line history; line status;
        line card keep; line nonsense; line nobody; line round""",
    "taps": """
        tap thief; tap bishop; tap crown; tap Kurt; tap gold; tap king; tap tavern; tap undo;
        tap tavern; tap castle; tap Anna""",
    "rows that cannot be taken": f"""
        {ROUND}; row Take 2; row Palace; row Murder; back; row Manor; row Murder; row Magician;
        row Kurt; row Nobody""",
    "a private moment, secretly": f"""
        {ROUND}; row Take 2; row Murder; back; row Murder; row King; row Tavern; row Nobody;
        line undo; line moves; tap king; line undo""",
    "whispered under the hand, secretly": f"""
        {ROUND}; row Murder; tap tavern; tap king; tap gold; tap king; line undo""",
    "income left at the end of a turn": f"""
        {ROUND}; row Take 2; row Murder; row Warlord; row End; row Nobody; row Anna; row Take 2;
        row Manor; row End; back; row End; row Take""",
}
"""The input: `row` picks the row with that prefix by its number, `line` types a line, `tap` taps a
chip. Sessions named “secretly” have secret targets."""


def steps_of(session: str) -> list[Step]:
    steps = (step.split() for step in SESSIONS[session].split(";"))
    return [(what, " ".join(words)) for what, *words in steps]


@pytest.fixture
def hearing(monkeypatch: pytest.MonkeyPatch) -> Heard:
    """Record everything that conversations say, in order, with the test's own notes."""
    heard: Heard = []
    say = Conversation.say

    def noted(self: Conversation, kind: Any, *lines: str, **more: Any) -> None:
        heard.append((kind, lines, more))
        say(self, kind, *lines, **more)

    monkeypatch.setattr(Conversation, "say", noted)
    return heard


def note(hearing: Heard, step: Step, question: CurrentQuestion) -> None:
    rows = [
        (row.number, row.key, row.label, row.why and str(row.why())) for row in question.visible
    ]
    hearing.append((step, question.question, rows, question.typed, question.private))


def number_of(question: CurrentQuestion, label: str) -> str:
    """The number of the row with that prefix."""
    return str(next(row.number for row in question.visible if row.label.startswith(label)))


# -- the full screen ------------------------------------------------------------------------------


@asynccontextmanager
async def on_the_screen(secrecy: str) -> AsyncIterator[Driver]:
    """A new game on the full screen."""
    async with start_table(PLAYERS, crown="Kurt", secrecy=secrecy, reader="simulated") as driver:
        yield driver


async def do_on_screen(driver: Driver, step: Step) -> None:
    """Do a step with digits, the command line of `:`, chips or Esc."""
    what, text = step
    while driver.app.screen is not driver.app.table and not driver.asked.private:
        await driver.keys("escape")  # a sheet with a long answer
    if what == "row":
        await driver.keys(*number_of(driver.asked, text))
        if driver.asked.typed:
            await driver.keys("enter")
    elif what == "line":
        await driver.line(text)
    elif what == "tap":
        await driver.tap(text)
    else:
        await driver.keys("escape")


# -- lines ----------------------------------------------------------------------------------------


@contextmanager
def in_lines(secrecy: str) -> Iterator[Caller]:
    """A new game in the line caller, for people at a terminal."""
    config = settings.load(options={"reader": "simulated", "secrecy": secrecy})
    with Store(config.games) as store:
        setup = Setup("classic_2016", PLAYERS, "Kurt", secrecy=secrecy)
        caller = Caller(Session.begin(store, setup), store, config, Inbox())
        caller.talk = Conversation(
            caller.session, caller, MODES, keys_of=config.keys, list_more=list_words
        )
        caller.reader = TableReader.open(config, setup.ruleset(), on_event=caller.inbox.put)
        assert caller.reader is not None
        try:
            yield caller
        finally:
            caller.reader.stop()
            caller.voice.close()
            caller.session.close()


def do_in_lines(caller: Caller, step: Step) -> None:
    """Do a step; each is a line."""
    what, text = step
    if what == "row":
        caller.answer(number_of(caller.talk.asked, text))
    elif what == "tap":
        caller.answer(f"tap {text}")
    else:
        caller.answer(text if what == "line" else "back")


KEYS = {"undo": "-", "redo": "--", "why": "*", "moves": "/", "history": "*7", "round": "**"}
"""The keypad's keys for typed words."""


def do_by_keypad(caller: Caller, step: Step) -> None:
    what, text = step
    if what == "row":
        line = number_of(caller.talk.asked, text)
    else:
        line = "." if what == "back" else KEYS[text]
    assert is_keypad(line)
    caller.answer(line)


def is_for_keypad(session: str) -> bool:
    """Whether a keypad has keys for all of it."""
    return all(what in ("row", "back") or text in KEYS for what, text in steps_of(session))


@pytest.mark.parametrize("session", [*filter(is_for_keypad, SESSIONS)])
def test_a_keypad_has_the_same_conversation_as_lines(
    session: str, hearing: Heard, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    secrecy = "secret" if session.endswith("secretly") else "announced"
    conversations = []
    for do in (do_in_lines, do_by_keypad):
        monkeypatch.setenv("COMPANION_DATA", str(home / do.__name__))
        with in_lines(secrecy) as caller:
            hearing.clear()
            for step in steps_of(session):
                do(caller, step)
                note(hearing, step, caller.talk.asked)
            conversations.append((list(hearing), caller.session.record().data()))
    assert conversations[0] == conversations[1]


def test_a_list_of_numbers_that_do_not_change_is_not_read_unasked(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with in_lines("announced") as caller:
        for line in ("faceup bishop merchant", "call", "reveal Anna"):
            caller.answer(line)
        capsys.readouterr()
        caller.answer("7")
    assert capsys.readouterr().out.splitlines() == ["Anna. Who do you murder?"]


@pytest.mark.parametrize("session", SESSIONS)
async def test_both_faces_have_the_same_conversation(
    session: str, hearing: Heard, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also what the table hears of it. (A tap at the screen is answered aloud, too; in lines the
    answer is a line.)"""
    spoken: list[str] = []

    def speak(_voice: Voice, answer: Iterable[Utterance], **_more: object) -> None:
        spoken.extend(one.text for one in answer)

    monkeypatch.setattr(Voice, "on", True)
    monkeypatch.setattr(Voice, "_put", speak)
    steps = steps_of(session)
    secrecy = "secret" if session.endswith("secretly") else "announced"
    async with on_the_screen(secrecy) as driver:
        hearing.clear()
        for step in steps:
            await do_on_screen(driver, step)
            note(hearing, step, driver.asked)
        sightings, record = list(hearing), driver.session.record().data()
        on_screen_aloud = [*spoken]
    spoken.clear()
    monkeypatch.setenv("COMPANION_DATA", str(home / "lines"))
    with in_lines(secrecy) as caller:
        caller.session.attend(caller.voice)
        hearing.clear()
        for step in steps:
            do_in_lines(caller, step)
            note(hearing, step, caller.talk.asked)
        assert caller.session.record().data() == record
    for on_screen, in_line in zip(sightings, hearing, strict=False):
        assert on_screen == in_line
    assert len(sightings) == len(hearing)
    if not any(what == "tap" for what, _text in steps):
        assert spoken == on_screen_aloud
