"""Two faces against each other: whatever is open here, and whatever a phone plays meanwhile,
nothing drawn, said or played depends on what was typed in private."""

from __future__ import annotations

import random
from pathlib import Path
from typing import NamedTuple

import pytest

from companion.chips.entries import CharacterChip
from companion.game.conversation import Conversation
from companion.terminal.keyboard import Editing
from engine.record import Setup
from tests.companion.talking import FOUR, Talk

SETUP = Setup("classic_2016", FOUR, "Anna", options={"secrecy": "secret"})
OPENINGS = (
    "faceup bishop merchant",
    "faceup bishop merchant; call; reveal Anna; gold",
    "faceup bishop merchant; call; nobody; reveal Kurt",
)
OPENERS = ("choose", "choose Kurt", "kill", "look", "reference 1", "gold", "")
PHONES = (
    "call",
    "call",
    "undo",
    "undo",
    "redo",
    "nobody",
    "end",
    "gold",
    "cards",
    "choose Ben king",
)
TYPED = ("1", "2", "4", "king", "nobody", "assassin", "gold", "u", ".", "e", "Ben")
HOW = ("line", "half", "key", "row", "tap")


def play_beside(talk: Talk, word: str) -> None:
    """What a phone does: on a conversation of its own."""
    phone = Conversation(talk.session, type(talk.face)(), talk.conversation.modes)
    before = talk.session.version
    phone.line(word)
    if talk.session.version != before:
        talk.conversation.asked  # noqa: B018 - as the face that paints


class Met(NamedTuple):
    """What came of it: whether what was asked was private, and has gone; and what was drawn, said
    and played."""

    was_private: bool
    is_gone: bool
    drawn: str
    said: list[object]
    moves: list[str]


def meet(folder: Path, seed: int, which: int) -> Met:
    """Let two faces meet; of two texts, rows or cards, `which` is put in here."""
    folder.mkdir()
    chance = random.Random(seed)
    opening, opener, phone = (chance.choice(each) for each in (OPENINGS, OPENERS, PHONES))
    how, typed = chance.choice(HOW), chance.sample(TYPED, 2)
    place, character = chance.randrange(4), chance.sample(("king", "thief", "bishop"), 2)
    talk = Talk(folder, SETUP, opening)
    conversation = talk.conversation
    drawn: list[str] = []
    try:
        if opener:
            conversation.line(opener)
        if conversation.chooser == "":
            conversation.press("2")
        begun = conversation.identity
        was_private = conversation.asked.private
        rows = conversation.asked.visible
        editing = Editing(drawn.append, conversation.may_show, lambda: conversation.identity)
        text = typed[which]
        half = text if how == "line" else text[: (len(text) + 1) // 2]
        for key in half:
            editing.press(key)
        talk.face.messages.clear()
        with editing.step_aside():
            play_beside(talk, phone)
        is_gone = conversation.identity != begun
        if how in ("line", "half"):
            for key in text[len(half) :]:
                editing.press(key)
            line = editing.press("\r")
            assert line is not None
            conversation.line(line, begun=begun)
        elif how == "key":
            conversation.press(text[0], begun=begun)
        elif how == "row" and rows:
            conversation.take(rows[(place + which) % len(rows)], begun=begun)
        else:
            conversation.tap(CharacterChip(character[which]), b"1", begun=begun)
        said: list[object] = [(message.kind, message.lines) for message in talk.face.messages]
        return Met(was_private, is_gone, "".join(drawn), said, talk.moves())
    finally:
        talk.close()


@pytest.mark.parametrize("part", range(2))
def test_nothing_depends_on_what_was_typed_in_private(tmp_path: Path, part: int) -> None:
    gone = 0
    for seed in range(part * 100, part * 100 + 100):
        one, other = (meet(tmp_path / f"{seed}-{which}", seed, which) for which in (0, 1))
        if one.was_private:
            assert one.drawn == other.drawn, seed
        if one.was_private and one.is_gone and other.is_gone:
            assert (one.said, one.moves) == (other.said, other.moves), seed
            gone += 1
    assert gone > 5
