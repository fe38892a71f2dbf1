"""Secrets in every box: nothing reachable from a view contains them.

`Known` follows the moves and computes what each viewer may know from the rules of secrecy alone;
the engine's views must agree at every moment of random games.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import pytest

from engine import cards, record, views
from engine.moves import Move
from engine.referee import Referee
from engine.table import Table
from tests.engine.big_boxes import table
from tests.engine.boxes import EDITIONS, random_setup
from tests.engine.playing import SECRECIES, game, set_up_turn, table_state
from tests.engine.test_secrecy import seen, strings, told
from tests.sizes import pick_size

GAMES = pick_size(1, 3, 120)  # per edition and secrecy
ENOUGH = 10  # games by which every kind of secret has occurred


# -- single moments -----------------------------------------------------------------------------


def test_a_question_in_the_middle_of_a_round_does_not_tell_a_secret_murder() -> None:
    """A threat to answer at rank 4, a Graveyard to answer at rank 8: rank 9 was murdered."""
    referee = table("blackmailer", "artist", secrecy="secret", killed="artist", faceup=[],
                  threats=["king", "merchant"], called=4,
                  revealed={"Anna": ["assassin"], "Ben": ["blackmailer"]})  # fmt: skip
    for move in ("reveal Kurt", "gold"):
        referee.play(move)
    assert referee.table.phase == "answer"
    for viewer in (None, 1, 2, 3):
        assert views.table_json(referee.table, viewer=viewer)["killed"] is None
        assert "artist" not in strings(views.redact(referee.table, viewer))
    assert views.table_json(referee.table, viewer=0)["killed"] == "artist"

    city = {"Ben": {"city": ["graveyard", "temple"], "gold": 1}}
    graveyard = set_up_turn("warlord", players=city, secrecy="secret", killed="king",
                        revealed={"Ashley": ["assassin"]}, faceup=[])  # fmt: skip
    graveyard.play("destroy Ben temple")
    assert views.table_json(graveyard.table)["killed"] == "king"  # its rank was called


def test_what_the_witch_does_as_another_only_she_knows() -> None:
    """Anna the Witch robs and threatens in Kurt's place; he does not know whom."""
    thief = table("witch", secrecy="secret", bewitched="thief", called=2,
                  revealed={"Anna": ["witch"]})  # fmt: skip
    for move in ("reveal Kurt", "gold", "rob king"):
        thief.play(move)
    victims = [views.table_json(thief.table, viewer=v)["robbed"] for v in (None, 0, 1, 2)]
    assert victims == [None, "king", None, None]
    blackmailer = table("witch", "blackmailer", bewitched="blackmailer", called=2,
                        revealed={"Anna": ["witch"]})  # fmt: skip
    for move in ("reveal Kurt", "gold", "threats king bishop", "real bishop"):
        blackmailer.play(move)
    real = [views.redact(blackmailer.table, viewer).marks.real for viewer in (None, 0, 1, 2)]
    assert real == [None, "bishop", None, None]


@pytest.mark.parametrize(
    ("maker", "key", "pair", "marks"),
    [
        ("magistrate", "signed", ("king", "thief"), {"warrants": ["thief", "king", "bishop"]}),
        ("blackmailer", "real", ("king", "bishop"), {"threats": ["king", "bishop"]}),
    ],
)
def test_tables_that_differ_in_a_marker_look_the_same_to_all_but_who_laid_it(
    maker: str, key: str, pair: tuple[str, str], marks: dict[str, Any]
) -> None:
    """Also during its question: the same moves are offered to the same player."""
    players = {"Kurt": {"gold": 6}}
    markers: list[dict[str, Any]] = [{key: secret} for secret in pair]
    one, other = (
        table(maker, called=4, faceup=[], revealed={"Ben": [maker]},
              players=players, **marks, **marker)
        for marker in markers
    )  # fmt: skip
    moves = ["reveal Kurt", "gold", *(["refuse"] if key == "real" else ["build temple"])]
    moves += ["spare", "end", "nobody"]
    for move in ["", *moves]:
        if move:
            one.play(move)
            other.play(move)
        for viewer in (None, 0, 1, 2):
            assert seen(one.table, viewer) == seen(other.table, viewer)
            view = views.redact(one.table, viewer)
            assert getattr(view.marks, key) is None
        assert seen(one.table, 3) != seen(other.table, 3)
        for attempt in ("end", "gold", "build tavern", f"{key} bishop", "reveal Anna"):
            assert told(one, attempt) == told(other, attempt), attempt


# -- random games -------------------------------------------------------------------------------


class Known:
    """Who knows which of the round's secrets, computed without the engine's views."""

    def __init__(self) -> None:
        self.who: dict[str, int | None] = {}  # whose secret it is: kill, rob, signed, real

    def hear(self, before: Table, move: Move) -> None:
        """Record a move."""
        if move.verb in ("kill", "rob", "signed", "real") and before.turn is not None:
            self.who[move.verb] = before.turn.seat
        elif move.verb == "expose":  # a shown marker stays recorded
            self.who["real"] = before.questions[-1].seat

    def forget(self) -> None:
        """Start a new round."""
        self.who.clear()

    def allowed(self, t: Table, viewer: int | None) -> dict[str, Any]:
        """The secrets that this viewer may read off the table, by the slot that holds them."""
        ranks = cards.characters()
        victim, robbed = t.marks.killed, t.marks.robbed
        if t.rules.secret and not self._own("kill", viewer):
            coming = victim is not None and 0 < t.called < ranks[victim].rank
            victim = None if coming else victim
        if t.rules.secret and not self._own("rob", viewer):
            is_shown = any(robbed in seat.revealed for seat in t.seats)
            robbed = robbed if is_shown else None
        return {
            "killed": victim,
            "robbed": robbed,
            "signed": t.marks.signed if self._own("signed", viewer) else None,
            "real": t.marks.real if self._own("real", viewer) else None,
            "chosen": [s.chosen if i == viewer else () for i, s in enumerate(t.seats)],
        }

    def _own(self, secret: str, viewer: int | None) -> bool:
        return viewer is not None and viewer == self.who.get(secret)


def likely(moves: list[Move], chance: random.Random) -> Move:
    """A random move, preferring secrets and answers."""
    keen = [m for m in moves if m.verb in KEEN]
    return chance.choice(keen if keen and chance.random() < 0.5 else moves)


SECRETS = ("killed", "robbed", "signed", "real")
KEEN = ("kill", "rob", "warrants", "signed", "threats", "real", "choose", "bewitch", "reveal",
        "build", "refuse", "spare")  # fmt: skip


def watched(edition: str, seed: str, secrecy: str) -> Iterator[tuple[Referee, Known]]:
    """A random game of a few rounds, with `Known` following every move."""
    chance = random.Random(seed)
    head = random_setup(edition, seed) | {"secrecy": secrecy}
    referee, directory = Referee(record.read(head).start), Known()
    while referee.table.phase != "over" and referee.table.round <= 4:
        yield referee, directory
        round_ = referee.table.round
        before = referee.table
        move = referee.play(likely(referee.list_legal_moves(), chance))
        directory.hear(before, move)
        if referee.table.round != round_:
            directory.forget()
    yield referee, directory


@pytest.mark.sweep
@pytest.mark.parametrize("secrecy", SECRECIES)
@pytest.mark.parametrize("edition", EDITIONS)
def test_no_view_of_a_random_game_holds_a_secret(edition: str, secrecy: str) -> None:
    targets = {"chosen"} | ({"killed", "robbed"} if secrecy == "secret" else set())
    targets |= {"signed", "real"} if edition == "deluxe_2016" else set()
    hidden: set[str] = set()
    seed = 0
    while seed < GAMES or not targets <= hidden:
        assert seed < GAMES + ENOUGH, hidden
        for referee, directory in watched(edition, f"{edition}{seed}", secrecy):
            for viewer in (None, *referee.table.rules.seats):
                hidden |= _check_view(referee.table, directory, viewer)
        seed += 1


def _check_view(t: Table, directory: Known, viewer: int | None) -> set[str]:
    """The secrets that this view correctly hides; fails if it shows or loses one."""
    allowed = directory.allowed(t, viewer)
    view = views.redact(t, viewer)
    json = views.table_json(t, viewer=viewer)
    for slot in SECRETS:
        assert getattr(view.marks, slot) == allowed[slot], (slot, viewer)
        assert json[slot] == allowed[slot]
    assert [seat.chosen for seat in view.seats] == allowed["chosen"]
    choices = {seat.name: [*own] for seat, own in zip(t.seats, allowed["chosen"], strict=True)}
    assert json["chosen"] == {name: own for name, own in choices.items() if own}
    hidden = {slot for slot in SECRETS if getattr(t.marks, slot) != allowed[slot]}
    # nothing else in the view may depend on hidden facts: a twin with another secret looks the same
    entry = (json, table_state(view), view.events) if hidden else None
    for slot in hidden:
        twin = t.copy()
        twin.events = t.events
        other: dict[str, Any] = {slot: _another(t, slot)}
        twin.marks = twin.marks._replace(**other)
        if slot in ("killed", "robbed") and not _still_hidden(twin, slot):
            continue
        assert seen(twin, viewer) == entry, (slot, viewer)
    return hidden | ({"chosen"} if any(seat.chosen for seat in t.seats) else set())


def _another(t: Table, slot: str) -> str:
    """A different secret in the same place."""
    markers = {"signed": t.marks.warrants, "real": t.marks.threats}.get(slot, t.rules.cast[::-1])
    return next(c for c in markers if c != getattr(t.marks, slot))


def _still_hidden(t: Table, slot: str) -> bool:
    target: str = getattr(t.marks, slot)
    if slot == "robbed":
        return t.holder(target) is None
    return t.called < t.rules.characters[target].rank


def test_the_watcher_would_notice_a_secret_that_is_shown() -> None:
    referee = game("faceup bishop merchant", "call", "reveal Anna", secrecy="secret")
    directory = Known()
    before = referee.table
    directory.hear(before, referee.play("kill king"))
    assert directory.allowed(referee.table, 0)["killed"] == "king"
    assert directory.allowed(referee.table, 1)["killed"] is None
