"""Different districts of the same name in one city: a move says which one."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from companion import language, verbs
from companion.game.typed import understand
from companion.wording import story
from engine import own_cards
from engine.moves import Vocabulary, parse
from engine.referee import Referee
from tests.engine.big_boxes import DELUXE_UNIQUES, city, gold, turn_of
from tests.engine.playing import expect_refusal, legal_of

TWINS = ["quarry", "tavern", {"id": "tavern", "decorated": True}, "docks"]


def struck_by(character: str, anna: Sequence[object] = ("temple",)) -> Referee:
    players = {"Anna": {"gold": 9, "city": [*anna]}, "Kurt": {"city": TWINS}}
    return turn_of(character, "artist", players=players, districts=DELUXE_UNIQUES)


def kurts(referee: Referee) -> list[tuple[str, bool]]:
    return [(card.id, card.decorated) for card in referee.table.seats[1].city.cards]


@pytest.mark.parametrize(
    ("character", "move", "paid"),
    [
        ("warlord", "destroy Kurt tavern decorated", 1),
        ("warlord", "destroy Kurt tavern plain", 0),
        ("marshal", "seize Kurt tavern decorated", 2),
        ("diplomat", "exchange temple Kurt tavern decorated", 1),
    ],
)
def test_the_word_says_which_is_struck(character: str, move: str, paid: int) -> None:
    referee = struck_by(character)
    alike = [text for text in legal_of(referee, move.split()[0]) if "tavern" in text]
    assert move in alike
    assert len(alike) == 2
    expect_refusal(referee, move.rsplit(" ", 1)[0], "district.which")
    referee.play(move)
    left = ("tavern", "plain" in move)
    assert left in kurts(referee)
    assert ("tavern", "plain" not in move) not in kurts(referee)
    assert gold(referee)[0] == 9 - paid


@pytest.mark.parametrize(
    ("character", "move", "twin", "holder"),
    [
        ("warlord", "destroy Kurt tavern", "Tavern", "Kurt"),
        ("warlord", "use armory Kurt tavern", "Tavern", "Kurt"),
        ("marshal", "seize Kurt tavern", "Tavern", "Kurt"),
        ("diplomat", "exchange docks Kurt tavern", "Tavern", "Kurt"),
        ("diplomat", "exchange temple Kurt docks", "Temple", "Anna"),
        ("warlord", "build necropolis over temple", "Temple", "Anna"),
    ],
)
def test_a_refusal_says_whose_districts_differ_and_how(
    character: str, move: str, twin: str, holder: str
) -> None:
    own = ["armory", "docks", "temple", {"id": "temple", "decorated": True}]
    referee = struck_by(character, own)
    referee.play("gold")
    which = expect_refusal(referee, move, "district.which")
    differ = f"{holder} has more than one {twin}, and they differ: add “plain” or “decorated”."
    assert str(which.reason) == differ
    wrong = move.replace(twin.lower(), f"{twin.lower()} under")
    neither = expect_refusal(referee, wrong, "district.mark")
    assert str(neither.reason) == f"“under” doesn't say which {twin} of {holder}'s is meant."


def test_the_own_one_of_two_is_named_as_well() -> None:
    players = {"Anna": {"gold": 9, "city": TWINS}, "Kurt": {"city": ["temple"]}}
    referee = turn_of("diplomat", "artist", players=players)
    expect_refusal(referee, "exchange tavern Kurt temple", "district.which")
    referee.play("exchange tavern decorated Kurt temple")
    assert kurts(referee) == [("tavern", True)]
    assert city(referee) == ["quarry", "tavern", "docks", "temple"]


def test_where_nothing_differs_no_word_is_needed_or_taken() -> None:
    referee = struck_by("warlord")
    expect_refusal(referee, "destroy Kurt docks plain", "district.mark")
    expect_refusal(referee, "destroy Kurt tavern under", "district.mark")
    assert "destroy Kurt docks" in legal_of(referee, "destroy")


def test_a_player_may_be_called_like_the_word() -> None:
    vocabulary = Vocabulary(["plain", "van Dyk"], ["king"], ["temple", "docks"])
    move = parse('exchange temple decorated "van Dyk" docks plain', vocabulary)
    assert (move.words("P"), move.words("D")) == (["van Dyk"], ["temple", "docks"])
    assert move.text == 'exchange temple decorated "van Dyk" docks plain'
    assert parse("exchange temple plain docks decorated", vocabulary).words("P") == ["plain"]


def test_labels_stories_and_typed_words_tell_them_apart() -> None:
    referee = struck_by("warlord")
    taverns = [m for m in referee.list_legal_moves() if "tavern" in m.args]
    assert [verbs.label(referee.table, move) for move in taverns] == [
        "Destroy Kurt's Tavern for free, the plain one",
        "Destroy Kurt's Tavern for 1 gold, the decorated one",
    ]
    before = referee.table
    referee.play(taverns[1])
    lines = story.tell(before, taverns[1], referee.table)
    assert lines[:2] == ["Anna destroys Kurt's Tavern for 1 gold.", "It was the decorated one."]
    assert understand("dest Kurt tav dec", before, taverns) == [taverns[1]]


def test_the_words_of_other_languages() -> None:
    referee = struck_by("warlord")
    taverns = [m for m in referee.list_legal_moves() if "tavern" in m.args]
    language.use("fr")
    assert understand("détruire Kurt taverne simple", referee.table, taverns) == [taverns[0]]
    language.use("ru")
    assert understand("разрушить Kurt таверна укр", referee.table, taverns) == [taverns[1]]


def test_a_card_is_laid_under_one_of_two_museums() -> None:
    """A table may have two of them; where they differ, a strike says which it hits."""
    own_cards.use({"deluxe_2016": {"museum": {"copies": 2}}})
    players = {"Anna": {"hand": 2, "gold": 9, "city": ["quarry", "museum", "museum"]}}
    referee = turn_of("warlord", players=players, districts=DELUXE_UNIQUES)
    referee.play("use museum")
    assert [card.under for card in referee.table.seats[0].city.cards] == [0, 1, 0]
    names = [text for text in legal_of(referee, "destroy") if "museum" in text]
    assert names == ["destroy Anna museum under", "destroy Anna museum plain"]
