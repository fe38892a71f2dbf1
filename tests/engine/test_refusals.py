"""Refusals and the notation: every rule has a sentence and a source, every move round-trips."""

from __future__ import annotations

import re
from pathlib import Path
from string import Formatter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import datafiles, explain, record
from engine.editions import editions, switches
from engine.explain import Refused, rules
from engine.moves import (
    GRAMMAR,
    MAX_MOVE_LENGTH,
    UnknownMove,
    Vocabulary,
    make,
    parse,
    quote,
    split,
)
from engine.referee import Referee
from tests.engine.playing import SIZES, expect_refusal, game, make_table, random_game

RULES = rules()
BOOKS = tuple(edition.cites for edition in editions().values())
VOCABULARY = Vocabulary(["Anna", "van Dyk", 'A "b" \\'], ["king", "thief"], ["temple", "manor"])


@pytest.mark.parametrize("rule", RULES)
def test_every_reason_is_a_sentence_that_the_vocabulary_can_fill(rule: str) -> None:
    facts = RULES[rule]
    fields = {field for _, field, _, _ in Formatter().parse(facts["reason"]) if field}
    words = {"move"} if rule == "move.unknown" else set(explain._WORDS)
    assert fields <= words
    assert facts["reason"][0].isupper() or facts["reason"][0] in "{“"
    assert facts["reason"][-1] in ".}"
    assert sum(key in facts for key in ("section", "card", "notation", "ours")) == 1
    assert "switch" not in facts or facts["switch"] in switches()
    assert facts.get("ours", "ours — ").startswith("ours — ")
    assert facts.get("notation", "Notation, ").startswith("Notation, ")
    reasons = {"reason", *(f"reason_{why}" for why in ("near", "no_owner", "murdered", "faceup"))}
    assert set(facts) <= {*reasons, "card", "section", "switch", "notation", "ours"}


def test_a_quoted_sentence_is_one_sentence_of_a_quoted_book() -> None:
    for edition, sentences in datafiles.load("printed").items():
        assert editions()[edition].language == "en"
        book = {"deluxe_2016": "Deluxe 2016 rulebook", "ffg_2005": "FFG 2005 rulebook"}[edition]
        assert datafiles.load("books")[book]["quoted"]
        rules_quoted = [rule for key in sentences for rule in key.split()]
        assert len(set(rules_quoted)) == len(rules_quoted)
        for key, facts in sentences.items():
            assert facts.keys() == {"section", "says"}
            assert facts["says"].endswith(".")
            assert len(facts["says"]) < 300
            for rule in key.split():
                assert "card" in RULES[rule] or "section" in RULES[rule], rule


def test_a_refusal_quotes_the_book_or_says_that_it_is_ours() -> None:
    refusal = expect_refusal(game(edition="deluxe_2016"), "kill king", "phase.selection")
    assert refusal.printed is not None
    assert refusal.printed.section == "Playing the Game"
    classic = expect_refusal(game(), "kill king", "phase.selection")
    assert (classic.source, classic.printed) == ("Classic 2016, Selection phase", None)
    assert expect_refusal(game(), "hello", "move.unknown").source == "ours (Notation, Moves)"


def test_a_house_rule_is_not_said_to_be_printed() -> None:
    turn = {"player": "Anna", "character": "warlord"}
    options = {"strike_own_city": False}
    table = {"turn": turn, "players": {"Anna": {"city": ["temple"]}}}
    own = game(position=table, options=options)
    source = expect_refusal(own, "destroy Anna temple", "warlord.own_city").source
    assert source == "ours — this table's option strike_own_city=false"
    referee = game(edition="brettspielwelt", position=table)
    source = expect_refusal(referee, "destroy Anna temple", "warlord.own_city").source
    assert source == "BrettspielWelt, Warlord"


def test_every_rule_that_the_engine_names_exists() -> None:
    source = "\n".join(p.read_text("utf-8") for p in Path(explain.__file__).parent.rglob("*.py"))
    names = set(re.findall(r'"([a-z_]+\.[a-z_0-9]+)"', source))
    assert names - {"names.en", "texts.en"} <= set(RULES)
    assert len(names) > 40


@pytest.mark.parametrize("phase", ["selection", "calling", "turn", "answer", "unmask", "over"])
def test_every_phase_has_its_refusal(phase: str) -> None:
    assert f"phase.{phase}" in RULES


def test_every_verb_is_answered_at_every_moment() -> None:
    """The answer to any input is a move or a complete sentence with its source."""
    samples = {"P": "Anna", "C": "king", "D": "temple", "T": "noble", "N": "1"}
    attempts = [
        " ".join([verb, *(samples.get(word.rstrip("."), word) for word in form.split())])
        for verb, forms in GRAMMAR.items()
        for form in forms
    ]
    for size in SIZES:
        for count, referee in enumerate(random_game(make_table(size), "all verbs")):
            if count % 11:
                continue
            for text in attempts:
                try:
                    referee.play(text)
                except Refused as error:
                    refusal = error.refusal
                    assert refusal.rule in RULES
                    assert refusal.reason.endswith((".", "?"))
                    assert not re.search(r"[{}_]", refusal.reason), refusal
                    is_cited = "card" in RULES[refusal.rule] and refusal.source.startswith(BOOKS)
                    assert is_cited or refusal.source.startswith(("Classic 2016, ", "ours"))
                else:
                    referee.undo()


# -- words that are not moves ---------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "nearest"),
    [
        ("bild", ["build"]),
        ("Gold", ["gold"]),
        ("reveal", ["reveal P"]),
        ("destroy Ana temple", ["destroy Anna temple", "destroy P D M"]),
        ("bild temple", ["build temple"]),  # the other word fits no other verb
        ("coll", ["call", "collect"]),
        ("rea", ["real", "reveal", "redraw"]),  # at most three
        ("gld 2", ["gold 2"]),
        ("expos", ["expose"]),
        ("xyz", []),
        ("spi Anna noble 2", ["spy Anna noble 2"]),
        (
            "take Ana",
            [
                *("take Anna", "take P D", "take P D over D", "take P D over D M"),
                *("take P D cards N", "take P N"),
            ],
        ),
        ("pay to Ana 3", ["pay N", "pay to Anna 3", "pay P N"]),
        ("use temple Ann manor", ["use D", "use temple Anna manor", "use D P D M", "use D P"]),
        (
            "build tempel from Anna",
            [
                *("build D", "build temple from Anna", "build temple over D"),
                *("build D over D M", "build temple cards 0", "build D cards N from P", "build N"),
            ],
        ),
    ],
)
def test_all_that_is_offered_for_what_is_no_move(text: str, nearest: list[str]) -> None:
    with pytest.raises(UnknownMove) as exception_info:
        parse(text, Vocabulary(["Anna", "van Dyk"], ["king", "thief"], ["temple", "manor"]))
    assert exception_info.value.nearest == nearest


@pytest.mark.parametrize("text", ["", "   ", "undo", "redo", "build", "gold 2", "redraw -1",
                                  "redraw 01", "redraw ١", 'reveal "Anna', 'reveal "Anna"x',
                                  "reveal Anna Anna", "BUILD temple", "build Temple", "x" * 5000,
                                  "unmask", "faceup", "warrants king king"])  # fmt: skip
def test_what_is_no_move(text: str) -> None:
    with pytest.raises(Refused) as exception_info:
        game().play(text)
    assert exception_info.value.refusal.rule == "move.unknown"
    assert len(exception_info.value.refusal.reason) < 400


@given(st.text(max_size=60))
def test_any_text_is_a_move_or_is_refused(text: str) -> None:
    try:
        move = parse(text, VOCABULARY)
    except UnknownMove:
        return
    assert parse(move.text, VOCABULARY) == move


@given(st.text(min_size=1, max_size=40).filter(lambda name: name.strip() == name))
def test_any_name_survives_being_written(name: str) -> None:
    vocabulary = Vocabulary([name], ["king"], ["temple"])
    move = make("destroy", name, "temple", player_places=(0,))
    assert split(move.text) == ["destroy", name, "temple"]
    assert parse(move.text, vocabulary).args == (name, "temple")
    assert parse(f"reveal {quote(name)}", vocabulary).args == (name,)


def test_names_match_without_regard_to_case_and_composition() -> None:
    vocabulary = Vocabulary(["Zoë", "STRASSE"], [], [])
    assert parse("reveal zoe\u0308", vocabulary).text == "reveal Zoë"
    assert parse("reveal straße", vocabulary).text == "reveal STRASSE"


def test_a_move_is_not_longer_than_it_may_be() -> None:
    with pytest.raises(UnknownMove):
        parse("faceup " + "king " * MAX_MOVE_LENGTH, VOCABULARY)


def test_the_words_of_a_kind() -> None:
    vocabulary = Vocabulary(["temple", "king"], ["king"], ["temple", "manor"])
    assert parse("destroy king manor", vocabulary).words("D") == ["manor"]
    assert parse("destroy temple manor", vocabulary).words("P") == ["temple"]
    assert parse("build manor from temple", vocabulary).words("D") == ["manor"]
    assert parse("build manor over temple", vocabulary).words("D") == ["manor", "temple"]
    assert parse("gold", vocabulary).words("D") == []


def test_a_player_called_like_a_card_gets_right_reasons() -> None:
    position = {
        "players": {"temple": {"city": ["palace"]}},
        "turn": {"player": "king", "character": "warlord"},
    }
    names = ["king", "temple", "Anna Maria", "gold"]
    referee = Referee(record.read({"players": names, "position": position}).start)
    assert (
        "That costs 4 gold"
        in expect_refusal(referee, "destroy temple palace", "warlord.gold").reason
    )
    assert (
        "no Manor"
        in expect_refusal(referee, "destroy temple manor", "warlord.no_such_district").reason
    )
    selecting = Referee(record.read({"players": names}).start)
    selecting.play("faceup bishop merchant")
    assert "Bishop" in expect_refusal(selecting, "choose king bishop", "choose.face_up").reason
    selecting.play('choose "anna maria" king')
    assert selecting.moves[-1].text == 'choose "Anna Maria" king'
