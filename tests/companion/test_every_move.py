"""Every move of every character and district can be made with a few numbers: typed, keyed or
tapped."""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from companion.chips.entries import ActionChip
from companion.game.asking import select_offered
from companion.game.session import Session
from companion.log.store import Store
from companion.plain.caller import Caller
from companion.plain.devices import hand_over_tap
from companion.readers.table_reader import TableReader
from companion.settings import config as settings
from companion.terminal.inbox import Inbox
from engine import casts, record
from engine.editions import editions
from engine.moves import Move
from tags.watch import Tap
from tests.companion.numbering import numbers_to
from tests.sizes import pick_in_turn, pick_size

pytestmark = [pytest.mark.outer, pytest.mark.sweep]

NAMES = ["Anna", "Kurt", "Ashley", "Ben", "Zoe", "Max", "Li"]
OF_A_VERB = pick_size(2, 3, 6)  # moves of one verb that are tried at one moment


@contextmanager
def at_the_table(head: dict[str, Any]) -> Iterator[Caller]:
    """A line caller with the chips of the simulated deck, called directly."""
    config = settings.load(options={"reader": "simulated", "plain": True})
    with Store(config.games) as store:
        session = Session.begin(store, record.read_setup(head))
        caller = Caller(session, store, config, Inbox())
        caller.reader = TableReader.open(config, session.setup.ruleset(), on_event=print)
        try:
            yield caller
        finally:
            session.close()


def tap(caller: Caller, word: str) -> None:
    """Tap a chip of the deck."""
    assert caller.reader is not None
    assert caller.reader.deck is not None
    uid = caller.reader.deck.find_entry(ActionChip(word))
    assert uid is not None, word
    hand_over_tap(caller, Tap(uid))


def tap_number(caller: Caller, number: int) -> None:
    """Tap the digits of a number, and `enter` if more could follow."""
    for digit in str(number):
        tap(caller, digit)
    if caller.talk.top.digits:
        tap(caller, "enter")


def some(moves: list[Move], chance: random.Random) -> list[Move]:
    """A few moves of each verb."""
    by_verb: dict[str, list[Move]] = {}
    for move in chance.sample(moves, len(moves)):
        by_verb.setdefault(move.verb, []).append(move)
    return [move for of_verb in by_verb.values() for move in of_verb[:OF_A_VERB]]


@pytest.mark.parametrize(
    ("edition", "players", "seed"),
    [
        ("classic_2016", 4, 1),
        ("millennium_3e", 6, 2),
        ("ffg_2005", 5, 3),
        ("deluxe_2016", 7, 4),
        ("deluxe_2016", 3, 5),
        ("classic_2016", 2, 6),
        ("hobby_world_2022", 4, 7),  # keeps no cities
    ],
)
def test_every_legal_move_is_tapped_by_numbers_alone(edition: str, players: int, seed: int) -> None:
    for secrecy in pick_in_turn(seed, ("announced", "secret")):
        tap_every_move(edition, players, seed, secrecy)


def tap_every_move(edition: str, players: int, seed: int, secrecy: str) -> None:
    """Tap a few moves of each verb at each moment of a random game."""
    chance = random.Random(seed)
    cast = casts.draw(editions()[edition], players, chance.choice)
    head: dict[str, Any] = {"edition": edition, "players": NAMES[:players], "secrecy": secrecy}
    options = {"cities": "untracked"} if edition == "hobby_world_2022" else {}
    head |= {"characters": list(cast.characters), "options": options}
    with at_the_table(head) as caller:
        session = caller.session
        count = 0
        for _step in range(60):
            open_ = [move for move in session.referee.list_legal_moves() if move in session.legal()]
            for move in some(select_offered(session.view, open_), chance):
                tap(caller, "moves")
                for number in numbers_to(session.view, move):
                    tap_number(caller, number)
                result = session.referee.moves[-1:] and session.referee.moves[-1].text
                assert result == move.text
                count += 1
                session.undo()
                caller.talk.forget()
            going_on = [move for move in open_ if move.verb != "choose"]
            if not going_on:
                break
            session.play(chance.choice(going_on))
        assert count > 100
