"""The characters of the larger boxes: what each may do, how they meet, and what is refused."""

from __future__ import annotations

from typing import Any

import pytest

from engine import cards, record, views
from engine.referee import Referee
from tests.engine.playing import NAMES, legal_of, problems_of, refused, texts

OLD_BOXES = ("millennium_3e", "ffg_2005")
BIG_BOXES = (*OLD_BOXES, "deluxe_2016")
SEVEN = ["manor", "castle", "church", "monastery", "market", "docks", "watchtower"]
DELUXE_UNIQUES = [
    "armory", "factory", "framework", "great_wall", "haunted_quarter", "keep", "laboratory",
    "museum", "necropolis", "park", "poor_house", "quarry", "school_of_magic", "smithy",
]  # fmt: skip


def cast_with(*characters: str) -> list[str]:
    """The eight characters of the smallest box, these in the places of their ranks."""
    known = cards.characters()
    first = ["assassin", "thief", "magician", "king", "bishop", "merchant", "architect", "warlord"]
    by_rank = {known[id_].rank: id_ for id_ in (*first, *characters)}
    return [by_rank[rank] for rank in sorted(by_rank)]


def table(
    *characters: str, edition: str = "deluxe_2016", size: int = 4, **position: Any
) -> Referee:
    """A table that plays with these characters, at that position; Anna holds the crown."""
    head = {key: position.pop(key) for key in ("secrecy", "options", "crown") if key in position}
    head.setdefault("crown", "Anna")
    if edition == "deluxe_2016":
        head["districts"] = position.pop("districts", DELUXE_UNIQUES)
    cast = cast_with(*characters)
    if size in (3, 8) and len(cast) == 8:
        cast = cast_with(*characters, "artist")
    head |= {"edition": edition, "players": [*NAMES, "Eve"][:size], "characters": cast}
    return Referee(record.read({**head, "position": position}).start)


def turn_of(
    character: str,
    *others: str,
    turn: dict[str, Any] | None = None,
    **position: Any,
) -> Referee:
    """Anna's turn as that character, with the others in the game too."""
    acting = {"player": "Anna", "character": character, **(turn or {})}
    return table(character, *others, turn=acting, **position)


def play(referee: Referee, *moves: str) -> Referee:
    for move in moves:
        referee.play(move)
    return referee


def gold(referee: Referee) -> list[int]:
    return [seat.gold for seat in referee.table.seats]


def hands(referee: Referee) -> list[int]:
    return [seat.hand for seat in referee.table.seats]


def city(referee: Referee, seat: int = 0) -> list[str]:
    return [card.id for card in referee.table.seats[seat].city.cards]


# -- the Witch ----------------------------------------------------------------------------------


def bewitching(
    character: str, *, edition: str = "deluxe_2016", witch: str = "Anna", **rest: Any
) -> Referee:
    """Rank of a bewitched character about to be called; Kurt is going to show it."""
    rank = cards.characters()[character].rank
    revealed = {witch: ["witch"]} | rest.pop("revealed", {})
    others = rest.pop("others", ())
    return table(
        "witch", character, *others, edition=edition, bewitched=character, called=rank,
        revealed=revealed, **rest,
    )  # fmt: skip


@pytest.mark.parametrize("edition", BIG_BOXES)
def test_the_witch_gathers_bewitches_and_plays_the_rest_of_that_turn(edition: str) -> None:
    players = {"Anna": {"gold": 6, "city": ["manor"]}, "Kurt": {"city": ["castle", "palace"]}}
    referee = turn_of("witch", edition=edition, faceup=[], players=players)
    assert texts(referee) == ["gold", "cards"]
    refused(referee, "bewitch king", "witch.gather_first")
    refused(referee, "build temple", "build.not_gathered")
    referee.play("gold")
    refused(referee, "build temple", "witch.before_resuming")
    refused(referee, "bewitch witch", "witch.self")
    assert legal_of(referee, "bewitch") == [f"bewitch {c}" for c in referee.table.rules.cast[1:]]
    assert legal_of(referee, "build") == []
    referee.play("bewitch king")
    assert (referee.table.phase, referee.table.called) == ("calling", 2)
    assert views.table_json(referee.table)["bewitched"] == "king"
    play(referee, "nobody", "nobody", "reveal Kurt")
    assert referee.table.crown == 1  # he takes the crown himself
    assert texts(referee) == ["gold", "cards"]
    refused(referee, "income", "witch.bewitched_gathers")
    refused(referee, "end", "witch.bewitched_gathers")
    referee.play("cards")
    assert hands(referee)[1] == 5
    turn = views.table_json(referee.table)["turn"]
    assert turn == {
        "player": "Anna", "character": "king", "gathered": True, "income": False, "built": [],
    }  # fmt: skip
    refused(referee, "gold", "gather.done")
    play(referee, "income", "build temple")
    assert (gold(referee)[0], city(referee)) == (8, ["manor", "temple"])
    referee.play("end")
    assert referee.table.called == 5


def test_the_turn_of_a_witch_whose_victim_is_in_nobodys_hand_is_over() -> None:
    players = {"Anna": {"gold": 0, "hand": 0, "city": ["poor_house", "park"]}}
    referee = turn_of("witch", faceup=[], players=players)
    play(referee, "cards", "bewitch bishop")
    while referee.table.phase == "calling":
        referee.play("nobody")
    assert referee.table.round == 2
    assert (gold(referee)[0], hands(referee)[0]) == (0, 1)  # no Poor House without resuming


def test_a_witch_who_ends_without_bewitching_has_had_a_turn() -> None:
    players = {"Anna": {"gold": 0, "city": ["poor_house"]}}
    assert gold(play(turn_of("witch", players=players), "cards", "end"))[0] == 1


def test_poor_house_and_park_serve_the_witch_when_she_resumes() -> None:
    players = {"Anna": {"gold": 0, "hand": 0, "city": ["poor_house", "park"]},
               "Kurt": {"gold": 0, "hand": 0}}  # fmt: skip
    referee = play(bewitching("merchant", players=players), "reveal Kurt", "gold")
    referee.play("end")
    assert (gold(referee)[:2], hands(referee)[:2]) == ([1, 2], [2, 0])


@pytest.mark.parametrize("edition", BIG_BOXES)
def test_nobody_has_the_powers_of_a_bewitched_character_in_nobodys_hand(edition: str) -> None:
    """The Bishop is in nobody's hand: he does not protect the Witch's city either."""
    players = {"Ben": {"city": ["temple"]}, "Kurt": {"city": ["tavern"]}}
    absent = turn_of("warlord", "witch", edition=edition, players=players, bewitched="bishop",
                     revealed={"Ben": ["witch"]}, turn={"gathered": True})  # fmt: skip
    assert "destroy Ben temple" in texts(absent)
    held = turn_of("warlord", "witch", edition=edition, players=players, bewitched="bishop",
                   revealed={"Ben": ["witch"], "Kurt": ["bishop"]},
                   turn={"gathered": True})  # fmt: skip
    refused(held, "destroy Ben temple", "warlord.bishop")
    assert "destroy Kurt tavern" in texts(held)


def test_a_bewitched_tax_collector_in_nobodys_hand_taxes_for_nobody() -> None:
    referee = turn_of("king", "witch", "tax_collector_2004", edition="ffg_2005",
                      bewitched="tax_collector_2004", revealed={"Ben": ["witch"]},
                      turn={"gathered": True, "built": ["manor"]})  # fmt: skip
    referee.play("end")
    assert gold(referee) == [2, 2, 2, 2]


def test_the_witch_plays_with_her_own_hand_gold_and_city() -> None:
    players = {"Anna": {"gold": 1, "hand": 1, "city": ["temple", "church"]},
               "Kurt": {"gold": 9, "hand": 9, "city": ["monastery"]}}  # fmt: skip
    referee = play(bewitching("abbot", players=players, faceup=[]), "reveal Kurt", "gold")
    assert legal_of(referee, "income") == [
        "income gold 2 cards 0", "income gold 1 cards 1", "income gold 0 cards 2",
    ]  # fmt: skip
    play(referee, "income gold 2 cards 0", "tithe")  # the bewitched is the richest
    assert gold(referee)[:2] == [4, 10]
    refused(referee, "build temple", "build.duplicate")
    referee.play("build monastery")
    assert hands(referee)[:2] == [0, 9]


def test_the_witch_chooses_and_takes_the_emperors_payment() -> None:
    players = {"Ashley": {"gold": 3}}
    referee = play(bewitching("emperor", players=players, crown="Ben"), "reveal Kurt", "gold")
    assert referee.table.crown == 3
    refused(referee, "crown Anna nothing", "emperor.self")
    refused(referee, "crown Ben gold", "emperor.holder")
    referee.play("crown Ashley gold")
    assert (gold(referee), referee.table.crown) == ([3, 4, 2, 2], 2)


def test_the_loot_of_a_bewitched_thief_is_the_witchs() -> None:
    players = {"Ben": {"gold": 7}}
    referee = play(bewitching("thief", players=players), "reveal Kurt", "gold")
    assert "rob witch" not in texts(referee)
    refused(referee, "rob witch", "thief.rank_1")
    refused(referee, "rob thief", "thief.self")
    play(referee, "rob king", "end", "nobody", "reveal Ben")
    assert gold(referee) == [9, 4, 2, 0]


def test_the_thief_can_rob_neither_the_witch_nor_the_bewitched() -> None:
    referee = turn_of("thief", "witch", bewitched="king", revealed={"Ben": ["witch"]})
    refused(referee, "rob king", "thief.bewitched")
    refused(referee, "rob witch", "thief.rank_1")


@pytest.mark.parametrize("edition", OLD_BOXES)
def test_a_bewitched_tax_collector_pays_the_witch_and_she_pays_nobody(edition: str) -> None:
    referee = play(
        bewitching("tax_collector_2004", edition=edition, faceup=[]), "reveal Kurt", "gold"
    )
    play(referee, "build temple", "end", "nobody", "reveal Ben", "gold", "build tavern", "end")
    assert gold(referee) == [2, 4, 2, 2]
    # 2 less the temple, and one from Ben's 2 + 2 - 1


@pytest.mark.parametrize("edition", OLD_BOXES)
def test_the_witch_pays_the_tax_of_the_turn_she_plays(edition: str) -> None:
    referee = bewitching(
        "king", edition=edition, others=("tax_collector_2004",), faceup=[],
        revealed={"Ben": ["tax_collector_2004"]},
    )  # fmt: skip
    play(referee, "reveal Kurt", "gold", "build temple", "end")
    assert gold(referee) == [0, 4, 2, 3]


def test_a_bewitched_queen_pays_the_witch_for_her_own_seat() -> None:
    """Anna the Witch sits beside Kurt the King; Ben, the bewitched Queen, does not."""
    referee = table("witch", "queen", size=6, bewitched="queen", called=9,
                    revealed={"Anna": ["witch"], "Kurt": ["king"]})  # fmt: skip
    play(referee, "reveal Ben", "gold")
    assert gold(referee)[:4] == [5, 2, 2, 4]


def test_the_witch_is_refunded_what_she_built_as_the_alchemist() -> None:
    players = {"Anna": {"gold": 5}}
    referee = play(bewitching("alchemist", players=players), "reveal Kurt", "gold")
    referee.play("build palace")
    assert gold(referee)[0] == 0
    referee.play("end")
    assert gold(referee)[0] == 5


def test_the_navigator_is_a_restriction_for_the_witch_too() -> None:
    referee = play(bewitching("navigator", faceup=[]), "reveal Kurt", "gold", "navigate gold")
    assert gold(referee)[0] == 6
    refused(referee, "build temple", "build.limit")


def test_a_district_used_before_the_pause_has_been_used_this_turn() -> None:
    players = {"Anna": {"hand": 3, "city": ["laboratory"]}}
    referee = turn_of("witch", faceup=[], players=players)
    play(referee, "gold", "use laboratory", "bewitch thief", "reveal Kurt", "gold")
    refused(referee, "use laboratory", "use.done")
    assert legal_of(referee, "use") == []


def test_a_position_in_the_turn_that_the_witch_plays_on() -> None:
    referee = table("witch", bewitched="king", crown="Kurt",
                    players={"Anna": {"city": ["manor"], "hand": 2}},
                    revealed={"Anna": ["witch"], "Kurt": ["king"]},
                    turn={"player": "Anna", "character": "king"})  # fmt: skip
    assert "income" in texts(referee)
    refused(referee, "gold", "gather.done")
    built = table("witch", bewitched="king", revealed={"Anna": ["witch"], "Kurt": ["king"]},
                  turn={"player": "Anna", "character": "king", "built": ["temple"]})  # fmt: skip
    refused(built, "build tavern", "build.limit")
    gathering = table("witch", bewitched="king", revealed={"Anna": ["witch"]},
                      turn={"player": "Kurt", "character": "king"})  # fmt: skip
    assert texts(gathering) == ["gold", "cards"]


def test_a_witch_may_bewitch_her_own_second_character() -> None:
    """With two characters each, she gathers as the bewitched and plays on herself."""
    referee = table("witch", size=2, bewitched="king", called=4, revealed={"Anna": ["witch"]})
    play(referee, "reveal Anna")
    assert texts(referee) == ["gold", "cards"]
    referee.play("gold")
    assert gold(referee) == [4, 2]
    assert "end" in texts(referee)
    place = {"player": "Anna", "character": "king"}
    position = {"bewitched": "king", "revealed": {"Anna": ["witch"]}}
    same = table("witch", size=2, turn=place, **position)
    assert texts(same) == ["gold", "cards"]
    later = table("witch", size=2, turn={**place, "gathered": True}, **position)
    assert "end" in texts(later)


def test_a_position_may_leave_out_who_has_bewitched() -> None:
    """Nobody resumes: the turn of the bewitched is over when he has gathered."""
    referee = table("witch", called=4, bewitched="king")
    play(referee, "reveal Kurt", "gold")
    assert (referee.table.phase, referee.table.called) == ("calling", 5)


# -- the Magistrate -----------------------------------------------------------------------------

WARRANTS = ["thief", "king", "architect"]


def warranted(character: str = "king", **rest: Any) -> Referee:
    """Anna builds as a character with a warrant; Ben is the Magistrate."""
    rest.setdefault("warrants", WARRANTS)
    revealed = {"Ben": ["magistrate"]} | rest.pop("revealed", {})
    turn = {"gathered": True} | rest.pop("turn", {})
    others = rest.pop("others", ())
    return turn_of(character, "magistrate", *others, turn=turn, revealed=revealed, **rest)


def test_the_magistrate_lays_three_warrants_and_may_record_the_signed_one() -> None:
    referee = turn_of("magistrate")
    assert len(legal_of(referee, "warrants")) == 35
    refused(referee, "signed king", "magistrate.no_warrants")
    refused(referee, "warrants king king thief", "magistrate.twice")
    refused(referee, "warrants king magistrate thief", "magistrate.self")
    refused(referee, "warrants king queen thief", "magistrate.not_in_cast")
    referee.play("warrants king thief bishop")
    assert views.table_json(referee.table)["warrants"] == ["thief", "king", "bishop"]
    refused(referee, "warrants king thief merchant", "power.done")
    refused(referee, "signed merchant", "magistrate.no_such_warrant")
    referee.play("signed bishop")
    refused(referee, "signed king", "power.done")


def test_a_district_is_confiscated_and_the_gold_comes_back() -> None:
    referee = warranted(signed="king", players={"Anna": {"gold": 5, "hand": 2}})
    referee.play("build palace")
    assert views.table_json(referee.table)["awaiting"] == {"player": "Ben", "question": "warrant"}
    assert texts(referee) == ["confiscate", "spare"]
    refused(referee, "end", "phase.answer")
    referee.play("confiscate")
    assert (city(referee), city(referee, 3), gold(referee)) == ([], ["palace"], [5, 2, 2, 2])
    assert hands(referee)[0] == 1
    refused(referee, "build temple", "build.limit")  # it still counts as built
    assert views.table_json(referee.table)["turn"]["built"] == ["palace"]


def test_a_warrant_known_to_be_unsigned_cannot_be_shown() -> None:
    referee = play(warranted(signed="thief"), "build temple")
    refused(referee, "confiscate", "magistrate.unsigned")
    assert texts(referee) == ["spare"]
    referee.play("spare")
    assert city(referee) == ["temple"]


def test_the_magistrate_is_asked_once_and_after_the_signed_one_nobody_else() -> None:
    spared = warranted("architect", players={"Anna": {"gold": 9}})
    play(spared, "build temple", "spare", "build tavern")
    assert spared.table.phase == "turn"
    assert spared.table.settled == {"architect"}
    shown = warranted("king", players={"Kurt": {"gold": 9}})
    play(shown, "build temple", "confiscate", "end", "nobody", "nobody", "reveal Kurt", "gold")
    assert play(shown, "build tavern").table.phase == "turn"


def test_a_district_that_the_magistrate_has_cannot_be_confiscated() -> None:
    referee = play(warranted(players={"Ben": {"city": ["temple"]}}), "build temple")
    refused(referee, "confiscate", "magistrate.duplicate")
    referee.play("spare")


def test_only_what_is_paid_for_can_be_confiscated() -> None:
    players = {"Anna": {"gold": 9, "city": ["framework", "tavern"]}}
    for build in ("build palace over framework", "build necropolis over tavern"):
        referee = warranted("architect", players=players)
        assert play(referee, build).table.phase == "turn"
        assert play(referee, "build temple").table.phase == "answer"


def test_a_confiscated_den_gives_back_only_the_gold() -> None:
    districts = ["thieves_den", *DELUXE_UNIQUES[:-1]]
    referee = warranted(players={"Anna": {"gold": 4, "hand": 4}}, districts=districts)
    play(referee, "build thieves_den cards 2", "confiscate")
    assert (gold(referee)[0], hands(referee)[0]) == (4, 1)


def test_the_magistrate_is_not_asked_about_his_own_second_character() -> None:
    referee = table("magistrate", size=2, warrants=WARRANTS, revealed={"Anna": ["magistrate"]},
                    turn={"player": "Anna", "character": "king", "gathered": True})  # fmt: skip
    assert play(referee, "build temple").table.phase == "turn"


def test_the_magistrate_pays_the_tax_of_what_he_takes() -> None:
    taken = warranted(others=("tax_collector",))
    play(taken, "build temple", "confiscate")
    assert (gold(taken), taken.table.tax) == ([2, 2, 2, 1], 1)
    left = warranted(others=("tax_collector",))
    play(left, "build temple", "spare")
    assert (gold(left), left.table.tax) == ([0, 2, 2, 2], 1)


def test_the_magistrate_takes_what_the_wizard_builds_at_once() -> None:
    referee = warranted("wizard", warrants=["thief", "wizard", "king"])
    play(referee, "take Kurt temple", "confiscate")
    assert (hands(referee)[:2], gold(referee)[0], city(referee, 3)) == ([4, 3], 2, ["temple"])
    assert play(referee, "build tavern").table.phase == "turn"


def test_the_alchemist_is_not_refunded_twice_for_what_was_confiscated() -> None:
    referee = warranted("alchemist", warrants=["king", "alchemist", "thief"],
                        players={"Anna": {"gold": 5}})  # fmt: skip
    play(referee, "build palace", "confiscate", "end")
    assert gold(referee)[0] == 5


def test_a_confiscated_district_may_complete_the_magistrates_city() -> None:
    players = {"Ben": {"city": SEVEN[:6]}, "Anna": {"gold": 5}}
    referee = play(warranted(players=players), "build palace", "confiscate")
    assert referee.table.first_complete == (3,)


def test_a_position_after_a_warrant_was_answered() -> None:
    referee = warranted("architect", settled=["architect"], turn={"built": ["manor"]})
    assert play(referee, "build temple").table.phase == "turn"


def test_a_position_in_the_turn_of_who_laid_markers_knows_that_they_lie() -> None:
    referee = turn_of("magistrate", warrants=WARRANTS, signed="king", turn={"gathered": True})
    assert texts(referee) == ["build temple", "build church", "build tavern", "build market",
                              "build trading_post", "build watchtower", "build prison",
                              "build haunted_quarter", "end"]  # fmt: skip
    refused(referee, "signed thief", "power.done")


# -- the Blackmailer ----------------------------------------------------------------------------

THREATS = ["king", "merchant"]


def threatened(*moves: str, **rest: Any) -> Referee:
    """Rank 4 is called and the King is threatened; Ben is the Blackmailer, Kurt the King."""
    rest.setdefault("players", {"Kurt": {"gold": 5}})
    revealed = {"Ben": ["blackmailer"]} | rest.pop("revealed", {})
    referee = table("blackmailer", threats=THREATS, called=4, revealed=revealed, **rest)
    return play(referee, *moves)


def test_the_blackmailer_threatens_two_but_not_everybody() -> None:
    referee = turn_of("blackmailer", killed="king", revealed={"Ben": ["assassin"]})
    refused(referee, "threats king bishop", "blackmailer.killed")
    refused(referee, "threats assassin bishop", "blackmailer.rank_1")
    refused(referee, "threats bishop bishop", "blackmailer.twice")
    refused(referee, "threats blackmailer bishop", "blackmailer.self")
    refused(referee, "threats queen bishop", "blackmailer.not_in_cast")
    refused(referee, "real bishop", "blackmailer.no_threats")
    assert len(legal_of(referee, "threats")) == 10  # of the five others
    referee.play("threats merchant bishop")
    assert views.table_json(referee.table)["threats"] == ["bishop", "merchant"]
    refused(referee, "real warlord", "blackmailer.no_such_threat")
    referee.play("real bishop")
    bewitched = turn_of("blackmailer", "witch", bewitched="king", revealed={"Ben": ["witch"]})
    refused(bewitched, "threats king bishop", "blackmailer.bewitched")


def test_a_secretly_murdered_character_can_be_threatened_without_effect() -> None:
    referee = turn_of("blackmailer", killed="king", secrecy="secret", faceup=[],
                      revealed={"Ben": ["assassin"]})  # fmt: skip
    play(referee, "threats king bishop", "gold", "end", "nobody", "nobody")
    assert referee.table.called == 5


def test_a_bribe_is_half_of_what_is_there_after_gathering_rounded_down() -> None:
    referee = threatened("reveal Kurt", "gold")
    assert views.table_json(referee.table)["awaiting"] == {"player": "Kurt", "question": "threat"}
    assert texts(referee) == ["bribe", "refuse"]
    referee.play("bribe")
    assert gold(referee) == [2, 4, 2, 5]
    assert referee.table.phase == "turn"
    assert "exposed" not in [event.kind for event in referee.table.events]
    poor = threatened("reveal Kurt", "cards", "bribe", players={"Kurt": {"gold": 1}})
    assert gold(poor) == [2, 1, 2, 2]


@pytest.mark.parametrize(
    ("real", "said", "left"),
    [("king", "expose", 0), (None, "expose real", 0), ("king", "expose real", 0),
     ("merchant", "expose", 7), (None, "expose fake", 7), ("merchant", "expose fake", 7)],
)  # fmt: skip
def test_an_exposed_threat_takes_all_if_it_is_real(real: str | None, said: str, left: int) -> None:
    referee = threatened("reveal Kurt", "gold", "refuse", **({"real": real} if real else {}))
    assert views.table_json(referee.table, full=True)["awaiting"] == {
        "player": "Ben", "question": "expose",
    }  # fmt: skip
    referee.play(said)
    assert gold(referee) == [2, left, 2, 9 - left]
    assert referee.table.phase == "turn"


def test_exposing_says_which_where_nobody_knows_and_the_truth_where_it_is_known() -> None:
    unknown = threatened("reveal Kurt", "gold", "refuse")
    refused(unknown, "expose", "blackmailer.say_which")
    assert texts(unknown) == ["expose real", "expose fake", "spare"]
    known = threatened("reveal Kurt", "gold", "refuse", real="king")
    refused(known, "expose fake", "blackmailer.recorded")
    assert texts(known) == ["expose", "spare"]


def test_a_spared_threat_is_answered() -> None:
    referee = threatened("reveal Kurt", "gold", "refuse", "spare")
    assert (gold(referee), referee.table.settled) == ([2, 7, 2, 2], {"king"})


def test_once_the_real_threat_was_shown_nobody_is_asked_about_the_other() -> None:
    referee = threatened("reveal Kurt", "gold", "refuse", "expose real", "end", "nobody")
    assert play(referee, "reveal Anna", "gold").table.phase == "turn"


def test_once_the_empty_threat_was_shown_the_other_is_the_real_one() -> None:
    referee = threatened("reveal Kurt", "gold", "refuse", "expose fake", "end", "nobody")
    play(referee, "reveal Anna", "gold", "refuse")
    refused(referee, "expose fake", "blackmailer.recorded")
    assert gold(play(referee, "expose"))[0] == 0


def test_the_blackmailer_is_not_asked_about_his_own_second_character() -> None:
    referee = table("blackmailer", size=2, threats=THREATS, called=4,
                    revealed={"Anna": ["blackmailer"]})  # fmt: skip
    assert play(referee, "reveal Anna", "gold").table.phase == "turn"


def test_the_bribe_for_a_bewitched_blackmailer_goes_to_the_witch() -> None:
    referee = table("blackmailer", "witch", threats=THREATS, bewitched="blackmailer", called=4,
                    revealed={"Anna": ["witch"], "Ben": ["blackmailer"]})  # fmt: skip
    play(referee, "reveal Kurt", "gold", "bribe")
    assert gold(referee) == [4, 2, 2, 2]


def test_a_position_that_has_gathered_under_an_open_threat_must_answer_it() -> None:
    position: dict[str, Any] = {"threats": THREATS, "revealed": {"Ben": ["blackmailer"]}}
    turn = {"gathered": True}
    assert texts(turn_of("king", "blackmailer", turn=turn, **position)) == ["bribe", "refuse"]
    settled = turn_of("king", "blackmailer", turn=turn, settled=["king"], **position)
    assert settled.table.phase == "turn"
    built = turn_of("king", "blackmailer", turn={**turn, "built": ["manor"]}, **position)
    assert built.table.phase == "turn"  # it must have been answered
    before = turn_of("king", "blackmailer", **position)
    assert play(before, "gold").table.phase == "answer"


# -- the Tax Collectors -------------------------------------------------------------------------


@pytest.mark.parametrize("edition", OLD_BOXES)
def test_the_older_tax_collector_is_paid_by_whoever_built(edition: str) -> None:
    referee = turn_of("assassin", "tax_collector_2004", edition=edition, faceup=[],
                      turn={"gathered": True}, players={"Anna": {"gold": 4}})  # fmt: skip
    play(referee, "build temple", "end")
    assert referee.table.owes_tax == {0}
    referee.play("reveal Ben")
    assert (gold(referee), referee.table.owes_tax) == ([2, 2, 2, 3], frozenset())
    play(referee, "gold", "build manor", "end")  # pays nobody himself
    assert gold(referee)[3] == 2
    play(referee, "reveal Kurt", "gold", "build harbor", "end")  # nothing left to give
    assert gold(referee) == [2, 0, 2, 2]
    play(referee, "reveal Ashley", "gold", "end")  # has not built
    assert gold(referee) == [2, 0, 4, 2]


@pytest.mark.parametrize("edition", OLD_BOXES)
def test_a_position_in_which_the_older_tax_is_owed(edition: str) -> None:
    for faceup in ([], ["bishop"]):
        referee = table("tax_collector_2004", edition=edition, called=2, owes_tax=["Anna"],
                        revealed={"Anna": ["assassin"]}, faceup=faceup)  # fmt: skip
        assert gold(play(referee, "reveal Ben")) == [1, 2, 2, 3]
    later = table("tax_collector_2004", edition=edition, called=8, owes_tax=["Anna"])
    assert later.table.owes_tax == {0}


@pytest.mark.parametrize("edition", OLD_BOXES)
def test_a_killed_older_tax_collector_gets_nothing_this_round(edition: str) -> None:
    hospital = {"Ben": {"city": ["hospital"]}}
    position: dict[str, Any] = {
        "edition": edition, "killed": "tax_collector_2004", "called": 2, "faceup": [],
        "owes_tax": ["Anna"], "revealed": {"Anna": ["assassin"]}, "players": hospital,
    }  # fmt: skip
    for moves in (["nobody"], ["reveal Ben", "gold", "end"]):
        referee = play(table("tax_collector_2004", **position), *moves)
        before = gold(referee)[3]
        play(referee, "reveal Kurt", "gold", "build temple", "end")
        assert gold(referee) == [2, 3, 2, before]


def test_the_deluxe_tax_collector_gathers_one_gold_for_each_district_built() -> None:
    referee = turn_of("architect", "tax_collector", faceup=[], turn={"gathered": True},
                      players={"Anna": {"gold": 4}}, tax=2)  # fmt: skip
    play(referee, "build temple", "build tavern")
    assert (gold(referee)[0], referee.table.tax) == (0, 4)
    play(referee, "end", "nobody", "reveal Ben")
    assert "collect" in texts(referee)
    play(referee, "gold", "collect", "build watchtower")
    assert (gold(referee)[3], referee.table.tax) == (7, 0)  # pays no tax himself
    refused(referee, "collect", "power.done")


def test_a_district_bought_with_the_last_coin_leaves_no_tax() -> None:
    referee = turn_of("king", "tax_collector", turn={"gathered": True})
    assert play(referee, "build church").table.tax == 0


def test_the_tax_of_a_killed_collector_lies_until_another_round() -> None:
    referee = turn_of("king", "tax_collector", killed="tax_collector", crown="Anna", tax=1,
                      revealed={"Ben": ["assassin"]}, turn={"gathered": True})  # fmt: skip
    play(referee, "build temple", "end", *["nobody"] * 5)
    assert (referee.table.round, referee.table.tax) == (2, 2)


def test_a_position_with_gold_on_the_deluxe_tax_collector() -> None:
    acting = turn_of("tax_collector", tax=3)
    assert "collect" in texts(acting)
    assert gold(play(acting, "collect"))[0] == 5
    empty = turn_of("tax_collector")
    refused(empty, "collect", "tax_collector.nothing")
    face_up = table("tax_collector", tax=2, called=3, faceup=["tax_collector", "thief", "bishop"])
    assert face_up.table.tax == 2
    used = turn_of("tax_collector", tax=3, turn={"used": ["collect"]})
    refused(used, "collect", "power.done")


def test_the_witch_taxes_and_collects_for_a_bewitched_deluxe_collector() -> None:
    referee = play(bewitching("tax_collector", tax=2), "reveal Kurt", "gold", "collect")
    play(referee, "build temple")
    assert (gold(referee)[:2], referee.table.tax) == ([3, 4], 0)


# -- crowns: Emperor, Patrician, Queen ----------------------------------------------------------


@pytest.mark.parametrize("edition", BIG_BOXES)
def test_the_emperor_gives_the_crown_to_another_for_gold_or_a_card(edition: str) -> None:
    players = {"Ashley": {"gold": 0}, "Ben": {"gold": 0, "hand": 0}}
    referee = turn_of("emperor", edition=edition, crown="Kurt", players=players)
    assert legal_of(referee, "crown") == ["crown Ashley card", "crown Ben nothing"]
    refused(referee, "crown Anna gold", "emperor.self")
    refused(referee, "crown Kurt gold", "emperor.holder")
    refused(referee, "crown Ashley gold", "emperor.no_gold")
    refused(referee, "crown Ashley nothing", "emperor.must_pay")
    refused(referee, "crown Ben card", "emperor.no_card")
    referee.play("crown Ashley card")
    assert (referee.table.crown, hands(referee)) == (2, [5, 4, 3, 0])
    refused(referee, "crown Ben nothing", "power.done")


def after_the_last_rank(
    *characters: str, killed: str, answers: tuple[str, ...] = ("nobody",), **rest: Any
) -> Referee:
    """The last rank has been called, and answered so, after a murder by Ashley."""
    last = 9 if any(cards.characters()[c].rank == 9 for c in characters) else 8
    revealed = {"Ashley": ["assassin"]} | rest.pop("revealed", {})
    referee = table(*characters, killed=killed, called=last, faceup=[], revealed=revealed, **rest)
    return play(referee, *answers)


def test_the_killed_deluxe_emperor_gives_the_crown_away_without_payment() -> None:
    referee = after_the_last_rank("emperor", killed="emperor")
    assert referee.table.phase == "unmask"
    referee.play("unmask Ben")
    assert views.table_json(referee.table)["awaiting"] == {"player": "Ben", "question": "emperor"}
    assert texts(referee) == ["crown Kurt nothing", "crown Ashley nothing"]
    refused(referee, "crown Ben nothing", "emperor.self")
    refused(referee, "crown Anna nothing", "emperor.holder")
    refused(referee, "crown Kurt gold", "emperor.after_death")
    refused(referee, "call", "phase.answer")
    referee.play("crown Kurt nothing")
    assert (referee.table.crown, gold(referee), referee.table.round) == (1, [2, 2, 2, 2], 2)


def test_an_emperor_who_was_killed_and_wears_the_crown_gives_it_away_too() -> None:
    referee = play(after_the_last_rank("emperor", killed="emperor"), "unmask Anna")
    assert len(texts(referee)) == 3
    nobody = play(after_the_last_rank("emperor", killed="emperor"), "unmask nobody")
    assert (nobody.table.crown, nobody.table.round) == (0, 2)


@pytest.mark.parametrize("edition", OLD_BOXES)
def test_the_crown_of_a_killed_emperor_stays_in_older_boxes(edition: str) -> None:
    referee = after_the_last_rank("emperor", killed="emperor", edition=edition)
    referee.play("unmask Ben")
    assert (referee.table.crown, referee.table.round) == (0, 2)


def test_the_patrician_takes_the_crown_and_cards_alive_or_killed() -> None:
    referee = table("patrician", called=4, players={"Ben": {"city": ["manor", "school_of_magic"]}})
    play(referee, "reveal Ben", "income")
    assert (referee.table.crown, hands(referee)[3], gold(referee)[3]) == (3, 6, 2)
    assert play(after_the_last_rank("patrician", killed="patrician"), "unmask Ben").table.crown == 3


@pytest.mark.parametrize("edition", OLD_BOXES)
def test_every_killed_player_shows_himself_in_older_boxes(edition: str) -> None:
    referee = after_the_last_rank("abbot", killed="abbot", edition=edition)
    assert referee.table.phase == "unmask"
    refused(referee, "unmask Ashley", "unmask.shown")


def test_in_deluxe_a_killed_player_without_an_heirs_right_stays_hidden() -> None:
    assert after_the_last_rank("abbot", killed="abbot").table.round == 2


@pytest.mark.parametrize("edition", BIG_BOXES)
@pytest.mark.parametrize("rank_4", ["king", "emperor"])
def test_the_queen_is_paid_beside_the_player_of_rank_4(edition: str, rank_4: str) -> None:
    for player, expected in (("Anna", 5), ("Ashley", 5), ("Ben", 2)):
        referee = table("queen", rank_4, edition=edition, size=5, called=9, crown="Ben",
                        revealed={"Kurt": [rank_4]})  # fmt: skip
        referee.play(f"reveal {player}")
        assert referee.table.seats[NAMES.index(player)].gold == expected


def test_the_queen_waits_for_a_killed_rank_4_until_he_is_known() -> None:
    """Anna, the Queen, sits beside Kurt and Zoë."""
    for king, expected in (("Kurt", 5), ("Zoë", 5), ("Ben", 2), ("nobody", 2)):
        referee = after_the_last_rank(
            "queen", "emperor", killed="emperor", edition="ffg_2005", size=5,
            answers=("reveal Anna", "gold", "end"),
        )  # fmt: skip
        assert referee.table.phase == "unmask"
        assert gold(play(referee, f"unmask {king}"))[0] == expected + 2


def test_a_killed_king_shown_by_the_hospital_pays_the_queen_once() -> None:
    referee = table("queen", edition="ffg_2005", size=5, killed="king", called=4,
                    players={"Kurt": {"city": ["hospital"]}}, faceup=[],
                    revealed={"Ashley": ["assassin"]})  # fmt: skip
    play(referee, "reveal Kurt", "gold", "end", *["nobody"] * 4, "reveal Anna")
    assert gold(referee)[0] == 5
    play(referee, "gold", "end")
    assert (gold(referee)[0], referee.table.crown, referee.table.round) == (7, 1, 2)


# -- ranks 2, 3, 5: Spy, Wizard, Seer, Abbot, Cardinal ------------------------------------------


def test_the_spy_takes_a_gold_and_a_card_for_each_matching_card() -> None:
    referee = turn_of("spy", players={"Kurt": {"gold": 1, "hand": 3}})
    refused(referee, "spy Anna trade 1", "spy.self")
    refused(referee, "spy Kurt trade 4", "spy.hand")
    deck = referee.table.deck
    referee.play("spy Kurt trade 2")
    assert (gold(referee)[:2], hands(referee)[:2]) == ([3, 0], [6, 3])
    assert referee.table.deck == deck - 2
    refused(referee, "spy Ben noble 0", "power.done")


def test_the_wizard_builds_a_taken_card_outside_the_limit() -> None:
    referee = turn_of("wizard", players={"Anna": {"gold": 9}, "Ben": {"hand": 0}})
    refused(referee, "take Anna", "wizard.self")
    refused(referee, "take Ben", "wizard.no_card")
    refused(referee, "take Kurt temple", "build.not_gathered")
    play(referee, "gold", "build tavern", "take Kurt temple")
    assert (hands(referee)[:2], gold(referee)[0]) == ([3, 3], 9)
    refused(referee, "build market", "build.limit")
    first = play(turn_of("wizard"), "gold", "take Kurt temple", "build tavern")
    assert city(first) == ["temple", "tavern"]
    kept = play(turn_of("wizard"), "take Kurt")
    assert hands(kept)[:2] == [5, 3]
    refused(kept, "take Ben", "power.done")


@pytest.mark.parametrize("edition", BIG_BOXES)
def test_which_doubles_the_wizard_may_build(edition: str) -> None:
    players = {"Anna": {"gold": 9, "city": ["temple", "tavern"]}}
    referee = turn_of("wizard", edition=edition, players=players, turn={"gathered": True})
    if edition == "deluxe_2016":
        referee.play("build tavern")
    else:
        refused(referee, "build tavern", "build.duplicate")
    referee.play("take Kurt temple")
    assert city(referee).count("temple") == 2


def test_the_wizard_pays_for_what_he_builds_and_needs_a_copy_that_can_be_there() -> None:
    players = {"Ben": {"city": ["laboratory"]}, "Anna": {"gold": 4}}
    referee = turn_of("wizard", players=players, turn={"gathered": True})
    refused(referee, "take Kurt palace", "build.gold")
    refused(referee, "take Kurt laboratory", "build.copies")
    refused(referee, "take Kurt university", "build.not_in_game")


def test_the_seer_leaves_every_hand_as_large_and_builds_two() -> None:
    referee = turn_of("seer", players={"Anna": {"gold": 9}}, turn={"gathered": True})
    before = hands(referee)
    referee.play("divine")
    assert hands(referee) == before
    refused(referee, "divine", "power.done")
    play(referee, "build temple", "build tavern")
    refused(referee, "build market", "build.limit")
    empty = {name: {"hand": 0} for name in NAMES[1:4]}
    refused(turn_of("seer", players=empty), "divine", "seer.no_cards")


@pytest.mark.parametrize("edition", OLD_BOXES)
def test_the_older_abbot_takes_from_the_one_richest(edition: str) -> None:
    players = {"Anna": {"city": ["temple", "church"]}, "Kurt": {"gold": 5}, "Ben": {"gold": 4}}
    referee = turn_of("abbot", edition=edition, players=players)
    refused(referee, "tithe Ben", "abbot.not_richest")
    play(referee, "tithe", "income")
    assert gold(referee) == [5, 4, 2, 4]
    refused(referee, "tithe", "power.done")
    for anna, kurt, ben in ((2, 5, 5), (5, 5, 2), (6, 5, 2)):
        rich = {"Anna": {"gold": anna}, "Kurt": {"gold": kurt}, "Ben": {"gold": ben}}
        refused(turn_of("abbot", edition=edition, players=rich), "tithe", "abbot.nobody")


def test_the_deluxe_abbot_mixes_his_income_and_chooses_among_the_richest() -> None:
    players = {"Anna": {"city": ["temple", "school_of_magic"]}, "Kurt": {"gold": 5},
               "Ben": {"gold": 5}}  # fmt: skip
    referee = turn_of("abbot", players=players)
    assert legal_of(referee, "tithe") == ["tithe Kurt", "tithe Ben"]
    refused(referee, "tithe", "abbot.choose")
    refused(referee, "tithe Ashley", "abbot.not_richest")
    refused(referee, "income", "income.form")
    refused(referee, "income gold 1 cards 0", "income.split")
    play(referee, "tithe Ben", "income gold 1 cards 1")
    assert (gold(referee), hands(referee)[0]) == ([4, 5, 2, 4], 5)
    refused(referee, "income gold 2 cards 0", "income.done")
    tied = {"Anna": {"gold": 5}, "Kurt": {"gold": 5}}
    refused(turn_of("abbot", players=tied), "tithe Kurt", "abbot.nobody")


def test_the_cardinal_takes_the_exact_gold_that_is_missing() -> None:
    players = {"Anna": {"gold": 1, "hand": 3, "city": ["temple"]}, "Kurt": {"gold": 3},
               "Ben": {"gold": 1}}  # fmt: skip
    referee = turn_of("cardinal", players=players, turn={"gathered": True})
    refused(referee, "build tavern from Kurt", "cardinal.no_need")
    refused(referee, "build manor from Anna", "cardinal.self")
    refused(referee, "build manor from Ben", "cardinal.gold")
    refused(referee, "build castle from Kurt", "cardinal.cards")
    refused(referee, "build temple from Kurt", "cardinal.no_need")
    play(referee, "income", "build manor from Kurt")
    assert (gold(referee)[:2], hands(referee)[:2]) == ([0, 1], [1, 6])
    refused(turn_of("king", "cardinal", turn={"gathered": True}), "build manor from Kurt",
            "build.form")  # fmt: skip


# -- rank 6 and 7 -------------------------------------------------------------------------------


@pytest.mark.parametrize("edition", OLD_BOXES)
def test_the_older_alchemist_has_the_gold_back_at_once(edition: str) -> None:
    players = {"Anna": {"gold": 5, "hand": 4, "city": ["smithy"]}}
    referee = turn_of("alchemist", edition=edition, players=players, turn={"gathered": True})
    referee.play("build palace")
    assert gold(referee)[0] == 5
    play(referee, "use smithy", "end")  # what is not building does not come back
    assert gold(referee)[0] == 5 - (3 if edition == "millennium_3e" else 2)


def test_the_deluxe_alchemist_has_it_back_at_the_end_after_the_poor_house() -> None:
    players = {"Anna": {"gold": 5, "city": ["poor_house"]}}
    referee = turn_of("alchemist", players=players, turn={"gathered": True})
    referee.play("build palace")
    assert gold(referee)[0] == 0
    referee.play("end")
    assert gold(referee)[0] == 6
    told = [event.kind for event in referee.table.events]
    assert told == ["poor_house", "refunded"]


def test_a_position_knows_what_the_alchemist_has_spent() -> None:
    referee = turn_of("alchemist", turn={"gathered": True, "built": ["manor"], "spent": 3})
    assert gold(play(referee, "end"))[0] == 5


def test_trade_districts_do_not_use_up_the_traders_limit() -> None:
    referee = turn_of("trader", players={"Anna": {"gold": 20, "hand": 9, "city": ["docks"]}},
                      turn={"gathered": True})  # fmt: skip
    play(referee, "income", "build tavern", "build temple", "build market")
    refused(referee, "build manor", "build.limit")
    play(referee, "build harbor")
    assert legal_of(referee, "build") == ["build trading_post", "build town_hall"]


@pytest.mark.parametrize("edition", BIG_BOXES)
def test_the_navigator_gets_four_and_builds_nothing(edition: str) -> None:
    referee = turn_of("navigator", edition=edition)
    refused(referee, "build temple", "build.not_gathered")
    play(referee, "gold")
    refused(referee, "build temple", "build.limit")
    play(referee, "navigate cards")
    assert hands(referee)[0] == 8
    refused(referee, "navigate gold", "power.done")
    refused(referee, "build temple", "build.limit")
    assert gold(play(turn_of("navigator", edition=edition), "navigate gold"))[0] == 6


def test_the_scholar_keeps_one_of_seven_and_builds_two() -> None:
    referee = turn_of("scholar", players={"Anna": {"gold": 9}}, turn={"gathered": True})
    deck = referee.table.deck
    referee.play("study")
    assert (hands(referee)[0], referee.table.deck) == (5, deck - 1)
    refused(referee, "study", "power.done")
    play(referee, "build temple", "build tavern")
    refused(referee, "build market", "build.limit")


# -- rank 8 and 9 -------------------------------------------------------------------------------


def test_the_marshal_seizes_a_cheap_district_and_pays_for_it() -> None:
    players = {"Anna": {"gold": 4, "city": ["tavern"]}, "Kurt": {
        "city": ["great_wall", "manor", "castle", "tavern", "keep",
                 {"id": "docks", "decorated": True}]}}  # fmt: skip
    referee = turn_of("marshal", "artist", players=players)
    refused(referee, "seize Kurt castle", "marshal.too_dear")
    refused(referee, "seize Kurt docks", "marshal.too_dear")
    refused(referee, "seize Kurt tavern", "marshal.duplicate")
    refused(referee, "seize Kurt keep", "marshal.proof")
    refused(referee, "seize Kurt temple", "marshal.no_such_district")
    refused(referee, "seize Anna tavern", "marshal.own_city")
    assert legal_of(referee, "seize") == ["seize Kurt manor"]
    referee.play("seize Kurt manor")  # 3, and 1 for the wall
    assert (gold(referee)[:2], city(referee)) == ([0, 6], ["tavern", "manor"])
    poor = turn_of("marshal", "artist", players={**players, "Anna": {"gold": 3}})
    assert "4 gold" in refused(poor, "seize Kurt manor", "marshal.gold").reason


@pytest.mark.parametrize("character", ["marshal", "diplomat", "warlord"])
def test_rank_8_touches_no_complete_city_and_no_living_bishops(character: str) -> None:
    move = {
        "marshal": "seize {} watchtower", "warlord": "destroy {} watchtower",
        "diplomat": "exchange prison {} watchtower",
    }[character]  # fmt: skip
    players = {"Anna": {"city": ["prison"]}, "Kurt": {"city": SEVEN},
               "Ben": {"city": SEVEN[3:]}}  # fmt: skip
    referee = turn_of(character, players=players, revealed={"Ben": ["bishop"]})
    refused(referee, move.format("Kurt"), f"{character}.complete_city")
    refused(referee, move.format("Ben"), f"{character}.bishop")


def test_a_killed_bishop_shown_by_the_hospital_protects_nothing() -> None:
    players = {"Kurt": {"city": ["hospital", "temple"]}}
    referee = turn_of("warlord", edition="ffg_2005", players=players, killed="bishop",
                      revealed={"Kurt": ["bishop"], "Ben": ["assassin"]},
                      turn={"gathered": True})  # fmt: skip
    assert "destroy Kurt temple" in texts(referee)


@pytest.mark.parametrize("edition", BIG_BOXES)
def test_the_diplomat_pays_the_difference_to_the_other_player(edition: str) -> None:
    players = {"Anna": {"gold": 3, "city": ["temple", "market", "keep"]},
               "Kurt": {"city": ["castle", "temple", "keep"]}} if edition in OLD_BOXES else {
               "Anna": {"gold": 3, "city": ["temple", "market"]},
               "Kurt": {"city": ["castle", "temple", "keep"]}}  # fmt: skip
    referee = turn_of("diplomat", edition=edition, players=players)
    refused(referee, "exchange temple Kurt keep", "diplomat.proof")
    refused(referee, "exchange manor Kurt castle", "diplomat.not_yours")
    refused(referee, "exchange market Anna temple", "diplomat.own_city")
    refused(referee, "exchange market Kurt temple", "diplomat.duplicate")
    refused(referee, "exchange temple Kurt castle", "diplomat.duplicate")
    refused(referee, "exchange market Kurt palace", "diplomat.no_such_district")
    if edition in OLD_BOXES:
        refused(referee, "exchange keep Kurt castle", "diplomat.own_proof")
    referee.play("exchange market Kurt castle")
    assert gold(referee)[:2] == [1, 4]
    assert "castle" in city(referee)
    assert "market" in city(referee, 1)


def test_the_wall_and_the_artists_gold_count_in_what_the_diplomat_takes() -> None:
    players = {"Anna": {"gold": 1, "city": ["palace", "tavern"]}, "Kurt": {
        "city": ["great_wall", {"id": "docks", "decorated": True}, "prison"]}}  # fmt: skip
    referee = turn_of("diplomat", "artist", players=players)
    assert "4 gold" in refused(referee, "exchange tavern Kurt docks", "diplomat.gold").reason
    referee.play("exchange palace Kurt docks")  # never less than nothing
    assert gold(referee)[:2] == [1, 2]
    assert referee.table.seats[0].city.cards[-1].decorated


@pytest.mark.parametrize("edition", OLD_BOXES)
def test_the_older_warlord_strikes_last_and_the_diplomat_at_any_time(edition: str) -> None:
    players = {"Anna": {"gold": 9, "city": ["prison"]}, "Kurt": {"city": ["temple"]}}
    referee = turn_of("warlord", edition=edition, players=players)
    refused(referee, "destroy Kurt temple", "warlord.gather_first")
    play(referee, "gold", "destroy Kurt temple")
    assert texts(referee) == ["end"]
    refused(referee, "income", "warlord.last_thing")
    there = turn_of("warlord", edition=edition, players=players,
                    turn={"gathered": True, "used": ["destroy"]})  # fmt: skip
    assert texts(there) == ["end"]
    diplomat = turn_of("diplomat", edition=edition, players=players)
    assert "exchange prison Kurt temple" in texts(diplomat)


@pytest.mark.parametrize("edition", BIG_BOXES)
def test_the_artist_decorates_two_districts_once_each(edition: str) -> None:
    players = {"Anna": {"gold": 2, "city": [
        "temple", "tavern", {"id": "manor", "decorated": True}, "market"]}}  # fmt: skip
    referee = turn_of("artist", edition=edition, players=players)
    assert len(legal_of(referee, "decorate")) == 6
    refused(referee, "decorate manor", "artist.decorated")
    refused(referee, "decorate palace", "artist.not_yours")
    refused(referee, "decorate temple temple", "artist.decorated")
    refused(referee, "decorate temple tavern market", "artist.too_many")
    referee.play("decorate tavern temple")
    shown = views.table_json(referee.table)["players"]["Anna"]
    assert (shown["gold"], shown["decorated"]) == (0, ["temple", "tavern", "manor"])
    refused(referee, "decorate market", "power.done")
    poor = turn_of("artist", edition=edition, players={"Anna": {**players["Anna"], "gold": 1}})
    refused(poor, "decorate temple tavern", "artist.gold")
    striking = turn_of("warlord", "artist", edition=edition, turn={"gathered": True},
                       players={"Anna": {"gold": 2}, "Kurt": {
                           "city": [{"id": "manor", "decorated": True}]}})  # fmt: skip
    assert "3 gold" in refused(striking, "destroy Kurt manor", "warlord.gold").reason


# -- casts --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("size", "characters", "words"),
    [
        (4, ["queen"], "for 5 to 8 players"),
        (2, ["emperor"], "for 3 to 8 players"),
        (2, ["artist"], "2 players cannot play with 9"),
        (3, [], "needs a character of rank 9"),
        (8, [], "needs a character of rank 9"),
    ],
)
def test_which_characters_play_at_which_tables(
    size: int, characters: list[str], words: str
) -> None:
    players = [*NAMES, "Eve"][:size]
    found = problems_of(None, edition="deluxe_2016", players=players,
                        characters=cast_with(*characters))  # fmt: skip
    assert any(words in problem or "8 characters" in problem for problem in found), found


def test_a_character_with_a_threat_and_a_warrant_is_asked_about_both() -> None:
    referee = table("magistrate", "blackmailer", "abbot", called=1)
    play(referee, "reveal Anna", "gold", "warrants blackmailer abbot merchant", "end")
    play(referee, "reveal Kurt", "gold", "threats abbot merchant", "end")
    play(referee, "nobody", "nobody", "reveal Ashley", "gold", "refuse", "spare", "build tavern")
    assert set(texts(referee)) == {"confiscate", "spare"}
