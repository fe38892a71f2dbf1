"""The edges of a conversation: chips in private, other faces beside it, words in any state."""

from __future__ import annotations

import pytest

from companion.chips.entries import (
    ActionChip,
    CharacterChip,
    CrownChip,
    DistrictChip,
    PlayerChip,
)
from companion.game.ending import next_game
from companion.game.tap_meaning import find_meaning
from engine.editions import editions
from engine.record import Setup
from tests.companion.talking import FOUR, SHORT_GAME, Begin

CALLED = "faceup thief bishop; call"


def test_a_private_moment_is_left_and_answered_by_chips(begin: Begin) -> None:
    talk = begin(f"{CALLED}; reveal Kurt", secrecy="secret")
    talk.line("kill")
    talk.conversation.tap(ActionChip("back"))
    assert not talk.conversation.asked.private
    talk.line("kill")
    talk.conversation.tap(ActionChip("4"))
    assert talk.moves()[-1] == "kill king"


def test_only_a_chip_to_be_simulated_is_left_to_the_face_in_private(begin: Begin) -> None:
    talk = begin(f"{CALLED}; reveal Kurt", secrecy="secret")
    talk.line("kill")
    talk.face.asked_to_do.clear()
    talk.line("tap king")
    talk.line("king")
    assert talk.face.asked_to_do == ["tap"]
    assert talk.moves()[-1] == "kill king"


def test_a_turn_is_not_ended_where_what_was_left_cannot_be_taken(begin: Begin) -> None:
    talk = begin(f"{CALLED}; nobody; nobody; nobody; reveal Anna; gold")
    talk.conversation.word("several", "bonus; end")
    assert talk.moves()[-1] == "gold"


def test_why_a_tapped_card_is_refused_can_be_asked(begin: Begin) -> None:
    talk = begin(f"{CALLED}; reveal Kurt; gold")
    talk.face.messages.clear()
    talk.conversation.tap(DistrictChip("palace"))
    reason = talk.lines()[0]
    assert "5 gold" in reason
    assert talk.line("why")[0] == reason


def test_it_lasts_where_the_other_move_leaves_the_choice(begin: Begin) -> None:
    talk = begin("faceup thief bishop", secrecy="secret")
    talk.line("choose Anna")
    assert "6: Merchant" in talk.lines()
    talk.session.play("choose Kurt king")
    assert talk.conversation.asked.private
    talk.line("merchant")
    assert talk.moves()[-1] == "choose Anna merchant"


@pytest.mark.parametrize(
    ("line", "messages"),
    [
        ("merchent", "I don't understand “merchent”."),  # nothing is private now
        ("kil kng", "Kurt has already used the Assassin's power this turn."),
        ("chose Ann", "I didn't understand that, and I won't repeat it."),
    ],
)
def test_only_what_could_be_private_is_not_repeated(begin: Begin, line: str, messages: str) -> None:
    assert begin(f"{CALLED}; reveal Kurt; kill king; gold").line(line) == [messages]


@pytest.mark.parametrize(
    ("asked", "moves"),
    [("", 10), ("3", 3), ("11", 11), ("9999", 12), ("10000", 10), ("x", 10), ("²", 10)],
)
def test_as_much_is_told_of_what_happened_as_was_asked(
    begin: Begin, asked: str, moves: int
) -> None:
    round_played = (
        f"{CALLED}; reveal Kurt; gold; end; nobody; reveal Anna; gold; end; nobody; nobody"
    )
    talk = begin(f"{round_played}; reveal Ben", people=False, forced=False)
    assert len(talk.moves()) == 12
    told = talk.session.history(moves)
    assert talk.line(f"history {asked}".strip()) == [line for move in told for line in move]


def test_a_tap_that_fits_two_verbs_lists_both_moves_in_full(begin: Begin) -> None:
    uncalled = "; nobody" * 6
    talk = begin(f"{CALLED}; reveal Kurt; gold; build tavern; end{uncalled}; reveal Ben; gold")
    talk.face.messages.clear()
    talk.conversation.tap(DistrictChip("tavern"))
    assert talk.lines() == ["1: Destroy Kurt's Tavern for free", "2: Build the Tavern for 1 gold"]


def test_districts_alone_are_in_the_city_that_is_counted(begin: Begin) -> None:
    move = f"{CALLED}; reveal Ben; gold; complete Ben; end" + "; nobody" * 7
    players = ("Anna", "Mary Ann", "Ashley", "Ben")
    talk = begin(move, players=players, crown="Mary Ann", options={"cities": "untracked"})
    talk.line("temple")
    talk.line("city docks, town hall")
    assert talk.moves()[-2:] == ['city "Mary Ann" temple', 'city "Mary Ann" docks town_hall']
    assert talk.line("city Mary Ann")[0] == "Mary Ann's city: 3 of 7 districts."


@pytest.mark.parametrize(
    ("line", "answers"),
    [
        ("harbour", ["I don't understand “harbour”.", "1: Anna's city: Harbor"]),
        (
            "church, harbour",
            ["I don't understand “harbour”. Did you mean “city Anna Harbor”?"],
        ),
        ("church, ships", ["I don't understand “ships”."]),
    ],
)
def test_a_misspelt_district_is_named_and_suggested_for_the_city_that_is_counted(
    begin: Begin, line: str, answers: list[str]
) -> None:
    talk = begin(players=("Anna", "Ben", "Cleo"), crown="Anna", options={"cities": "counted"})
    assert talk.line(line) == answers
    assert talk.moves() == []


def test_a_step_back_lists_the_rows_that_are_open_then(begin: Begin) -> None:
    talk = begin(f"{CALLED}; reveal Kurt")
    victims = talk.line("moves kill")
    assert "4: King" in victims
    talk.line("moves gold")
    assert talk.line("back") == victims
    assert talk.line("back") == []
    assert talk.line("back") == ["There is nothing to choose right now."]


STEPS = [
    "Shuffle the 8 characters.",
    "Discard 2 face up.",
    "Lay 1 face down.",
    "Each keeps one and passes the rest on: Kurt, Ashley and Ben.",
    "Anna keeps one and lays the other face down.",
]


def test_a_new_game_begins_with_the_steps_of_the_selection(begin: Begin) -> None:
    talk = begin()
    talk.conversation.greet()
    assert talk.lines()[-len(STEPS) :] == STEPS
    assert talk.line("steps") == STEPS


def test_a_game_taken_up_again_begins_with_its_last_move(begin: Begin) -> None:
    talk = begin(f"{CALLED}; reveal Kurt")
    talk.conversation.greet()
    assert talk.lines()[-1] == "Last move: Kurt is the Assassin."
    assert not {*STEPS} & {*talk.lines()}


def test_in_secret_every_character_that_cannot_be_chosen_gets_the_same_answer(begin: Begin) -> None:
    talk = begin(f"{CALLED}; reveal Kurt", secrecy="secret")
    talk.conversation.tap(CharacterChip("assassin"))
    assert talk.lines() == ["You can't choose that; nothing has changed."]
    talk.line("kill")
    talk.conversation.tap(CharacterChip("king"))
    assert talk.moves()[-1] == "kill king"
    for character in ("king", "merchant"):
        talk.face.messages.clear()
        talk.conversation.tap(CharacterChip(character))
        assert talk.lines()[-1] == "You can't choose that; nothing has changed."


def test_a_seats_own_face_is_told_why_a_character_cannot_be_chosen(begin: Begin) -> None:
    talk = begin(f"{CALLED}; reveal Kurt", secrecy="secret", seat=1)
    talk.conversation.tap(CharacterChip("assassin"))
    assert talk.lines()[0] == "The Assassin must name another character."


def test_a_card_read_to_one_person_alone_is_not_typed_in_public(begin: Begin) -> None:
    talk = begin(f"{CALLED}; reveal Kurt")
    talk.conversation.line("district temple", in_public=True)
    assert talk.lines()[-1].startswith("Source: ")
    talk.line("look")
    talk.conversation.line("district temple", in_public=True)
    assert talk.lines()[-1].startswith("Everyone could read that")


def test_a_card_is_still_read_to_one_person_alone_after_a_move_of_another_face(
    begin: Begin,
) -> None:
    talk = begin(f"{CALLED}; reveal Kurt")
    talk.line("look")
    talk.session.play("kill king")
    talk.conversation.tap(CharacterChip("bishop"))
    assert [message.private for message in talk.face.messages] == [False, True]
    assert talk.moves()[-1] == "kill king"


def test_names_of_several_words_are_typed_with_the_keys_of_their_signs(begin: Begin) -> None:
    talk = begin(f"{CALLED}; reveal Kurt; gold")
    talk.keys("t r a d i n g")
    talk.conversation.press(" ")
    assert talk.conversation.asked.typed == "trading "
    assert [row.card for row in talk.conversation.asked.visible] == ["trading_post"]
    talk.keys("escape")
    talk.conversation.press(" ")
    assert talk.conversation.asked.typed == ""


def test_a_move_that_one_chip_makes_gathers_nothing(begin: Begin) -> None:
    talk = begin(f"{CALLED}; reveal Kurt")
    view, legal = talk.session.view, talk.session.legal()
    meaning = find_meaning(view, legal, CharacterChip("king"))
    assert meaning.move is not None
    assert (meaning.move.text, meaning.pending) == ("kill king", ())


@pytest.mark.parametrize("edition", [*editions()])
def test_the_next_game_keeps_the_crown_unless_it_is_drawn_by_lot(edition: str) -> None:
    setup = Setup(edition=edition, players=FOUR, crown="Kurt")
    crowns = {next_game(setup).crown for _game in range(60)}
    by_lot = editions()[edition].crown_by_lot
    assert crowns == ({*FOUR} if by_lot else {"Kurt"})


def test_a_token_or_the_crown_without_a_move_shows_whose_it_is_also_after_the_end(
    begin: Begin,
) -> None:
    talk = begin(f"{CALLED}; reveal Kurt")
    shown = {}
    for chip in (CrownChip(), PlayerChip(2), PlayerChip(4), PlayerChip(7)):
        talk.face.messages.clear()
        talk.conversation.tap(chip)
        shown[chip] = talk.lines()
    assert shown[CrownChip()] == shown[PlayerChip(2)]
    assert shown[PlayerChip(2)][0].startswith("Kurt")
    assert shown[PlayerChip(4)][0].startswith("Ben")
    assert shown[PlayerChip(7)] == ["There is no seat 7 in this game."]

    over = begin(**SHORT_GAME)
    over.play_out()
    while over.conversation.base.go_on():
        pass
    over.face.messages.clear()
    over.conversation.tap(PlayerChip(1))
    assert over.lines()[0].startswith(over.session.setup.players[0])
