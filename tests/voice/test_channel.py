"""The queue of an output: order, interruption, dropped utterances, audiences, killed processes."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.settings import config
from companion.voice.channel import Channel, Command, NotForTheTable
from companion.voice.script import Audience, Relevance, Utterance
from companion.voice.table_voice import Voice
from engine.record import Setup
from tests.companion.talking import FOUR, Talk
from tests.voice.speaking import (
    Troubles,
    channel,
    is_alive,
    make_broken,
    read_heard,
    sleeper,
    words,
    writer,
)
from tests.waiting import PATIENCE, wait_until

pytestmark = pytest.mark.outer


@pytest.fixture
def paper(tmp_path: Path) -> Path:
    """The file that the voices write to."""
    return tmp_path / "heard.txt"


@pytest.fixture
def lingering(paper: Path) -> Iterator[Channel]:
    """A channel that says `long` and will not end unless stopped."""
    with_voice = channel(writer(paper), limit=lambda text, speed: 2 * PATIENCE)
    with_voice.say(*words("long"))
    wait_until(lambda: read_heard(paper) == ["long"])
    yield with_voice
    with_voice.close()


def children(of: Channel) -> list[int]:
    """The children of the channel that are alive."""
    child = of._child
    return [child._process.pid] if child is not None and child._process.poll() is None else []


def test_hush_ends_the_child_and_forgets_the_rest(lingering: Channel, paper: Path) -> None:
    lingering.say(*words("never"))
    (pid,) = children(lingering)
    lingering.hush()
    wait_until(lambda: not is_alive(pid))
    lingering.say(*words("again"))
    wait_until(lambda: read_heard(paper) == ["long", "again"])


def test_what_became_pointless_is_dropped(lingering: Channel, paper: Path) -> None:
    lingering.say(*words("Ben takes 2 gold.", stays=Relevance.TURN))
    lingering.say(*words("Ben, do you pay?", stays=Relevance.MOMENT))
    lingering.say(*words("The crown goes to Ben."))
    lingering.drop(Relevance.TURN, Relevance.MOMENT)
    lingering.say(*words("go on", urgent=True))
    wait_until(lambda: read_heard(paper) == ["long", "go on", "The crown goes to Ben."])


@pytest.mark.parametrize("to_one_person", [False, True])
def test_a_card_is_read_to_the_end_although_somebody_plays(
    to_one_person: bool, tmp_path: Path, paper: Path
) -> None:
    setup = Setup("classic_2016", FOUR, FOUR[1])
    talk = Talk(tmp_path, setup, "faceup bishop magician")
    host = Voice(config.load({}).voice._replace(table="none"), print)
    talk.session.attend(host)
    lines = ["long", "The Thief robs.", "Source: rulebook."]
    if to_one_person:
        output = host._ear = channel(writer(paper), audience=Audience.EAR)
        host.speak_privately(*lines)
    else:
        output = host._table = channel(writer(paper))
        host.read(lines)
    wait_until(lambda: read_heard(paper) == ["long"])
    talk.session.play("choose Ben king")
    output.say(Utterance("go on", "en", output.audience, urgent=True))
    wait_until(lambda: read_heard(paper)[:4] == ["long", "go on", *lines[1:]])
    host.close()
    talk.close()


def test_closing_leaves_no_child(lingering: Channel, paper: Path) -> None:
    (pid,) = children(lingering)
    lingering.say(*words("more"))
    lingering.close()
    wait_until(lambda: not is_alive(pid))
    assert read_heard(paper) == ["long"]


def test_closing_during_a_pause_is_at_once(paper: Path) -> None:
    voice = channel(writer(paper))
    voice.say(Utterance("after a pause", "en", pause=600))
    voice.close()
    thread = voice._thread
    assert thread is not None
    thread.join(60)
    assert not thread.is_alive()
    assert read_heard(paper) == []


def test_the_table_takes_nothing_private(paper: Path) -> None:
    secret = Utterance("the King", "en", Audience.EAR)
    table = channel(writer(paper))
    with pytest.raises(NotForTheTable):
        table.say(*words("before"), secret)
    ear = channel(writer(paper), audience=Audience.EAR)
    ear.say(secret)
    wait_until(lambda: read_heard(paper) == ["the King"])
    ear.close()


def test_a_voice_that_hangs_is_killed_and_the_next_one_tried(paper: Path) -> None:
    troubles = Troubles()
    seconds = [2.0] * 3  # for each text of the voice that hangs
    voice = channel(
        *(sleeper(), writer(paper)),
        trouble=troubles,
        limit=lambda text, speed: seconds.pop() if seconds else PATIENCE,
    )
    voice.say(*words("one", "two", "three"))
    wait_until(lambda: read_heard(paper) == ["three"])
    assert troubles == [("sleep did not finish within 2 seconds", "writer")]
    voice.close()


def test_the_last_words_are_said_by_the_next_voice(paper: Path) -> None:
    troubles = Troubles()
    voice = channel(make_broken(), writer(paper), trouble=troubles)
    voice.say(*words("one", "two"))
    wait_until(lambda: read_heard(paper) == ["two"])
    assert troubles == [("sh: no sound here", "writer")]
    voice.close()


def test_where_no_voice_is_left_it_says_so_once_and_is_silent() -> None:
    troubles = Troubles()
    voice = channel(make_broken(), trouble=troubles)
    voice.say(*words("one", "two"))
    wait_until(lambda: troubles)
    voice.say(*words("three", "four", "five"))
    thread = voice._thread
    assert thread is not None
    thread.join(PATIENCE)
    assert [following for _reason, following in troubles] == [None]
    voice.close()


def test_a_program_that_is_not_there_is_a_failure_like_any_other(paper: Path) -> None:
    troubles = Troubles()
    missing = sleeper()._replace(command=lambda answer, manner: Command(("no-such-voice",)))
    voice = channel(missing, writer(paper), trouble=troubles)
    voice.say(*words("one", "two"))
    wait_until(lambda: read_heard(paper) == ["two"])
    assert "no-such-voice" in troubles[0][0]
    voice.close()


def test_what_a_voice_has_started_dies_with_it(tmp_path: Path) -> None:
    number = tmp_path / "pid"
    script = f"sleep 600 & echo $! > {number}; cat > /dev/null; wait"
    command = Command(("sh", "-c", script))
    voice = channel(sleeper()._replace(command=lambda answer, manner: command))
    voice.say(*words("something"))
    wait_until(lambda: number.exists() and number.read_text().strip())
    pid = int(number.read_text())
    assert is_alive(pid)
    voice.hush()
    wait_until(lambda: not is_alive(pid))
    voice.close()
