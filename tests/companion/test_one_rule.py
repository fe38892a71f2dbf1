"""One rule for the hand: letters search, numbers keep their meaning, and a key that means nothing
now says why; in random games of every box, played by their keys."""

from __future__ import annotations

import random
import string
from typing import TYPE_CHECKING

import pytest

from companion.language import card
from companion.language.vocabulary import spellings
from companion.settings.keys import ACTIONS
from engine import record
from engine.editions import editions
from engine.record import Setup
from tests.companion.counting_inputs import keys_for
from tests.companion.talking import FOUR, Talk
from tests.engine.boxes import random_setup
from tests.sizes import pick_size

if TYPE_CHECKING:
    from pathlib import Path


GAMES = pick_size(1, 2, 150)
"""Random games of each box."""

PRESSES = pick_size(100, 400, 1000)
"""Rows picked by their keys in each game, if it is not over before."""

KEYS = (*string.ascii_lowercase, *string.digits)
SIGNS = (*string.punctuation, "ж", "é")
TRIED = pick_size(3, 10, len(KEYS))
"""Keys pressed in each state, and beginnings of names where a name is awaited; some signs too."""

TYPED = pick_size(5, 2, 1)
"""Every so many states a letter is also typed as a line."""


class Hand:
    """A hand on the keys of a random game."""

    def __init__(self, talk: Talk, chance: random.Random) -> None:
        self.talk, self.chance = talk, chance
        self.path: list[str] = []
        """The keys pressed since the last move."""

    def go_on(self) -> None:
        """Pick a row by its keys, one of a private choice rarely."""
        rows = [row for row in self.talk.conversation.asked.offer.rows if row.why is None]
        open_rows = [row for row in rows if not row.private]
        if open_rows and self.chance.random() < 0.9:
            rows = open_rows
        before, count = self.note_state(), len(self.talk.moves())
        keys = keys_for(self.talk.offer, self.chance.choice(rows))
        for key in keys:
            assert self.talk.conversation.press(key), key
        assert self.note_state() != before, keys
        if len(self.talk.moves()) > count:
            self.path.clear()
        else:
            self.path += keys

    def try_key(self, key: str) -> None:
        """Press the key: it changes something, says why not, or is an action's; then go back."""
        talk, before, count = self.talk.conversation, self.note_state(), len(self.talk.moves())
        if talk.press(key):
            assert self.note_state() != before, (key, self.path, self.talk.moves()[-3:])
        else:
            assert any(key in keys for keys in ACTIONS.values()), key
        self.go_back(count)

    def type_key(self) -> None:
        """Type a row's letter as a line: it does what the key does."""
        talk, count = self.talk.conversation, len(self.talk.moves())
        keys = [row.key for row in talk.offer.rows if row.key.isalpha()]
        if not keys or talk.chooser is not None or talk.stack:
            return
        key, results = self.chance.choice(keys), []
        for give in (talk.press, talk.line):
            give(key)
            results.append((self.talk.moves()[count:], len(talk.stack), talk.chooser))
            self.go_back(count)
        assert results[0] == results[1], key

    def go_back(self, count: int) -> None:
        """Undo what was done beyond so many moves, and go along the path again."""
        talk = self.talk.conversation
        while talk.chooser is not None or talk.stack or talk.top.typed:
            talk.press("escape")
        while len(self.talk.moves()) > count:
            talk.word("undo")
        for key in self.path:
            talk.press(key)

    def note_state(self) -> tuple[object, ...]:
        """What a key can change."""
        talk, face = self.talk.conversation, self.talk.face
        said = len(face.messages), len(face.asked_to_do)
        return (*said, len(self.talk.moves()), len(talk.stack), talk.top.typed, talk.chooser)


def check_letters(talk: Talk, chance: random.Random) -> None:
    """Where a name is awaited, a letter that begins a district's name is text; others are keys."""
    view = talk.session.view
    count = len(talk.moves())
    names = [spellings(str(card(id_))) for id_ in view.rules.districts]
    beginnings = sorted({spelling[0] for spelt in names for spelling in spelt})
    for letter in chance.sample(beginnings, min(TRIED, len(beginnings))):
        talk.conversation.press(letter.upper() if chance.random() < 0.5 else letter)
        assert talk.conversation.top.letters, letter
        assert not talk.conversation.stack
        talk.conversation.press("escape")
    others = {row.key for row in talk.conversation.offer.rows if row.key.isalpha()}
    assert others.isdisjoint(beginnings)
    assert len(talk.moves()) == count


@pytest.mark.sweep
@pytest.mark.parametrize("edition", editions())
def test_numbers_and_letters_mean_the_same_in_random_games(edition: str, tmp_path: Path) -> None:
    for number in range(GAMES):
        chance = random.Random(f"{edition} {number}")
        folder = tmp_path / str(number)
        folder.mkdir()
        talk = Talk(folder, record.read_setup(random_setup(edition, f"hand {number}")))
        hand = Hand(talk, chance)
        for count in range(PRESSES):
            if talk.session.over:
                break
            conversation = talk.conversation
            if conversation.asked.filters and not conversation.stack:
                check_letters(talk, chance)
            for key in (*chance.sample(KEYS, TRIED), chance.choice(SIGNS)):
                hand.try_key(key)
            if count % TYPED == 0:
                hand.type_key()
            hand.go_on()
        talk.close()


def test_a_typed_letter_is_the_key_unless_it_begins_a_name(tmp_path: Path) -> None:
    talk = Talk(tmp_path, Setup("classic_2016", FOUR, "Kurt"))
    talk.line("faceup bishop merchant")
    talk.line("a")
    talk.line("n")
    assert talk.moves()[-2:] == ["call", "nobody"]
    assert talk.line("b") == ["Ben is the Thief."]
    assert talk.line("x") == ["“x” does nothing now."]
    assert talk.line("e") == ["Ben must take gold or cards first."]
    assert talk.moves()[-1] == "reveal Ben"
    assert talk.line("o") == talk.line("rules")
    assert talk.line("s") == talk.line("scores") == talk.line("score")
    assert talk.line("u") == ["Undone: Ben is the Thief."]
    assert talk.moves()[-1] == "nobody"
    talk.line("r")
    assert talk.moves()[-1] == "reveal Ben"
    talk.close()


def test_a_single_letter_says_why_although_it_begins_a_private_verb(tmp_path: Path) -> None:
    talk = Talk(tmp_path, Setup("classic_2016", FOUR, "Kurt", secrecy="announced"))
    talk.session.play("faceup bishop merchant")
    assert talk.line("k") == ["I didn't understand that, and I won't repeat it."]
    for move in ("call", "nobody", "reveal Ben", "gold"):
        talk.session.play(move)
    talk.session.play("build watchtower")
    assert talk.line("c") == ["Ben has already gathered this turn."]
    talk.close()


def test_an_income_of_nothing_is_explained_and_does_not_hold_the_turn(tmp_path: Path) -> None:
    talk = Talk(tmp_path, Setup("classic_2016", FOUR, "Kurt"))
    for move in ("faceup bishop merchant", "call", "nobody", "nobody", "nobody", "reveal Anna"):
        talk.line(move)
    assert talk.keys("i") == ["No district in this city pays an income now."]
    talk.line("gold")
    talk.line("build temple")  # nothing else can be done: the turn has ended
    assert "end" in talk.moves()
    talk.session.close()
