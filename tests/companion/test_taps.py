"""The meaning of a tap: among the legal moves, never a secret, and always one clear sentence."""

from __future__ import annotations

import random
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
from companion.verbs import hints
from engine import casts, record, views
from engine.editions import editions
from engine.moves import Move
from engine.referee import Referee, list_legal_moves
from tests.companion.tables import NAMES, begin_table


def meant(referee: Referee, entry: Entry, *pending: str) -> tap_meaning.Meaning:
    view = views.redact(referee.table, views.PUBLIC)
    return tap_meaning.find_meaning(view, list_legal_moves(view), entry, pending)


def meant_at(referee: Referee, entry: Entry, seat: int) -> list[str] | str:
    """The moves that a tap at that seat's own reader means, or why it does nothing."""
    view = views.redact(referee.table, views.PUBLIC)
    text = tap_meaning.reject_out_of_turn(view, list_legal_moves(view), entry, seat)
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


def test_face_up_discards_are_gathered_tap_by_tap() -> None:
    start = begin_table()
    first = meant(start, CharacterChip("bishop"))
    assert (first.moves, first.pending) == ((), ("bishop",))
    assert meant(start, CharacterChip("bishop"), "bishop").pending == ("bishop",)
    whole = meant(start, CharacterChip("merchant"), "bishop")
    assert texts(whole) == ["faceup bishop merchant"]
    assert whole.pending == ()


def test_the_king_is_not_gathered_and_the_tap_says_why() -> None:
    start = begin_table()
    king = meant(start, CharacterChip("king"), "bishop")
    assert (king.moves, king.pending, king.cards) == ((), ("bishop",), ("king",))
    assert why_not(start, CharacterChip("king"), "bishop") == "faceup.rank_4"
    assert why_not(start, CharacterChip("bishop"), "bishop") is None


def test_the_crown_calls_and_says_that_nobody_answers() -> None:
    assert why_not(begin_table(), CrownChip()) == "call.faceup_owed"
    assert texts(meant(begin_table(CALLED[0]), CrownChip())) == ["call"]
    assert texts(meant(begin_table(*CALLED), CrownChip())) == ["nobody"]
    meaning = meant(begin_table(*ASSASSIN), CrownChip())
    assert (meaning.moves, meaning.seat) == ((), 0)


def test_while_calling_a_token_reveals_and_the_called_character_asks_who() -> None:
    calling = begin_table(*CALLED)
    assert texts(meant(calling, PlayerChip(4))) == ["reveal Ben"]
    meaning = meant(calling, CharacterChip("assassin"))
    assert texts(meaning) == [*(f"reveal {name}" for name in NAMES[:4]), "nobody"]
    other = meant(calling, CharacterChip("king"))
    assert (other.moves, other.cards) == ((), ("king",))
    view = begin_table(*ASSASSIN, "gold", "end")
    assert why_not(view, PlayerChip(4)) == "reveal.already"
    assert meant(view, PlayerChip(4)).seat == 3


def test_a_refused_tap_is_written_as_the_move_would_be() -> None:
    names = ("Anna", "Kurt", "Ashley", "van Dyk")
    new_referee = begin_table(*CALLED, 'reveal "van Dyk"', "gold", "end", names=names)
    view = views.redact(new_referee.table, views.PUBLIC)
    refusal = tap_meaning.objection(view, PlayerChip(4), meant(new_referee, PlayerChip(4)))
    assert refusal is not None
    assert refusal.move == 'reveal "van Dyk"'


def test_in_the_assassins_and_the_thiefs_turn_a_character_is_the_target() -> None:
    assert texts(meant(begin_table(*ASSASSIN), CharacterChip("king"))) == ["kill king"]
    assert why_not(begin_table(*ASSASSIN), CharacterChip("assassin")) == "assassin.self"
    thief = begin_table(*ASSASSIN, "kill king", "gold", "end", "reveal Anna")
    assert texts(meant(thief, CharacterChip("warlord"))) == ["rob warlord"]
    assert why_not(thief, CharacterChip("king")) == "thief.killed"


def test_in_the_build_step_a_district_is_built_or_the_tap_says_why_not() -> None:
    turn = begin_table(*ASSASSIN)
    assert why_not(turn, DistrictChip("temple")) == "build.not_gathered"
    turn.play("gold")
    assert texts(meant(turn, DistrictChip("temple", 2))) == ["build temple"]
    assert why_not(turn, DistrictChip("dragon_gate")) == "build.gold"
    turn.play("build temple")
    assert why_not(turn, DistrictChip("temple")) == "build.limit"
    turn.play("end")
    assert why_not(turn, DistrictChip("tavern")) is None  # out of turns it is only shown


WARLORD: dict[str, Any] = {
    "players": {
        "Anna": {"gold": 5, "city": ["temple"]},
        "Kurt": {"city": ["temple", "tavern", "keep"], "gold": 4},
        "Ben": {"city": ["temple", "graveyard"], "gold": 2},
    },
    "revealed": {"Anna": ["warlord"]},
    "turn": {"player": "Anna", "character": "warlord", "gathered": True},
}


def test_in_the_warlords_turn_a_district_or_its_owner_is_struck() -> None:
    turn = begin_table(**WARLORD)
    assert texts(meant(turn, DistrictChip("temple"))) == [
        "destroy Anna temple",
        "destroy Kurt temple",
        "destroy Ben temple",
    ]
    assert texts(meant(turn, PlayerChip(2))) == ["destroy Kurt temple", "destroy Kurt tavern"]
    both = texts(meant(turn, DistrictChip("tavern")))
    assert set(both) == {"build tavern", "destroy Kurt tavern"}
    assert meant(turn, DistrictChip("keep")).moves[0].text == "build keep"


def test_the_graveyard_is_answered_by_its_owners_token() -> None:
    request = begin_table("destroy Kurt tavern", **WARLORD)
    assert texts(meant(request, PlayerChip(4))) == ["rescue Ben"]
    assert meant(request, PlayerChip(2)).moves == ()
    assert meant(request, PlayerChip(2)).seat == 1


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


def test_at_the_end_of_the_round_a_token_unmasks() -> None:
    quiet = ["nobody"] * 7
    end = begin_table(*ASSASSIN, "kill king", "gold", "end", *quiet)
    assert end.table.phase == "unmask"
    assert texts(meant(end, PlayerChip(2))) == ["unmask Kurt"]
    assert why_not(end, PlayerChip(4)) == "unmask.shown"


def test_a_reference_card_opens_what_it_lists() -> None:
    meaning = meant(begin_table(*ASSASSIN), ReferenceChip(4))
    assert texts(meaning) == [
        f"kill {c}" for c in begin_table().table.rules.cast if c != "assassin"
    ]
    building = begin_table(*ASSASSIN, "gold")
    uniques = texts(meant(building, ReferenceChip(2)))
    assert uniques
    assert all(move.startswith("build ") for move in uniques)
    own = meant(building, ReferenceChip(1, ("keep", "temple")))
    assert texts(own) == ["build keep", "build temple"]
    everything = [card for n in (1, 2, 3) for card in meant(begin_table(), ReferenceChip(n)).cards]
    assert sorted(everything) == sorted(begin_table().table.rules.uniques)


def test_an_action_chip_plays_its_move_or_says_why_not() -> None:
    turn = begin_table(*ASSASSIN)
    assert texts(meant(turn, ActionChip("gold"))) == ["gold"]
    assert why_not(turn, ActionChip("end")) == "end.not_gathered"
    assert meant(turn, ActionChip("undo")).action == "undo"


def test_chips_of_other_games_mean_nothing_here() -> None:
    assert meant(begin_table(), PlayerChip(7)) == tap_meaning.Meaning()
    assert meant(begin_table(*ASSASSIN, "gold"), DistrictChip("ivory_tower")).moves == ()
    assert (
        why_not(begin_table(*ASSASSIN, "gold"), DistrictChip("ivory_tower")) == "build.not_in_game"
    )
    assert meant(begin_table(*ASSASSIN), CharacterChip("witch")).moves == ()
    assert why_not(begin_table(*ASSASSIN), CharacterChip("witch")) == "assassin.not_in_cast"
    assert meant(begin_table(), ReferenceChip(9)).cards == ()


def test_the_hints_say_what_a_tap_would_do() -> None:
    for referee in (
        begin_table(),
        begin_table(*CALLED),
        begin_table(*ASSASSIN),
        begin_table(**WARLORD),
    ):
        view = views.redact(referee.table, views.PUBLIC)
        assert hints(list_legal_moves(view))


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


@pytest.mark.parametrize("number", range(1, 5))
def test_the_four_reference_cards_list_something_in_every_game(number: int) -> None:
    for players in range(2, 8):
        assert meant(begin_table(size=players), ReferenceChip(number)).cards


# -- a reader of one's own --------------------------------------------------------------------

ANNA, KURT, ASHLEY, BEN = 1, 2, 3, 4


def test_whoever_taps_the_called_character_at_the_own_reader_has_it() -> None:
    call = begin_table(*CALLED)  # Anna has the crown
    assert meant_at(call, CharacterChip("assassin"), BEN) == ["reveal Ben"]
    assert meant_at(call, CharacterChip("assassin"), ANNA) == ["reveal Anna"]
    assert meant_at(call, PlayerChip(KURT), KURT) == ["reveal Kurt"]
    assert meant_at(call, PlayerChip(KURT), BEN) == []  # nobody answers for another
    assert meant_at(call, CrownChip(), ANNA) == ["nobody"]
    assert meant_at(call, CrownChip(), BEN) == []


def test_a_turn_is_played_at_the_own_reader_and_no_other() -> None:
    turn = begin_table(*ASSASSIN, "gold")
    assert meant_at(turn, CharacterChip("thief"), BEN) == ["kill thief"]
    text = "Kurt tapped out of turn; nothing changed."
    for entry in (CharacterChip("thief"), PlayerChip(KURT), DistrictChip("temple", 1)):
        assert meant_at(turn, entry, KURT) == text
    assert meant_at(turn, ActionChip("undo"), KURT) == []  # is for everybody
    assert meant_at(turn, ActionChip("end"), KURT) == text


def test_the_magician_swaps_with_the_token_that_is_tapped_at_the_own_reader() -> None:
    magician = begin_table(*ASSASSIN, "gold", "kill king", "end", "nobody", "reveal Kurt", "gold")
    assert meant_at(magician, PlayerChip(ASHLEY), KURT) == ["swap Ashley"]
    assert "out of turn" in str(meant_at(magician, PlayerChip(ASHLEY), ASHLEY))


def test_a_question_is_answered_at_the_own_reader_of_who_is_asked() -> None:
    request = begin_table("destroy Kurt tavern", **WARLORD)
    assert meant_at(request, PlayerChip(BEN), BEN) == ["rescue Ben"]
    assert meant_at(request, ActionChip("leave"), BEN) == ["leave"]
    assert "out of turn" in str(meant_at(request, PlayerChip(BEN), ANNA))
    new_referee = begin_table(*ASSASSIN, "kill king", "gold", "end", *["nobody"] * 7)
    assert meant_at(new_referee, PlayerChip(KURT), KURT) == ["unmask Kurt"]
    assert meant_at(new_referee, CrownChip(), ANNA) == ["unmask nobody"]


def test_a_seat_where_nobody_sits() -> None:
    assert meant_at(begin_table(), CrownChip(), 7) == "There is no seat 7 in this game."
