"""The voice in the full screen: table and private output, keys, and the end."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.voice import backends, table_voice
from engine.cards import characters
from tests.app.driving import Driver, start_table
from tests.voice import recording
from tests.voice.speaking import add_speaker, is_alive
from tests.waiting import wait_until

pytestmark = pytest.mark.outer

START = ["faceup bishop merchant", "call"]


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder where both outputs are recorded."""
    monkeypatch.setattr(table_voice, "Channel", recording.RecordingChannel)
    monkeypatch.setattr(backends, "_is_installed", lambda name: True)
    for name, value in {recording.FOLDER: str(tmp_path), **recording.OUTPUTS}.items():
        monkeypatch.setenv(name, value)
    return tmp_path


def messages(folder: Path, who: str) -> list[str]:
    """The words that this audience has heard so far."""
    path = folder / f"{who}.txt"
    lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    return [line.split(" ", 2)[2] for line in lines]


async def hears(table: Driver, folder: Path, who: str, words: str) -> None:
    await table.wait_until(lambda: words in messages(folder, who), f"hearing {words!r}", rest=False)


async def _private_choice(folder: Path, victim: str) -> tuple[list[str], list[str]]:
    """What table and ear hear of a game in which the Assassin names that victim on the screen."""
    with pytest.MonkeyPatch.context() as settings:
        settings.setenv(recording.FOLDER, str(folder / victim))
        async with start_table(secrecy="secret", moves=[*START, "reveal Anna"]) as table:
            await table.keys("m", "enter", str(characters()[victim].rank), "g", "9")
    return messages(folder / victim, "table"), messages(folder / victim, "ear")


async def test_a_private_choice_is_heard_by_one_ear_alone(folder: Path) -> None:
    table, ear = await _private_choice(folder, "king")
    other, other_ear = await _private_choice(folder, "warlord")
    assert table == other
    assert table[-1] == "Rank 2. Who is the Thief?"
    assert not any("King" in words or "Warlord" in words for words in table)
    assert ear[0] == "Anna is choosing in private; everyone else, please don't look or listen."
    assert ear[:-1] == other_ear[:-1]
    assert (ear[-1], other_ear[-1]) == ("Chosen: King.", "Chosen: Warlord.")


async def test_the_keys_of_the_voice(folder: Path) -> None:
    async with start_table() as table:
        await table.keys(">", "<", "ctrl+r", "f7")
        assert "The voice is off." not in table.text()  # the ear still has one
        assert not table.app.voice.speaks_to_table
        await table.keys("f7")
        assert table.app.voice.speaks_to_table
        assert "The voice is on." in table.text()
    answer = messages(folder, "table")
    assert answer[1:3] == ["Speed 120 percent.", "Speed 100 percent."]
    assert answer[0] == answer[3] == answer[4]


async def test_any_key_silences_and_nothing_outlives_the_caller(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.undo()
    monkeypatch.setenv("COMPANION_VOICE_TABLE", "espeak-ng")
    pids = add_speaker(tmp_path, monkeypatch, "exec sleep 600")
    monkeypatch.setenv("COMPANION_DATA", str(tmp_path))
    async with start_table(moves=START) as table:
        await table.wait_until(
            lambda: pids.exists() and pids.read_text().endswith("\n"), "speaking", rest=False
        )
        first = int(pids.read_text().split()[0])
        await table.keys("h")
        wait_until(lambda: not is_alive(first))
        await table.keys("escape", "n")
        await table.wait_until(lambda: len(pids.read_text().split()) > 1, "speaking", rest=False)
        last = int(pids.read_text().split()[-1])
    wait_until(lambda: not is_alive(last))


async def test_a_reference_card_is_read_entry_by_entry(folder: Path) -> None:
    moves = ["faceup bishop merchant"]  # before that, the card offers whom to discard
    async with start_table(moves=moves, reader="simulated") as table:
        await table.tap("reference 4")
        await hears(table, folder, "ear", "1: Assassin: rank 1.")
        await table.tap("reference 4")
        await hears(table, folder, "ear", "2: Thief: rank 2.")
    assert messages(folder, "ear")[0] == "Reference card 4: 8 characters."
    assert not any("Thief" in words for words in messages(folder, "table"))


async def test_why_a_tapped_card_cannot_be_played_is_said(folder: Path) -> None:
    async with start_table(moves=[*START, "reveal Anna"], reader="simulated") as table:
        await table.tap("palace")
        await hears(table, folder, "table", "Anna must take gold or cards first.")
