"""In the set-up, too, input belongs to the question in which it began: once another face has
changed that, it is dropped with one sentence, and the game stays as the other face left it."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from companion.commands.cli import main
from companion.game import Message
from companion.log.store import Store
from companion.settings import config as settings
from companion.setup import PlayOptions
from companion.setup.draft import Draft
from companion.setup.setup_talk import SetUpTalk
from companion.setup.shared import SetUp
from engine.editions import editions
from tests.companion.past_games import begin

NAMES = ("Anna", "Kurt", "Ben")
DROPPED = "Something else is asked now. What you typed was dropped."

Deed = Callable[[SetUpTalk], object]


def row_of(talk: SetUpTalk, label: str) -> int:
    """The index of the row whose label begins so."""
    return next(at for at, row in enumerate(talk.offer.rows) if row.label.startswith(label))


def take(*labels: str) -> Deed:
    """Take these rows, one after the other."""

    def do(talk: SetUpTalk) -> None:
        for label in labels:
            talk.take(talk.offer.rows[row_of(talk, label)])

    return do


class Faces:
    """Two faces of one set-up, and what the first one has been told."""

    def __init__(self) -> None:
        draft = Draft.of(PlayOptions(players=NAMES), settings.load(), None)
        draft.more = True
        self.set_up = SetUp(draft, lambda _draft: None)
        self.told: list[Message] = []
        self.here = SetUpTalk(self.set_up, self.told.append)
        self.there = SetUpTalk(self.set_up, lambda _message: None)

    def tell(self) -> tuple[object, ...]:
        """What the game would be."""
        draft = self.set_up.draft
        return (*draft.players, draft.crown, *draft.rows(), draft.name_uniques())


CHANGES: dict[str, tuple[Deed, Deed, str]] = {
    "the seat of somebody who has left": (
        take("Players", "Kurt"),
        take("Players", "Kurt", "Does not play"),
        "Does not play",
    ),
    "the answers of a row": (
        take("How many districts"),
        take("How many districts", "seven"),
        "eight",
    ),
    "the list of what is played": (
        lambda _talk: None,
        take("Box", editions()["deluxe_2016"].title),
        "Players",
    ),
    "the players": (take("Players"), take("Players", "Anna", "One seat down"), "Anna"),
    "the crown": (take("First crown"), take("Players", "Anna", "Does not play"), "Kurt"),
}


@pytest.mark.parametrize("how", ["row", "key", "line", "escape"])
@pytest.mark.parametrize("what", CHANGES)
def test_what_was_put_in_for_a_question_that_has_gone_is_dropped(what: str, how: str) -> None:
    faces = Faces()
    here, (opens, changes, label) = faces.here, CHANGES[what]
    opens(here)
    begun, row = here.identity, here.offer.rows[row_of(here, label)]
    changes(faces.there)
    before, asked = faces.tell(), here.identity
    assert asked != begun
    if how == "row":
        here.take(row, begun=begun)
    elif how == "line":
        here.line(label, begun=begun)
    else:
        here.press(str(row.number) if how == "key" else how, begun=begun)
    assert [message.lines for message in faces.told] == [(DROPPED,)]
    assert (faces.tell(), here.identity) == (before, asked)


@pytest.mark.parametrize("what", CHANGES)
def test_the_same_is_done_while_nobody_else_changes_it(what: str) -> None:
    faces = Faces()
    here, (opens, _changes, label) = faces.here, CHANGES[what]
    opens(here)
    before, begun = (faces.tell(), here.identity), here.identity
    here.press(str(here.offer.rows[row_of(here, label)].number), begun=begun)
    assert not faces.told
    assert (faces.tell(), here.identity) != before


def test_what_is_changed_elsewhere_drops_nothing_here() -> None:
    faces = Faces()
    take("Players", "Kurt", "Another name")(faces.here)
    begun = faces.here.identity
    take("How many districts", "seven")(faces.there)
    faces.there.add("Eva")
    faces.here.line("Curt", begun=begun)
    assert not faces.told
    assert faces.set_up.draft.players == ["Anna", "Curt", "Ben", "Eva"]


@pytest.mark.parametrize("keys", ["*1", "++", "/3", "*/"])
def test_a_keypad_s_keys_that_mean_something_only_in_a_game_are_nobody_s_name(keys: str) -> None:
    faces = Faces()
    here = SetUpTalk(faces.set_up, faces.told.append, steps=True)
    before = faces.tell()
    here.line(keys)
    assert [message.lines for message in faces.told] == [
        (f"{keys} does nothing; *0 explains the keypad.",)
    ]
    assert faces.tell() == before


def test_somebody_known_here_is_seated_as_one_player_of_their_own_name(log: str) -> None:
    begin(log, "Mary Ann", "Kurt", "Ben", "Anna")
    begin(log, "\u0410nna", "Kurt", "Ben", "Eva")
    main(["players", "forget", "Ben"])
    with Store(log) as store:
        draft = Draft.of(PlayOptions(), settings.load(), None)
        talk = SetUpTalk(SetUp(draft, lambda _draft: None, store), lambda _message: None)
    take("Players", "Mary Ann")(talk)
    take("\u0410nna")(talk)
    assert draft.players == ["Mary Ann", "\u0410nna"]
    assert "Somebody" not in talk.set_up.offered


@pytest.mark.parametrize("text", ["", "1"])
def test_without_players_nobody_gets_the_crown(text: str) -> None:
    faces = Faces()
    faces.set_up.draft.players.clear()
    take("First crown")(faces.here)
    faces.here.line(text)
    assert [message.lines for message in faces.told] == [("Type at least two names first.",)]
    assert faces.set_up.draft.crown == ""
