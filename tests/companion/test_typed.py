"""Accepted input: names in the table's language, prefixes of words, and nothing else."""

from __future__ import annotations

import sys
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion import language
from companion.game import typed
from engine import record
from engine.explain import Refused
from engine.moves import parse
from engine.referee import Referee
from tests.companion.tables import begin_table

NAMES = ["Anna", "Kurt", "Ashley", "José", "Mary Ann"]


def at(*moves: str, **position: Any) -> Referee:
    return begin_table(*moves, names=NAMES, size=len(NAMES), **position)


BUILDING = {
    "players": {"Anna": {"gold": 9, "hand": 4}, "Kurt": {"city": ["harbor", "temple", "tavern"]}},
    "revealed": {"Anna": ["warlord"]},
    "turn": {"player": "Anna", "character": "warlord", "gathered": True},
}


def understood(line: str, referee: Referee | None = None) -> list[str]:
    referee = referee or at(**BUILDING)
    return [m.text for m in typed.understand(line, referee.table, referee.list_legal_moves())]


@pytest.mark.parametrize(
    ("line", "move"),
    [
        ("build trading_post", "build trading_post"),
        ("build trading post", "build trading_post"),
        ("Build Trading Post", "build trading_post"),
        ("bu trad", "build trading_post"),
        ("build School of Magic", "build school_of_magic"),
        ("destroy kurt tav", "destroy Kurt tavern"),
        ("de k te", "destroy Kurt temple"),
        ("e", "end"),
        ("en", "end"),
    ],
)
def test_beginnings_that_only_one_move_has_are_enough(line: str, move: str) -> None:
    assert understood(line) == [move]


@pytest.mark.parametrize(
    ("spoken", "line", "move"),
    [
        ("fr", "build port", "build harbor"),  # the French Port is the Harbor
        ("fr", "build comptoir", "build docks"),
        ("fr", "build manufacture", "build smithy"),  # the Factory is in no Classic box
        ("fr", "build église", "build church"),
        ("fr", "build eglise", "build church"),
        ("fr", "build ÉGLISE", "build church"),
        ("fr", "destroy Kurt port", "destroy Kurt harbor"),
        ("ru", "build порт", "build docks"),  # the Russian Порт is the Docks
        ("ru", "build гавань", "build harbor"),
        ("ru", "build Кузница", "build smithy"),
        ("ru", "build harbor", "build harbor"),
        ("en", "build harbor", "build harbor"),
        ("en", "build docks", "build docks"),
        ("en", "build haunted city", "build haunted_quarter"),  # as an older box calls it
    ],
)
def test_cards_are_called_as_the_tables_language_calls_them(
    spoken: str, line: str, move: str
) -> None:
    language.use(spoken)
    language.print_as("classic_2016")
    assert understood(line) == [move]


@pytest.mark.parametrize(("spoken", "line"), [("en", "build port"), ("en", "build порт")])
def test_other_languages_names_mean_nothing(spoken: str, line: str) -> None:
    language.use(spoken)
    assert understood(line) == []


def test_several_meanings_are_all_offered_and_the_legal_ones_come_alone() -> None:
    assert understood("build ma") == ["build manor", "build market", "build map_room"]
    names = understood("destroy k t")
    assert names == ["destroy Kurt temple", "destroy Kurt tavern"]
    assert set(understood("destroy a t")) >= {"destroy Anna temple", "destroy Ashley temple"}


def test_players_may_be_named_without_quotes_or_accents() -> None:
    calling = at("faceup merchant", "call")
    assert understood("reveal mary ann", calling) == ['reveal "Mary Ann"']
    assert understood("rev jose", calling) == ["reveal José"]
    assert understood("reveal JOSÉ", calling) == ["reveal José"]
    assert understood("reveal a", calling) == ["reveal Anna", "reveal Ashley"]


def test_a_name_alone_answers_who_somebody_is() -> None:
    calling = at("faceup bishop", "call")
    for name in ("Mary Ann", "mary", "Jose", "kurt"):
        (move,) = typed.understand(name, calling.table, calling.list_legal_moves())
        assert move in calling.list_legal_moves()
        assert move.verb == "reveal"
    both = typed.understand("A", calling.table, calling.list_legal_moves())
    assert [move.args for move in both] == [("Anna",), ("Ashley",)]
    calling.play("reveal Kurt")
    assert typed.understand("Mary Ann", calling.table, calling.list_legal_moves()) == []


def test_nobody_answers_who_had_the_murdered_character() -> None:
    position = {"killed": "king", "revealed": {"Anna": ["assassin"]}, "called": 8}
    calling = at(**position)
    assert understood("nobody", calling) == ["nobody"]
    calling.play("nobody")
    assert understood("nobody", calling) == ["unmask nobody"]
    for line in ("unmask nobody", "Kurt"):
        assert understood(line, calling) == [f"unmask {line.split()[-1]}"]


def test_a_line_of_the_notation_always_means_what_the_notation_says() -> None:
    language.use("fr")
    for line in ("build harbor", "gold", "destroy Kurt harbor", "kill king"):
        assert understood(line) == [parse(line, at().table.rules.vocabulary).text]


def test_a_record_stays_strict() -> None:
    language.use("fr")
    for line in ("build port", "build Harbor", "bu harbor", "build trading post"):
        with pytest.raises(Refused) as exception_info:
            at(**BUILDING).play(line)
        assert exception_info.value.refusal.rule == "move.unknown"


def test_offers_are_legal_moves() -> None:
    turn = at(**BUILDING)
    legal = turn.list_legal_moves()
    assert [m.text for m in typed.find_near("destroy", turn.table, legal)] == [
        m.text for m in legal if m.verb == "destroy"
    ]
    assert "build temple" in [m.text for m in typed.find_near("biuld temple", turn.table, legal)]
    assert typed.find_near("x" * 1000, turn.table, legal) == []
    assert typed.find_near('"', turn.table, legal) == []


def test_a_move_cut_short_offers_what_it_begins() -> None:
    turn = at(**BUILDING)

    def offered(line: str) -> list[str]:
        return [m.text for m in typed.find_near(line, turn.table, turn.list_legal_moves())]

    city = ["destroy Kurt harbor", "destroy Kurt temple", "destroy Kurt tavern"]
    assert sorted(offered("de ku")) == sorted(city)
    choosing = at("faceup bishop")
    near = typed.find_near("choose mary ann", choosing.table, choosing.list_legal_moves())
    assert {move.args[0] for move in near} == {"Mary Ann"}
    assert len(near) == len(choosing.table.rules.cast) - 1


def test_a_set_is_begun_by_any_of_its_cards() -> None:
    cast = "magistrate thief wizard king abbot alchemist architect warlord"
    head = {"edition": "deluxe_2016", "players": NAMES, "characters": cast.split()}
    turn = Referee(record.read(head).start)
    for move in ("faceup thief", "call", "reveal Anna"):
        turn.play(move)
    warrants = typed.find_begun("warrants abbot, king", turn.table, turn.list_legal_moves())
    assert warrants
    assert all({"abbot", "king"} <= set(move.args) for move in warrants)


def test_commas_between_names_change_nothing() -> None:
    assert understood("faceup bishop,merchant", at()) == ["faceup bishop merchant"]
    assert understood("destroy Kurt, tavern") == ["destroy Kurt tavern"]


def test_a_verb_that_is_closed_says_why() -> None:
    turn = at(**BUILDING)
    refusal = typed.refuse_closed("gold", turn.table)
    assert refusal is not None
    assert refusal.rule == "gather.done"
    assert typed.refuse_closed("build", turn.table) is None
    assert typed.refuse_closed("zzz", turn.table) is None


@pytest.mark.parametrize(
    "line", ["faceup " + "a " * 300, "decorate " + "m " * 39 + "zzz", "b " * 500]
)
def test_a_long_line_of_short_words_is_read_in_few_steps(line: str) -> None:
    calls = 0

    def count(_frame: object, event: str, _argument: object) -> None:
        nonlocal calls
        calls += event == "call"

    before = sys.getprofile()
    sys.setprofile(count)
    try:
        understood(line)
    finally:
        sys.setprofile(before)
    assert calls < 20_000


@given(st.text(max_size=60), st.sampled_from(["", "build ", "destroy Kurt ", "reveal ", "kill "]))
def test_whatever_is_typed_is_read_without_harm(text: str, verb: str) -> None:
    turn = at(**BUILDING)
    for move in typed.understand(verb + text, turn.table, turn.list_legal_moves()):
        assert parse(move.text, turn.table.rules.vocabulary) == move
    typed.find_near(verb + text, turn.table, turn.list_legal_moves())
    typed.refuse_closed(verb + text, turn.table)
