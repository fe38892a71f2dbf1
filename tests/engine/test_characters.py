"""The eight characters of the Classic box: their powers, timing and refusals."""

from __future__ import annotations

import pytest

from engine import record
from engine.referee import Referee
from tests.engine.playing import expect_refusal, game, legal_of, set_up_turn, texts

CHARACTERS = ("assassin", "thief", "magician", "king", "bishop", "merchant", "architect", "warlord")
INCOME = {"king": "manor", "bishop": "temple", "merchant": "tavern", "warlord": "prison"}
SEVEN = ["manor", "castle", "church", "monastery", "market", "docks", "watchtower"]


@pytest.mark.parametrize("character", CHARACTERS)
def test_a_turn_begins_with_gathering_and_ends_after_it(character: str) -> None:
    referee = set_up_turn(character)
    assert {"gold", "cards"} <= set(texts(referee))
    expect_refusal(referee, "build temple", "build.not_gathered")
    expect_refusal(referee, "end", "end.not_gathered")
    referee.play("gold")
    assert referee.table.seats[0].gold == 4
    expect_refusal(referee, "gold", "gather.done")
    expect_refusal(referee, "cards", "gather.done")
    referee.play("end")
    assert referee.table.turn is None


def test_cards_put_one_of_two_into_the_hand() -> None:
    referee = set_up_turn("thief")
    before = referee.table.deck
    referee.play("cards")
    assert referee.table.seats[0].hand == 5
    assert referee.table.deck == before - 1


def test_without_a_deck_only_gold_can_be_gathered() -> None:
    referee = set_up_turn("architect", players={"Kurt": {"hand": 56}})
    assert referee.table.deck == 0
    expect_refusal(referee, "cards", "gather.deck_empty")
    referee.play("bonus")
    assert referee.table.seats[0].hand == 4


@pytest.mark.parametrize(("character", "district"), INCOME.items())
def test_income_pays_the_characters_type_once_at_any_time(character: str, district: str) -> None:
    city = [district, "school_of_magic", "university", "keep"]
    referee = set_up_turn(character, players={"Anna": {"city": city}})
    referee.play("income")
    assert referee.table.seats[0].gold == 4
    expect_refusal(referee, "income", "income.done")
    later = set_up_turn(character, players={"Anna": {"city": city, "gold": 10}})
    for move in (
        "gold",
        "build fortress" if character == "warlord" else "build barracks",
        "income",
    ):
        later.play(move)
    assert "income" not in texts(later)


@pytest.mark.parametrize("character", sorted(set(CHARACTERS) - set(INCOME)))
def test_the_others_have_no_income(character: str) -> None:
    referee = set_up_turn(character, players={"Anna": {"city": ["school_of_magic"]}})
    expect_refusal(referee, "income", "income.none")


@pytest.mark.parametrize("character", sorted(INCOME))
def test_classic_income_has_only_its_plain_form(character: str) -> None:
    referee = set_up_turn(character, players={"Anna": {"city": [INCOME[character]]}})
    expect_refusal(referee, "income gold 1 cards 0", "income.form")


@pytest.mark.parametrize("character", CHARACTERS)
def test_the_building_limit(character: str) -> None:
    limit = 3 if character == "architect" else 1
    referee = set_up_turn(
        character, players={"Anna": {"gold": 30, "hand": 9}}, turn={"gathered": True}
    )
    for district in ("temple", "tavern", "manor")[:limit]:
        referee.play(f"build {district}")
    assert str(limit) in expect_refusal(referee, "build prison", "build.limit").reason
    assert legal_of(referee, "build") == []


def test_building_costs_gold_and_a_card_of_the_hand() -> None:
    referee = set_up_turn("king", turn={"gathered": True}, players={"Anna": {"gold": 5, "hand": 1}})
    referee.play("build palace")
    seat = referee.table.seats[0]
    assert (seat.gold, seat.hand, [card.id for card in seat.city.cards]) == (0, 0, ["palace"])


def test_what_cannot_be_built() -> None:
    players = {"Anna": {"gold": 4, "city": ["temple"]}, "Kurt": {"city": ["observatory"]}}
    referee = set_up_turn("king", turn={"gathered": True}, players=players)
    expect_refusal(referee, "build temple", "build.duplicate")
    expect_refusal(referee, "build observatory", "build.copies")
    assert "5 gold" in expect_refusal(referee, "build palace", "build.gold").reason
    expect_refusal(referee, "build park", "build.not_in_game")
    expect_refusal(referee, "build manor from Kurt", "build.form")
    expect_refusal(referee, "build manor over temple", "build.form")
    expect_refusal(referee, "build manor cards 1", "build.form")
    empty = set_up_turn("king", turn={"gathered": True}, players={"Anna": {"hand": 0}})
    expect_refusal(empty, "build temple", "build.no_card")


def test_a_district_left_out_of_the_deck_cannot_be_built() -> None:
    referee = game(
        districts=["keep"],
        position={"turn": {"player": "Anna", "character": "king", "gathered": True}},
    )
    expect_refusal(referee, "build haunted_quarter", "build.not_in_game")
    assert "build keep" not in texts(referee)  # 3 gold
    assert referee.table.rules.deck_size == 54 + 2


@pytest.mark.parametrize(
    ("character", "power"),
    [
        ("assassin", "kill king"),
        ("thief", "rob king"),
        ("magician", "swap Kurt"),
        ("magician", "redraw 1"),
        ("merchant", "bonus"),
        ("architect", "bonus"),
        ("warlord", "destroy Kurt temple"),
    ],
)
def test_a_power_is_used_once_at_any_time_and_by_its_owner_alone(
    character: str, power: str
) -> None:
    players = {"Kurt": {"city": ["temple", "tavern"]}}
    referee = set_up_turn(character, players=players)
    assert power in texts(referee)
    referee.play(power)
    again = "destroy Kurt tavern" if character == "warlord" else power
    expect_refusal(referee, again, "bonus.done" if power == "bonus" else "power.done")
    later = {**players, "Anna": {"city": ["manor"]}}
    after = set_up_turn(character, players=later, turn={"gathered": True, "built": ["manor"]})
    assert power in texts(after)
    for other in CHARACTERS:
        if other != character and not (power == "bonus" and other in ("merchant", "architect")):
            refusal = expect_refusal(
                set_up_turn(other, players=players), power, "power.other_character"
            )
            assert character.capitalize() in refusal.reason


def test_the_assassin_names_any_other_character_of_the_cast() -> None:
    referee = set_up_turn("assassin", faceup=["bishop", "merchant"])
    assert legal_of(referee, "kill") == [f"kill {c}" for c in CHARACTERS[1:]]
    expect_refusal(referee, "kill assassin", "assassin.self")
    assert "Witch" in expect_refusal(referee, "kill witch", "assassin.not_in_cast").reason


def test_whom_the_thief_cannot_rob() -> None:
    referee = set_up_turn("thief", killed="king")
    able = [c for c in CHARACTERS if c not in ("assassin", "thief", "king")]
    assert legal_of(referee, "rob") == [f"rob {c}" for c in able]
    expect_refusal(referee, "rob thief", "thief.self")
    expect_refusal(referee, "rob assassin", "thief.rank_1")
    expect_refusal(referee, "rob king", "thief.killed")
    expect_refusal(referee, "rob witch", "thief.not_in_cast")


def test_the_robbed_pays_everything_when_revealed_before_gathering() -> None:
    players = {"Kurt": {"gold": 7}, "Ashley": {"gold": 1}}
    referee = game("reveal Kurt", position={
        "players": players, "revealed": {"Ashley": ["thief"]}, "robbed": "king", "called": 4,
    })  # fmt: skip
    assert [seat.gold for seat in referee.table.seats] == [2, 0, 8, 2]
    assert [e.kind for e in referee.table.events] == ["robbed", "crowned"]
    assert referee.table.events[0].amount == 7


def test_a_thief_with_two_characters_does_not_rob_himself() -> None:
    referee = game("reveal Anna", players=2, position={
        "players": {"Anna": {"gold": 5}}, "revealed": {"Anna": ["thief"]}, "robbed": "king",
        "called": 4,
    })  # fmt: skip
    assert [seat.gold for seat in referee.table.seats] == [5, 2]


def test_the_magician_swaps_hands_even_an_empty_one() -> None:
    referee = set_up_turn("magician", players={"Anna": {"hand": 0}, "Ben": {"hand": 6}})
    expect_refusal(referee, "swap Anna", "magician.self")
    expect_refusal(referee, "redraw 1", "magician.hand")
    assert legal_of(referee, "swap") == ["swap Kurt", "swap Ashley", "swap Ben"]
    referee.play("swap Ben")
    assert [seat.hand for seat in referee.table.seats] == [6, 4, 4, 0]
    expect_refusal(referee, "redraw 1", "power.done")


def test_the_magician_redraws_some_of_his_hand() -> None:
    referee = set_up_turn("magician", players={"Anna": {"hand": 3}})
    assert legal_of(referee, "redraw") == ["redraw 1", "redraw 2", "redraw 3"]
    expect_refusal(referee, "redraw 0", "magician.none")
    expect_refusal(referee, "redraw 4", "magician.hand")
    deck = referee.table.deck
    referee.play("redraw 3")
    assert (referee.table.seats[0].hand, referee.table.deck) == (3, deck)
    expect_refusal(referee, "swap Ben", "power.done")


def test_the_merchants_gold_and_the_architects_cards_come_whatever_was_gathered() -> None:
    merchant = set_up_turn("merchant")
    for move in ("bonus", "cards"):
        merchant.play(move)
    assert (merchant.table.seats[0].gold, merchant.table.seats[0].hand) == (3, 5)
    architect = set_up_turn("architect")
    for move in ("gold", "bonus"):
        architect.play(move)
    assert (architect.table.seats[0].gold, architect.table.seats[0].hand) == (4, 6)


def test_the_warlord_pays_one_less_than_the_cost_also_in_his_own_city() -> None:
    players = {"Anna": {"gold": 3, "city": ["manor"]}, "Kurt": {"city": ["castle", "palace"]}}
    referee = set_up_turn("warlord", players=players)
    refusal = expect_refusal(referee, "destroy Kurt palace", "warlord.gold")
    assert "4 gold" in refusal.reason
    expect_refusal(referee, "destroy Kurt temple", "warlord.no_such_district")
    assert legal_of(referee, "destroy") == ["destroy Anna manor", "destroy Kurt castle"]
    deck = referee.table.deck
    referee.play("destroy Kurt castle")
    assert referee.table.seats[0].gold == 0
    assert referee.table.deck == deck + 1


def test_a_table_may_keep_the_warlord_out_of_his_own_city() -> None:
    players = {"Anna": {"city": ["temple"]}}
    referee = set_up_turn("warlord", players=players, options={"strike_own_city": False})
    expect_refusal(referee, "destroy Anna temple", "warlord.own_city")
    assert legal_of(referee, "destroy") == []


def test_the_warlord_cannot_touch_a_complete_city_his_own_neither() -> None:
    players = {"Anna": {"city": SEVEN}, "Kurt": {"city": SEVEN[:6]}}
    referee = set_up_turn("warlord", players=players)
    expect_refusal(referee, "destroy Anna watchtower", "warlord.complete_city")
    assert all("Kurt" in text for text in legal_of(referee, "destroy"))
    eight = set_up_turn("warlord", players=players, options={"city_size": 8})
    assert "destroy Anna watchtower" in texts(eight)
    three = set_up_turn("warlord", players=players, size=3)
    assert "destroy Anna watchtower" in texts(three)


def test_the_bishop_is_safe_unless_he_was_killed() -> None:
    players = {"Kurt": {"city": ["temple"]}}
    referee = set_up_turn("warlord", players=players, revealed={"Kurt": ["bishop"]})
    assert "Kurt" in expect_refusal(referee, "destroy Kurt temple", "warlord.bishop").reason
    victim = set_up_turn("warlord", players=players, killed="bishop", chosen={"Kurt": ["bishop"]})
    assert "destroy Kurt temple" in texts(victim)


def test_each_turn_of_a_player_with_two_characters_is_a_turn_of_its_own() -> None:
    referee = game("call", "reveal Anna", "gold", "build temple", "end", "reveal Anna", players=2)
    turn = referee.table.turn
    assert turn is not None
    assert (turn.character, turn.gathered, turn.built) == ("thief", False, ())
    assert referee.table.seats[0].revealed == ("assassin", "thief")


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
