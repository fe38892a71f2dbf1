"""Words that are not moves, in every face: their answers and effects."""

from __future__ import annotations

import pytest

from companion.chips.entries import (
    ActionChip,
    CharacterChip,
    CrownChip,
    DistrictChip,
    Entry,
)
from companion.game.keypad import read_keypad
from companion.log.store import StoreError
from tests.companion.talking import SHORT_GAME, Begin

CALLED = "faceup bishop merchant; call"


def test_card_alone_asks_which(begin: Begin) -> None:
    (answer,) = begin().line("card")
    assert "which card? Type card and its name." in answer


def test_people_hear_who_has_won_only_after_the_scores_and_programs_at_once(
    begin: Begin,
) -> None:
    talk = begin(**SHORT_GAME)
    talk.play_out()
    (told,) = [message for message in talk.face.messages if message.kind == "told"]
    assert told.brief is not None
    assert told.shown is not None
    for lines in (told.lines, told.brief, told.shown):
        assert lines[-1] == "The game is over."
    talk = begin(people=False, **SHORT_GAME)
    talk.play_out()
    (told,) = [message for message in talk.face.messages if message.kind == "told"]
    assert told.lines[-1].startswith("The game is over. Ben wins")


def test_a_rematch_asks_before_it_begins_however_it_is_chosen(begin: Begin) -> None:
    talk = begin(**SHORT_GAME)
    talk.play_out()
    while talk.parts:
        talk.line("next")
    for chosen, no in (("rematch", "2"), ("1", "no")):
        assert talk.line(chosen)[0].endswith("Yes, begin the next game")
        assert talk.offer.title.startswith("Play again with Anna, Kurt")
        assert "rematch" not in talk.face.asked_to_do
        talk.line(no)
        assert talk.offer.rows[0].word == "rematch"
        assert "rematch" not in talk.face.asked_to_do
    for answer in ("rematch", "1", "yes"):
        talk.line("rematch")
        talk.line(answer)
        assert talk.face.asked_to_do.pop() == "rematch"
        talk.conversation.forget()


def test_a_program_begins_a_rematch_in_one_line(begin: Begin) -> None:
    talk = begin(people=False, **SHORT_GAME)
    talk.play_out()
    talk.line("rematch")
    assert talk.face.asked_to_do == ["rematch"]


def test_other_chips_are_still_moves_while_a_list_is_open(begin: Begin) -> None:
    talk = begin(f"{CALLED}; reveal Kurt; gold")
    talk.line(f"{talk.row('Murder').number}")
    assert talk.conversation.tap(DistrictChip("tavern"))
    assert talk.moves()[-1] == "build tavern"


def test_the_cards_tapped_so_far_are_forgotten_by_undo(begin: Begin) -> None:
    talk = begin()
    talk.conversation.tap(CharacterChip("bishop"))
    assert talk.line("undo") == ["Undone: the cards tapped so far."]
    talk.conversation.tap(CharacterChip("thief"))
    assert talk.lines()[-1] == "Face up so far: Thief."


@pytest.mark.parametrize("chip", [CrownChip(), ActionChip("gold")])
def test_a_chip_that_means_nothing_leaves_the_cards_tapped_so_far(
    begin: Begin, chip: Entry
) -> None:
    talk = begin()
    talk.conversation.tap(CharacterChip("bishop"))
    talk.conversation.tap(chip)
    assert "Face up so far: ." not in talk.lines()
    talk.conversation.tap(CharacterChip("thief"))
    assert talk.moves() == ["faceup thief bishop"]


def test_a_card_that_is_in_a_city_is_built_again_only_if_that_is_meant(begin: Begin) -> None:
    talk = begin(f"{CALLED}; reveal Kurt; kill king; gold")
    talk.conversation.tap(DistrictChip("tavern"), b"1")
    for move in ("reveal Anna", "gold"):
        talk.session.play(move)
    talk.face.messages.clear()
    talk.conversation.tap(DistrictChip("tavern"), b"1")
    assert talk.lines() == ["1: No, it was tapped by mistake", "2: Yes, build it"]
    assert talk.moves()[-1] == "gold"
    talk.keys("2")
    assert talk.moves()[-1] == "build tavern"


def test_a_secret_move_of_another_time_is_refused_with_its_public_reason(begin: Begin) -> None:
    talk = begin(f"{CALLED}; nobody; reveal Kurt", secrecy="secret")
    assert talk.line("kill king") == ["Only the Assassin can do that; Kurt is playing the Thief."]


@pytest.mark.parametrize("again", ["/", "moves"])
def test_the_list_at_hand_is_read_again_and_the_pick_is_kept(begin: Begin, again: str) -> None:
    talk = begin()
    names = talk.line("2")
    assert names[0] == "1: Assassin"
    assert talk.line(again) == names
    assert talk.conversation.asked.question == "Face up so far: Thief. Who else?"
    talk.line("5")
    assert talk.moves() == ["faceup thief bishop"]


def test_the_last_list_is_left_one_step_at_a_time(begin: Begin) -> None:
    talk = begin(f"{CALLED}; reveal Kurt; gold")
    talk.line("7")
    talk.line("/")
    talk.line(".")
    assert talk.conversation.asked.question == "Kurt. Build, murder or end?"


def test_only_what_a_rule_forbids_is_a_refusal_by_a_rule(begin: Begin) -> None:
    talk = begin(CALLED)
    for line, by_rule in (("build temple", True), ("fhsdkj", False), ("99", False)):
        talk.line(line)
        assert [message.by_rule for message in talk.face.messages if message.kind == "refused"] == [
            by_rule
        ]


@pytest.mark.parametrize(
    ("keys", "meant"),
    [
        ("31", 31),
        ("3 1", 31),
        ("99999", 99999),
        ("999999", -1),  # no row has such a number
        ("/4", "reference 4"),
        ("*32", "city 2"),
        ("*52", None),
        ("-4", None),
        ("/-", None),
    ],
)
def test_the_keys_of_the_keypad(keys: str, meant: int | str | None) -> None:
    assert read_keypad(keys) == meant


@pytest.mark.parametrize("number", ["", "x", "0", "5", "0001", "1000", "12345", "-1", "²"])
def test_a_reference_card_that_there_is_not_is_asked_for(begin: Begin, number: str) -> None:
    lines = begin().line(f"reference {number}")
    assert lines == ["Which reference card? Type reference 1 to reference 4."]


def test_a_secret_move_typed_unseen_is_played_and_a_seen_one_asked_for_again(begin: Begin) -> None:
    talk = begin(f"{CALLED}; reveal Kurt", secrecy="secret")
    talk.face.messages.clear()
    talk.conversation.line("kill king", in_public=True)
    assert talk.lines()[0] == "Everyone could read that, so it wasn't played. Choose in private."
    assert talk.moves()[-1] == "reveal Kurt"
    assert talk.conversation.asked.question.startswith("Kurt is choosing in private")
    talk.line("back")
    talk.line("kill king")
    assert talk.moves()[-1] == "kill king"


def test_a_player_without_districts_cannot_lose_one(begin: Begin) -> None:
    kurt = f"{CALLED}; reveal Kurt; kill king; gold; build tavern; end"
    ben = "reveal Ben; gold; build temple; end"
    talk = begin(f"{kurt}; {ben}; nobody; nobody; nobody; nobody; nobody; reveal Anna; gold")
    talk.line(f"{talk.row('Destroy').number}")
    assert talk.keys("3") == ["Ashley has no district."]


@pytest.mark.parametrize("words_typed", ["4", "status", "an"])
def test_nothing_typed_in_private_may_be_shown(begin: Begin, words_typed: str) -> None:
    talk = begin(f"{CALLED}; reveal Kurt", secrecy="secret")
    talk.line("kill")
    assert not talk.conversation.may_show(words_typed)
    talk.line("back")
    talk.line("look")
    assert not talk.conversation.may_show(words_typed)


def test_whether_a_tap_was_accepted_is_not_told_where_it_may_name_a_victim(begin: Begin) -> None:
    talk = begin(f"{CALLED}; reveal Kurt", secrecy="secret")
    assert talk.conversation.tap(CharacterChip("king")) is None
    assert talk.moves()[-1] == "kill king"
    assert talk.conversation.tap(DistrictChip("temple")) is False


def test_what_others_could_read_in_a_private_moment_is_not_played(begin: Begin) -> None:
    talk = begin(f"{CALLED}; reveal Kurt", secrecy="secret")
    talk.line("kill")
    talk.conversation.line("king", in_public=True)
    assert talk.moves()[-1] == "reveal Kurt"
    assert talk.line("king") == ["Kurt has named a character."]


def test_a_secret_move_that_is_not_allowed_is_refused_without_its_reason(begin: Begin) -> None:
    talk = begin(f"{CALLED}; reveal Kurt", secrecy="secret")
    assert talk.line("kill assassin") == ["You can't choose that; nothing has changed."]


def test_a_program_is_told_a_reason_that_everybody_knows(begin: Begin) -> None:
    talk = begin(f"{CALLED}; reveal Kurt", secrecy="secret", people=False)
    assert talk.line("kill assassin") == ["The Assassin must name another character."]


def test_a_secret_move_that_cannot_be_saved_is_not_played(
    begin: Begin, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_event: str) -> None:
        raise StoreError("The disk is full.")

    talk = begin(f"{CALLED}; reveal Kurt", secrecy="secret")
    talk.line("kill")
    with monkeypatch.context() as patch:
        patch.setattr(talk.session.open_game, "append", fail)
        assert talk.line("king") == ["The disk is full."]
        assert talk.moves()[-1] == "reveal Kurt"
        assert talk.conversation.asked.private
    assert talk.line("king") == ["Kurt has named a character."]


def test_districts_to_destroy_have_the_numbers_of_their_places_in_the_city(begin: Begin) -> None:
    kurt = f"{CALLED}; reveal Kurt; kill king; gold; end; nobody; nobody; nobody; nobody; nobody"
    ben = "reveal Ben; gold; build watchtower; build temple; build tavern; end"
    talk = begin(f"{kurt}; {ben}; reveal Anna; gold")
    talk.line(f"{talk.row('Destroy').number}")
    rows = {row.number: row.card for row in talk.offer.rows}
    assert rows == {1: "watchtower", 2: "temple", 3: "tavern"}


@pytest.mark.parametrize("line", ["choose ben", "choose ben a"])
def test_a_choice_is_asked_of_the_player_named(begin: Begin, line: str) -> None:
    talk = begin("faceup bishop merchant")
    talk.line(line)
    assert talk.conversation.asked.question.startswith("Ben is choosing in private")


def test_one_card_alone_is_read_in_private(begin: Begin) -> None:
    talk = begin()
    talk.line("look")
    talk.face.messages.clear()
    talk.conversation.tap(CharacterChip("king"))
    (read,) = talk.face.messages
    assert read.private
    talk.conversation.tap(CharacterChip("thief"))
    assert talk.conversation.asked.question == "Kurt. Discard 2 characters face up."
    assert not talk.face.messages[-1].private


def test_why_a_player_cannot_lose_a_district_is_told_of_one_of_theirs(begin: Begin) -> None:
    kurt = "faceup thief merchant; call; reveal Kurt; kill king; gold; build tavern; end; nobody"
    others = "reveal Ben; gold; build prison; end; nobody; reveal Ashley; gold; build temple; end"
    talk = begin(f"{kurt}; {others}; nobody; nobody; reveal Anna; gold")
    talk.line(f"{talk.row('Destroy').number}")
    safe = "Ashley's districts are safe: the Bishop protects them from the Warlord."
    assert talk.keys("3") == [safe]


def test_a_card_that_left_its_city_is_built_again_without_asking(begin: Begin) -> None:
    talk = begin(f"{CALLED}; reveal Kurt; kill architect; gold", forced=False)
    talk.conversation.tap(DistrictChip("tavern"), b"1")
    ranks = "nobody; nobody; nobody; nobody; nobody; nobody"
    round_2 = "faceup bishop merchant; call; reveal Ben; gold"
    moves = f"end; {ranks}; reveal Anna; destroy Kurt tavern; gold; end; {round_2}"
    for move in moves.split("; "):
        talk.session.play(move)
    talk.conversation.tap(DistrictChip("tavern"), b"1")
    assert talk.moves()[-1] == "build tavern"


def test_whether_a_tap_in_private_was_accepted_is_not_told(begin: Begin) -> None:
    talk = begin("faceup bishop merchant")
    talk.line("choose ben")
    assert talk.conversation.tap(CharacterChip("king")) is None
    assert talk.moves()[-1] == "choose Ben king"
