"""The flow of a round in every face: numbers, forced steps, lists, private moments."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from companion import language
from companion.chips.entries import CharacterChip
from companion.extending import list_words
from companion.game.asking import select_offered
from companion.log import records
from companion.verbs import is_private
from engine.record import read_setup
from tests.companion.talking import SHORT_GAME, Begin, find_reachable
from tests.engine.boxes import random_setup

RECORDS = Path(__file__).parents[1] / "games" / "editions"
CALLED = "faceup thief bishop; call"
KURT_KILLS = f"{CALLED}; reveal Kurt; kill king; gold; end"


# -- numbers --------------------------------------------------------------------------------------


def test_a_forbidden_name_typed_where_a_name_is_asked_gets_its_reason(begin: Begin) -> None:
    talk = begin("faceup bishop merchant; call; reveal Kurt; kill king; gold; end; reveal Anna")
    assert talk.line("rob") == [  # whom the Thief can name
        *("3: Magician", "5: Bishop, face up", "6: Merchant, face up"),
        *("7: Architect", "8: Warlord"),
    ]
    assert [row.label for row in talk.offer.rows[-3:]] == ["Assassin", "Thief", "King"]
    assert talk.line("assa") == ["The Thief can't name the Assassin, who has rank 1."]
    assert "thief.rank_1" in talk.line("why")[1]
    talk.line("rob")
    assert talk.line("king") == ["The Thief can't name the murdered King."]


# -- lists and letters ----------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["cathedral", "cathedrale", "dral", "cathédrale"])
def test_typing_finds_a_district_in_any_language(begin: Begin, name: str) -> None:
    talk = begin(f"{CALLED}; reveal Kurt; gold")
    talk.keys(" ".join(name))
    assert [row.card for row in talk.conversation.asked.visible] == ["cathedral"]


def test_moves_asked_for_begin_anew_with_their_numbers(begin: Begin) -> None:
    talk = begin(f"{CALLED}; reveal Kurt; gold")
    talk.keys("t")
    talk.line("moves")
    assert talk.conversation.asked.typed == ""


def test_all_moves_are_said_even_if_they_have_the_numbers_that_they_always_have(
    begin: Begin,
) -> None:
    cast = ("witch", "thief", "magician", "king", "bishop", "merchant", "architect", "warlord")
    bewitched = f"{CALLED}; reveal Kurt; gold; bewitch magician; nobody; reveal Anna"
    talk = begin(bewitched, edition="deluxe_2016", characters=cast)
    assert talk.line("moves all") == ["1: Take 2 gold", "2: Draw 2 cards, keep 1"]
    assert not talk.face.messages[-1].known


def test_the_search_for_a_name_finds_names_alone(begin: Begin) -> None:
    talk = begin(f"{CALLED}; reveal Kurt; gold")
    for letters in ("t", "h", "t u r n"):  # of "End the turn", too
        talk.keys(letters)
        assert all(row.card for row in talk.conversation.asked.visible), letters
        talk.keys("escape")
    assert talk.row("End the turn") in talk.conversation.asked.visible


def test_where_the_search_takes_its_letter_the_end_comes_first_with_its_number(
    begin: Begin,
) -> None:
    language.use("fr")
    talk = begin(f"{CALLED}; reveal Kurt; gold")
    first = talk.offer.rows[0]
    assert (first.number, first.key, [move.text for move in first.moves]) == (9, "", ["end"])
    talk.keys("e")
    assert talk.conversation.asked.typed == "e"
    talk.keys("escape")
    talk.line("e")
    assert "end" not in talk.moves()


def test_what_was_tapped_before_another_language_is_forgotten(begin: Begin) -> None:
    talk = begin()
    talk.conversation.tap(CharacterChip("bishop"))
    talk.conversation.relabel()
    talk.conversation.tap(CharacterChip("merchant"))
    assert talk.moves() == []


# -- forced steps ---------------------------------------------------------------------------------


def test_a_secret_murder_is_not_passed_over_before_its_rank_is_called(begin: Begin) -> None:
    talk = begin(f"{CALLED}; reveal Kurt; kill king; gold", secrecy="secret")
    talk.line("end")
    assert talk.session.view.called == 3
    talk.line("nobody")
    assert talk.session.view.called == 6


def test_a_program_says_every_move(begin: Begin) -> None:
    talk = begin(KURT_KILLS, people=False, forced=False)
    assert talk.session.view.called == 2
    talk.line("nobody")
    assert talk.session.view.called == 3


# -- private moments ------------------------------------------------------------------------------


def test_questions_are_answered_in_a_private_moment_and_do_not_end_it(begin: Begin) -> None:
    talk = begin(f"{CALLED}; reveal Kurt", secrecy="secret")
    talk.line("kill")
    for question in ("", "0", "moves", "repeat", "help", "?"):
        assert "4: King" in talk.line(question)
        assert talk.conversation.asked.private
    assert talk.line("king") == ["Kurt has named a character."]
    assert not talk.conversation.asked.private


@pytest.mark.parametrize("words_typed", ["kil kng", "kings", "9", "status", "Ashley"])
def test_what_is_typed_in_private_is_never_repeated(begin: Begin, words_typed: str) -> None:
    talk = begin(f"{CALLED}; reveal Kurt", secrecy="secret")
    talk.line("kill")
    assert talk.line(words_typed) == ["You can't choose that; nothing has changed."]
    assert talk.conversation.asked.private


@pytest.mark.parametrize(
    "words_typed", ["kil kng", "tuer marchan", "убить купц", "kll king", "king"]
)
def test_a_line_that_may_be_private_is_not_repeated(begin: Begin, words_typed: str) -> None:
    talk = begin(f"{CALLED}; reveal Kurt", secrecy="secret")
    text = " ".join(talk.line(words_typed))
    assert words_typed not in text
    assert not talk.conversation.may_show(words_typed)


@pytest.mark.parametrize("name", ["king", "kingg"])
def test_a_victim_named_without_a_verb_is_not_understood(begin: Begin, name: str) -> None:
    talk = begin(f"{CALLED}; reveal Kurt", secrecy="secret")
    assert talk.line(name) == ["I didn't understand that, and I won't repeat it."]
    assert talk.moves()[-1] == "reveal Kurt"


def test_several_meanings_of_a_private_line_are_asked_for(begin: Begin) -> None:
    talk = begin(f"{CALLED}; reveal Kurt", secrecy="secret")
    talk.line("kill m")
    assert talk.conversation.asked.private
    assert talk.moves()[-1] == "reveal Kurt"


def test_in_a_private_moment_nobody_elses_reader_counts(begin: Begin) -> None:
    talk = begin(f"{CALLED}; reveal Kurt", secrecy="secret")
    talk.line("kill")
    talk.conversation.tap(CharacterChip("king"), seat=0)
    assert talk.moves()[-1] == "reveal Kurt"
    talk.conversation.tap(CharacterChip("king"), seat=1)
    assert talk.moves()[-1] == "kill king"


# -- the end --------------------------------------------------------------------------------------


def test_the_scores_are_told_one_part_at_a_time(begin: Begin) -> None:
    talk = begin(**SHORT_GAME)
    talk.play_out()

    def list_titles() -> list[str]:
        return [message.title for message in talk.face.messages if message.kind == "answer"]

    titles, told = list_titles(), []
    for word in ("next", "next", "", "", ""):
        assert [(row.number, row.word) for row in talk.offer.rows] == [(1, "next")]
        assert talk.conversation.asked.question == "Enter: the next part of the scores."
        told.append(talk.line(word))
        titles += list_titles()
    assert told[:2] == [["Nobody."], ["Ben: 4 points."]]
    assert "1: Play again with the same names" in told[-1]
    assert titles == [
        "Districts",
        "Five types",
        "Complete cities",
        "Unique districts",
        "The winner",
        "The final scores",
    ]
    assert talk.conversation.asked.question == "The game is over."
    assert not talk.conversation.press("enter")
    brought = [name for name, word in list_words().items() if word.row]
    rows = [(row.number, row.word) for row in talk.offer.rows]
    assert rows[:3] == [(1, "rematch"), (2, "score"), (3, "new")]
    assert [word for _number, word in rows[3:]] == brought
    assert talk.line("next") == ["The game is over; type new to start another."]


def test_a_secret_vault_is_shown_by_its_number(begin: Begin) -> None:
    record = records.read(str(RECORDS / "deluxe_2016.three_players.yaml")).record
    talk = begin("; ".join(record.moves[:-1]), **record.setup._asdict())
    assert record.moves[-1] == "vault Ashley"
    assert talk.session.over
    numbers = [row.number for row in talk.offer.rows]
    assert numbers == [*range(1, len(numbers)), 85]
    assert [row.number for row in talk.offer.rows if row.moves] == [85]
    talk.keys("8 5")
    talk.line("Ashley")
    assert talk.moves()[-1] == "vault Ashley"
    left = len(talk.parts)
    talk.line("undo")
    assert len(talk.parts) == left > 0
    talk.line("undo")  # the game goes on again
    assert talk.parts == []


def test_the_evening_before_is_told_of_the_same_people(begin: Begin) -> None:
    begin(**SHORT_GAME, people=False).play_out()
    talk = begin(**SHORT_GAME)
    talk.play_out()
    evening = talk.parts[-1]
    assert evening.title == "This evening"
    assert len(evening.lines) == 1
    assert "wins with" in evening.lines[0]


def test_who_won_earlier_is_told_from_what_is_kept_without_a_replay(begin: Begin) -> None:
    first = begin(**SHORT_GAME, people=False)
    first.play_out()
    with first.store.database.write() as connection:
        connection.execute("UPDATE seat SET place = 1, total = 7")
    talk = begin(**SHORT_GAME)
    talk.play_out()
    (line,) = talk.parts[-1].lines
    assert line.endswith("share the victory with 7 points.")


# -- whole games ----------------------------------------------------------------------------------


@pytest.mark.parametrize("secrecy", ["announced", "secret"])
@pytest.mark.parametrize(
    "edition", ["classic_2016", "brettspielwelt", "millennium_3e", "ffg_2005", "deluxe_2016"]
)
def test_rows_reach_every_open_move_of_a_random_game(
    begin: Begin, edition: str, secrecy: str
) -> None:
    head = random_setup(edition, f"rows {secrecy}") | {"secrecy": secrecy}
    talk = begin(**read_setup(head)._asdict())
    chance = random.Random(f"{edition} {secrecy}")
    for _move in range(400):
        if talk.session.over:
            break
        view, legal = talk.session.view, talk.session.legal()
        if not talk.conversation.answers_in_private:
            moves = select_offered(view, legal)
            public = {move for move in moves if not is_private(view, move.verb)}
            assert find_reachable(talk) == public
        talk.session.play(chance.choice(talk.session.referee.list_legal_moves()))
