"""The meaning of a tap: among the legal moves, never a secret, and always one clear sentence."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from companion import chips, verbs
from companion.chips.entries import (
    ACTIONS,
    ActionChip,
    CharacterChip,
    CrownChip,
    DistrictChip,
    Entry,
    PlayerChip,
    ReferenceChip,
)
from companion.game import asking, picks, tap_meaning
from engine import casts, record, views
from engine.editions import editions
from engine.moves import Move
from engine.referee import Referee, list_legal_moves
from tests.companion.tables import NAMES, begin_table


def meant(referee: Referee, entry: Entry, *pending: str) -> tap_meaning.Meaning:
    view = views.redact(referee.table, views.PUBLIC)
    return tap_meaning.find_meaning(view, list_legal_moves(view), entry, pending)


def gather(referee: Referee, *entries: Entry) -> tap_meaning.Meaning:
    """The meaning of the last of these consecutive taps."""
    meaning = tap_meaning.Meaning()
    for entry in entries:
        meaning = meant(referee, entry, *meaning.pending)
    return meaning


def chips_of(words: str) -> list[Entry]:
    """The chips of these players and cards, and the crown."""
    catalogue = chips.load_catalogue()
    return [
        CrownChip()
        if word == "crown"
        else PlayerChip(NAMES.index(word) + 1)
        if word in NAMES
        else CharacterChip(word)
        if word in catalogue.characters
        else DistrictChip(word)
        for word in words.split()
    ]


def meant_at(referee: Referee, entry: Entry, seat: int) -> list[str] | str:
    """The moves that a tap at that seat's own reader means, or why it does nothing."""
    view = views.redact(referee.table, views.PUBLIC)
    text = tap_meaning.reject_out_of_turn(view, list_legal_moves(view), seat)
    return text or texts(tap_meaning.find_meaning(view, list_legal_moves(view), entry, (), seat))


def texts(meaning: tap_meaning.Meaning) -> list[str]:
    return [move.text for move in meaning.moves]


def why_not(referee: Referee, entry: Entry, *pending: str) -> str | None:
    view = views.redact(referee.table, views.PUBLIC)
    refusal = tap_meaning.objection(view, entry, meant(referee, entry, *pending))
    return refusal.refusal.rule if refusal else None


CALLED = ("faceup bishop merchant", "call")
ASSASSIN = (*CALLED, "reveal Ben")


# -- the phases -----------------------------------------------------------------------------

WARLORD: dict[str, Any] = {
    "players": {
        "Anna": {"gold": 5, "city": ["temple"]},
        "Kurt": {"city": ["temple", "tavern", "keep"], "gold": 4},
        "Ben": {"city": ["temple", "graveyard"], "gold": 2},
    },
    "revealed": {"Anna": ["warlord"]},
    "turn": {"player": "Anna", "character": "warlord", "gathered": True},
}
KILLED = (*ASSASSIN, "kill king", "gold", "end")
UNMASKING = (*KILLED, *["nobody"] * 7)
TEMPLES = ["destroy Anna temple", "destroy Kurt temple", "destroy Ben temple"]


@pytest.mark.parametrize(
    ("moves", "taps", "meaning"),
    [
        ([], "bishop", []),
        ([], "bishop merchant", ["faceup bishop merchant"]),
        (CALLED[:1], "crown", ["call"]),
        (CALLED, "crown", ["nobody"]),
        (CALLED, "Ben", ["reveal Ben"]),
        (CALLED, "assassin", [*(f"reveal {name}" for name in NAMES[:4]), "nobody"]),
        (CALLED, "king", []),
        (ASSASSIN, "crown", []),
        (ASSASSIN, "king", ["kill king"]),
        (ASSASSIN, "witch", []),  # of another box
        ((*KILLED, "reveal Anna"), "warlord", ["rob warlord"]),
        ((*ASSASSIN, "gold"), "temple", ["build temple"]),
        ((*ASSASSIN, "gold"), "ivory_tower", []),
        (WARLORD, "temple", TEMPLES),
        (WARLORD, "Kurt", ["destroy Kurt temple", "destroy Kurt tavern"]),
        (WARLORD, "tavern", ["build tavern", "destroy Kurt tavern"]),
        (WARLORD, "keep", ["build keep"]),
        (UNMASKING, "Kurt", ["unmask Kurt"]),
    ],
)
def test_what_is_tapped_stands_for_moves(
    moves: Sequence[str] | dict[str, Any], taps: str, meaning: list[str]
) -> None:
    table = begin_table(**moves) if isinstance(moves, dict) else begin_table(*moves)
    assert sorted(texts(gather(table, *chips_of(taps)))) == sorted(meaning)


@pytest.mark.parametrize(
    ("moves", "chip", "rule"),
    [
        ([], "crown", "call.faceup_owed"),
        ([], "king", "faceup.rank_4"),
        ([], "bishop", None),
        (KILLED, "Ben", "reveal.already"),
        (ASSASSIN, "assassin", "assassin.self"),
        (ASSASSIN, "witch", "assassin.not_in_cast"),
        ((*KILLED, "reveal Anna"), "king", "thief.killed"),
        (ASSASSIN, "temple", "build.not_gathered"),
        ((*ASSASSIN, "gold"), "dragon_gate", "build.gold"),
        ((*ASSASSIN, "gold"), "ivory_tower", "build.not_in_game"),
        ((*ASSASSIN, "gold", "build tavern"), "temple", "build.limit"),
        (KILLED, "tavern", None),  # out of turns it is only shown
        (UNMASKING, "Ben", "unmask.shown"),
    ],
)
def test_why_a_tap_does_nothing(moves: Sequence[str], chip: str, rule: str | None) -> None:
    (entry,) = chips_of(chip)
    assert why_not(begin_table(*moves), entry) == rule


def test_face_up_discards_are_gathered_and_the_king_is_not() -> None:
    for taps, pending in (("bishop", ("bishop",)), ("bishop bishop", ("bishop",)),
                          ("bishop king", ("bishop",)), ("bishop merchant", ())):  # fmt: skip
        assert gather(begin_table(), *chips_of(taps)).pending == pending


def test_a_token_means_the_move_of_its_player_or_none() -> None:
    request = begin_table("destroy Kurt tavern", **WARLORD)
    assert texts(meant(request, PlayerChip(4))) == ["rescue Ben"]
    assert meant(request, PlayerChip(2)) == tap_meaning.Meaning()
    assert meant(begin_table(), PlayerChip(7)) == tap_meaning.Meaning()


def test_a_refused_tap_is_written_as_the_move_would_be() -> None:
    names = ("Anna", "Kurt", "Ashley", "van Dyk")
    new_referee = begin_table(*CALLED, 'reveal "van Dyk"', "gold", "end", names=names)
    view = views.redact(new_referee.table, views.PUBLIC)
    refusal = tap_meaning.objection(view, PlayerChip(4), meant(new_referee, PlayerChip(4)))
    assert refusal is not None
    assert refusal.move == 'reveal "van Dyk"'


def test_the_abbot_may_tap_the_only_richest_but_is_not_asked_whom() -> None:
    head = {"edition": "ffg_2005", "players": list(NAMES[:4])}
    cast = ["assassin", "thief", "magician", "king", "abbot", "merchant", "architect", "warlord"]
    turn = {"player": "Anna", "character": "abbot", "gathered": True}
    position = {"players": {"Kurt": {"gold": 6}}, "turn": turn}
    referee = Referee(record.read({**head, "characters": cast, "position": position}).start)
    assert texts(meant(referee, PlayerChip(seat=2))) == ["tithe Kurt"]
    view = views.redact(referee.table, views.PUBLIC)
    offers = asking.agenda(view, list_legal_moves(view), {}).moves
    assert [move.text for move in offers if move.verb == "tithe"] == ["tithe"]
    referee.play("tithe Kurt")
    assert [seat.gold for seat in referee.table.seats[:2]] == [3, 5]


def test_a_reference_card_opens_what_it_lists() -> None:
    meaning = meant(begin_table(*ASSASSIN), ReferenceChip(4))
    assert texts(meaning) == [
        f"kill {c}" for c in begin_table().table.rules.cast if c != "assassin"
    ]
    discards = meant(begin_table(), ReferenceChip(4)).moves
    assert {move.verb for move in discards} == {"faceup"}
    building = begin_table(*ASSASSIN, "gold")
    uniques = texts(meant(building, ReferenceChip(2)))
    assert uniques
    assert all(move.startswith("build ") for move in uniques)
    own = meant(building, ReferenceChip(1, ("keep", "temple")))
    assert texts(own) == ["build keep", "build temple"]
    table = begin_table().table
    everything = [id_ for n in (1, 2, 3) for id_ in tap_meaning.list_read(table, ReferenceChip(n))]
    assert sorted(everything) == sorted(table.rules.uniques)
    assert tap_meaning.list_read(table, ReferenceChip(9)) == ()


def test_an_action_chip_plays_its_move_or_says_why_not() -> None:
    turn = begin_table(*ASSASSIN)
    assert texts(meant(turn, ActionChip("gold"))) == ["gold"]
    assert why_not(turn, ActionChip("end")) == "end.not_gathered"


# -- every chip at every moment -------------------------------------------------------------

EVERY_CHIP: list[Entry] = [
    *(CharacterChip(id_) for id_ in sorted(chips.load_catalogue().characters)),
    *(DistrictChip(id_) for id_ in sorted(chips.load_catalogue().districts)),
    *(PlayerChip(seat) for seat in range(1, 9)),
    *(ReferenceChip(number) for number in range(1, 6)),
    *(ActionChip(name) for name in ACTIONS),
    CrownChip(),
]


def played(
    players: int, secrecy: str, seed: int, moves: int, edition: str = "classic_2016"
) -> Referee:
    """A random game with a random cast after so many moves."""
    chance = random.Random(seed)
    cast = casts.draw(editions()[edition], players, chance.choice)
    head = {"edition": edition, "players": list(NAMES[:players]), "secrecy": secrecy}
    head["characters"] = list(cast.characters)
    referee = Referee(record.read(head).start)
    for _ in range(moves):
        options = [move for move in referee.list_legal_moves() if move.verb != "choose"]
        if not options:
            break
        referee.play(chance.choice(options))
    return referee


@example(players=3, secrecy="secret", seed=86595, moves=74, edition="millennium_3e")  # no cards
@given(
    players=st.integers(2, 7),
    secrecy=st.sampled_from(["announced", "secret"]),
    seed=st.integers(0, 10**6),
    moves=st.integers(0, 120),
    edition=st.sampled_from(["classic_2016", "millennium_3e", "ffg_2005", "deluxe_2016"]),
)
def test_a_tap_offers_only_what_the_screen_offers_and_never_a_choice_made_in_secret(
    players: int, secrecy: str, seed: int, moves: int, edition: str
) -> None:
    referee = played(players, secrecy, seed, moves, edition)
    view = views.redact(referee.table, views.PUBLIC)
    legal_moves: list[Move] = list_legal_moves(view)
    pending: tuple[str, ...] = ()
    for entry in random.Random(seed).sample(EVERY_CHIP, len(EVERY_CHIP)):
        meaning = tap_meaning.find_meaning(view, legal_moves, entry, pending)
        pending = meaning.pending
        assert set(meaning.moves) <= set(legal_moves)
        assert len(set(meaning.moves)) == len(meaning.moves)
        assert not {move.verb for move in meaning.moves} & set(verbs.ALWAYS_SECRET)
        assert not pending or picks.fitting(view, legal_moves, pending)
        tap_meaning.objection(view, entry, meaning)  # whatever the result, it never raises


# -- a reader of one's own --------------------------------------------------------------------

ANNA, KURT, ASHLEY, BEN = range(4)


def test_whoever_taps_the_called_character_at_the_own_reader_has_it() -> None:
    call = begin_table(*CALLED)  # Anna has the crown
    assert meant_at(call, CharacterChip("assassin"), BEN) == ["reveal Ben"]
    assert meant_at(call, CharacterChip("assassin"), ANNA) == ["reveal Anna"]
    assert meant_at(call, PlayerChip(KURT + 1), KURT) == ["reveal Kurt"]
    assert meant_at(call, PlayerChip(KURT + 1), BEN) == []  # nobody answers for another
    assert meant_at(call, CrownChip(), ANNA) == ["nobody"]
    assert meant_at(call, CrownChip(), BEN) == []


def test_a_turn_is_played_at_the_own_reader_and_no_other() -> None:
    turn = begin_table(*ASSASSIN, "gold")
    assert meant_at(turn, CharacterChip("thief"), BEN) == ["kill thief"]
    text = "Kurt tapped out of turn; nothing changed."
    for entry in (CharacterChip("thief"), PlayerChip(KURT + 1), DistrictChip("temple", 1)):
        assert meant_at(turn, entry, KURT) == text
    assert meant_at(turn, ActionChip("end"), KURT) == text


def test_a_question_is_answered_at_the_own_reader_of_who_is_asked() -> None:
    request = begin_table("destroy Kurt tavern", **WARLORD)
    assert meant_at(request, PlayerChip(BEN + 1), BEN) == ["rescue Ben"]
    assert meant_at(request, ActionChip("leave"), BEN) == ["leave"]
    assert "out of turn" in str(meant_at(request, PlayerChip(BEN + 1), ANNA))
    new_referee = begin_table(*ASSASSIN, "kill king", "gold", "end", *["nobody"] * 7)
    assert meant_at(new_referee, PlayerChip(KURT + 1), KURT) == ["unmask Kurt"]
    assert meant_at(new_referee, CrownChip(), ANNA) == ["unmask nobody"]


def test_a_seat_where_nobody_sits() -> None:
    assert meant_at(begin_table(), CrownChip(), 6) == "There is no seat 7 in this game."
