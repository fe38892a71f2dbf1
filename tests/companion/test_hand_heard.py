"""A told hand is heard by one person's ear at a key, a touch or a word; everybody else notices
nothing of what was told."""

from __future__ import annotations

from typing import Any

import pytest

from companion import language
from companion.chips.entries import ActionChip, DistrictChip
from companion.game.conversation import Conversation
from companion.game.hand_telling import Telling
from companion.game.modes import MODES
from companion.language import card, list_offered
from tests.companion.talking import Begin, Notebook, Talk

CALLED = "faceup bishop merchant; call; reveal Kurt; gold"


class Ear:
    """A voice with a private output, which records what it says there."""

    def __init__(self) -> None:
        self.heard: list[str] = []

    def speak_privately(self, *texts: str) -> bool:
        self.heard += texts
        return True

    def __getattr__(self, _name: str) -> Any:
        return lambda *_words, **_more: False


def listen(talk: Talk) -> Ear:
    """Give the conversation an ear."""
    talk.face.voice = ear = Ear()
    return ear


def tell(talk: Talk, *districts: str, seat: int = 1) -> None:
    for district in districts:
        talk.session.tell_hand(seat, "add", district)


WAYS = {
    "a word": lambda talk: talk.line("mine"),
    "a word and a name": lambda talk: talk.line("mine kurt"),
    "keys": lambda talk: talk.line("*."),
    "keys and a seat": lambda talk: talk.line("*,2"),
    "a touch": lambda talk: talk.conversation.tap(ActionChip("mine")),
    "a touch at the seat's own reader": lambda talk: talk.conversation.tap(
        ActionChip("mine"), seat=1
    ),
}


@pytest.mark.parametrize("way", WAYS)
def test_a_hand_is_heard_with_the_numbers_that_build_it(begin: Begin, way: str) -> None:
    talk = begin(CALLED)
    tell(talk, "palace", "tavern")
    ear = listen(talk)
    WAYS[way](talk)
    assert ear.heard == [
        *("Your hand: 4 cards.", "31: Tavern, 1.", "13: Palace, 5.", "2 are not listed."),
    ]
    tell(talk, "castle", "temple")
    WAYS[way](talk)
    assert ear.heard[-1] == "All of them are listed."
    talk.line("31")
    assert talk.moves()[-1] == "build tavern"


@pytest.mark.parametrize("code", list_offered())
def test_it_is_heard_in_every_language(begin: Begin, code: str) -> None:
    language.use(code)
    talk = begin(CALLED)
    tell(talk, "tavern")
    ear = listen(talk)
    talk.line("*.")
    assert f"{card('tavern')}, 1" in ear.heard[1]
    assert "4" in ear.heard[0]
    assert "3" in ear.heard[2]


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("has_ear", [True, False])
def test_what_everybody_hears_does_not_depend_on_what_was_told(
    begin: Begin, way: str, has_ear: bool
) -> None:
    public = []
    for hand in ((), ("tavern",), ("palace", "keep", "temple")):
        talk = begin(CALLED)
        tell(talk, *hand)
        if has_ear:
            listen(talk)
        talk.face.messages.clear()
        WAYS[way](talk)
        question = talk.conversation.asked
        public.append(
            (talk.face.messages[:], question.question, [row.label for row in question.offer.rows])
        )
        assert "Tavern" not in " ".join(talk.lines())
        talk.close()
    assert public[0] == public[1] == public[2]
    assert [message.kind for message in public[0][0]] == ["note" if has_ear else "refused"]


def test_the_list_at_hand_stays_open(begin: Begin) -> None:
    talk = begin(CALLED)
    listen(talk)
    talk.line("7")
    talk.line("*.")
    talk.line("4")
    assert talk.moves()[-1] == "kill king"


def test_a_seat_without_a_player_has_no_hand(begin: Begin) -> None:
    talk = begin(CALLED)
    ear = listen(talk)
    assert talk.line("*.7") != []
    assert talk.face.messages[-1].kind == "refused"
    assert ear.heard == []


def test_a_players_own_conversation_reads_it_there(begin: Begin) -> None:
    talk = begin(CALLED)
    tell(talk, "tavern")
    face = Notebook()
    Conversation(talk.session, face, MODES, seat=1).line("mine")
    (message,) = face.messages
    assert "Tavern, 1." in message.lines
    assert message.private


def test_a_card_too_many_is_refused_and_not_said_to_be_in_the_hand(begin: Begin) -> None:
    talk = begin(CALLED)
    tell(talk, "tavern", "palace", "keep", "temple")
    face = Notebook()
    Telling(Conversation(talk.session, face, MODES, seat=1)).add("castle")
    assert [message.kind for message in face.messages] == ["refused"]


@pytest.mark.parametrize("is_adding", [True, False])
def test_a_card_at_one_s_own_reader_is_built_unless_cards_are_being_added(
    begin: Begin, is_adding: bool
) -> None:
    talk = begin(CALLED)
    tell(talk, "tavern", "palace", "keep", "temple")
    if is_adding:
        talk.session.notebook.adding.add(1)
    talk.conversation.tap(DistrictChip("tavern"), seat=1)
    assert (talk.moves()[-1] == "build tavern") is not is_adding
